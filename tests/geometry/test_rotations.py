"""Rotations against SciPy: targets, errors, tilts."""

import math

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from surefoot.geometry.rotations import pitch_of, roll_of, rotation_error, tilted, turned

X, Y, Z = np.eye(3)
ANGLES = [(0.0, 0.0, 0.0), (0.4, 0.0, 0.0), (0.0, 0.4, 0.0), (0.0, 0.0, 0.4), (1.1, -0.3, 0.7), (-2.8, 0.9, -0.6)]


def tilt(frame: np.ndarray, yaw: float, pitch: float, roll: float) -> np.ndarray:
    result = np.zeros(9)
    tilted(frame[0], frame[1], frame[2], yaw, pitch, roll, result)
    return result.reshape(3, 3)


@pytest.mark.parametrize("angles", ANGLES)
def test_tilted_is_yaw_then_pitch_then_roll(angles: tuple[float, float, float]) -> None:
    """Intrinsic z, y', x'' in the world's frame, and in a turned one: B Rz Ry Rx."""
    wanted = Rotation.from_euler("ZYX", angles).as_matrix()
    assert tilt(np.eye(3), *angles) == pytest.approx(wanted, abs=1e-14)
    frame = Rotation.from_euler("ZYX", [0.8, 0.2, -0.1]).as_matrix()
    assert tilt(frame.T, *angles) == pytest.approx(frame @ wanted, abs=1e-14)


def test_signs_are_those_of_the_conventions() -> None:
    """Positive pitch leans the top forward, positive roll to the right, positive yaw turns to the left."""
    assert (tilt(np.eye(3), 0.0, 0.3, 0.0) @ Z)[0] > 0
    assert (tilt(np.eye(3), 0.0, 0.0, 0.3) @ Z)[1] < 0
    assert (tilt(np.eye(3), 0.3, 0.0, 0.0) @ X)[1] > 0


@pytest.mark.parametrize("angle", [1e-6, 0.3, 1.2, 3.0])
@pytest.mark.parametrize("axis", [X, Y, Z, np.array([0.6, -0.48, 0.64])], ids=["x", "y", "z", "oblique"])
def test_rotation_error_is_the_sine_of_the_angle_along_its_axis(axis: np.ndarray, angle: float) -> None:
    """It points along the turn from `actual` to `wanted`: a torque along it closes the gap."""
    actual = Rotation.from_euler("ZYX", [0.5, -0.7, 0.2])
    wanted = Rotation.from_rotvec(angle * axis) * actual
    result = np.zeros(3)
    rotation_error(actual.as_matrix().ravel(), wanted.as_matrix().ravel(), result)
    assert result == pytest.approx(math.sin(angle) * axis, abs=1e-14)


@pytest.mark.parametrize("heading", [0.0, 2.0])
@pytest.mark.parametrize("angle", [-1.4, -0.2, 0.0, 0.5, 1.5, 2.5])
def test_pitch_and_roll_of_a_body(angle: float, heading: float) -> None:
    about = Rotation.from_euler("z", heading)
    forward, left = about.apply(X), about.apply(Y)
    pitched, rolled = (about * Rotation.from_euler(axis, angle) for axis in "yx")
    assert pitch_of(pitched.as_matrix().ravel(), forward, Z) == pytest.approx(angle)
    assert roll_of(rolled.as_matrix().ravel(), left, Z) == pytest.approx(angle)
    assert abs(roll_of(pitched.as_matrix().ravel(), left, Z)) == pytest.approx(0.0 if abs(angle) < math.pi / 2 else math.pi)
    assert abs(pitch_of(rolled.as_matrix().ravel(), forward, Z)) == pytest.approx(0.0 if abs(angle) < math.pi / 2 else math.pi)


@pytest.mark.parametrize("turns", [-3, -1, 0, 1, 2])
@pytest.mark.parametrize("angle", [-3.1, -1.0, 0.0, 1e-9, 2.0, math.pi])
def test_turned_is_the_same_angle_nearest_to_zero(angle: float, turns: int) -> None:
    assert turned(angle + 2 * math.pi * turns) == pytest.approx(angle, abs=1e-9)


def test_minus_pi_is_pi() -> None:
    assert turned(-math.pi) == pytest.approx(math.pi)
