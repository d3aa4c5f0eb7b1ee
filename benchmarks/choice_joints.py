"""Study (b): a ball joint with an orientation servo, or three hinges in one place, for shoulders and hips.

The human hangs by a fixed pelvis and its shoulders and hips track the swings of `choice_swings`: a walk, and three that pass near or
through the pole of the hinge triple, where its first and last axis are parallel. Raw MuJoCo, because the engine's laws take hinges;
both bodies have the same masses and inertias. Joint limits and torque limits are off, so that only joint and servo differ.
"""

from __future__ import annotations

import dataclasses
import functools
import time

import mujoco
import numpy as np
from scipy.spatial.transform import Rotation

from choice_holds import INTEGRATOR_CODES, limp_energy_drift, quiet
from choice_rows import Row, interleaved, mean, median, ratios, single
from choice_swings import JOINTS, SWING_S, SWINGS, hinge_angles, nearest_to_pole_deg, orientations
from choice_walks import Size
from surefoot.characters import Character, attach, character, with_balls
from surefoot.physics.scene import Integrator

GAINS = {"shoulder": (400.0, 40.0), "hip": (500.0, 50.0)}
"""Stiffness Nm/rad and damping Nms/rad of captured-motion humanoids (Peng et al. 2018, DeepMimic)."""
GAIN_SETS = {"as_given": (1.0, 1.0), "ten_times": (10.0, 10.0), "light": (1.0, 0.1)}
"""Times `GAINS`: stiffness, damping."""
WARM_UP_S = 0.3
WAYS = ("hinges_by_angle", "hinges_by_orientation", "ball_servo", "ball_torque")
"""PD on the three angles; torque of the orientation error, put on the axes of the hinges; MuJoCo's orientation servo; the same torque
on a ball. Damping is implicit in all."""
INTEGRATORS: tuple[Integrator, ...] = ("implicitfast", "discrete")
HERTZ = (60, 240, 2400)
STABLE_HERTZ = (15, 30, 60, 120, 240, 480, 1200)


@dataclasses.dataclass(frozen=True, kw_only=True, eq=False)
class Tracker:
    """A hung human whose shoulders and hips are servoed in one of the ways."""

    way: str
    model: mujoco.MjModel
    dofs: tuple[slice, ...]
    """DoF of each of `JOINTS`."""
    bodies: tuple[tuple[int, int], ...]
    """Parent and child of each of `JOINTS`."""
    gains: str
    """One of `GAIN_SETS`."""

    @property
    def lead_s(self) -> float:
        """Targets are led by damping over stiffness, which takes out the lag that a damper without a target rate makes."""
        stiffness, damping = gains_of("left_hip", self.gains)
        return damping / stiffness


def gains_of(joint: str, gains: str) -> tuple[float, float]:
    """Stiffness and damping of a shoulder or a hip."""
    stiffness, damping = GAINS[joint.split("_")[1]]
    return GAIN_SETS[gains][0] * stiffness, GAIN_SETS[gains][1] * damping


@functools.cache
def _human(balls: bool) -> Character:
    return with_balls(character("human")) if balls else character("human")


def tracker(way: str, integrator: Integrator, time_step_s: float, gains: str = "as_given") -> Tracker:
    """Compile the body of a way; joints that are not tracked hold the rest pose."""
    who, spec = _human(way.startswith("ball")), mujoco.MjSpec()
    attach(who, spec, looks=False)
    spec.delete(next(joint for joint in spec.joints if joint.name == "root"))
    spec.option.timestep, spec.option.integrator = time_step_s, INTEGRATOR_CODES[integrator]
    spec.option.disableflags |= int(mujoco.mjtDisableBit.mjDSBL_LIMIT | mujoco.mjtDisableBit.mjDSBL_AUTORESET)
    for actuator in list(spec.actuators):
        joint = actuator.target if actuator.target in who.joint_names else actuator.name.rsplit("_", 1)[0]
        actuator.forcelimited = False
        if joint not in JOINTS:
            actuator.biasprm[1], actuator.biasprm[2] = -200.0, -20.0
        elif way == "ball_servo":
            spec.delete(actuator)
        else:
            stiffness, damping = gains_of(joint, gains)
            by_angle = way == "hinges_by_angle"
            actuator.gainprm[0] = stiffness if by_angle else 1.0
            actuator.biasprm[1], actuator.biasprm[2] = (-stiffness if by_angle else 0.0), -damping
    for joint in JOINTS if way == "ball_servo" else ():
        servo = spec.add_actuator(name=joint, target=joint, trntype=mujoco.mjtTrn.mjTRN_JOINT)
        stiffness, damping = gains_of(joint, gains)
        servo.set_to_orientation(kp=stiffness, kv=damping, ctrlspec=int(mujoco.mjtCtrlChart.mjCHART_QUAT))
    model = spec.compile()
    children = [model.body(joint.replace("shoulder", "upper_arm").replace("hip", "thigh")).id for joint in JOINTS]
    return Tracker(
        way=way,
        model=model,
        dofs=tuple(slice(int(model.body_dofadr[child]), int(model.body_dofadr[child]) + 3) for child in children),
        bodies=tuple((int(model.body_parentid[child]), child) for child in children),
        gains=gains,
    )


