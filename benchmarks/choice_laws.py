"""Study (c): what a law returns. Torque with stiffness and damping, torque alone, or torque with the damping in the joints.

The largest stable step of PD holds, with and without the human's torque limits; the walk under each way at four steps; and the
test that a blend of two PDs is a PD with blended gains. A fourth way, 'secant', scales a torque beyond its limit down together
with its slopes: MuJoCo drops the slopes of an actuator at its limit. Holds and ways are built in `choice_holds`.
"""

from __future__ import annotations

import numpy as np

from choice_holds import HEAVY_S, LIGHT_S, SEED, Hold, stable, stiffest, way_parts
from choice_rows import Row, mean, share, single
from choice_walks import CYCLE_ROWS, Size, Walked, Way, pushed, walk_of, walk_rows, walked
from surefoot.characters import character
from surefoot.controllers.gait import Gait, role_of
from surefoot.controllers.pd import pd_of
from surefoot.physics.batch import SimBatch
from surefoot.physics.overrides import Override
from surefoot.physics.scene import Integrator, Scene, Solver, build_scene
from surefoot.seeding import SeedTree

HOLD_HERTZ = (30, 60, 120, 240, 480, 1200, 2400)
HOLD_KINDS = {"unlimited": (False, HEAVY_S), "light": (False, LIGHT_S), "limited": (True, HEAVY_S)}
"""Whether the human's torque limits hold, and damping over stiffness."""
HOLD_WAYS = ("law", "secant", "explicit", "joints")
WALK_WAYS: tuple[tuple[str, Integrator], ...] = (
    ("law", "implicitfast"),
    ("law", "discrete"),
    ("secant", "implicitfast"),
    ("explicit", "implicitfast"),
    ("joints", "implicitfast"),
    ("averaged", "implicitfast"),
)
"""'averaged' is the law with the one damping a joint that 'joints' has to take: it tells the two effects apart."""
WALK_HERTZ = (240, 480, 1200, 2400)
PUSH_N = 150.0
INTEGRATORS: tuple[Integrator, ...] = ("implicitfast", "discrete")
REFERENCE_HERTZ = 9600
"""Step that stands for the exact solution of a saturated swing."""


def laws_study(gait: Gait, size: Size) -> list[Row]:
    """All of study (c)."""
    return [*hold_rows(size), *swing_rows(size), *blend_rows(), *walking_rows(gait, size)]


def hold_rows(size: Size) -> list[Row]:
    """For each way, integrator and step: the stiffest hold that settles, as all softer ones do."""
    rows = []
    for limited, damping_s in HOLD_KINDS.values():
        for way in HOLD_WAYS:
            if way == "secant" and not limited:
                continue  # without limits it is the law
            for integrator in INTEGRATORS:
                hold = Hold(way=way, integrator=integrator, limited=limited, damping_s=damping_s)
                for hertz in (120, 240) if size.smoke else HOLD_HERTZ:
                    good = stable(hold, 1 / hertz, size.holds)
                    rows.append(single(f"laws.hold.{hold.name}.{hertz}", stiffest(hold, good), size.holds))
    return rows


def swing_rows(size: Size) -> list[Row]:
    """How well a step of 1/240 s follows the exact swing of joints that are driven at their torque limits."""
    rows = []
    starts = 2 if size.smoke else 8
    for integrator in INTEGRATORS:
        exact = {way: saturated_swing(way, integrator, REFERENCE_HERTZ, starts) for way in ("law", "joints")}
        for way in ("law", "secant", "joints"):
            found = saturated_swing(way, integrator, 240, starts)
            gap = found - exact["joints" if way == "joints" else "law"]
            rows.append(mean(f"laws.saturated_error_rad.{way}.{integrator}.240", np.sqrt(np.mean(gap**2, axis=(1, 2)))))
    return rows


def saturated_swing(way: str, integrator: Integrator, hertz: int, starts: int) -> np.ndarray:
    """Joint angles (starts, frames, n) in the air at 60 Hz for 0.4 s, pulled to a pose by 3 limits a radian from far away."""
    scene = build_scene(character("human"), time_step_s=1 / hertz, solver=Solver(integrator=integrator))
    who, part = scene.slices[0].character, scene.slices[0]
    n, gains = who.dof_count, 3.0 * who.torque_limits_nm
    damping = 0.1 * gains
    pose = pd_of(who, stiffness_nm=gains, damping_nms=np.zeros(n) if way == "joints" else damping)
    overrides = [Override(array="gravity"), Override(array="dof_damping")]
    batch = SimBatch(scene, starts, [pose, *way_parts(way, who)], overrides=overrides)
    batch.override("gravity")[:] = 0.0
    if way == "joints":
        batch.override("dof_damping")[:, part.dof : part.dof + n] += damping
    share_of_range = SeedTree(root=SEED).generator("swings").uniform(0.1, 0.9, (starts, n))
    low, high = who.limits_rad[:, 0], who.limits_rad[:, 1]
    batch.qpos[:, 2] = 50.0
    batch.qpos[:, part.qpos : part.qpos + n] = low + share_of_range * (high - low)
    trajectory = batch.advance(0.4, record_hz=60.0)
    assert trajectory is not None
    return trajectory.qpos[:, :, part.qpos : part.qpos + n]


