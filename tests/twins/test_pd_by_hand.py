"""The pd law against its equation, written down independently of it: torque = kp (target - q) - kd v, within the limits."""

import numpy as np
import pytest

from surefoot.characters import character, names
from surefoot.controllers.pd import pd_of
from surefoot.physics.batch import SimBatch
from surefoot.physics.scene import build_scene


@pytest.mark.parametrize("name", names())
def test_torques_are_those_of_springs_and_dampers(name: str) -> None:
    """Joint torques that acted in each of 40 steps, from recorded angles and rates; some of them at their limits."""
    who = character(name)
    generator = np.random.default_rng(0)
    low, high = who.limits_rad.T
    poses = generator.uniform(0.8 * low, 0.8 * high, (3, who.dof_count))
    stiffness, damping = generator.uniform(10, 600, (3, who.dof_count)), generator.uniform(0.1, 20, who.dof_count)
    batch = SimBatch(build_scene(who), 3, [pd_of(who, poses, stiffness_nm=stiffness, damping_nms=damping)])
    batch.parameter("pd", "pose")[:] = [2, 0, 1]
    path = batch.advance(40 / 240, record_hz=240, channels=("qpos", "qvel", "actuator_force"))
    assert path is not None
    first = batch.scene.slices[0]
    q, v = path.qpos[:, :, first.qpos :], path.qvel[:, :, first.dof :]
    row = [2, 0, 1]
    wanted = stiffness[row][:, None] * (poses[row][:, None] - q) - damping * v
    limits = who.torque_limits_nm
    assert (np.abs(wanted) > limits).any() and (np.abs(wanted) < limits).any()
    assert path.channels["actuator_force"] == pytest.approx(np.clip(wanted, -limits, limits), rel=1e-8, abs=1e-9)
    assert batch.running.all()
