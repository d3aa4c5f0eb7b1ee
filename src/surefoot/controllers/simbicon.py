"""The simbicon law: walking by target curves, a world-frame trunk and swing leg, and foot placement from balance.

After Yin, Loken, van de Panne 2007: joint PD towards targets that depend on the phase of the step; trunk and swing thigh
held in the world; the stance hip closes the sum of torques; the swing thigh's target moves with the centre of mass's place and
velocity over the stance foot. Targets are curves through knots (or held states), read from a gait table (`gait_table`).
Characters without a limb (a planar biped has no waist) leave its wiring at -1 (`simbicon_wiring`).
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numba
import numpy as np

from surefoot.controllers.gait_table import CHANNEL, TRUNK, G
from surefoot.geometry.curves import held_weights, smooth_step, spline_weights
from surefoot.geometry.rotations import pitch_of, rotation_error, tilted, turned
from surefoot.physics.law import Sight, law, names

P = names("gait", "speed_mps", "heading_rad", "first_side", "first_phase")
"""Parameters: row of the gait table; wanted speed and heading; stance side (+1 left) and phase at the start."""

W = names(
    "pelvis", "torso", "head", "waist", "waist_count", "neck", "neck_count",
    "left_thigh", "right_thigh", "left_foot", "right_foot",
    "left_hip", "right_hip", "hip_count", "left_ankle", "right_ankle", "ankle_count",
    "left_shoulder", "right_shoulder", "left_elbow", "right_elbow",
    "trunk_first", "trunk_last", "left_leg_first", "left_leg_last", "right_leg_first", "right_leg_last",
    "left_point_first", "left_point_last", "right_point_first", "right_point_last",
)  # fmt: skip
"""Wiring: bodies, first DoF of each joint, ranges of bodies and contact points; then the mirror's permutation and signs."""

M = names(
    "started", "side", "phase", "since_s", "heading", "steps",
    "hip", "foot", "hip_from", "foot_from",
    "pelvis_yaw", "pelvis_pitch", "pelvis_roll", "torso_yaw", "torso_pitch", "torso_roll",
    "trunk_from_0", "trunk_from_1", "trunk_from_2", "trunk_from_3", "trunk_from_4", "trunk_from_5",
)  # fmt: skip
"""Memory: phase and stance side; last world targets, and those at the last change of stance; then both for each DoF."""


DESK = names("forward", "left", "wanted", "torque", "pelvis", "weights", "end")
"""Room to work in at the end of the memory (an array made anew would cost more than the law): see `DESK_AT`."""
DESK_AT = (0, 3, 6, 15, 18, 21, 25)
"""First cell of each."""


def memory_size(dof: int) -> int:
    """Cells of memory for a character of so many internal DoF."""
    return len(M) + 2 * dof + DESK_AT[DESK.end]


class Stride(NamedTuple):
    """What the torques of one instant depend on."""

    base: np.ndarray
    slope: np.ndarray
    dv: float
    """Wanted speed less the gait's design speed."""
    side: float
    """+1 while the left foot stands, -1 while the right one does."""
    blend: float
    """0 at the change of stance, 1 when the curves hold alone."""
    forward: np.ndarray
    left: np.ndarray
    spin: float
    """Wanted turning rate."""
    stance_load: float
    swing_load: float
    d: float
    """Centre of mass before the stance ankle, m."""
    dy: float
    v: float
    """Speed of the centre of mass less the wanted one, m/s."""
    vy: float
    excess: float
    """How far the extrapolated centre of mass is out of its corridor over the stance foot, m."""
    first: int
    """First of the four knots of every curve at this phase."""
    weights: np.ndarray


@numba.njit(inline="always")
def _at(t, i):
    """A gait's number at the wanted speed."""
    return t.base[i] + t.dv * t.slope[i]


