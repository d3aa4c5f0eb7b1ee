"""A character with ball joints is the same body, moved by the same torques."""

import mujoco
import numpy as np
import pytest

from surefoot.characters import attach, character, mirror_position, mirror_velocity, with_balls
from surefoot.characters.mirror import other_side

SIGN = np.array([1.0, -1.0, 1.0])


@pytest.fixture(name="model", scope="module")
def compiled() -> mujoco.MjModel:
    spec = mujoco.MjSpec()
    attach(with_balls(character("human")), spec)
    return spec.compile()


def test_same_mass_and_count_of_dof(model: mujoco.MjModel) -> None:
    human, balls = character("human"), with_balls(character("human"))
    assert balls.mass_kg == human.mass_kg
    assert set(balls.dof_names) == set(human.dof_names)
    assert model.nv == 34
    assert model.nu == 28
    assert model.joint("left_hip").type[0] == mujoco.mjtJoint.mjJNT_BALL
    assert tuple(model.actuator(i).name for i in range(model.nu)) == balls.dof_names
    for name in ("left_hip_roll", "waist_yaw", "left_knee_pitch"):
        assert balls.torque_limits_nm[balls.dof_index(name)] == human.torque_limits_nm[human.dof_index(name)]


def test_an_actuator_turns_its_own_axis(model: mujoco.MjModel) -> None:
    balls = with_balls(character("human"))
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    for index in range(balls.dof_count):
        data.ctrl[:] = 0.0
        data.ctrl[index] = 1.0
        mujoco.mj_forward(model, data)
        np.testing.assert_allclose(data.qfrc_actuator[6:], np.eye(balls.dof_count)[index], atol=1e-12)


def test_a_ball_mirrors_like_the_body(model: mujoco.MjModel) -> None:
    balls = with_balls(character("human"))
    generator = np.random.default_rng(2)
    here, there = mujoco.MjData(model), mujoco.MjData(model)
    qpos = model.qpos0.copy()
    mujoco.mj_integratePos(model, qpos, generator.normal(scale=0.5, size=model.nv), 1.0)
    here.qpos, here.qvel = qpos, generator.normal(size=model.nv)
    there.qpos, there.qvel = mirror_position(balls)(qpos), mirror_velocity(balls)(here.qvel)
    for data in (here, there):
        mujoco.mj_forward(model, data)
        mujoco.mj_subtreeVel(model, data)
    for link in balls.link_names:
        np.testing.assert_allclose(there.body(other_side(link)).xipos, SIGN * here.body(link).xipos, atol=1e-12)
    np.testing.assert_allclose(there.subtree_linvel[0], SIGN * here.subtree_linvel[0], atol=1e-12)
    np.testing.assert_allclose(mirror_position(balls)(there.qpos), qpos, atol=1e-15)


def test_the_cone_is_as_wide_as_the_widest_hinge(model: mujoco.MjModel) -> None:
    low, high = zip(*character("human").joint("left_hip").limits_rad, strict=True)
    assert model.joint("left_hip").range[1] == pytest.approx(max(*map(abs, low), *high))
