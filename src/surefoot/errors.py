"""What a user did wrong, said in one sentence: what was asked, what exists, the nearest match, the next move.

Every mistake that a user can make is a SurefootError or one of its children here, and the command line prints it
without a traceback and ends with code 2 (`surefoot.cli.mistakes`). Mistakes of the program itself are not here: they stay
ordinary Python exceptions with their traceback.
"""

from collections.abc import Iterable
from difflib import get_close_matches
from pathlib import Path

CLOSE_ENOUGH = 0.6
"""difflib ratio from which a name is offered as the nearest: 'l_knee' and 'left_knee' have 0.8, 'walk' and 'run' 0."""
LISTED_AT_MOST = 12
"""Names listed when nothing is near; a longer list is cut, so that the message stays one line to read."""


class SurefootError(Exception):
    """A request that cannot be met, with a message for the person who made it; not a fault of the program."""


class UnknownName(SurefootError):
    """A name that nothing carries: `no joint 'l_knee' in character 'biped': did you mean 'left_knee'?`."""

    def __init__(self, kind: str, asked: str, existing: Iterable[str], *, where: str = "", next_move: str = "") -> None:
        names = tuple(existing)
        place = f" in {where}" if where else ""
        super().__init__(_sentence(f"no {kind} '{asked}'{place}: {nearest(asked, names)}", next_move))
        self.kind, self.asked, self.existing = kind, asked, names


class WrongValue(SurefootError):
    """A value of the wrong type or outside what makes sense: `push_n is -5: a force is at least 0 N`."""


class UnusableFile(SurefootError):
    """A file that is missing, torn, of another kind, or cannot be written."""

    def __init__(self, path: Path | str, reason: str, *, next_move: str = "") -> None:
        super().__init__(_sentence(f"file '{path}' {reason}", next_move))
        self.path = Path(path)


class NotAvailable(SurefootError):
    """Something that this machine or this installation lacks, with the command that mends it."""


def nearest(asked: str, existing: Iterable[str]) -> str:
    """The clause that helps on from a name that nothing carries: the nearest name, or else what there is."""
    names = tuple(existing)
    if not names:
        return "there are none"
    match = nearest_name(asked, names)
    return f"did you mean '{match}'?" if match else f"there {'is' if len(names) == 1 else 'are'} {listed(names)}"


def nearest_name(asked: str, existing: Iterable[str]) -> str | None:
    """The existing name that looks most like the asked one, or None when nothing is near; upper and lower case count alike."""
    by_lower: dict[str, str] = {}
    for name in existing:
        by_lower.setdefault(name.lower(), name)
    found = get_close_matches(asked.lower(), by_lower, n=1, cutoff=CLOSE_ENOUGH)
    return by_lower[found[0]] if found else None


def listed(names: Iterable[str]) -> str:
    """`'a', 'b' and 3 more`: names for a sentence, in the order given."""
    every = tuple(names)
    shown = ", ".join(f"'{name}'" for name in every[:LISTED_AT_MOST])
    return shown if len(every) <= LISTED_AT_MOST else f"{shown} and {len(every) - LISTED_AT_MOST} more"


def _sentence(message: str, next_move: str) -> str:
    return f"{message} {next_move}" if message.endswith("?") and next_move else f"{message}; {next_move}" if next_move else message
