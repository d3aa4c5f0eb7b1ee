"""The pd law in use: it holds poses, rows choose among them, wrong shapes are told."""

import numpy as np
import pytest

from surefoot.characters import character
from surefoot.controllers.pd import pd_of
from surefoot.errors import SurefootError
from surefoot.physics.batch import SimBatch
from surefoot.physics.scene import build_scene


def test_without_poses_a_human_stands() -> None:
    human = character("human")
    batch = SimBatch(build_scene(human), 1, [pd_of(human)])
    batch.advance(0.5)
    assert batch.qpos[0, 2] == pytest.approx(human.standing_height_m, abs=0.03)
    assert np.abs(batch.qpos[0, 7:]).max() < 0.15


def test_rows_hold_the_pose_they_ask_for() -> None:
    human = character("human")
    poses = np.zeros((3, 28))
    elbow = human.dof_index("left_elbow_pitch")
    poses[:, elbow] = [-0.3, -0.9, -1.5]
    batch = SimBatch(build_scene(human), 3, [pd_of(human, poses, pose=1)])
    assert batch.parameter("pd", "pose").tolist() == [1.0, 1.0, 1.0]
    batch.parameter("pd", "pose")[:] = [2, 0, 1]
    batch.advance(0.5)
    assert batch.qpos[:, 7 + elbow] == pytest.approx([-1.5, -0.3, -0.9], abs=0.1)


def test_gains_come_from_the_character_or_the_call() -> None:
    human = character("human")
    row = pd_of(human).table
    assert row.shape == (1, 84)
    assert row[0, 28:56].tolist() == human.servo_stiffness_nm.tolist()
    assert row[0, 56:].tolist() == human.servo_damping_nms.tolist()
    two = pd_of(human, np.zeros((2, 28)), stiffness_nm=np.arange(56.0).reshape(2, 28), damping_nms=np.ones(28)).table
    assert two[1, 28:56].tolist() == list(range(28, 56))
    assert (two[:, 56:] == 1).all()


@pytest.mark.parametrize(
    ("words", "text"),
    [
        ({"poses_rad": np.zeros(27)}, r"poses_rad has the shape \(1, 27\): character 'human' has 28 degrees of freedom"),
        ({"stiffness_nm": np.ones(3)}, r"stiffness_nm has the shape \(3,\): character 'human' has 28"),
        ({"damping_nms": np.ones((2, 28))}, r"damping_nms has the shape \(2, 28\)"),
    ],
)
def test_wrong_shapes_are_told(words: dict, text: str) -> None:
    with pytest.raises(SurefootError, match=text):
        pd_of(character("human"), **words)
