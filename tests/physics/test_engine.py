"""The loop: it is MuJoCo's own step, bit for bit; a row that explodes harms no other, says why and does not stand up again."""

import copy
import time
from collections.abc import Callable
from pathlib import Path

import mujoco
import numba
import numpy as np
import pytest

from surefoot.characters import Character
from surefoot.controllers.gait import load_gait
from surefoot.controllers.pd import pd_of
from surefoot.physics.addresses import call_mj, call_mj_state, engine_addresses, function_address, matrix, vector
from surefoot.physics.batch import STATE_PARTS, SimBatch
from surefoot.physics.disturbances import push_of
from surefoot.physics.events import fall_of
from surefoot.physics.law import Sight, law
from surefoot.physics.layout import BIAS_WIDTH
from surefoot.physics.scene import Scene, Solver, build_scene

Crowd = Callable[..., SimBatch]


@law(parameters=("from_step", "torque"))
def broken(s: Sight, w: np.ndarray, table: np.ndarray, p: np.ndarray, m: np.ndarray, out: np.ndarray) -> float:
    """A law that gives p[1] (NaN, perhaps) from a step on."""
    if s.step >= p[0]:
        out[0, 3] = p[1]
    return 0.0


@pytest.fixture
def clean_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]):
    """Runs in an empty folder; in the end MuJoCo has left no MUJOCO_LOG.TXT in it and printed nothing."""
    monkeypatch.chdir(tmp_path)
    yield
    assert list(tmp_path.iterdir()) == []
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("integrator", ["implicitfast", "discrete"])
def test_without_parts_the_loop_is_mj_step(human: Character, integrator: str) -> None:
    scene = build_scene(human, solver=Solver(integrator=integrator))  # type: ignore[arg-type]
    batch = SimBatch(scene, 2, [])
    batch.qvel[1] = 0.5 * np.random.default_rng(0).standard_normal(scene.model.nv)
    model = copy.copy(scene.model)
    ends = []
    for row in range(2):
        data = mujoco.MjData(model)
        mujoco.mj_setState(model, data, batch.arrays.state[row].copy(), STATE_PARTS)
        for _ in range(100):
            mujoco.mj_step(model, data)
        end = np.empty(batch.arrays.state.shape[1])
        mujoco.mj_getState(model, data, end, STATE_PARTS)
        ends.append(end)
    batch.advance(100 / 240)
    assert batch.arrays.state.tobytes() == np.array(ends).tobytes()
    assert batch.arrays.sensors.sum() > 0, "they are to touch the ground"


def test_replayed_controls_give_the_same_bits(scene: Scene) -> None:
    """What is recorded as control is what acted: MuJoCo alone, with it, goes the same way."""
    batch = SimBatch(scene, 1, [load_gait("human/walk").walk()])
    start = batch.arrays.state[0].copy()
    path = batch.advance(0.5, record_hz=240, channels=("ctrl", "actuator_biasprm"))
    assert path is not None
    model = copy.copy(scene.model)
    data = mujoco.MjData(model)
    mujoco.mj_setState(model, data, start, STATE_PARTS)
    for ctrl, bias in zip(path.row(0, "ctrl"), path.row(0, "actuator_biasprm"), strict=True):
        data.ctrl[:] = ctrl
        model.actuator_biasprm[:] = bias.reshape(model.actuator_biasprm.shape)
        mujoco.mj_step(model, data)
    assert data.qpos.tobytes() == batch.qpos[0].tobytes()


def explode(batch: SimBatch, row: int, how: str) -> None:
    if how == "thrown at 1e12 m/s":
        batch.qvel[row, 0] = 1e12
    elif how == "spun at 1e12 rad/s":
        batch.qvel[row, 6:] = 1e12
    elif how == "spun at 5e3 rad/s":
        batch.qvel[row, 9] = 5e3
    elif how == "no number for a speed":
        batch.qvel[row, 7] = np.nan
    elif how == "no number for a place":
        batch.qpos[row, 2] = np.nan
    elif how == "infinitely far":
        batch.qpos[row, 0] = np.inf
    elif how == "1e300 rad":
        batch.qpos[row, 12] = 1e300
    elif how == "pushed with 1e12 N":
        batch.parameter("push", "newtons")[row] = 1e12
    elif how == "asked for no number":
        batch.parameter("walk", "speed_mps")[row] = np.nan
    elif how == "asked for no gait":
        batch.parameter("walk", "gait")[row] = np.nan
    elif how == "asked for a gait that is not there":
        batch.parameter("walk", "gait")[row] = 1e6


HOW = [
    "thrown at 1e12 m/s",
    "spun at 1e12 rad/s",
    "spun at 5e3 rad/s",
    "no number for a speed",
    "no number for a place",
    "infinitely far",
    "1e300 rad",
    "pushed with 1e12 N",
    "asked for no number",
    "asked for no gait",
    "asked for a gait that is not there",
]


