"""Springs and dampers that a law hands over as such stay stable at large steps; the same torques without their slopes do not."""

import mujoco
import numpy as np
import pytest

from surefoot.characters import Character, character
from surefoot.controllers.pd import pd_of
from surefoot.physics.batch import SimBatch
from surefoot.physics.law import Part, Sight, law
from surefoot.physics.overrides import Override
from surefoot.physics.scene import build_scene


@law()
def explicit_pd(s: Sight, w: np.ndarray, table: np.ndarray, p: np.ndarray, m: np.ndarray, out: np.ndarray) -> float:
    """The torque of `pd`, and no word about its slopes."""
    n = s.q.size
    for j in range(n):
        out[0, j] = table[0, n + j] * (table[0, j] - s.q[j]) - table[0, 2 * n + j] * s.v[j]
        out[1, j], out[2, j] = 0.0, 0.0
    return 0.0


def floating(who: Character, part: Part, time_step_s: float) -> SimBatch:
    """Weightless, with unlimited torques, its joints moving."""
    overrides = [Override(array="gravity"), Override(array="actuator_forcerange")]
    batch = SimBatch(build_scene(who, time_step_s=time_step_s), 1, [part], overrides=overrides)
    batch.override("gravity")[:] = 0.0
    batch.override("actuator_forcerange")[:] = np.tile([-1e9, 1e9], who.dof_count)
    batch.qpos[:, 2] += 5.0
    first = batch.scene.slices[0]
    batch.qvel[:, first.dof :] = 0.2 * np.random.default_rng(0).standard_normal(who.dof_count)
    return batch


def rates_after(who: Character, part: Part, time_step_s: float, seconds: float = 0.5) -> float:
    """Largest joint rate at the end; infinite where it diverged."""
    batch = floating(who, part, time_step_s)
    batch.advance(seconds)
    return float(np.abs(batch.qvel[0, batch.scene.slices[0].dof :]).max()) if batch.running[0] else np.inf


@pytest.mark.parametrize("damping", [30.0, 300.0, 3000.0])
@pytest.mark.parametrize("time_step_s", [1 / 240, 1 / 480])
def test_large_damping_is_stable_at_large_steps(damping: float, time_step_s: float) -> None:
    """Joints come to rest; the explicit twin chatters or explodes."""
    who = character("human")
    part = pd_of(who, stiffness_nm=np.full(28, 10.0), damping_nms=np.full(28, damping))
    assert rates_after(who, part, time_step_s) < 0.2
    assert rates_after(who, explicit_pd.use(table=part.table), time_step_s) > 10.0


@pytest.mark.parametrize("stiffness", [1e3, 1e4, 1e5])
def test_large_stiffness_is_stable_at_large_steps(stiffness: float) -> None:
    who = character("human")
    part = pd_of(who, stiffness_nm=np.full(28, stiffness), damping_nms=np.full(28, 0.1 * stiffness))
    assert rates_after(who, part, 1 / 240) < 0.2
    assert rates_after(who, explicit_pd.use(table=part.table), 1 / 240) > 10.0


def test_at_small_steps_both_do_the_same() -> None:
    """The slopes are a matter of integration: with soft gains and fine steps they change nothing but a first-order error."""
    who = character("human")
    part = pd_of(who, np.full(28, 0.1), stiffness_nm=np.full(28, 5.0), damping_nms=np.full(28, 0.3))
    ends = []
    for dt in (1 / 1200, 1 / 2400):
        pair = [floating(who, each, dt) for each in (part, explicit_pd.use(table=part.table))]
        for batch in pair:
            batch.advance(0.1)
        ends.append(np.abs(pair[0].qpos - pair[1].qpos).max())
    assert ends[1] < 2e-3
    assert ends[1] < 0.6 * ends[0]


def test_a_damped_spring_follows_its_equation() -> None:
    """One joint of a heavy body, alone: x = e^(-d t) (x0 cos w t + ...) with the joint's own inertia, from MuJoCo."""
    who = character("human")
    dof = who.dof_index("left_elbow_pitch")
    stiffness, damping = np.full(28, 5e4), np.full(28, 5e3)
    stiffness[dof], damping[dof] = 20.0, 0.5
    pose = np.zeros(28)
    pose[dof] = -1.0
    batch = floating(who, pd_of(who, pose, stiffness_nm=stiffness, damping_nms=damping), 1 / 2400)
    first = batch.scene.slices[0]
    batch.qvel[:] = 0.0
    batch.qpos[0, first.qpos + dof] = -0.8
    data = mujoco.MjData(batch.model)
    data.qpos[:] = batch.qpos[0]
    mujoco.mj_forward(batch.model, data)
    dense = np.zeros((batch.model.nv, batch.model.nv))
    mujoco.mj_fullM(batch.model, data, dense)
    rest = [i for i in range(batch.model.nv) if i < 6]  # the whole body may move, its other joints are stiff
    here = first.dof + dof
    inertia = dense[here, here] - dense[here, rest] @ np.linalg.solve(dense[np.ix_(rest, rest)], dense[rest, here])
    passive = batch.model.dof_damping[here]
    rate, decay = np.sqrt(20.0 / inertia), (0.5 + passive) / (2 * inertia)
    path = batch.advance(0.4, record_hz=120, channels=("qpos",))
    assert path is not None
    t = path.time_s
    turn = np.sqrt(rate**2 - decay**2 + 0j)
    wanted = -1.0 + 0.2 * (np.exp(-decay * t) * (np.cos(turn * t) + decay / turn * np.sin(turn * t))).real
    assert path.qpos[0, :, first.qpos + dof] == pytest.approx(wanted, abs=0.01)
