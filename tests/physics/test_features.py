"""Features against MuJoCo's own: what a law sees (`Sight`) is what `MjData` holds, and the derived numbers are right."""

import copy
import math

import mujoco
import numba
import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from surefoot.characters import character
from surefoot.physics.batch import STATE_PARTS, SimBatch
from surefoot.physics.features import angular_momentum, centre_velocity, heading_frame, point_velocity
from surefoot.physics.law import PartKind, Sight, event, law
from surefoot.physics.overrides import Override
from surefoot.physics.scene import Placement, Scene, build_scene

SCALARS = ("time_s", "dt_s", "heading_rad", "mass_kg", "gravity_mps2", "step")
ARRAYS = (
    "up", "forward", "left", "com", "com_velocity", "momentum", "q", "v", "axis", "anchor", "position", "rotation", "velocity",
    "centre", "weight", "point", "load", "torque", "wrench",
)  # fmt: skip
ROOM = 700


@numba.njit
def write_down(s, m):
    m[0], m[1], m[2], m[3], m[4], m[5] = s.time_s, s.dt_s, s.heading_rad, s.mass_kg, s.gravity_mps2, float(s.step)
    at = 6
    for part in (s.up, s.forward, s.left, s.com, s.com_velocity, s.momentum, s.q, s.v):
        m[at : at + part.size] = part
        at += part.size
    for part in (s.axis, s.anchor, s.position, s.rotation, s.velocity, s.centre):
        m[at : at + part.size] = part.ravel()
        at += part.size
    for part in (s.weight,):
        m[at : at + part.size] = part
        at += part.size
    m[at : at + s.point.size] = s.point.ravel()
    at += s.point.size
    for part in (s.load, s.torque):
        m[at : at + part.size] = part
        at += part.size
    m[at : at + s.wrench.size] = s.wrench.ravel()


@law(momentum=True)
def watching(s: Sight, w: np.ndarray, table: np.ndarray, p: np.ndarray, m: np.ndarray, out: np.ndarray) -> float:
    """Writes everything it sees into its memory, and moves the character a little."""
    write_down(s, m)
    for j in range(s.q.size):
        out[0, j] = 3.0 * math.sin(10.0 * s.time_s + j)
    return 0.0


@event(momentum=True)
def watched(s: Sight, w: np.ndarray, table: np.ndarray, p: np.ndarray, m: np.ndarray, out: np.ndarray) -> float:
    """The same after the step."""
    write_down(s, m)
    return 0.0


def sizes(n: int, b: int, k: int) -> list[int]:
    return [3] * 6 + [n, n, 3 * n, 3 * n, 3 * b, 9 * b, 6 * b, 3 * b, b, 3 * k, k, n, 6 * b]


def seen(memory: np.ndarray, counts: tuple[int, int, int]) -> dict[str, np.ndarray]:
    edges = np.cumsum([6, *sizes(*counts)])
    found = {name: memory[i] for i, name in enumerate(SCALARS)}
    return found | {name: memory[lo:hi] for name, lo, hi in zip(ARRAYS, edges[:-1], edges[1:], strict=True)}


