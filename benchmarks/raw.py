"""Raw stepping, the yardstick of the bench: MuJoCo steps with recorded actuator inputs and nothing between them.

Two ways, of which the bench takes the faster: `mujoco.rollout` with recorded controls, and a bare compiled loop around
`mj_step` that replays controls, stiffness and damping. Both start from the states that the controlled batch starts from.
"""

from __future__ import annotations

import concurrent.futures
import copy
import functools
import time

import mujoco
import mujoco.rollout
import numba
import numpy as np

from surefoot.physics.addresses import call_mj, call_mj_state, engine_addresses, function_address, matrix, use_package_cache, vector
from surefoot.physics.batch import STATE_PARTS, SimBatch
from surefoot.physics.layout import BIAS_WIDTH


def _replay(first, last, step, set_state, model, data, ctrl_at, bias_at, states, inputs, parts):
    _, steps, _, n = inputs.shape
    ctrl, bias = vector(ctrl_at, n), matrix(bias_at, n, BIAS_WIDTH)
    for row in range(first, last):
        call_mj_state(set_state, model, data, states[row].ctypes.data, parts)
        for it in range(steps):
            for j in range(n):
                ctrl[j] = inputs[row, it, 0, j]
                bias[j, 1] = inputs[row, it, 1, j]
                bias[j, 2] = inputs[row, it, 2, j]
            call_mj(step, model, data)


@functools.cache
def _compiled():
    use_package_cache()
    return numba.njit(nogil=True, cache=True, error_model="numpy")(_replay)


class RawReplay:
    """What a controlled batch did, ready to be replayed without control by any number of threads."""

    def __init__(self, batch: SimBatch, seconds: float, threads: int) -> None:
        """Record the inputs of `seconds` from the batch's present state, and put the batch back."""
        self.threads, self.model = threads, batch.model
        before = batch.snapshot()
        self.states = batch.arrays.state.copy()
        channels = ("ctrl", "actuator_biasprm", "qpos", "qvel")
        trajectory = batch.advance(seconds, record_hz=1.0 / batch.scene.time_step_s, channels=channels)
        assert trajectory is not None
        ctrl = trajectory.channels["ctrl"]
        bias = trajectory.channels["actuator_biasprm"].reshape(*ctrl.shape, BIAS_WIDTH)
        self.inputs = np.ascontiguousarray(np.stack([ctrl, bias[..., 1], bias[..., 2]], axis=2))
        joints = self.model.actuator_trnid[:, 0]
        angles = trajectory.qpos[:, :, self.model.jnt_qposadr[joints]]
        rates = trajectory.qvel[:, :, self.model.jnt_dofadr[joints]]
        # mujoco.rollout cannot change slopes in time: it gets the mean damping, no stiffness, and controls of the same torque
        self._damping = -bias[..., 2].mean(axis=(0, 1))
        torque = ctrl + bias[..., 1] * angles + bias[..., 2] * rates
        self._controls = np.ascontiguousarray(torque + self._damping * rates)
        batch.restore(before)
        self._models = [copy.copy(self.model) for _ in range(threads)]
        self._datas = [mujoco.MjData(model) for model in self._models]
        self._pool = concurrent.futures.ThreadPoolExecutor(threads)
        self._rollout = mujoco.rollout.Rollout(nthread=threads if threads > 1 else 0)

    def bare_loop_s(self) -> float:
        """Seconds of the compiled loop around mj_step."""
        rows = len(self.states)
        edges = np.linspace(0, rows, self.threads * 8 + 1).astype(int)
        free = list(range(self.threads))
        began = time.perf_counter()

        def work(k: int) -> None:
            worker = free.pop()
            model, data = self._models[worker], self._datas[worker]
            _compiled()(
                edges[k], edges[k + 1], function_address("mj_step"), int(engine_addresses()[2]), model._address, data._address,
                data.ctrl.ctypes.data, model.actuator_biasprm.ctypes.data, self.states, self.inputs, STATE_PARTS,
            )  # fmt: skip
            free.append(worker)

        list(self._pool.map(work, range(len(edges) - 1)))
        return time.perf_counter() - began

    def rollout_s(self) -> float:
        """Seconds of `mujoco.rollout` with the recorded controls."""
        full = _rollout_states(self.model, self.states)
        for model in self._models:
            model.actuator_biasprm[:, 1], model.actuator_biasprm[:, 2] = 0.0, -self._damping
        began = time.perf_counter()
        self._rollout.rollout(self._models[0], self._datas, full, self._controls)
        return time.perf_counter() - began


def _rollout_states(model: mujoco.MjModel, states: np.ndarray) -> np.ndarray:
    """The part of our states that `mujoco.rollout` takes: full physics without the warm start."""
    return np.ascontiguousarray(states[:, : mujoco.mj_stateSize(model, int(mujoco.mjtState.mjSTATE_FULLPHYSICS))])
