"""What a caller hands over to be filmed: recorded motion with its pushes (`Take`), and how it is shown (`Shot`).

Plain data in the words of film making. `storyboard` turns shots into pictures, `film` and `contact_sheet` into files.
"""

import dataclasses
from collections.abc import Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from surefoot.errors import UnknownName, WrongValue
from surefoot.filming.camera import view

Layout = Literal["together", "grid"]
LAYOUTS = ("together", "grid")


@dataclasses.dataclass(frozen=True, kw_only=True, slots=True)
class Push:
    """A force that acted on a body for a while; it is drawn as an arrow."""

    time_s: float
    """When it began, on the clock of the take."""
    duration_s: float
    """How long it acted."""
    force_n: tuple[float, float, float]
    """The force in the world frame."""
    body: str
    """Name of the pushed body in the model, with its prefix."""


@dataclasses.dataclass(frozen=True, kw_only=True, slots=True)
class Note:
    """Words that appear for a while."""

    time_s: float
    """From when."""
    text: str
    """What."""
    duration_s: float = 1e9
    """For how long; by default until the end."""


@dataclasses.dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Take:
    """One recorded motion of the whole scene."""

    qpos: NDArray[np.float64]
    """(T, nq): positions of the model."""
    rate_hz: float
    """Recorded positions a second."""
    caption: str = ""
    """One line: what this is."""
    pushes: tuple[Push, ...] = ()
    """Forces to show as arrows."""
    notes: tuple[Note, ...] = ()
    """Further lines at their times, such as `fell`."""
    offset_m: tuple[float, float] = (0.0, 0.0)
    """Sideways displacement in the picture, for several takes together in one scene."""
    opacity: float = 1.0
    """Below 1 it is a ghost."""

    def __post_init__(self) -> None:
        if self.qpos.ndim != 2 or len(self.qpos) == 0:
            raise WrongValue(f"a take needs positions of shape (T, nq) with at least one instant, not {self.qpos.shape}")
        if not self.rate_hz > 0.0:
            raise WrongValue(f"a take was given {self.rate_hz} positions a second: the rate must be above 0")
        if not np.isfinite(self.qpos).all():
            first = int(np.argmin(np.isfinite(self.qpos).all(axis=1)))
            raise WrongValue(f"the take '{self.caption}' has positions that are not numbers from instant {first}: cut it there")

    @property
    def duration_s(self) -> float:
        """From the first to the last instant."""
        return (len(self.qpos) - 1) / self.rate_hz


@dataclasses.dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Shot:
    """A stretch of film: one take, or several together in one scene or in a grid."""

    takes: tuple[Take, ...]
    """What is shown."""
    view: str = "three-quarter"
    """Name of the camera's view (`camera.VIEWS`)."""
    layout: Layout = "together"
    """Several takes in one scene, or each in a pane of its own."""
    speed: float = 1.0
    """0.25 is slow motion."""
    start_s: float = 0.0
    """Where in the takes it begins."""
    end_s: float | None = None
    """Where it ends; by default with the longest take (shorter ones rest in their last pose)."""
    title: str = ""
    """Words over the whole picture."""
    heading_rad: float = 0.0
    """The way of walking that views refer to."""
    columns: int | None = None
    """Panes in a row of a grid."""

    def __post_init__(self) -> None:
        if not self.takes:
            raise WrongValue("a shot without takes shows nothing: give it at least one take")
        if self.layout not in LAYOUTS:
            raise UnknownName("layout", self.layout, LAYOUTS)
        if not self.speed > 0.0:
            raise WrongValue(f"a speed of {self.speed} never ends: use 0.25 for slow motion, 1 for real time")
        if not 0.0 <= self.start_s <= self.stop_s:
            raise WrongValue(f"a shot from {self.start_s} s to {self.stop_s} s is empty: its takes last {self._longest_s} s")
        view(self.view)

    @property
    def _longest_s(self) -> float:
        return max(take.duration_s for take in self.takes)

    @property
    def stop_s(self) -> float:
        """Where it ends in the takes' time."""
        return self._longest_s if self.end_s is None else self.end_s

    @property
    def duration_s(self) -> float:
        """Its length in the film."""
        return (self.stop_s - self.start_s) / self.speed


def shots_of(shown: Take | Shot | Sequence[Take | Shot], **how: object) -> tuple[Shot, ...]:
    """Shots one after another; each bare take becomes a shot shown as `how` says."""
    items = [shown] if isinstance(shown, (Take, Shot)) else list(shown)
    if not items:
        raise WrongValue("there is nothing to film: give at least one take")
    return tuple(
        item if isinstance(item, Shot) else dataclasses.replace(Shot(takes=(item,)), **how)  # type: ignore[arg-type]
        for item in items
    )
