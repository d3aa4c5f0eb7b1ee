"""Bodies without a walk: how stiff a PD hold may be at a time step, and how much energy a limp body makes or loses.

A hold is the human in the air without gravity, every joint a spring and a damper, from a scattered pose and scattered joint rates.
Limp is the same without springs, dampers and joint limits, so that its energy should stay. `choice_step`, `choice_laws` and
`choice_joints` make rows of both.
"""

from __future__ import annotations

import dataclasses
import functools

import mujoco
import numpy as np

from surefoot.characters import Character, attach, character
from surefoot.controllers.pd import pd_of
from surefoot.physics.batch import SimBatch
from surefoot.physics.law import Part, Sight, disturbance
from surefoot.physics.overrides import Override
from surefoot.physics.scene import Integrator, Scene, Solver, build_scene
from surefoot.physics.worker import MUTED
from surefoot.seeding import SeedTree

SEED = 20_000
INTEGRATOR_CODES: dict[Integrator, mujoco.mjtIntegrator] = {
    "implicitfast": mujoco.mjtIntegrator.mjINT_IMPLICITFAST,
    "discrete": mujoco.mjtIntegrator.mjINT_DISCRETE,
}
HEAVY_S, LIGHT_S = 0.1, 0.01
"""Damping of a hold over its stiffness: as in most servos of characters, and a tenth of it."""
UNIFORM_NM = (10.0, 30.0, 100.0, 300.0, 1000.0, 3000.0, 10_000.0, 30_000.0)
"""Stiffnesses of holds without torque limits: the same in every joint, Nm/rad."""
LIMITS_A_RADIAN = (0.3, 1.0, 3.0, 10.0, 30.0, 100.0)
"""Stiffnesses of holds with the human's torque limits: so many times each joint's limit for a radian; the walk has 1 to 3."""
HOLD_S = 2.0
STRONG_NM = 1e9
"""Torque limit that no hold reaches."""
ALMOST = 1.0 - 1e-9
"""MuJoCo drops the slopes of an actuator that is at its limit; so near it, it keeps them."""


@disturbance()
def explicit(s: Sight, w: np.ndarray, table: np.ndarray, p: np.ndarray, m: np.ndarray, out: np.ndarray) -> float:
    """The same torques without their slopes: stiffness and damping are zeroed, so nothing is integrated implicitly."""
    for j in range(s.q.size):
        out[1, j] = 0.0
        out[2, j] = 0.0
    return 0.0


@disturbance()
def secant(s: Sight, w: np.ndarray, table: np.ndarray, p: np.ndarray, m: np.ndarray, out: np.ndarray) -> float:
    """A torque beyond its limit is scaled down to it together with its slopes, so that damping stays implicit; table (1, n): limits."""
    for j in range(s.q.size):
        size = abs(out[0, j])
        if size > table[0, j] * ALMOST:
            scale = table[0, j] * ALMOST / size
            out[0, j] *= scale
            out[1, j] *= scale
            out[2, j] *= scale
    return 0.0


def way_parts(way: str, who: Character) -> list[Part]:
    """What stands behind the laws for a way of actuating: nothing for 'law' and 'joints'."""
    return {"explicit": [explicit.use()], "secant": [secant.use(table=who.torque_limits_nm[None].copy())]}.get(way, [])


@dataclasses.dataclass(frozen=True, kw_only=True, slots=True)
class Hold:
    """How a hold is actuated and stepped."""

    way: str
    """'law': torque, stiffness and damping; 'secant': those, scaled together at the limit; 'explicit': torque alone; 'joints':
    spring by law, damping in the joints."""
    integrator: Integrator
    limited: bool
    """Whether the human's torque limits hold."""
    damping_s: float = HEAVY_S
    """Damping over stiffness."""

    @property
    def name(self) -> str:
        """As in the rows."""
        kind = "limited" if self.limited else "unlimited" if self.damping_s == HEAVY_S else "light"
        return f"{self.way}.{self.integrator}.{kind}"

    @property
    def grid(self) -> tuple[float, ...]:
        """Stiffnesses tried: Nm/rad, or torque limits a radian."""
        return LIMITS_A_RADIAN if self.limited else UNIFORM_NM


