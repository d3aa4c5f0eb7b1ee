"""Swings of shoulders and hips that the study of joints tracks: a walk, a side kick, a cartwheel of the arms, a reach forward.

Each is a path of orientations of the limb against its parent, written as rotation vectors, so that no joint type is favoured;
`hinge_angles` gives the angles of a hinge triple that follow it without a jump where that is possible. Who tracks them, and how well,
is in `choice_joints`.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.spatial.transform import Rotation

JOINTS = ("left_shoulder", "right_shoulder", "left_hip", "right_hip")
SWING_S = 2.0
Path = Callable[[np.ndarray], Rotation]
"""Times (k,) in s to orientations of a left limb against its parent; the right one gets the mirror image."""


def _ease(t: np.ndarray, start_s: float, end_s: float) -> np.ndarray:
    """0 before, 1 after, with no jump in speed or acceleration (minimum jerk)."""
    x = np.clip((t - start_s) / (end_s - start_s), 0.0, 1.0)
    return x**3 * (10.0 - 15.0 * x + 6.0 * x * x)


def _there_and_back(t: np.ndarray, rise_s: float) -> np.ndarray:
    return _ease(t, 0.2, 0.2 + rise_s) - _ease(t, 1.1, 1.1 + rise_s)


def _still(t: np.ndarray) -> Rotation:
    return Rotation.from_rotvec(np.zeros((t.size, 3)))


def _walking_hip(t: np.ndarray) -> Rotation:
    wave = 2.0 * np.pi * t
    return Rotation.from_euler("YXZ", np.stack([-0.1 - 0.4 * np.sin(wave), 0.08 * np.cos(wave), 0.1 * np.sin(wave)], axis=1))


def _walking_shoulder(t: np.ndarray) -> Rotation:
    wave = 2.0 * np.pi * t
    return Rotation.from_euler("YXZ", np.stack([0.35 * np.sin(wave), 0.1 + 0.0 * t, 0.0 * t], axis=1))


def _about(tilt_rad: float, angle_rad: np.ndarray) -> Rotation:
    """Rotation about an axis in the horizontal plane, `tilt_rad` from straight ahead: a limb that swings sideways, a little forward."""
    axis = np.array([np.cos(tilt_rad), -np.sin(tilt_rad), 0.0])
    return Rotation.from_rotvec(angle_rad[:, None] * axis)


def _kick(t: np.ndarray) -> Rotation:
    return _about(0.25, 1.75 * _there_and_back(t, 0.45))


def _cartwheel(t: np.ndarray) -> Rotation:
    return _about(0.12, 2.9 * _there_and_back(t, 0.6))


def _split(t: np.ndarray) -> Rotation:
    return _about(0.12, 0.9 * _there_and_back(t, 0.6))


def _reach(t: np.ndarray) -> Rotation:
    """Arm up to the side until it is level, then forward on that level: starts the second part at the triple's pole."""
    up = Rotation.from_rotvec((0.5 * np.pi * _ease(t, 0.1, 0.6))[:, None] * np.array([1.0, 0.0, 0.0]))
    forward = Rotation.from_rotvec((0.5 * np.pi * (_ease(t, 0.7, 1.2) - _ease(t, 1.3, 1.8)))[:, None] * np.array([0.0, 0.0, -1.0]))
    return forward * up


SWINGS: dict[str, tuple[Path, Path]] = {
    "walk": (_walking_shoulder, _walking_hip),
    "kick": (_still, _kick),
    "cartwheel": (_cartwheel, _split),
    "reach": (_reach, _still),
}
"""Name to the paths of a left shoulder and a left hip."""


def orientations(swing: str, times_s: np.ndarray) -> list[Rotation]:
    """Paths of `JOINTS` at the given times; times after the end hold the last pose."""
    shoulder, hip = SWINGS[swing]
    times = np.minimum(times_s, SWING_S)
    left = [shoulder(times), hip(times)]
    return [left[0], _mirror(left[0]), left[1], _mirror(left[1])]


def _mirror(path: Rotation) -> Rotation:
    """The mirror image (y -> -y): a rotation vector keeps its y and turns its x and z."""
    return Rotation.from_rotvec(path.as_rotvec() * np.array([-1.0, 1.0, -1.0]))


def hinge_angles(path: Rotation) -> np.ndarray:
    """Angles (k, 3) of hinges y, x, z along a path: of the two triples that give each pose the one nearer to the last, unwound."""
    angles = np.zeros((len(path), 3))
    last = np.zeros(3)
    for i, matrix in enumerate(path.as_matrix()):
        roll = np.arcsin(np.clip(-matrix[1, 2], -1.0, 1.0))
        if np.cos(roll) > 1e-9:
            pitch, yaw = np.arctan2(matrix[0, 2], matrix[2, 2]), np.arctan2(matrix[1, 0], matrix[1, 1])
        else:  # at the pole only a sum of pitch and yaw is known: keep the pitch
            pitch = last[0]
            rest = (Rotation.from_euler("YX", [pitch, roll]).inv() * path[i]).as_matrix()
            yaw = np.arctan2(rest[1, 0], rest[0, 0])
        choices = [np.array([pitch, roll, yaw]), np.array([pitch + np.pi, np.pi - roll, yaw + np.pi])]
        near = [last + np.angle(np.exp(1j * (choice - last))) for choice in choices]
        last = min(near, key=lambda each: float(np.abs(each - last).sum()))
        angles[i] = last
    return angles


def nearest_to_pole_deg(path: Rotation) -> float:
    """How near a path comes to the pose in which the first and the last hinge of a triple are parallel."""
    return float(np.degrees(np.arccos(np.abs(path.as_matrix()[:, 1, 2]).max())))
