"""The mirror of a character: y -> -y swaps left and right and negates roll and yaw.

A permutation with signs over the internal DoF, read from the names and axes, and the same for the whole position and
velocity of a simulation. Mirrors of features and actions belong to those who define them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from surefoot.errors import SurefootError

if TYPE_CHECKING:  # the description offers its mirror as a property, so at run time it imports this module
    from surefoot.characters.description import Character

Floats = NDArray[np.float64]
FREE_POSITION = np.array([1, -1, 1, 1, -1, 1, -1.0])
"""Signs of x, y, z and of the quaternion (w, x, y, z) under y -> -y."""
FREE_VELOCITY = np.array([1, -1, 1, -1, 1, -1.0])
"""Signs of the linear and of the angular velocity, which is an axial vector."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Mirror:
    """mirrored[i] = signs[i] * original[permutation[i]], along the last axis."""

    permutation: NDArray[np.intp]
    """(n,): from where each number comes."""
    signs: Floats
    """(n,): 1 or -1."""

    def __call__(self, numbers: Floats) -> Floats:
        """Swap sides in the last axis of an array."""
        return self.signs * numbers[..., self.permutation]


def other_side(name: str) -> str:
    """`left_knee` for `right_knee` and the reverse; a name without a side stays."""
    if name.startswith("left_"):
        return "right_" + name.removeprefix("left_")
    if name.startswith("right_"):
        return "left_" + name.removeprefix("right_")
    return name


def mirror_dofs(character: Character) -> Mirror:
    """Mirror of the internal DoF: angles (of hinges), velocities, torques."""
    names = character.dof_names
    return _mirror(character, names, [1.0 if name.endswith("_pitch") else -1.0 for name in names])


def mirror_position(character: Character) -> Mirror:
    """Mirror of qpos: the root's 7 (or 3) numbers, then hinge angles and quaternions of balls."""
    names, signs = _root(character, ("x", "y", "z", "qw", "qx", "qy", "qz"), FREE_POSITION)
    for joint in character.joints:
        if joint.ball:
            names += [f"{joint.name}_q{part}" for part in "wxyz"]
            signs += list(FREE_POSITION[3:])
        else:
            names += list(joint.dof_names)
            signs += [1.0 if axis == "y" else -1.0 for axis in joint.axes]
    return _mirror(character, tuple(names), signs)


def mirror_velocity(character: Character) -> Mirror:
    """Mirror of qvel: the root's 6 (or 3) numbers, then the internal DoF."""
    names, signs = _root(character, ("vx", "vy", "vz", "wx", "wy", "wz"), FREE_VELOCITY)
    internal = mirror_dofs(character)
    return _mirror(character, (*names, *character.dof_names), [*signs, *internal.signs])


def _root(character: Character, names: tuple[str, ...], signs: Floats) -> tuple[list[str], list[float]]:
    if character.root == "free":
        return [f"root {name}" for name in names], [float(sign) for sign in signs]
    in_plane = ["root x", "root z", "root pitch"][-character.root_dof_count :]  # untouched by a mirror of the plane itself
    return in_plane, [1.0] * len(in_plane)


def _mirror(character: Character, names: tuple[str, ...], signs: list[float]) -> Mirror:
    place = {name: index for index, name in enumerate(names)}
    lonely = [name for name in names if other_side(name) not in place]
    if lonely:
        raise SurefootError(f"character '{character.name}' has no mirror: nothing stands opposite '{lonely[0]}'")
    return Mirror(permutation=np.array([place[other_side(name)] for name in names], dtype=np.intp), signs=np.array(signs))