def blend_rows() -> list[Row]:
    """Greatest difference in joint angle after a second between a blend of two PD laws and the PD of the blended gains."""
    rows = []
    for integrator in INTEGRATORS:
        scene = build_scene(character("human"), solver=Solver(integrator=integrator))
        blended, single_law = _blend_batches(scene)
        for batch in (blended, single_law):
            batch.advance(1.0)
        gap = float(np.abs(blended.qpos[:, 7:] - single_law.qpos[:, 7:]).max())
        rows.append(single(f"laws.blend_difference_rad.{integrator}", gap, blended.rows))
    return rows


def _blend_batches(scene: Scene) -> tuple[SimBatch, SimBatch]:
    """The same starts under 0.3 A + 0.7 B, and under one PD with those gains."""
    who = scene.slices[0].character
    generator, n, shares = SeedTree(root=SEED).generator("blend"), who.dof_count, (0.3, 0.7)
    poses = [0.3 * generator.standard_normal(n) for _ in shares]
    gains = [who.servo_stiffness_nm + 20.0, 2.0 * who.servo_stiffness_nm + 5.0]
    dampings = [who.servo_damping_nms + 1.0, 0.5 * who.servo_damping_nms + 1.0]
    kp = shares[0] * gains[0] + shares[1] * gains[1]
    kd = shares[0] * dampings[0] + shares[1] * dampings[1]
    target = (shares[0] * gains[0] * poses[0] + shares[1] * gains[1] * poses[1]) / kp
    pair = [pd_of(who, q, stiffness_nm=k, damping_nms=d, name=name) for name, q, k, d in zip("ab", poses, gains, dampings, strict=True)]
    starts = 0.05 * generator.standard_normal((8, n))
    blended = SimBatch(scene, 8, pair)
    one = SimBatch(scene, 8, [pd_of(who, target, stiffness_nm=kp, damping_nms=kd)])
    blended.weight("a")[:], blended.weight("b")[:] = shares
    for batch in (blended, one):
        batch.qpos[:, 7:] += starts
    return blended, one


def way_of(name: str, gait: Gait, way: str, integrator: Integrator, time_step_s: float) -> Way:
    """The walk under one way of actuating."""
    who = character(gait.character)
    scene = build_scene(who, time_step_s=time_step_s, solver=Solver(integrator=integrator))
    overrides: dict[str, np.ndarray] = {}
    if way in ("joints", "averaged"):
        # a joint's damping cannot change with the leg's role: the mean of stance and swing
        one = {dof: 0.5 * (gait.channels[role_of(dof)].kd + gait.channels[role_of(other)].kd) for dof, other in _pairs(who.dof_names)}
        if way == "joints":
            damping, part = scene.model.dof_damping.copy(), scene.slices[0]
            damping[part.dof : part.dof + who.dof_count] += list(one.values())
            overrides["dof_damping"] = damping
        gait = gait.changed({f"{role_of(dof)}.kd": 0.0 if way == "joints" else kd for dof, kd in one.items()})
    return Way(name=name, scene=scene, parts=(walk_of(gait, who), *way_parts(way, who)), overrides=overrides)


def _pairs(names: tuple[str, ...]) -> list[tuple[str, str]]:
    """Each DoF with its counterpart on the other side; one in the middle is its own."""
    swap = {"left_": "right_", "right_": "left_"}
    return [(name, next((new + name.removeprefix(old) for old, new in swap.items() if name.startswith(old)), name)) for name in names]


def walking_rows(gait: Gait, size: Size) -> list[Row]:
    """The walk under each way: survival and cycle at each step, pushes at 1/240 s."""
    rows = []
    for way, integrator in WALK_WAYS:
        for hertz in WALK_HERTZ[:1] if size.smoke else WALK_HERTZ:
            name = f"laws.walk.{way}.{integrator}.{hertz}"
            arranged = way_of(name, gait, way, integrator, 1 / hertz)
            found: Walked = walked(arranged, gait, size)
            rows += walk_rows(name, found, CYCLE_ROWS[:5])
            if hertz == WALK_HERTZ[0]:
                stood = pushed(arranged, gait, size, (PUSH_N,))
                rows.append(share(f"{name}.push_{PUSH_N:g}", int(stood.sum()), stood.size))
    return rows