@dataclasses.dataclass(frozen=True, kw_only=True, slots=True)
class Tracked:
    """What a tracker did with a swing."""

    error_rms_rad: float
    """Angle between wanted and actual orientation, all four joints."""
    error_max_rad: float
    speed_max_radps: float
    """Greatest angular speed of a limb against its parent."""
    rate_max_radps: float
    """Greatest rate of a DoF."""
    torque_max_nm: float
    """Greatest torque of a DoF."""


LOST = Tracked(error_rms_rad=np.inf, error_max_rad=np.inf, speed_max_radps=np.inf, rate_max_radps=np.inf, torque_max_nm=np.inf)


def track(body: Tracker, swing: str) -> Tracked:
    """Track a swing from rest in its first pose; the first `WARM_UP_S` do not count."""
    model, data = body.model, mujoco.MjData(body.model)
    quiet(data)
    step = float(model.opt.timestep)
    times = np.arange(round((WARM_UP_S + SWING_S) / step)) * step - WARM_UP_S
    targets = orientations(swing, times + body.lead_s)
    _start(body, data, orientations(swing, times[:1]), [hinge_angles(path)[0] for path in targets])
    commands = _commands(body, targets)
    quats = np.zeros((times.size, len(JOINTS), 4))
    rate = torque = 0.0
    for i in range(times.size):
        mujoco.mj_step1(model, data)
        for k, (parent, child) in enumerate(body.bodies):
            back = np.zeros(4)
            mujoco.mju_negQuat(back, data.xquat[parent])
            mujoco.mju_mulQuat(quats[i, k], back, data.xquat[child])
        if commands is None:
            _orientation_torques(body, data, [path[i] for path in targets], quats[i])
        else:
            data.ctrl[:] = commands[i]
        mujoco.mj_step2(model, data)
        if not np.abs(data.qvel).max() < 1e4:  # true for NaN too
            return LOST
        if times[i] >= 0.0:
            rate = max(rate, *(float(np.abs(data.qvel[dofs]).max()) for dofs in body.dofs))
            torque = max(torque, *(float(np.abs(data.qfrc_actuator[dofs]).max()) for dofs in body.dofs))
    return _tracked(quats[times >= 0.0], orientations(swing, times[times >= 0.0]), step, rate, torque)


def _tracked(quats: np.ndarray, wanted: list[Rotation], step: float, rate: float, torque: float) -> Tracked:
    """Errors and speeds from the recorded orientations, (frames, joints, 4)."""
    errors, speed = [], 0.0
    for k, path in enumerate(wanted):
        actual = Rotation.from_quat(quats[:, k], scalar_first=True)
        errors.append((path.inv() * actual).magnitude())
        speed = max(speed, float((actual[:-1].inv() * actual[1:]).magnitude().max()) / step)
    every = np.stack(errors)
    return Tracked(
        error_rms_rad=float(np.sqrt(np.mean(every**2))),
        error_max_rad=float(every.max()),
        speed_max_radps=speed,
        rate_max_radps=rate,
        torque_max_nm=torque,
    )


def _start(body: Tracker, data: mujoco.MjData, poses: list[Rotation], angles: list[np.ndarray]) -> None:
    for k, (_, child) in enumerate(body.bodies):
        at = int(body.model.jnt_qposadr[body.model.body_jntadr[child]])
        if body.way.startswith("ball"):
            data.qpos[at : at + 4] = poses[k][0].as_quat(scalar_first=True)
        else:
            data.qpos[at : at + 3] = angles[k]


def _commands(body: Tracker, targets: list[Rotation]) -> np.ndarray | None:
    """Controls of every step, where they do not depend on the state."""
    if body.way not in ("hinges_by_angle", "ball_servo"):
        return None
    commands = np.zeros((len(targets[0]), body.model.nu))
    for joint, path in zip(JOINTS, targets, strict=True):
        if body.way == "ball_servo":
            first = int(body.model.actuator_ctrladr[body.model.actuator(joint).id])
            commands[:, first : first + 4] = path.as_quat(scalar_first=True)
        else:
            first = body.model.actuator(f"{joint}_pitch").id
            commands[:, first : first + 3] = hinge_angles(path)
    return commands


