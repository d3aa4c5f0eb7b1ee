"""Laws of mechanics: free fall, momentum, impulse; whatever a law does inside a body changes neither momentum nor spin.

The integrator is of first order, so what is conserved in nature drifts by an amount in proportion to the step; tests say how
much, and that half the step halves it.
"""

import numpy as np
import pytest

from surefoot.characters import Character, character
from surefoot.controllers.pd import pd_of
from surefoot.physics.batch import SimBatch
from surefoot.physics.disturbances import push_of
from surefoot.physics.features import angular_momentum, centre_velocity
from surefoot.physics.law import Part, Sight, law, meter
from surefoot.physics.overrides import Override
from surefoot.physics.scene import build_scene


@meter(memory=("time_s", "x", "y", "z", "vx", "vy", "vz", "lx", "ly", "lz"), momentum=True)
def motion(s: Sight, w: np.ndarray, table: np.ndarray, p: np.ndarray, m: np.ndarray, out: np.ndarray) -> float:
    """Centre of mass, its velocity and angular momentum at the start of the last step."""
    m[0] = s.time_s
    for k in range(3):
        m[1 + k], m[4 + k], m[7 + k] = s.com[k], s.com_velocity[k], s.momentum[k]
    return 0.0


@law(parameters=("size",))
def writhe(s: Sight, w: np.ndarray, table: np.ndarray, p: np.ndarray, m: np.ndarray, out: np.ndarray) -> float:
    """Torques that go to and fro in every joint; table (1, n): limits."""
    for j in range(s.q.size):
        out[0, j] = p[0] * table[0, j] * np.sin(7.0 * s.time_s + j) - 2.0 * s.v[j] - 20.0 * s.q[j]
        out[1, j], out[2, j] = 20.0, 2.0
    return 0.0


def thrown(who: Character, time_step_s: float, *parts: Part, weightless: bool = False) -> SimBatch:
    """High in the air, turning, with the same start at every time step."""
    scene = build_scene(who, time_step_s=time_step_s)
    batch = SimBatch(scene, 2, [*parts, motion.use()], overrides=[Override(array="gravity")])
    generator = np.random.default_rng(0)
    batch.qpos[:, 2 if who.root == "free" else 1] += 20.0
    batch.qvel[:] = 0.5 * generator.standard_normal(batch.qvel.shape)
    batch.qvel[:, 0] += 2.0
    if weightless:
        batch.override("gravity")[:] = 0.0
    return batch


def moved(batch: SimBatch, seconds: float) -> tuple[np.ndarray, np.ndarray]:
    """`motion` at the first step and after a duration."""
    batch.advance(batch.scene.time_step_s)
    first = batch.memory("motion").copy()
    batch.advance(seconds)
    assert not batch.arrays.sensors.any(), "nothing is to be touched"
    return first, batch.memory("motion").copy()


def writhing(who: Character, size: float = 0.1) -> Part:
    return writhe.use(table=who.torque_limits_nm[None], size=size)


@pytest.mark.parametrize("name", ["biped2d", "human", "human_wang"])
def test_a_thrown_body_falls_freely_whatever_it_does(name: str) -> None:
    """The centre of mass flies on a parabola: v falls by g t, and it goes v t - g t^2 / 2."""
    batch = thrown(character(name), 1 / 2400, writhing(character(name)))
    first, last = moved(batch, 0.5)
    t = (last - first)[:, :1]
    fall = np.array([0.0, 0.0, -9.81])
    assert last[:, 4:7] - first[:, 4:7] == pytest.approx(fall * t, abs=0.005)
    assert last[:, 1:4] - first[:, 1:4] == pytest.approx(first[:, 4:7] * t + 0.5 * fall * t**2, abs=0.005)


