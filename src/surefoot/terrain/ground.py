"""What a ground is, and the two simplest: a level plane and a slope.

A ground answers with its height and adds geoms named `ground_<n>` that touch nothing by themselves. A slope can also be had by
turning gravity: that is a model override of the engine, not a ground. Courses with edges are in `strip`.
"""

from dataclasses import dataclass
from math import cos, pi, sin, tan
from typing import Protocol

import mujoco
import numpy as np
from numpy.typing import ArrayLike, NDArray

from surefoot.errors import SurefootError

Floats = NDArray[np.float64]
COLOUR = (0.62, 0.64, 0.66, 1.0)
"""Grey, where the film lays no picture over it."""


class Ground(Protocol):
    """Something to stand on."""

    def height(self, x_m: ArrayLike, y_m: ArrayLike) -> Floats:
        """Height of the ground at each place; x and y broadcast against each other."""
        ...

    def add_to(self, spec: mujoco.MjSpec) -> None:
        """Add the geoms `ground_0`, `ground_1`, ... to the world; contype = conaffinity = 0."""
        ...


@dataclass(frozen=True, kw_only=True, slots=True)
class Plane:
    """A level plane at z = 0 without end."""

    def height(self, x_m: ArrayLike, y_m: ArrayLike) -> Floats:
        """Zero everywhere."""
        return np.zeros(np.broadcast_shapes(np.shape(x_m), np.shape(y_m)))

    def add_to(self, spec: mujoco.MjSpec) -> None:
        """One plane."""
        add_plane(spec, 0)


@dataclass(frozen=True, kw_only=True, slots=True)
class Slope:
    """A plane through the origin that climbs ahead (along +x)."""

    climb_rad: float
    """Angle of the climb: positive goes uphill ahead. The plane is turned by its negative about y (pitch)."""

    def __post_init__(self) -> None:
        if not -pi / 2 < self.climb_rad < pi / 2:
            raise SurefootError(f"climb_rad is {self.climb_rad}: a slope is less steep than a wall, within pi/2 either way")

    def height(self, x_m: ArrayLike, y_m: ArrayLike) -> Floats:
        """x tan(climb)."""
        x, _ = np.broadcast_arrays(np.asarray(x_m, dtype=np.float64), np.asarray(y_m))
        return x * tan(self.climb_rad)

    def add_to(self, spec: mujoco.MjSpec) -> None:
        """One plane, turned about y."""
        half = -self.climb_rad / 2
        add_plane(spec, 0, rotation=(cos(half), 0.0, sin(half), 0.0))


def add_plane(
    spec: mujoco.MjSpec, number: int, *, height_m: float = 0.0, rotation: tuple[float, float, float, float] = (1.0, 0.0, 0.0, 0.0)
) -> None:
    """A plane without end, for this package's grounds; a size of 0 means without end to MuJoCo."""
    spec.worldbody.add_geom(
        name=f"ground_{number}",
        type=mujoco.mjtGeom.mjGEOM_PLANE,
        size=(0.0, 0.0, 1.0),
        pos=(0.0, 0.0, height_m),
        quat=rotation,
        contype=0,
        conaffinity=0,
        rgba=COLOUR,
    )