def _orientation_torques(body: Tracker, data: mujoco.MjData, targets: list[Rotation], quats: np.ndarray) -> None:
    """Controls of every DoF from the error of orientation: kp log(actual^-1 wanted), in the frame of the limb."""
    model, error, turned = body.model, np.zeros(3), np.zeros(3)
    for k, joint in enumerate(JOINTS):
        mujoco.mju_subQuat(error, targets[k].as_quat(scalar_first=True), quats[k])
        error *= gains_of(joint, body.gains)[0]
        if body.way == "ball_torque":
            first = model.actuator(f"{joint}_roll").id
            data.ctrl[first : first + 3] = error
        else:
            mujoco.mju_rotVecQuat(turned, error, data.xquat[body.bodies[k][1]])
            first, at = model.actuator(f"{joint}_pitch").id, int(model.body_jntadr[body.bodies[k][1]])
            data.ctrl[first : first + 3] = data.xaxis[at : at + 3] @ turned


def joints_study(size: Size) -> list[Row]:
    """All of study (b)."""
    smoke = size.smoke
    rows = [_pole_row(swing) for swing in SWINGS]
    for integrator in INTEGRATORS:
        for way in WAYS:
            for hertz in (240,) if smoke else HERTZ:
                body = tracker(way, integrator, 1 / hertz)
                for swing in ("walk",) if smoke else SWINGS if hertz == 240 else ("cartwheel",):
                    found = dataclasses.asdict(track(body, swing))
                    rows += [single(f"joints.{swing}.{way}.{integrator}.{hertz}.{field}", value) for field, value in found.items()]
            for gains in () if smoke else GAIN_SETS:
                rows.append(single(f"joints.coarsest_stable_hz.{way}.{integrator}.{gains}", coarsest_stable(way, integrator, gains)))
    return rows + energy_rows(smoke) + step_time_rows(size)


def _pole_row(swing: str) -> Row:
    paths = orientations(swing, np.arange(0.0, SWING_S, 1 / 600))
    return single(f"joints.{swing}.nearest_to_pole_deg", min(nearest_to_pole_deg(path) for path in paths))


def coarsest_stable(way: str, integrator: Integrator, gains: str) -> float:
    """The coarsest rate at which the walk's swing is tracked within 0.1 rad of how 2400 Hz tracks it, as at all finer ones; NaN: none."""
    exact = track(tracker(way, integrator, 1 / 2400, gains), "walk")
    good = np.nan
    for hertz in sorted(STABLE_HERTZ, reverse=True):
        found = track(tracker(way, integrator, 1 / hertz, gains), "walk")
        if not (found.error_max_rad < exact.error_max_rad + 0.1 and found.speed_max_radps < 2.0 * exact.speed_max_radps):
            break
        good = float(hertz)
    return good


def energy_rows(smoke: bool) -> list[Row]:
    """Energy that a limp body makes in two seconds without gravity, with each kind of joint."""
    starts, seconds = (2, 0.5) if smoke else (16, 2.0)
    rows = []
    for kind in ("hinges", "balls"):
        for hertz in (240, 2400):
            drift = limp_energy_drift(_human(kind == "balls"), 1 / hertz, "implicitfast", starts, seconds)
            rows.append(mean(f"joints.limp_energy_drift.{kind}.{hertz}", drift))
    return rows


def step_time_rows(size: Size) -> list[Row]:
    """Time of a step of the hung body with constant controls, as a ratio to hinges under implicitfast."""
    calls = {}
    for integrator in INTEGRATORS:
        for way in ("hinges_by_angle", "ball_servo", "ball_torque"):
            body = tracker(way, integrator, 1 / 240)
            steps = 200 if size.smoke else 4000
            calls[f"{way}.{integrator}"] = functools.partial(_seconds_of, body.model, _resting(body), steps)
    taken = interleaved(calls, size.repeats)
    return [median(f"joints.time_ratio.{name}", ratios(taken, name, "hinges_by_angle.implicitfast")) for name in taken]


def _resting(body: Tracker) -> mujoco.MjData:
    data = mujoco.MjData(body.model)
    for joint in JOINTS if body.way == "ball_servo" else ():
        data.ctrl[int(body.model.actuator_ctrladr[body.model.actuator(joint).id])] = 1.0
    return data


def _seconds_of(model: mujoco.MjModel, data: mujoco.MjData, steps: int) -> float:
    began = time.process_time()
    mujoco.mj_step(model, data, nstep=steps)
    return time.process_time() - began