@pytest.mark.usefixtures("clean_folder")
@pytest.mark.parametrize("how", HOW)
def test_an_exploded_row_leaves_the_others_alone(crowd: Crowd, how: str) -> None:
    sound, struck = crowd(12, threads=1, chunk=12), crowd(12, threads=1, chunk=12)
    for batch in (sound, struck):
        batch.parameter("push", "start_s")[:] = 0.05
    explode(struck, 4, how)
    for batch in (sound, struck):
        batch.advance(0.3)
    others = np.delete(np.arange(12), 4)
    for name, a, b in zip(sound.arrays._fields, sound.arrays, struck.arrays, strict=True):
        assert a[others].tobytes() == b[others].tobytes(), name
    assert struck.reasons()[4] == "diverged"
    assert not struck.running[4]
    assert sound.reasons()[4] is None or sound.reasons()[4] == "fall"


@pytest.mark.usefixtures("clean_folder")
@pytest.mark.parametrize("how", HOW)
def test_an_exploded_row_does_not_stand_up_again(crowd: Crowd, how: str) -> None:
    batch = crowd(3)
    explode(batch, 1, how)
    batch.advance(0.4)
    assert batch.reasons()[1] == "diverged"
    held = batch.arrays.state[1].tobytes(), int(batch.arrays.step[1])
    batch.advance(0.2)
    batch.advance_until("clock", 0.1)
    assert (batch.arrays.state[1].tobytes(), int(batch.arrays.step[1])) == held
    assert batch.reasons()[1] == "diverged"
    batch.reset([1])
    batch.parameter("push", "newtons")[1] = 0.0
    batch.parameter("walk", "speed_mps")[1], batch.parameter("walk", "gait")[1] = 1.0, 0.0
    batch.advance(0.05)
    assert batch.reasons()[1] is None, "it stands up when it is told to"


@pytest.mark.usefixtures("clean_folder")
@pytest.mark.parametrize("torque", [np.nan, np.inf, -np.inf, 1e11])
def test_a_law_that_gives_no_number_diverges(scene: Scene, human: Character, torque: float) -> None:
    """MuJoCo would set all controls of that row to zero and say so only in a file."""
    batch = SimBatch(scene, 3, [pd_of(human), broken.use(torque=0.0)], threads=1)
    alone = SimBatch(scene, 3, [pd_of(human), broken.use(torque=0.0)], threads=1)
    batch.parameter("broken", "torque")[1] = torque
    batch.parameter("broken", "from_step")[1] = 7
    for each in (batch, alone):
        each.advance(0.1)
    assert batch.reasons() == [None, "diverged", None]
    assert batch.arrays.step.tolist() == [24, 7, 24]
    assert batch.arrays.state[[0, 2]].tobytes() == alone.arrays.state[[0, 2]].tobytes()


@pytest.mark.usefixtures("clean_folder")
def test_a_pose_that_is_not_in_the_table_diverges(held: Crowd) -> None:
    batch = held(4)
    batch.parameter("pd", "pose")[:] = [0, 1, -1, np.nan]
    batch.advance(0.05)
    assert batch.reasons() == [None, "diverged", "diverged", "diverged"]


@numba.njit
def bare_loop(engine, step, model, data, ctrl_at, bias_at, states, inputs, state_parts):
    """`mj_step` with recorded control, stiffness and damping, and nothing between the steps."""
    rows, steps, _, n = inputs.shape
    ctrl, bias = vector(ctrl_at, n), matrix(bias_at, n, BIAS_WIDTH)
    for row in range(rows):
        call_mj_state(engine[2], model, data, states[row].ctypes.data, state_parts)
        for it in range(steps):
            for j in range(n):
                ctrl[j] = inputs[row, it, 0, j]
                bias[j, 1] = inputs[row, it, 1, j]
                bias[j, 2] = inputs[row, it, 2, j]
            call_mj(step, model, data)


def test_controlled_steps_cost_little_more_than_bare_ones(scene: Scene, human: Character) -> None:
    """A guard of the loop, not the measurement (that is the bench): at batch 64 it has 0.9 of the bare speed or more."""
    rows, steps = 64, 24
    batch = SimBatch(scene, rows, [pd_of(human), push_of(human), fall_of(human)], threads=1)
    batch.advance(0.3)
    start = batch.snapshot()
    path = batch.advance(steps / 240, record_hz=240, channels=("ctrl", "actuator_biasprm"))
    assert path is not None
    ctrl = path.channels["ctrl"]
    bias = path.channels["actuator_biasprm"].reshape(*ctrl.shape, BIAS_WIDTH)
    inputs = np.ascontiguousarray(np.stack([ctrl, bias[..., 1], bias[..., 2]], axis=2))
    model = copy.copy(scene.model)
    data = mujoco.MjData(model)
    step = function_address("mj_step")
    places = (model._address, data._address, data.ctrl.ctypes.data, model.actuator_biasprm.ctypes.data)
    ratios = []
    for _ in range(20):  # processor time, in turns: other programs on the machine shift both
        began = time.process_time()
        bare_loop(engine_addresses(), step, *places, start["state"], inputs, STATE_PARTS)
        bare_s = time.process_time() - began
        batch.restore(start)
        began = time.process_time()
        batch.advance(steps / 240)
        ratios.append(bare_s / (time.process_time() - began))
    assert data.qpos.tobytes() == batch.qpos[-1].tobytes(), "both are to do the same"
    ratio = float(np.median(ratios[1:]))
    assert ratio > 0.9, f"controlled stepping has {ratio:.2f} of the speed of bare stepping"
