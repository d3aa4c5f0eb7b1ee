"""What the demo may be asked, and what it answers; the words between `surefoot.demo`, which does it, and the command line.

Nothing is simulated or drawn here, so that `surefoot demo --help` is quick. The fields of DemoOptions are the command's flags;
the table that DemoReport makes is the one that is printed and the one that is saved.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final, Literal, get_args

import tyro

from surefoot.errors import UnusableFile, WrongValue

Direction = Literal["forward", "forward-left", "left", "back-left", "back", "back-right", "right", "forward-right"]
"""Where a push drives the character, seen from itself."""
Camera = Literal["side", "left-side", "front", "back", "three-quarter", "overview", "top"]
"""Where the film is taken from: the views of `surefoot.filming.camera`; each goes along with the character."""
DIRECTIONS: Final[tuple[Direction, ...]] = get_args(Direction)
LARGEST_PUSH_N: Final = 5000.0
"""Seven times the weight of a 70 kg human: beyond it a push is a typing mistake, not an experiment."""


@dataclass(frozen=True, kw_only=True, slots=True)
class DemoOptions:
    """Flags of `surefoot demo`; without --push and --direction it pushes from eight sides, within and beyond what is survived."""

    push_n: Annotated[float | None, tyro.conf.arg(name="push", metavar="N")] = None
    """Force of the push in newtons, for 0.4 s; without it, one force that is survived and one beyond."""
    direction: Direction | None = None
    """Where the push drives the character; without it, all eight directions."""
    gait: str = "walk"
    """A gait of the character, 'walk' for 'human/walk', or a gait file; 'surefoot list --kind gaits' names them."""
    slow: float = 1.0
    """Speed of the film: 0.25 plays four times slower than life."""
    camera: Camera = "three-quarter"
    """Where the film is taken from."""
    character: str = "human"
    """Who walks; 'surefoot list --kind characters' names them."""
    out: Path = Path("runs/demo")
    """Folder for the film, the contact sheet, the motion and the table."""
    seed: int = 0
    """Root of all random numbers: the same seed gives the same bits."""

    def __post_init__(self) -> None:
        if self.push_n is not None and not 0 <= self.push_n <= LARGEST_PUSH_N:
            raise WrongValue(f"--push is {self.push_n:g}: a push is from 0 to {LARGEST_PUSH_N:g} N; the gaits are made to stand 150 N")
        if not 0 < self.slow <= 1:
            raise WrongValue(f"--slow is {self.slow:g}: a speed of the film is above 0 and at most 1; 0.25 is four times slower")
        if self.seed < 0:
            raise WrongValue(f"--seed is {self.seed}: a seed is a whole number of at least 0")
        blocked = next((place for place in (self.out, *self.out.parents) if place.exists() and not place.is_dir()), None)
        if blocked is not None:
            raise UnusableFile(blocked, "is not a folder", next_move="name a folder with --out")


@dataclass(frozen=True, kw_only=True, slots=True)
class PushOutcome:
    """What became of one kind of push."""

    direction: Direction
    """Where it drove the character."""
    push_n: float
    """How hard, for 0.4 s."""
    trials: int
    """How many were pushed so."""
    survived: int
    """How many kept walking."""


@dataclass(frozen=True, kw_only=True, slots=True)
class DemoReport:
    """What the demo did."""

    options: DemoOptions
    """What it was asked."""
    outcomes: tuple[PushOutcome, ...]
    """One for each direction and force."""
    files: tuple[Path, ...]
    """What it wrote, the film first when there is one."""
    elapsed_s: float
    """Time on the clock."""
    not_drawn: str = ""
    """Empty when everything was drawn; else one line that names the package to install."""

    def table(self) -> str:
        """Directions down, forces across, survivors of trials in the cells."""
        forces = tuple(sorted({outcome.push_n for outcome in self.outcomes}))
        cells = {(outcome.direction, outcome.push_n): f"{outcome.survived} of {outcome.trials}" for outcome in self.outcomes}
        lines = [f"{'pushed 0.4 s to':<15}" + "".join(f"{f'{force:g} N':>12}" for force in forces)]
        for direction in (each for each in DIRECTIONS if any(each == outcome.direction for outcome in self.outcomes)):
            lines.append(f"{direction:<15}" + "".join(f"{cells.get((direction, force), '-'):>12}" for force in forces))
        return "\n".join(lines)