@numba.njit(inline="always")
def _curve(t, start):
    value, at = 0.0, start + t.first
    for k in range(4):
        value += t.weights[k] * (t.base[at + k] + t.dv * t.slope[at + k])
    return value


@numba.njit(inline="always")
def _beyond(x, limit):
    """The part of x beyond -limit to limit."""
    return x - limit if x > limit else (x + limit if x < -limit else 0.0)


@numba.njit(inline="always")
def _foot_load(s, first, last):
    total = 0.0
    for i in range(first, last):
        total += s.load[i]
    return total


@numba.njit(inline="always")
def _apply(s, out, first, count, torque, share):
    """Add a world torque on the child link to a joint's DoF: tau_j = T . axis_j, exact for any hinge order."""
    for j in range(first, first + count):
        out[0, j] += share * (torque[0] * s.axis[j, 0] + torque[1] * s.axis[j, 1] + torque[2] * s.axis[j, 2])


@numba.njit(inline="always")
def _hold(s, body, wanted, kp, kd, spin, torque):
    """World torque that turns a body towards an orientation: kp e - kd (w - w_wanted)."""
    rotation_error(s.rotation[body], wanted, torque)
    for i in range(3):
        torque[i] = kp * torque[i] - kd * (s.velocity[body, i] - spin * s.up[i])


@numba.njit(inline="always")
def _carry(s, first, last, anchor, torque):
    """Add the torque that holds bodies [first, last) up against gravity about an anchor."""
    for b in range(first, last):
        force = s.weight[b] * s.gravity_mps2
        rx, ry, rz = s.centre[b, 0] - anchor[0], s.centre[b, 1] - anchor[1], s.centre[b, 2] - anchor[2]
        torque[0] += force * (ry * s.up[2] - rz * s.up[1])
        torque[1] += force * (rz * s.up[0] - rx * s.up[2])
        torque[2] += force * (rx * s.up[1] - ry * s.up[0])


@numba.njit
def _start(s, p, m, n):
    """Begin: stance side and phase as asked, every target where the character is now."""
    m[M.started], m[M.side], m[M.phase] = 1.0, 1.0 if p[P.first_side] >= 0.0 else -1.0, p[P.first_phase]
    m[M.heading] = p[P.heading_rad]
    for j in range(n):
        m[len(M) + j] = s.q[j]
        m[len(M) + n + j] = s.q[j]


@numba.njit
def _change_stance(s, w, m, n, forward):
    """The swing foot has landed: swap sides, and blend on from the targets (for the new swing leg: its pose) of this moment."""
    thigh, foot = (w[W.left_thigh], w[W.left_foot]) if m[M.side] > 0.0 else (w[W.right_thigh], w[W.right_foot])
    m[M.side], m[M.phase], m[M.since_s] = -m[M.side], 0.0, 0.0
    m[M.steps] += 1.0
    m[M.hip_from] = pitch_of(s.rotation[thigh], forward, s.up)
    m[M.foot_from] = pitch_of(s.rotation[foot], forward, s.up)
    for i in range(len(TRUNK)):
        m[M.trunk_from_0 + i] = m[M.pelvis_yaw + i]
    for j in range(n):
        m[len(M) + n + j] = m[len(M) + j]


@numba.njit(inline="always")
def _desk(m, n, which):
    """A piece of the working room, a view."""
    first = len(M) + 2 * n
    return m[first + DESK_AT[which] : first + DESK_AT[which + 1]]