@functools.cache
def _scene(time_step_s: float, integrator: Integrator) -> Scene:
    return build_scene(character("human"), time_step_s=time_step_s, solver=Solver(integrator=integrator))


def stable(hold: Hold, time_step_s: float, starts: int) -> np.ndarray:
    """Whether the joint rates died down from every start, for each stiffness of the grid."""
    scene = _scene(time_step_s, hold.integrator)
    who, part, grid = scene.slices[0].character, scene.slices[0], np.array(hold.grid)
    n, rows = who.dof_count, grid.size * starts
    gains = np.repeat(grid, starts)[:, None] * (who.torque_limits_nm if hold.limited else np.ones(n))
    in_joints = hold.way == "joints"
    poses = pd_of(who, np.zeros((rows, n)), stiffness_nm=gains, damping_nms=(0.0 if in_joints else hold.damping_s) * gains)
    overrides = [Override(array=name) for name in ("gravity", "actuator_forcerange", "dof_damping")]
    batch = SimBatch(scene, rows, [poses, *way_parts(hold.way, who)], overrides=overrides, seed=SEED)
    batch.override("gravity")[:] = 0.0
    if not hold.limited:
        batch.override("actuator_forcerange")[:] = np.tile([-STRONG_NM, STRONG_NM], n)
    if in_joints:
        batch.override("dof_damping")[:, part.dof : part.dof + n] += hold.damping_s * gains
    batch.parameter("pd", "pose")[:] = np.arange(rows)
    generator = SeedTree(root=SEED).generator("holds")
    batch.qpos[:, 2] = 50.0
    batch.qpos[:, part.qpos : part.qpos + n] += np.tile(0.1 * generator.standard_normal((starts, n)), (grid.size, 1))
    batch.qvel[:, part.dof : part.dof + n] = np.tile(generator.standard_normal((starts, n)), (grid.size, 1))
    before = _rate(batch, part.dof, n)
    batch.advance(HOLD_S)
    settled = batch.running & (_rate(batch, part.dof, n) < before)
    return np.asarray(settled).reshape(grid.size, starts).min(axis=1)


def stiffest(hold: Hold, good: np.ndarray) -> float:
    """The last stiffness before the first hold that did not settle; 0 where the softest did not."""
    failed = np.flatnonzero(~good)
    first = int(failed[0]) if failed.size else good.size
    return hold.grid[first - 1] if first else 0.0


def _rate(batch: SimBatch, first: int, n: int) -> np.ndarray:
    """Root mean square of the joint rates of each row, rad/s."""
    return np.sqrt(np.mean(batch.qvel[:, first : first + n] ** 2, axis=1))


def limp_energy_drift(who: Character, time_step_s: float, integrator: Integrator, starts: int, seconds: float) -> np.ndarray:
    """Energy that a limp body makes or loses, as a share of what it starts with, (starts,); NaN where it blows up."""
    spec = mujoco.MjSpec()
    attach(who, spec, looks=False)
    spec.option.timestep, spec.option.gravity = time_step_s, (0.0, 0.0, 0.0)
    spec.option.integrator = INTEGRATOR_CODES[integrator]
    spec.option.enableflags |= int(mujoco.mjtEnableBit.mjENBL_ENERGY)
    spec.option.disableflags |= int(mujoco.mjtDisableBit.mjDSBL_LIMIT | mujoco.mjtDisableBit.mjDSBL_AUTORESET)
    model = spec.compile()
    model.dof_damping[:] = 0.0
    data = mujoco.MjData(model)
    rates = SeedTree(root=SEED).generator("limp").standard_normal((starts, model.nv - 6))
    drift = []
    for each in rates:
        mujoco.mj_resetData(model, data)
        quiet(data)
        data.qvel[6:] = each
        mujoco.mj_forward(model, data)
        before = float(data.energy.sum())
        mujoco.mj_step(model, data, nstep=round(seconds / time_step_s))
        mujoco.mj_forward(model, data)
        drift.append(float(data.energy.sum()) / before - 1.0)
    return np.array(drift)


def quiet(data: mujoco.MjData) -> None:
    """Keep MuJoCo from writing its warnings of instability into a file: that a body blows up is a result here."""
    for kind in MUTED:
        data.warning[kind].number = 1
