"""Rotations as arrays of nine numbers (rows first) in the heading frame: targets, errors, tilts.

Callable from Python and from compiled laws. Angles are right-handed: yaw about up, then pitch about left, then roll
about forward. Curves over time are in `geometry.curves`.
"""

from __future__ import annotations

import math

import numba
import numpy as np


@numba.njit(inline="always")
def tilted(forward: np.ndarray, left: np.ndarray, up: np.ndarray, yaw: float, pitch: float, roll: float, result: np.ndarray) -> None:
    """Orientation (9,) of a body that is yawed, pitched and rolled from the frame (forward, left, up): B Rz Ry Rx."""
    cy, sy, cp, sp, cr, sr = math.cos(yaw), math.sin(yaw), math.cos(pitch), math.sin(pitch), math.cos(roll), math.sin(roll)
    for i in range(3):
        ahead, aside, above = forward[i], left[i], up[i]
        x, y = cy * ahead + sy * aside, cy * aside - sy * ahead  # after yaw
        x, z = cp * x - sp * above, sp * x + cp * above  # after pitch
        result[3 * i] = x
        result[3 * i + 1] = cr * y + sr * z  # after roll
        result[3 * i + 2] = cr * z - sr * y


@numba.njit(inline="always")
def rotation_error(actual: np.ndarray, wanted: np.ndarray, result: np.ndarray) -> None:
    """World vector (3,) that turns `actual` towards `wanted`: half the sum of a_i x w_i over the body axes.

    Its size is the sine of the angle between them: right for small angles, bounded for large ones.
    """
    ex, ey, ez = 0.0, 0.0, 0.0
    for i in range(3):
        ax, ay, az = actual[i], actual[3 + i], actual[6 + i]
        wx, wy, wz = wanted[i], wanted[3 + i], wanted[6 + i]
        ex += ay * wz - az * wy
        ey += az * wx - ax * wz
        ez += ax * wy - ay * wx
    result[0], result[1], result[2] = 0.5 * ex, 0.5 * ey, 0.5 * ez


@numba.njit
def pitch_of(rotation: np.ndarray, forward: np.ndarray, up: np.ndarray) -> float:
    """Pitch of a body in the plane of forward and up: 0 upright, positive when its top leans forward."""
    zf = rotation[2] * forward[0] + rotation[5] * forward[1] + rotation[8] * forward[2]
    zu = rotation[2] * up[0] + rotation[5] * up[1] + rotation[8] * up[2]
    return math.atan2(zf, zu)


@numba.njit
def roll_of(rotation: np.ndarray, left: np.ndarray, up: np.ndarray) -> float:
    """Roll of a body in the plane of left and up: 0 upright, positive when its top leans to the right."""
    zl = rotation[2] * left[0] + rotation[5] * left[1] + rotation[8] * left[2]
    zu = rotation[2] * up[0] + rotation[5] * up[1] + rotation[8] * up[2]
    return math.atan2(-zl, zu)


@numba.njit
def turned(angle: float) -> float:
    """An angle brought to (-pi, pi]."""
    return math.pi - (math.pi - angle) % (2.0 * math.pi)
