"""Angles turn into the rotations they came from, and do not jump."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from surefoot.motions.euler import continuous_angles, rotations

ORDERS = ("ZXY", "ZYX", "XYZ", "XZY", "YXZ", "YZX")
STEP = np.radians(3.0)


def tumbling(count: int = 2000, seed: int = 1) -> np.ndarray:
    """(T, 4): a walk over all orientations, STEP a frame."""
    generator = np.random.Generator(np.random.Philox(seed))
    axis, turn, found = np.array([1.0, 0.0, 0.0]), Rotation.identity(), []
    for _ in range(count):
        axis = axis + 0.3 * generator.standard_normal(3)
        axis /= np.linalg.norm(axis)
        turn = turn * Rotation.from_rotvec(STEP * axis)
        found.append(turn.as_quat(scalar_first=True))
    return np.array(found)


def error(quaternions: np.ndarray, angles: np.ndarray, order: str) -> float:
    return float((rotations(angles, order).inv() * Rotation.from_quat(quaternions, scalar_first=True)).magnitude().max())


@pytest.mark.parametrize("order", ORDERS)
def test_angles_give_the_rotation_again(order: str) -> None:
    quaternions = tumbling()
    assert error(quaternions, continuous_angles(quaternions, order), order) < 1e-7


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("seed", range(3))
def test_no_jumps(order: str, seed: int) -> None:
    """Whole turns never; and half turns only where the first and third axis are nearly in line, where they are real."""
    quaternions = tumbling(seed=seed)
    angles = continuous_angles(quaternions, order)
    steps = np.abs(np.diff(angles, axis=0))
    assert steps[:, 1].max() <= 2.0 * STEP  # beside the lock the other triple may be nearer
    cosine = np.abs(np.cos(angles[:, 1]))
    swing = np.minimum(np.pi, 2.5 * STEP / np.minimum(cosine[1:], cosine[:-1])) + STEP
    assert (steps[:, 0] <= swing).all()
    assert (steps[:, 2] <= swing).all()
    assert steps.max() < 1.01 * np.pi


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("place", [0, 1, 2])
def test_a_steady_turn_about_one_axis_counts_on(order: str, place: int) -> None:
    """Three whole turns about one axis: the angle grows through 180 degrees and beyond (about the middle one too)."""
    wanted = np.zeros((400, 3))
    wanted[:, place] = np.linspace(0.0, 6 * np.pi, 400)
    quaternions = rotations(wanted, order).as_quat(scalar_first=True)
    angles = continuous_angles(quaternions, order)
    assert error(quaternions, angles, order) < 1e-7
    assert np.abs(np.diff(angles, axis=0)).max() < 0.06
    assert np.allclose(angles, wanted, atol=1e-6)


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_with_two_axes_in_line(order: str, sign: float) -> None:
    """Middle angle of exactly 90 degrees, while the others move: only their sum or difference counts, and nothing jumps."""
    wanted = np.stack([np.linspace(0, 2, 50), np.full(50, sign * np.pi / 2), np.linspace(1, -1, 50)], axis=1)
    quaternions = rotations(wanted, order).as_quat(scalar_first=True)
    angles = continuous_angles(quaternions, order)
    assert error(quaternions, angles, order) < 1e-6
    assert np.abs(np.diff(angles, axis=0)).max() < 0.2


def test_scipy_means_the_same_by_an_order() -> None:
    quaternions = tumbling(50)
    small = np.abs(continuous_angles(quaternions[:1], "ZXY"))
    assert np.allclose(small, np.abs(Rotation.from_quat(quaternions[:1], scalar_first=True).as_euler("ZXY")), atol=1e-12)
