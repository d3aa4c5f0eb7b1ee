"""Pushes, motor noise and delay: when, where, how much, and the same at any time step."""

import math
from collections.abc import Callable

import numpy as np
import pytest

from surefoot.characters import Character, character
from surefoot.controllers.pd import pd_of
from surefoot.physics.batch import SimBatch
from surefoot.physics.disturbances import delay_of, motor_noise_of, push, push_of
from surefoot.physics.law import Sight, law
from surefoot.physics.overrides import Override
from surefoot.physics.scene import Placement, Scene, build_scene

Held = Callable[..., SimBatch]


@law(parameters=("newton_metres",), memory=("steps",))
def steady(s: Sight, w: np.ndarray, table: np.ndarray, p: np.ndarray, m: np.ndarray, out: np.ndarray) -> float:
    """The same torque on every joint; with p[0] zero, as many Nm as steps were taken, counted from 1."""
    m[0] += 1.0
    for j in range(s.q.size):
        out[0, j] = p[0] if p[0] != 0.0 else m[0]
        out[1, j], out[2, j] = 0.0, 0.0
    return 0.0


def forces(batch: SimBatch, seconds: float, link: str = "torso") -> np.ndarray:
    """(rows, steps, 3): external force on a link in each step."""
    path = batch.advance(seconds, record_hz=1 / batch.scene.time_step_s, channels=("xfrc_applied",))
    assert path is not None
    return path.channels["xfrc_applied"].reshape(batch.rows, -1, batch.model.nbody, 6)[:, :, batch.model.body(link).id, :3]


DIRECTIONS = [0.0, 0.5 * math.pi, math.pi, -0.5 * math.pi, 0.7]


def test_a_push_has_its_time_force_and_direction(held: Held, human: Character) -> None:
    batch = held(5, push_of(human, newtons=80.0, start_s=0.1, duration_s=0.2))
    batch.parameter("push", "angle_rad")[:] = DIRECTIONS
    found = forces(batch, 0.5)
    steps = np.flatnonzero(np.abs(found).sum(axis=(0, 2)))
    assert (steps[0], steps[-1], steps.size) == (24, 71, 48)
    wanted = 80.0 * np.stack([np.cos(DIRECTIONS), np.sin(DIRECTIONS), np.zeros(5)], axis=1)
    assert found[:, 30] == pytest.approx(wanted, abs=1.0)  # the human has swayed a little since it stood
    assert found[:, 24] == pytest.approx(found[:, 71]), "the direction is kept for the whole push"


def test_a_push_keeps_to_its_body_and_to_the_heading_at_its_start(held: Held, human: Character) -> None:
    batch = held(2, push_of(human, body="left_hand" if "left_hand" in human.link_names else "head", newtons=10.0, start_s=0.0))
    yaw = 1.1
    batch.qpos[1, 3:7] = [math.cos(yaw / 2), 0, 0, math.sin(yaw / 2)]
    found = forces(batch, 0.05, "head")
    assert found[0, 0] == pytest.approx([10.0, 0, 0], abs=1e-9)
    assert found[1, 0] == pytest.approx([10.0 * math.cos(yaw), 10.0 * math.sin(yaw), 0.0], abs=1e-9)


def test_pushes_come_again(held: Held, human: Character) -> None:
    batch = held(2, push_of(human, newtons=5.0, start_s=0.05, duration_s=0.1, every_s=0.25))
    batch.parameter("push", "every_s")[1] = 0.0
    pushed = np.abs(forces(batch, 1.0)).sum(axis=2) > 0
    assert np.flatnonzero(np.diff(pushed[0].astype(int)) == 1).tolist() == [11, 71, 131, 191]
    assert pushed[0].sum() == 4 * 24
    assert pushed[1].sum() == 24, "once without every_s"


@pytest.mark.parametrize("time_step_s", [1 / 240, 1 / 300, 1 / 480, 1 / 2400])
def test_a_push_lasts_equally_long_at_any_step(human: Character, time_step_s: float) -> None:
    pushes = push_of(human, newtons=3.0, start_s=0.1, duration_s=0.1, every_s=0.2)
    batch = SimBatch(build_scene(human, time_step_s=time_step_s), 1, [pushes])
    found = forces(batch, 0.4)
    assert (np.abs(found).sum(axis=2) > 0).sum() * time_step_s == pytest.approx(0.2)


def test_random_pushes_have_directions_of_their_own(held: Held, human: Character) -> None:
    """All around, other ones each time and in each row, of the same force, and the same again in the same row."""
    batch = held(40, push_of(human, newtons=5.0, start_s=0.0, duration_s=0.05, every_s=0.1, random=1.0))
    found = forces(batch, 1.0)
    starts = found[:, ::24]
    assert np.linalg.norm(starts, axis=2) == pytest.approx(5.0)
    angles = np.arctan2(starts[..., 1], starts[..., 0]).ravel()
    assert np.unique(angles.round(9)).size == angles.size == 400
    assert abs(np.exp(1j * angles).mean()) < 4 / math.sqrt(400)
    again = held(40, push_of(human, newtons=5.0, start_s=0.0, duration_s=0.05, every_s=0.1, random=1.0), threads=3, chunk=1)
    assert forces(again, 1.0).tobytes() == found.tobytes()


def test_a_planar_character_is_pushed_at_its_root(biped: Scene) -> None:
    batch = SimBatch(biped, 1, [pd_of(character("biped2d")), push_of(character("biped2d"), "pelvis", newtons=7.0, start_s=0.0)])
    assert forces(batch, 0.01 * 5 / 1.2, "torso")[0, 0] == pytest.approx([7.0, 0, 0])


