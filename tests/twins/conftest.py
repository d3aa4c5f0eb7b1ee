"""The plain twin: the engine's loop in ordinary Python over MuJoCo's bindings, features by MuJoCo's functions and NumPy.

`Twin` steps one row of a batch. Parts run as `part.kind.python`, and while they do, every function of the library that numba
would compile is exchanged for the Python function it was made from (`uncompiled`): so nothing of what it computes went
through the compiler, and a difference between it and the batch is a fault of compilation, of the engine, or of the features.
"""

import contextlib
import copy
import math
import sys
from collections.abc import Callable, Iterator

import mujoco
import numpy as np
import pytest
from numba.core.dispatcher import Dispatcher

from surefoot.physics import engine
from surefoot.physics.batch import STATE_PARTS, SimBatch
from surefoot.physics.law import Part, Sight
from surefoot.physics.overrides import array_of, positions
from surefoot.physics.scene import Slice


@contextlib.contextmanager
def uncompiled() -> Iterator[None]:
    """Inside, all helper functions of the library are plain Python."""
    exchanged = []
    for name, module in list(sys.modules.items()):
        if name.startswith("surefoot."):
            for word, value in vars(module).items():
                if isinstance(value, Dispatcher):
                    exchanged.append((module, word, value))
    for module, word, value in exchanged:
        setattr(module, word, value.py_func)
    try:
        with np.errstate(over="ignore"):  # counters of noise wrap around
            yield
    finally:
        for module, word, value in exchanged:
            setattr(module, word, value)