def true_sight(scene: Scene, model: mujoco.MjModel, data: mujoco.MjData, which: int) -> dict[str, np.ndarray]:
    """What a law should see of a character, from MjData after mj_step1, by MuJoCo's functions and NumPy."""
    part = scene.slices[which]
    who = part.character
    n, b, k = who.dof_count, len(who.links), len(who.contact_points)
    mujoco.mj_subtreeVel(model, data)
    up = -model.opt.gravity / np.linalg.norm(model.opt.gravity)
    x = data.xmat[part.body].reshape(3, 3)[:, 0]
    level = x - x @ up * up
    forward = level / np.linalg.norm(level)
    east = np.array([1.0, 0, 0]) - up[0] * up
    east /= np.linalg.norm(east)
    return {
        "heading_rad": math.atan2(np.cross(east, forward) @ up, east @ forward),
        "mass_kg": model.body_subtreemass[part.body],
        "gravity_mps2": np.linalg.norm(model.opt.gravity),
        "up": up,
        "forward": forward,
        "left": np.cross(up, forward),
        "com": data.subtree_com[part.body],
        "com_velocity": data.subtree_linvel[part.body],
        "momentum": data.subtree_angmom[part.body],
        "q": data.qpos[part.qpos : part.qpos + n],
        "v": data.qvel[part.dof : part.dof + n],
        "axis": data.xaxis[part.joint : part.joint + n],
        "anchor": data.xanchor[part.joint : part.joint + n],
        "position": data.xpos[part.body : part.body + b],
        "rotation": data.xmat[part.body : part.body + b],
        "velocity": data.cvel[part.body : part.body + b],
        "centre": data.xipos[part.body : part.body + b],
        "weight": model.body_mass[part.body : part.body + b],
        "point": data.site_xpos[part.site : part.site + k],
        "load": data.sensordata[part.sensor : part.sensor + k],
        "torque": data.actuator_force[part.actuator : part.actuator + n],
        "wrench": np.zeros((b, 6)),
    }


GRAVITIES = [(0.0, 0.0, -9.81), (-2.0, 1.0, -9.0), (1.5, 0.0, -3.0)]


@pytest.mark.parametrize("names", [("human",), ("biped2d",), ("human", "human_wang")], ids="+".join)
@pytest.mark.parametrize("gravity", GRAVITIES, ids=str)
def test_what_a_law_sees(names: tuple[str, ...], gravity: tuple[float, float, float]) -> None:
    """Every number of every character's Sight, over 12 steps of a scattered start, in free fall and on the ground."""
    whos = [character(name) for name in names]
    placements = [Placement(character=who, prefix=f"p{i}_" if i else "", position_m=(2.0 * i, 0.0)) for i, who in enumerate(whos)]
    scene = build_scene(placements)
    parts = [kind.use(name=f"{kind.name}{i}", character=i, memory_size=2 * ROOM) for i in range(len(names)) for kind in (watching, watched)]
    batch = SimBatch(scene, 2, parts, overrides=[Override(array="gravity")], threads=1)
    batch.override("gravity")[:] = gravity
    generator = np.random.default_rng(3)
    free = names[0] != "biped2d"
    batch.qvel[:] = generator.standard_normal(batch.qvel.shape)
    if free:
        batch.qpos[:, 3:7] += 0.3 * generator.standard_normal((2, 4))
        batch.qpos[:, 3:7] /= np.linalg.norm(batch.qpos[:, 3:7], axis=1, keepdims=True)
    model = copy.copy(scene.model)
    model.opt.gravity = gravity
    data = mujoco.MjData(model)
    for step in range(12):
        row = step % 2
        data.sensordata[:], data.actuator_force[:] = batch.arrays.sensors[row], batch.arrays.torque[row]
        mujoco.mj_setState(model, data, batch.arrays.state[row].copy(), STATE_PARTS)
        mujoco.mj_step1(model, data)
        wanted = [true_sight(scene, model, data, i) for i in range(len(names))]
        wanted = [{name: np.array(value, copy=True) for name, value in sight.items()} for sight in wanted]
        batch.advance(1 / 240)
        for i, who in enumerate(whos):
            counts = (who.dof_count, len(who.links), len(who.contact_points))
            part = scene.slices[i]
            for kind in ("watching", "watched"):
                got = seen(batch.memory(f"{kind}{i}")[row], counts)
                after = kind == "watched"
                assert got["step"] == step + after
                assert got["time_s"] == step / 240
                assert got["dt_s"] == pytest.approx(1 / 240, abs=1e-15)
                if after:  # loads and torques of this step
                    n, k = counts[0], counts[2]
                    wanted[i]["load"] = batch.arrays.sensors[row, part.sensor : part.sensor + k]
                    wanted[i]["torque"] = batch.arrays.torque[row, part.actuator : part.actuator + n]
                for field, value in wanted[i].items():
                    assert got[field] == pytest.approx(np.ravel(value), abs=1e-11), (kind, field, step)
    assert batch.arrays.torque.any()