@pytest.mark.parametrize("name", ["human", "human_wang"])
def test_a_thrown_body_keeps_its_angular_momentum(name: str) -> None:
    """Under torques of a tenth of the limits and joints at their stops; the drift is of first order in the step."""
    drifts = []
    for dt in (1 / 1200, 1 / 2400):
        first, last = moved(thrown(character(name), dt, writhing(character(name))), 0.5)
        drifts.append(np.abs(last[:, 7:] - first[:, 7:]).max())
    size = np.linalg.norm(first[:, 7:], axis=1).min()
    assert size > 0.5
    assert drifts[1] < 0.02 * size
    assert drifts[1] < 0.6 * drifts[0]


def test_spin_about_the_axis_of_a_planar_body_is_kept() -> None:
    first, last = moved(thrown(character("biped2d"), 1 / 2400, writhing(character("biped2d"))), 0.5)
    assert last[:, 8] == pytest.approx(first[:, 8], rel=0.01)
    assert np.abs(first[:, 8]).min() > 0.1


@pytest.mark.parametrize("angle_rad", [0.0, 1.0, -2.5])
@pytest.mark.parametrize("body", ["torso", "head", "left_foot"])
def test_a_push_gives_its_impulse(body: str, angle_rad: float) -> None:
    """Force times time is what momentum gains, in the direction of the push, on whatever body it acts."""
    who = character("human")
    pushed = push_of(who, body, newtons=90.0, angle_rad=angle_rad, start_s=0.05, duration_s=0.2)
    batch = thrown(who, 1 / 1200, pd_of(who), pushed, weightless=True)
    batch.qvel[:] = 0.0
    first, last = moved(batch, 0.4)
    gained = who.mass_kg * (last[:, 4:7] - first[:, 4:7])
    assert gained == pytest.approx(np.tile(18.0 * np.array([np.cos(angle_rad), np.sin(angle_rad), 0.0]), (2, 1)), abs=0.02 * 18.0)


def test_a_push_at_the_trunk_makes_spin_about_the_right_axis() -> None:
    """Pushed forward above its centre of mass, a body pitches forward: positive y."""
    who = character("human")
    batch = thrown(who, 1 / 1200, pd_of(who), push_of(who, "head", newtons=50.0, start_s=0.0, duration_s=0.1), weightless=True)
    batch.qvel[:] = 0.0
    first, last = moved(batch, 0.2)
    assert last[0, 8] - first[0, 8] == pytest.approx(5.0 * 0.6, rel=0.2)  # impulse times the head's height over the centre
    assert np.abs(last[0, [7, 9]]).max() < 0.05


def test_standing_weight_is_carried_by_the_feet() -> None:
    """Loads of a body at rest add up to its weight, on a level and on a slope by gravity."""
    who = character("human")
    batch = SimBatch(build_scene(who), 2, [pd_of(who)], overrides=[Override(array="gravity")])
    batch.override("gravity")[1] = [-0.5, 0.0, -9.0]
    batch.advance(0.6)
    loads = np.zeros(2)
    for _ in range(60):
        batch.advance(1 / 240)
        loads += batch.arrays.sensors.sum(axis=1) / 60
    assert loads == pytest.approx(who.mass_kg * np.array([9.81, 9.0]), rel=0.03)


def test_features_of_a_rigid_motion() -> None:
    """A body of two masses that turns about a point: momentum and spin by hand."""
    weight, centre = np.array([2.0, 3.0]), np.array([[0.5, 0.0, 0.0], [-1.0 / 3.0, 0.0, 0.0]])
    spin = np.array([0.0, 0.0, 2.0])
    velocity = np.tile(np.concatenate([spin, [1.0, 0.0, 0.0]]), (2, 1))
    com, result, moment = np.zeros(3), np.zeros(3), np.zeros(3)
    assert centre_velocity(weight, velocity, centre, com, result) == 5.0
    assert result == pytest.approx([1.0, 0.0, 0.0])
    angular_momentum(weight, velocity, centre, com, result, np.full((2, 3), 0.1), np.tile(np.eye(3).ravel(), (2, 1)), moment)
    assert moment == pytest.approx([0.0, 0.0, 2.0 * (2.0 * 0.25 + 3.0 / 9.0 + 0.2)])