@numba.njit(inline="always")
def _stride(s, w, table, p, m):
    """Bring heading, stance side and phase up to date and gather what the torques depend on."""
    base, slope = table[2 * int(p[P.gait])], table[2 * int(p[P.gait]) + 1]
    dv, n = p[P.speed_mps] - base[G.speed_mps], s.q.size
    if m[M.started] == 0.0:
        _start(s, p, m, n)
    turn, most = turned(p[P.heading_rad] - m[M.heading]), base[G.turn_rate_radps] * s.dt_s
    turn = min(most, max(-most, turn))
    m[M.heading] += turn
    # heading frame: the root's heading less the pelvis rotation that the gait asks for, so that its swing moves no target
    cw, sw = math.cos(m[M.pelvis_yaw]), math.sin(m[M.pelvis_yaw])
    forward, left, weights = _desk(m, n, DESK.forward), _desk(m, n, DESK.left), _desk(m, n, DESK.weights)
    for i in range(3):
        forward[i] = cw * s.forward[i] - sw * s.left[i]
        left[i] = sw * s.forward[i] + cw * s.left[i]
    load_left = _foot_load(s, w[W.left_point_first], w[W.left_point_last])
    load_right = _foot_load(s, w[W.right_point_first], w[W.right_point_last])
    landed = (load_right if m[M.side] > 0.0 else load_left) > base[G.contact_n] and m[M.phase] >= base[G.earliest_phase]
    if landed or (base[G.change_by_time] > 0.5 and m[M.phase] >= 1.0):
        _change_stance(s, w, m, n, forward)
    side = m[M.side]
    ankle = s.anchor[w[W.left_ankle] if side > 0.0 else w[W.right_ankle]]
    d, dy, v, vy = 0.0, 0.0, -p[P.speed_mps], 0.0
    for i in range(3):
        d += forward[i] * (s.com[i] - ankle[i])
        dy += left[i] * (s.com[i] - ankle[i])
        v += forward[i] * s.com_velocity[i]
        vy += left[i] * s.com_velocity[i]
    # the extrapolated centre of mass, positive towards the stance side; out of its corridor the step is hurried
    reach = side * (dy + vy * math.sqrt(base[G.leg_m] / s.gravity_mps2))
    excess = max(0.0, reach - base[G.corridor_inside_m])
    short = max(0.0, base[G.corridor_outside_m] - reach)
    hurry = min(base[G.hurry_most], 1.0 + base[G.hurry_per_m] * max(excess, short))
    m[M.phase] += hurry * s.dt_s / (base[G.step_time_s] + dv * slope[G.step_time_s])
    m[M.since_s] += s.dt_s
    knots = int(base[G.knots])
    first = held_weights(m[M.phase], knots, weights) if base[G.held] > 0.5 else spline_weights(m[M.phase], knots, weights)
    stance_load, swing_load = (load_left, load_right) if side > 0.0 else (load_right, load_left)
    blend = smooth_step(m[M.since_s] / base[G.blend_s])
    return Stride(base, slope, dv, side, blend, forward, left, turn / s.dt_s, stance_load, swing_load, d, dy, v, vy, excess, first, weights)


@numba.njit(inline="always")
def _joints(s, w, t, m, out):
    """PD of every DoF towards its channel's curve; channels are written for left stance and mirrored for right."""
    n, knots = s.q.size, int(t.base[G.knots])
    channels, width = len(G) + len(TRUNK) * knots, len(CHANNEL) + knots
    for j in range(n):
        c = j if t.side > 0.0 else w[len(W) + j]
        sign = 1.0 if t.side > 0.0 else float(w[len(W) + n + j])
        at = channels + c * width
        target = sign * _curve(t, at + len(CHANNEL))
        target = m[len(M) + n + j] + t.blend * (target - m[len(M) + n + j])
        m[len(M) + j] = target
        kp, kd = t.base[at + CHANNEL.kp], t.base[at + CHANNEL.kd]
        out[0, j] = kp * (target - s.q[j]) - kd * s.v[j]
        out[1, j] = kp
        out[2, j] = kd