def frame_of(rotation: Rotation, up: np.ndarray) -> np.ndarray:
    frame = np.zeros(7)
    heading_frame(rotation.as_matrix().ravel(), up, frame)
    return frame


@pytest.mark.parametrize("yaw", [-3.0, -1.2, 0.0, 0.4, 2.5])
@pytest.mark.parametrize("tilt", [(0.0, 0.0), (0.4, 0.0), (-0.9, 0.5), (1.4, -0.3)])
def test_heading_is_the_yaw_about_up(yaw: float, tilt: tuple[float, float]) -> None:
    """Of a body yawed, then pitched and rolled, the heading is the yaw; positive to the left."""
    frame = frame_of(Rotation.from_euler("ZYX", [yaw, *tilt]), np.array([0.0, 0, 1]))
    assert frame[6] == pytest.approx(yaw, abs=1e-12)
    assert frame[:3] == pytest.approx([math.cos(yaw), math.sin(yaw), 0.0], abs=1e-12)
    assert frame[3:6] == pytest.approx([-math.sin(yaw), math.cos(yaw), 0.0], abs=1e-12)


def test_heading_turns_with_the_world() -> None:
    """Turn gravity and body together about the y axis (a slope) and the heading stays, in the turned frame."""
    slope = Rotation.from_euler("y", 0.3)
    body = Rotation.from_euler("ZYX", [0.7, 0.2, -0.1])
    level, sloped = frame_of(body, np.array([0.0, 0, 1])), frame_of(slope * body, slope.apply([0.0, 0, 1]))
    assert sloped[6] == pytest.approx(level[6], abs=1e-12)
    assert sloped[:3] == pytest.approx(slope.apply(level[:3]), abs=1e-12)
    assert sloped[3:6] == pytest.approx(slope.apply(level[3:6]), abs=1e-12)


@pytest.mark.parametrize("pitch", [math.pi / 2, -math.pi / 2], ids=["face down", "face up"])
@pytest.mark.parametrize("yaw", [0.0, 2.0])
def test_heading_of_a_body_that_lies_is_that_on_the_way_there(pitch: float, yaw: float) -> None:
    up = np.array([0.0, 0, 1])
    there = frame_of(Rotation.from_euler("ZY", [yaw, pitch]), up)
    almost = frame_of(Rotation.from_euler("ZY", [yaw, 0.9999 * pitch]), up)
    assert there == pytest.approx(almost, abs=1e-6)


def test_point_velocity_is_that_of_the_point() -> None:
    """v = v_com + w x (point - com) for a body whose velocity is given at the centre of mass."""
    generator = np.random.default_rng(0)
    spin, drift, com, point = generator.standard_normal((4, 3))
    result = np.zeros(3)
    point_velocity(np.concatenate([spin, drift]), com, point, result)
    assert result == pytest.approx(drift + np.cross(spin, point - com))


def test_momentum_of_one_spinning_body_is_inertia_times_spin() -> None:
    turn = Rotation.from_euler("ZYX", [0.4, 0.3, -0.8])
    inertia, spin = np.array([1.0, 2.0, 3.0]), np.array([0.3, -0.2, 0.9])
    place = np.array([[1.0, 2.0, 3.0]])
    velocity = np.concatenate([spin, [4.0, 5.0, 6.0]])[None]
    result, com_velocity = np.zeros(3), np.zeros(3)
    mass = centre_velocity(np.array([7.0]), velocity, place, place[0], com_velocity)
    angular_momentum(np.array([7.0]), velocity, place, place[0], com_velocity, inertia[None], turn.as_matrix().reshape(1, 9), result)
    assert mass == 7.0
    assert com_velocity == pytest.approx([4.0, 5.0, 6.0])
    assert result == pytest.approx(turn.as_matrix() @ np.diag(inertia) @ turn.as_matrix().T @ spin)


def test_parts_are_functions_that_python_can_call() -> None:
    for kind in (watching, watched):
        assert isinstance(kind, PartKind)
        assert kind.about
        assert callable(kind.python)