class Twin:
    """One row of a batch, stepped in Python."""

    def __init__(self, batch: SimBatch, row: int) -> None:
        self.batch, self.row = batch, row
        self.scene = batch.scenes[batch.arrays.model[row]]
        self.model = copy.copy(self.scene.model)
        self.data = mujoco.MjData(self.model)
        self.load()

    def load(self) -> None:
        """Take over the row as it is now in the batch."""
        arrays, at = self.batch.arrays, 0
        for override in self.batch._overrides:
            chosen = positions(self.model, override)
            array_of(self.model, override)[chosen] = arrays.overrides[self.row, at : at + chosen.size]
            at += chosen.size
        mujoco.mj_setConst(self.model, self.data)
        mujoco.mj_setState(self.model, self.data, arrays.state[self.row].copy(), STATE_PARTS)
        self.data.sensordata[:] = arrays.sensors[self.row]
        self.data.actuator_force[:] = arrays.torque[self.row]
        self.memory = arrays.memory[self.row].copy()
        self.step_number, self.key = int(arrays.step[self.row]), arrays.key[self.row]
        self.ended, self.fired = "", False

    def part(self, part: Part, sight: Sight, out: np.ndarray) -> float:
        """Call one part in plain Python on this row's parameters and memory."""
        index = self.batch.parts.index(part)
        p, m = self.batch._table.p[index], self.batch._table.m[index]
        parameters = self.batch.arrays.parameters[self.row, p[0] : p[1]]
        return float(part.kind.python(sight, part.wiring, part.table, parameters, self.memory[m[0] : m[1]], out))

    def sight(self, which: int) -> Sight:
        """What parts see of a character after mj_step1."""
        model, data, here = self.model, self.data, self.scene.slices[which]
        who = here.character
        n, b, k = who.dof_count, len(who.links), len(who.contact_points)
        mujoco.mj_subtreeVel(model, data)
        up = -model.opt.gravity / np.linalg.norm(model.opt.gravity)
        ahead = data.xmat[here.body, [0, 3, 6]]
        forward = ahead - ahead @ up * up
        forward /= np.linalg.norm(forward)
        east = np.array([1.0, 0.0, 0.0]) - up[0] * up
        east /= np.linalg.norm(east)
        bodies, dofs = slice(here.body, here.body + b), slice(here.dof, here.dof + n)
        joints, points = slice(here.joint, here.joint + n), slice(here.site, here.site + k)
        momentum = any(part.kind.momentum for part in self.batch.parts)
        return Sight(
            time_s=self.step_number * model.opt.timestep,
            dt_s=model.opt.timestep,
            heading_rad=math.atan2(np.cross(east, forward) @ up, east @ forward),
            mass_kg=float(model.body_subtreemass[here.body]),
            gravity_mps2=float(np.linalg.norm(model.opt.gravity)),
            step=self.step_number,
            key=self.key + np.int64(which) * np.int64(engine.CHARACTER_KEY),
            up=up,
            forward=forward,
            left=np.cross(up, forward),
            com=data.subtree_com[here.body].copy(),
            com_velocity=data.subtree_linvel[here.body].copy(),
            momentum=data.subtree_angmom[here.body].copy() if momentum else np.zeros(3),
            q=data.qpos[here.qpos : here.qpos + n].copy(),
            v=data.qvel[dofs].copy(),
            axis=data.xaxis[joints],
            anchor=data.xanchor[joints],
            position=data.xpos[bodies],
            rotation=data.xmat[bodies],
            velocity=data.cvel[bodies],
            centre=data.xipos[bodies],
            weight=model.body_mass[bodies],
            point=data.site_xpos[points],
            load=data.sensordata[here.sensor : here.sensor + k],
            torque=data.actuator_force[here.actuator : here.actuator + n],
            wrench=data.xfrc_applied[bodies],
        )

    def step(self, until: str = "") -> None:
        """One step of everything, in the order of the engine's docstring."""
        with uncompiled():
            mujoco.mj_step1(self.model, self.data)
            self.data.xfrc_applied[:] = 0.0
            sights = [self.sight(which) for which in range(len(self.scene.slices))]
            for which, (sight, here) in enumerate(zip(sights, self.scene.slices, strict=True)):
                self.actuate(here, sight, self.torques(which, sight))
            mujoco.mj_step2(self.model, self.data)
            self.step_number += 1
            for which, sight in enumerate(sights):
                after = sight._replace(step=self.step_number)
                for part in self.batch.parts:
                    if part.character == which and part.kind.kind in ("meter", "event"):
                        happened = self.part(part, after, np.zeros((3, sight.q.size))) > 0
                        self.fired |= happened and part.name == until
                        index = self.batch.parts.index(part)
                        if happened and self.batch._table.ending[index] and not self.ended:
                            self.ended = part.name

    def torques(self, which: int, sight: Sight) -> np.ndarray:
        """Weighted sum of the laws, changed by the disturbances."""
        total = np.zeros((3, sight.q.size))
        for index, part in enumerate(self.batch.parts):
            if part.character == which and part.kind.kind == "law":
                out = np.zeros_like(total)
                self.part(part, sight, out)
                total += self.batch.arrays.weights[self.row, index] * out
        for part in self.batch.parts:
            if part.character == which and part.kind.kind == "disturbance":
                self.part(part, sight, total)
        return total

    def actuate(self, here: Slice, sight: Sight, total: np.ndarray) -> None:
        """Torque, stiffness and damping into the actuators; a torque beyond its limit is scaled to just within, slopes and all."""
        chosen = slice(here.actuator, here.actuator + sight.q.size)
        low, high = self.model.actuator_forcerange[chosen].T
        torque, stiffness, damping = total
        bound = np.where(torque > 0, high, -low)
        with np.errstate(divide="ignore", invalid="ignore"):
            share = np.where(np.abs(torque) > bound, engine.WITHIN_LIMIT * bound / np.abs(torque), 1.0)
        self.model.actuator_biasprm[chosen, 1] = -share * stiffness
        self.model.actuator_biasprm[chosen, 2] = -share * damping
        self.data.ctrl[chosen] = share * (torque + stiffness * sight.q + damping * sight.v)

    def difference(self) -> dict[str, float]:
        """Greatest difference to the row in the batch, each number against its own size where that is above 1."""
        arrays, data = self.batch.arrays, self.data
        pairs = {
            "qpos": (data.qpos, self.batch.qpos[self.row]),
            "qvel": (data.qvel, self.batch.qvel[self.row]),
            "loads": (data.sensordata, arrays.sensors[self.row]),
            "torques": (data.actuator_force, arrays.torque[self.row]),
            "memory": (self.memory, arrays.memory[self.row]),
        }
        return {
            name: float(np.max(np.abs(mine - theirs) / np.maximum(1.0, np.abs(theirs)), initial=0.0))
            for name, (mine, theirs) in pairs.items()
        }


@pytest.fixture
def twin() -> Callable[[SimBatch, int], Twin]:
    """`twin(batch, row)`: the plain twin of a row."""
    return Twin