@numba.njit(inline="always")
def _trunk(s, w, t, m, wanted, torque, pelvis, out):
    """World-frame pelvis, torso and head; `pelvis` (3,) gets the torque that the stance hip owes to the rest of the body."""
    knots, yaw = int(t.base[G.knots]), 0.0
    for i in range(len(TRUNK)):
        target = _curve(t, len(G) + i * knots) * (1.0 if i % 3 == 1 else t.side)
        m[M.pelvis_yaw + i] = m[M.trunk_from_0 + i] + t.blend * (target - m[M.trunk_from_0 + i])
    yaw = turned(m[M.heading] - s.heading_rad) + m[M.pelvis_yaw]  # from the root's heading to the wanted one
    tilted(s.forward, s.left, s.up, yaw, m[M.pelvis_pitch], m[M.pelvis_roll], wanted)
    _hold(s, w[W.pelvis], wanted, t.base[G.pelvis_kp], t.base[G.pelvis_kd], t.spin, torque)
    for i in range(3):
        pelvis[i] = -torque[i]
    yaw -= m[M.pelvis_yaw]
    if w[W.waist] >= 0:
        tilted(s.forward, s.left, s.up, yaw + m[M.torso_yaw], m[M.torso_pitch], m[M.torso_roll], wanted)
        _hold(s, w[W.torso], wanted, t.base[G.torso_kp], t.base[G.torso_kd], t.spin, torque)
        _carry(s, w[W.trunk_first], w[W.trunk_last], s.anchor[w[W.waist]], torque)
        _apply(s, out, w[W.waist], w[W.waist_count], torque, 1.0)
        for i in range(3):
            pelvis[i] -= torque[i]
    if w[W.neck] >= 0:
        tilted(s.forward, s.left, s.up, yaw, 0.0, 0.0, wanted)
        _hold(s, w[W.head], wanted, t.base[G.head_kp], t.base[G.head_kd], t.spin, torque)
        _apply(s, out, w[W.neck], w[W.neck_count], torque, 1.0)


@numba.njit(inline="always")
def _swing_leg(s, w, t, m, wanted, torque, pelvis, out):
    """World-frame swing thigh with foot placement, and swing foot; adds the thigh's reaction to `pelvis`."""
    knots, width, right = int(t.base[G.knots]), len(CHANNEL) + int(t.base[G.knots]), t.side > 0.0
    channels = len(G) + len(TRUNK) * knots + len(CHANNEL)
    # channels are written for left stance: the right leg's are the swing leg's
    hip, ankle = w[W.right_hip], w[W.right_ankle]
    pitch = _curve(t, channels + hip * width)
    placing = smooth_step(m[M.phase] / 0.6)  # the foot's landing place matters late in the swing
    pitch = (
        m[M.hip_from]
        + t.blend * (pitch - m[M.hip_from])
        - placing * (_at(t, G.cd) * t.d + _at(t, G.cv) * t.v + t.base[G.cv_far] * _beyond(t.v, t.base[G.far_mps]))
    )
    roll = -t.side * _at(t, G.hip_roll_rad) + placing * (
        _at(t, G.cdy) * (t.dy + t.side * t.base[G.rest_dy_m]) + _at(t, G.cvy) * t.vy + t.base[G.cvy_far] * _beyond(t.vy, t.base[G.far_mps])
    )
    inward = t.base[G.inner_rad] + t.base[G.cross_rad] * min(1.0, t.excess / 0.05)
    roll = t.side * min(inward, t.side * roll)
    thigh = w[W.right_thigh] if right else w[W.left_thigh]
    yaw = turned(m[M.heading] - s.heading_rad)
    tilted(s.forward, s.left, s.up, yaw, pitch, roll, wanted)
    _hold(s, thigh, wanted, t.base[G.hip_kp], t.base[G.hip_kd], t.spin, torque)
    first, last = (w[W.right_leg_first], w[W.right_leg_last]) if right else (w[W.left_leg_first], w[W.left_leg_last])
    actual_hip = w[W.right_hip] if right else w[W.left_hip]
    _carry(s, first, last, s.anchor[actual_hip], torque)
    share = min(1.0, m[M.since_s] / max(t.base[G.ramp_s], s.dt_s))
    _apply(s, out, actual_hip, w[W.hip_count], torque, share)
    for i in range(3):
        pelvis[i] -= share * torque[i]
    tread = _curve(t, channels + ankle * width)
    tread = m[M.foot_from] + t.blend * (tread - m[M.foot_from])
    tilted(s.forward, s.left, s.up, yaw, tread, 0.0, wanted)
    loaded = min(1.0, t.swing_load / t.base[G.full_load_n])
    kp = t.base[G.foot_kp] + loaded * (t.base[G.push_off_kp] - t.base[G.foot_kp])
    _hold(s, w[W.right_foot] if right else w[W.left_foot], wanted, kp, t.base[G.foot_kd], t.spin, torque)
    _apply(s, out, w[W.right_ankle] if right else w[W.left_ankle], w[W.ankle_count], torque, 1.0)


