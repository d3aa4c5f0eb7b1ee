"""A clip of simulated positions puts every body where MuJoCo puts it, for every character."""

from collections.abc import Callable

import mujoco
import numpy as np
import pytest

from surefoot.characters import Character, character, names, with_balls
from surefoot.errors import SurefootError
from surefoot.motions import clip_of, forward, skeleton_of

EVERYBODY = [*(character(name) for name in names()), with_balls(character("human"))]


def bodies(who: Character, model: mujoco.MjModel, qpos: np.ndarray, prefix: str = "") -> tuple[np.ndarray, np.ndarray]:
    """Positions (T, bodies, 3) and rotation matrices (T, bodies, 9) by MuJoCo."""
    data, ids = mujoco.MjData(model), [model.body(prefix + name).id for name in who.link_names]
    found = []
    for pose in qpos:
        data.qpos[:] = pose
        mujoco.mj_kinematics(model, data)
        found.append((data.xpos[ids].copy(), data.xmat[ids].copy()))
    return np.array([place for place, _ in found]), np.array([turn for _, turn in found])


@pytest.mark.parametrize("who", EVERYBODY, ids=lambda who: f"{who.name}{'-balls' if any(j.ball for j in who.joints) else ''}")
@pytest.mark.parametrize("prefix", ["", "a_"])
def test_bodies_are_where_mujoco_puts_them(
    who: Character, prefix: str, model_of: Callable[..., mujoco.MjModel], wander: Callable[..., np.ndarray]
) -> None:
    model = model_of(who, prefix)
    qpos = wander(model)
    clip = clip_of(who, model, qpos, 60.0, prefix=prefix)
    skeleton = skeleton_of(who)
    assert [bone.link for bone in skeleton.bones] == list(who.link_names)
    positions, quaternions = forward(skeleton, clip)
    true_positions, true_turns = bodies(who, model, qpos, prefix)
    assert np.abs(positions - true_positions).max() < 1e-9
    matrices = np.empty((*quaternions.shape[:2], 9))
    for t, b in np.ndindex(quaternions.shape[:2]):
        mujoco.mju_quat2Mat(matrices[t, b], quaternions[t, b])
    assert np.abs(matrices - true_turns).max() < 1e-9


def test_signs_do_not_flip(model_of: Callable[..., mujoco.MjModel], wander: Callable[..., np.ndarray]) -> None:
    human = character("human")
    model = model_of(human)
    clip = clip_of(human, model, wander(model, 600, 3), 60.0)
    for quaternions in (clip.root_quaternion[:, None], clip.joint_quaternions):
        assert (np.sum(quaternions[1:] * quaternions[:-1], axis=-1) > 0.0).all()


def test_facts_of_the_clip(model_of: Callable[..., mujoco.MjModel]) -> None:
    human = character("human")
    model = model_of(human)
    clip = clip_of(human, model, np.tile(model.qpos0, (31, 1)), 30.0, name="stand", loop=True)
    assert (clip.name, clip.loop, clip.licence) == ("stand", True, "Apache-2.0")
    assert clip.rate_hz == pytest.approx(30.0)
    assert clip.duration_s == pytest.approx(1.0)
    assert clip.joint_names == human.joint_names
    assert np.allclose(clip.joint_quaternions, (1, 0, 0, 0))


def test_refusals(model_of: Callable[..., mujoco.MjModel]) -> None:
    human, other = character("human"), character("biped2d")
    model = model_of(human)
    qpos = np.tile(model.qpos0, (3, 1))
    with pytest.raises(SurefootError, match=r"positions of shape \(T, 35\), not \(35,\): give the recorded qpos of one row"):
        clip_of(human, model, qpos[0], 60.0)
    with pytest.raises(SurefootError, match="no body 'b_pelvis' in the scene, for character 'human': did you mean 'pelvis'"):
        clip_of(human, model, qpos, 60.0, prefix="b_")
    qpos[1, 4] = np.nan
    with pytest.raises(SurefootError, match="not numbers from instant 1: cut the motion there"):
        clip_of(human, model, qpos, 60.0)
    with pytest.raises(SurefootError, match="no joint"):
        forward(skeleton_of(other), clip_of(human, model, np.tile(model.qpos0, (2, 1)), 60.0))