def noisy(human: Character, time_step_s: float, strength: np.ndarray, beta: float = 2.0, torque: float = 2.0) -> np.ndarray:
    """(samples, 28): controls of weightless humans under a steady torque, far below all limits, with motor noise."""
    scene = build_scene(human, time_step_s=time_step_s)
    parts = [steady.use(newton_metres=torque), motor_noise_of(human, strength, beta)]
    batch = SimBatch(scene, 200, parts, overrides=[Override(array="gravity")])
    batch.override("gravity")[:] = 0.0
    batch.qpos[:, 2] = 9.0
    path = batch.advance(16 * time_step_s, record_hz=1 / time_step_s, channels=("ctrl",))
    assert path is not None
    return path.channels["ctrl"].reshape(-1, 28)


def test_motor_noise_has_wangs_deviation(human: Character) -> None:
    """sigma = |tau| beta exp(-2.76) MVT^-0.25 at the paper's step of 1/2400 s, independent between joints; none without strength."""
    strength = np.linspace(20.0, 400.0, 28)
    strength[5] = 0.0
    x = noisy(human, 1 / 2400, strength) - 2.0
    n = len(x)
    assert (x[:, 5] == 0).all()
    rest = np.delete(np.arange(28), 5)
    wanted = 2.0 * 2.0 * math.exp(-2.76) * strength[rest] ** -0.25
    assert x[:, rest].std(axis=0) == pytest.approx(wanted, rel=4 / math.sqrt(2 * n))
    assert np.abs(x[:, rest].mean(axis=0) / wanted).max() < 4.5 / math.sqrt(n)
    assert np.abs(np.corrcoef(x[:, rest].T) - np.eye(27)).max() < 5.5 / math.sqrt(n)


def test_motor_noise_keeps_its_power_at_any_step(human: Character) -> None:
    """Deviation squared times step is the same: twice the step, half the variance."""
    powers = [noisy(human, dt, np.full(28, 100.0)).var() * dt for dt in (1 / 240, 1 / 480, 1 / 1200)]
    assert powers == pytest.approx([powers[0]] * 3, rel=0.02)
    twice = noisy(human, 1 / 240, np.full(28, 100.0), torque=4.0).var() / 240
    assert twice == pytest.approx(4 * powers[0], rel=0.02), "noise grows with the torque"


def test_two_characters_have_noise_of_their_own(human: Character) -> None:
    scene = build_scene([Placement(character=human), Placement(character=human, prefix="b_", position_m=(0.0, 3.0))])
    parts = []
    for i in range(2):
        parts.append(steady.use(name=f"steady{i}", character=i, newton_metres=2.0))
        noise = motor_noise_of(human, np.full(28, 100.0), 1.0)
        parts.append(noise.kind.use(name=f"noise{i}", character=i, table=noise.table, beta=1.0))
        pushed = push_of(human, newtons=5.0, start_s=0.0, random=1.0)
        parts.append(push.use(name=f"push{i}", character=i, wiring=pushed.wiring, newtons=5.0, start_s=0.0, random=1.0))
    batch = SimBatch(scene, 50, parts)
    path = batch.advance(8 / 240, record_hz=240, channels=("ctrl", "xfrc_applied"))
    assert path is not None
    x = path.channels["ctrl"].reshape(50 * 8, 2, 28) - 2.0
    assert abs(np.corrcoef(x[:, 0].ravel(), x[:, 1].ravel())[0, 1]) < 5 / math.sqrt(x[:, 0].size)
    wrench = path.channels["xfrc_applied"].reshape(50, 8, -1, 6)[:, 0]
    one, two = (wrench[:, batch.model.body(name).id, :2] for name in ("torso", "b_torso"))
    assert np.linalg.norm(one - two, axis=1).min() > 1e-3


@pytest.mark.parametrize("late", [0, 1, 3, 7])
@pytest.mark.parametrize("most", [7, 12])
def test_delay_is_exactly_so_many_steps(scene: Scene, human: Character, late: int, most: int) -> None:
    """Torques count steps; until the first delayed one arrives, the first acts."""
    dt = scene.time_step_s
    batch = SimBatch(scene, 2, [steady.use(), delay_of(human, late * dt, dt, most * dt)])
    batch.qpos[:, 2] = 9.0
    path = batch.advance(30 * dt, record_hz=240, channels=("ctrl",))
    assert path is not None
    wanted = np.maximum(np.arange(30) - late, 0) + 1.0
    strong = np.flatnonzero(human.torque_limits_nm > 30)
    assert path.channels["ctrl"][1][:, strong] == pytest.approx(np.tile(wanted[:, None], strong.size))


def test_delays_differ_between_rows(scene: Scene, human: Character) -> None:
    dt = scene.time_step_s
    batch = SimBatch(scene, 3, [steady.use(), delay_of(human, 0.0, dt, 5 * dt)])
    batch.parameter("delay", "delay_s")[:] = [0.0, 2 * dt, 5 * dt]
    batch.advance(10 * dt)
    assert batch.arrays.torque[:, 0] == pytest.approx([10.0, 8.0, 5.0])


def test_delay_counts_from_a_resets_and_goes_on_after_a_cut(scene: Scene, human: Character) -> None:
    dt = scene.time_step_s
    batch = SimBatch(scene, 1, [steady.use(), delay_of(human, 3 * dt, dt)])
    for _ in range(9):
        batch.advance(dt)
    assert batch.arrays.torque[0, 0] == pytest.approx(6.0)
    batch.reset()
    batch.advance(4 * dt)
    assert batch.arrays.torque[0, 0] == pytest.approx(1.0)
