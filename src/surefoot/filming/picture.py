"""What one frame shows, as plain data: panes, where the eye of each stands, figures, arrows, words.

A `Picture` says everything and draws nothing, so it can be sent to a child process; `storyboard` makes pictures out of takes,
`painter` draws them, `lettering` writes the words.
"""

import dataclasses
import math

import numpy as np
from numpy.typing import NDArray

Vector = tuple[float, float, float]
Place = str
"""Where a caption stands in its pane: "top-left", "top-right", "bottom-left", "bottom-right"."""
ARROW_GAP_M = 0.13
"""From the middle of the pushed body to the tip of an arrow, so that the tip rests on its surface."""


def arrow_length_m(force_n: float) -> float:
    """0.25 m and a further metre for each 400 N, so that a weak push is visible and a strong one fits."""
    return 0.25 + force_n / 400.0


@dataclasses.dataclass(frozen=True, kw_only=True, slots=True)
class Eye:
    """A camera that looks at a point."""

    target_m: Vector
    """The point in the middle of the pane."""
    distance_m: float
    """From the camera to that point."""
    azimuth_rad: float
    """Direction of sight about up: 0 looks along +x, pi/2 along +y (so +x goes to the right of the picture)."""
    elevation_rad: float
    """Direction of sight against the horizon; negative looks down."""
    field_rad: float
    """Vertical field of view."""

    def axes(self) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
        """Unit vectors to the right, up and forward in the picture, in the world."""
        ca, sa = math.cos(self.azimuth_rad), math.sin(self.azimuth_rad)
        ce, se = math.cos(self.elevation_rad), math.sin(self.elevation_rad)
        return np.array([sa, -ca, 0.0]), np.array([-se * ca, -se * sa, ce]), np.array([ce * ca, ce * sa, se])

    def project(self, point_m: Vector, width: int, height: int) -> tuple[float, float] | None:
        """Pixel (from the left, from the top) of a point in the world; None when it lies behind the camera."""
        right, up, forward = self.axes()
        offset = np.asarray(point_m) - (np.asarray(self.target_m) - self.distance_m * forward)
        depth = float(offset @ forward)
        if depth < 0.05:
            return None
        scale = height / (2.0 * depth * math.tan(self.field_rad / 2.0))
        return width / 2.0 + scale * float(offset @ right), height / 2.0 - scale * float(offset @ up)


@dataclasses.dataclass(frozen=True, kw_only=True, slots=True)
class Figure:
    """The bodies of the model in one pose."""

    qpos: NDArray[np.float64]
    """(nq,): positions of the whole model."""
    offset_m: tuple[float, float] = (0.0, 0.0)
    """Where it is drawn, from where it is: sideways, for figures side by side."""
    opacity: float = 1.0
    """Below 1 it is a ghost."""
    label: str = ""
    """Words above its head."""


@dataclasses.dataclass(frozen=True, kw_only=True, slots=True)
class Arrow:
    """A force on a body of a figure."""

    figure: int
    """Which figure of the pane."""
    body: str
    """Name of the pushed body."""
    force_n: Vector
    """The force in the world."""
    opacity: float = 1.0
    """It fades after the push."""
    words: bool = True
    """Whether its newtons stand beside it."""


@dataclasses.dataclass(frozen=True, kw_only=True, slots=True)
class Caption:
    """Words in a corner of a pane."""

    text: str
    """The words; empty ones are left out."""
    place: Place
    """The corner."""
    emphasis: bool = False
    """Larger, for a title."""


@dataclasses.dataclass(frozen=True, kw_only=True, slots=True)
class Pane:
    """A rectangle of the picture with a camera of its own."""

    left: int
    """Pixels from the left of the picture."""
    top: int
    """Pixels from the top."""
    width: int
    """In pixels."""
    height: int
    """In pixels."""
    eye: Eye
    """Where it is seen from."""
    figures: tuple[Figure, ...]
    """Who is in it."""
    arrows: tuple[Arrow, ...] = ()
    """Forces on the figures."""
    captions: tuple[Caption, ...] = ()
    """Words in its corners."""
    shadow_reach_m: float = 2.0
    """Half width of the square about the target in which things cast shadows."""


@dataclasses.dataclass(frozen=True, kw_only=True, slots=True)
class Picture:
    """One frame."""

    width: int
    """In pixels."""
    height: int
    """In pixels."""
    panes: tuple[Pane, ...]
    """What it is made of, left to right and top to bottom."""
    captions: tuple[Caption, ...] = ()
    """Words over the whole picture."""
    fine: bool = True
    """False draws shadows and edges coarser, for many small moving panes."""