@numba.njit(inline="always")
def _balance(s, w, t, pelvis, out):
    """Stance hip: minus all other torques on the pelvis, as far as the foot bears load. Stance ankle: a little feedback."""
    hip = w[W.left_hip] if t.side > 0.0 else w[W.right_hip]
    _apply(s, out, hip, w[W.hip_count], pelvis, min(1.0, t.stance_load / t.base[G.full_load_n]))
    ankle = w[W.left_ankle] if t.side > 0.0 else w[W.right_ankle]
    loaded = min(1.0, t.stance_load / t.base[G.full_load_n])
    out[0, ankle] += loaded * t.base[G.ankle_cv] * t.v
    if w[W.ankle_count] > 1:
        sway = t.base[G.ankle_cdy] * (t.dy + t.side * t.base[G.rest_dy_m]) + t.base[G.ankle_cvy] * t.vy
        out[0, ankle + 1] -= loaded * sway


@numba.njit(inline="always")
def _arms(s, w, t, out):
    """Arms swing with the opposite thighs."""
    knots = int(t.base[G.knots])
    channels, width = len(G) + len(TRUNK) * knots, len(CHANNEL) + knots
    for right in range(2):
        thigh = w[W.left_thigh] if right else w[W.right_thigh]
        pitch = pitch_of(s.rotation[thigh], t.forward, s.up)
        shoulder, elbow = (w[W.right_shoulder], w[W.right_elbow]) if right else (w[W.left_shoulder], w[W.left_elbow])
        # gains by role: channels are written for left stance
        upper, lower = (shoulder, elbow) if t.side > 0.0 else (w[len(W) + shoulder], w[len(W) + elbow])
        out[0, shoulder] += t.base[channels + upper * width] * t.base[G.arm_swing] * pitch
        out[0, elbow] += t.base[channels + lower * width] * t.base[G.elbow_swing] * pitch


@law(parameters=P._fields, memory=M._fields, first_side=1.0)
def simbicon(s: Sight, w: np.ndarray, table: np.ndarray, p: np.ndarray, m: np.ndarray, out: np.ndarray) -> float:
    """One instant of walking (Yin et al. 2007, section 3): joints, trunk, swing leg with foot placement, stance hip, arms."""
    if not 0.0 <= 2.0 * p[P.gait] <= table.shape[0] - 2.0:  # NaN too; a row that asks for it is reported as diverged
        out[0, 0] = math.nan
        return 0.0
    n = s.q.size
    t = _stride(s, w, table, p, m)
    wanted, torque, pelvis = _desk(m, n, DESK.wanted), _desk(m, n, DESK.torque), _desk(m, n, DESK.pelvis)
    _joints(s, w, t, m, out)
    _trunk(s, w, t, m, wanted, torque, pelvis, out)
    _swing_leg(s, w, t, m, wanted, torque, pelvis, out)
    _balance(s, w, t, pelvis, out)
    if w[W.left_shoulder] >= 0:
        _arms(s, w, t, out)
    return 0.0
