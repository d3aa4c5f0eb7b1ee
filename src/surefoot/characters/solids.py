"""What solids weigh: middle of mass and inertia of a uniform solid, in the frame of its link.

Kept exact and apart from MuJoCo, so that the total mass of a character is the sum of its table. The solids themselves are
in `shapes`.
"""

from dataclasses import dataclass
from math import pi

import numpy as np
from numpy.typing import NDArray

from surefoot.characters.shapes import Shape, Vector

Matrix = NDArray[np.float64]
"""3 by 3."""


@dataclass(frozen=True, kw_only=True, slots=True)
class MassProperties:
    """Where a rigid body's mass lies."""

    mass_kg: float
    """Total mass."""
    middle_m: Vector
    """Centre of mass in the frame of the link."""
    inertia_kgm2: Matrix
    """Inertia about the centre of mass, along the axes of the link (3, 3)."""


def weigh(solid: Shape, mass_kg: float) -> MassProperties:
    """Spread a mass evenly over a solid."""
    turn = _matrix(solid)
    inertia = turn @ np.diag(mass_kg * _inertia_per_kg(solid)) @ turn.T
    return MassProperties(mass_kg=mass_kg, middle_m=solid.position_m, inertia_kgm2=(inertia + inertia.T) / 2)


def _inertia_per_kg(solid: Shape) -> NDArray[np.float64]:
    """Principal moments of a uniform solid of 1 kg, along its own axes."""
    if solid.kind == "sphere":
        return np.full(3, 0.4 * solid.size_m[0] ** 2)
    if solid.kind == "ellipsoid":
        a, b, c = (s * s for s in solid.size_m)
        return np.array([b + c, a + c, a + b]) / 5
    if solid.kind == "box":
        a, b, c = (s * s for s in solid.size_m)
        return np.array([b + c, a + c, a + b]) / 3
    if solid.kind == "cylinder":
        r, h = solid.size_m
        across = r * r / 4 + h * h / 3
        return np.array([across, across, r * r / 2])
    if solid.kind == "capsule":
        return _capsule_inertia_per_kg(*solid.size_m)
    raise ValueError(f"a {solid.kind} is a skin and carries no mass")


def _capsule_inertia_per_kg(radius_m: float, half_m: float) -> NDArray[np.float64]:
    """Cylinder and two half balls, each with its share of the volume; half ball: centre of mass 3/8 r from its flat side."""
    r, h = radius_m, half_m
    bar, ball = 2 * pi * r * r * h, 4 / 3 * pi * r**3
    bar, ball = bar / (bar + ball), ball / (bar + ball)
    across = bar * (r * r / 4 + h * h / 3) + ball * (0.4 * r * r + h * h + 0.75 * h * r)
    return np.array([across, across, bar * r * r / 2 + ball * 0.4 * r * r])


def _matrix(solid: Shape) -> Matrix:
    """Rotation matrix of the shape's quaternion (w, x, y, z)."""
    w, x, y, z = solid.rotation
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )
