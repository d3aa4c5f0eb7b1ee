"""Meters: what a return or a table needs from every step, summed inside the compiled loop.

`effort` sums torque and power, `footing` watches feet (strikes, loads, slip, clearance), `posture` the trunk, head, arms
and path. Each writes sums and counts into its memory; turning them into means is `surefoot.controllers.walk_report`'s work.
All start to measure `after_s` seconds into the simulation, so that a start from rest does not count.
"""

from __future__ import annotations

import math
from typing import Any

import numba
import numpy as np

from surefoot.characters import Character
from surefoot.geometry.rotations import pitch_of, roll_of
from surefoot.physics.features import point_velocity
from surefoot.physics.law import Part, Sight, meter, names

ROLES = ("heel", "ball", "toe", "top")
LOADED_N = 30.0
"""A foot that bears more than this stands on the ground."""
TOUCH_N = 5.0
"""Part of a foot that bears more than this touches."""
LEAST_SWING_S = 0.08
"""A foot that was off the ground for less has bounced, not stepped."""

E = names("time_s", "torque_share_2", "torque_2", "power_w", "positive_power_w")


@meter(parameters=("after_s",), memory=E._fields, after_s=2.0)
def effort(s: Sight, w: np.ndarray, table: np.ndarray, p: np.ndarray, m: np.ndarray, out: np.ndarray) -> float:
    """Integrals over time of sum (tau / limit)^2, sum tau^2, sum |tau v| and sum max(0, tau v); table (1, n): limits."""
    if s.time_s < p[0]:
        return 0.0
    m[E.time_s] += s.dt_s
    for j in range(s.q.size):
        torque, power = s.torque[j], s.torque[j] * s.v[j]
        m[E.torque_share_2] += s.dt_s * (torque / table[0, j]) ** 2
        m[E.torque_2] += s.dt_s * torque * torque
        m[E.power_w] += s.dt_s * abs(power)
        m[E.positive_power_w] += s.dt_s * max(0.0, power)
    return 0.0


F = names("time_s", "double_s", "flight_s", "peak_load_n", "strikes", "last_strike_s", "hard_n2s")
"""Memory of `footing`, then one block of `FOOT` for each foot."""
FOOT = names(
    "side", "loaded", "since_s", "strikes", "leaves", "x", "y", "z",
    "step_s", "length_m", "width_m",
    "heel_s", "ball_s", "heel_lead_s", "heel_first",
    "lowest_m", "clearance_m", "least_clearance_m",
    "slip_x", "slip_y", "slip_z", "slip_m", "slip_sum_m", "slip_most_m",
    "strike_pitch", "leave_pitch", "strike_knee", "stance_knee", "stance_knee_sum", "swing_knee", "swing_knee_sum",
    "hip_most", "hip_most_sum", "gap_m", "gap_sum_m",
)  # fmt: skip
"""Sums over strikes of one foot (times, lengths, angles at strike) and what goes on in the present step."""
FW = names("link", "other", "first", "last", "knee", "ankle", "thigh")
"""Wiring of one foot: its link, the other foot, contact points, knee and ankle DoF, thigh link; then role and link of each point."""


@numba.njit
def _foot_now(s, w, foot, points, table, slip):
    """Load, heel load, front load, lowest height of one foot; `slip` (3,) gets the load-weighted velocity of its sole along the ground."""
    load, heel, front, low = 0.0, 0.0, 0.0, 1e9
    velocity, place = np.zeros(3), np.zeros(3)
    slip[0], slip[1], slip[2] = 0.0, 0.0, 0.0
    for i in range(w[foot + FW.first], w[foot + FW.last]):
        role, link = w[points + 2 * i], w[points + 2 * i + 1]
        if role == 3:
            continue
        load += s.load[i]
        if role == 0:
            heel += s.load[i]
        else:
            front += s.load[i]
        height = -table[0, i]
        for k in range(3):
            height += s.up[k] * s.point[i, k]
            place[k] = s.point[i, k] - table[0, i] * s.up[k]
        low = min(low, height)
        if s.load[i] > TOUCH_N:
            point_velocity(s.velocity[link], s.com, place, velocity)
            rise = velocity[0] * s.up[0] + velocity[1] * s.up[1] + velocity[2] * s.up[2]
            for k in range(3):
                slip[k] += s.load[i] * (velocity[k] - rise * s.up[k])
    for k in range(3):
        slip[k] /= max(load, TOUCH_N)
    return load, heel, front, low


@numba.njit
def _strike(s, w, m, f, foot, others, pitch):
    """A foot has landed: step time, length and width against the other foot, clearance and angles."""
    ankle = s.anchor[w[foot + FW.ankle]]
    m[f + FOOT.strikes] += 1.0
    m[f + FOOT.step_s] += s.time_s - m[F.last_strike_s]
    length, width = 0.0, 0.0
    other = s.anchor[w[others + FW.ankle]]
    for k in range(3):
        length += s.forward[k] * (ankle[k] - other[k])
        width += s.left[k] * (ankle[k] - other[k])
    m[f + FOOT.length_m] += length
    m[f + FOOT.width_m] += m[f + FOOT.side] * width
    if m[f + FOOT.lowest_m] < 1e8:
        m[f + FOOT.clearance_m] += m[f + FOOT.lowest_m]
        m[f + FOOT.gap_sum_m] += m[f + FOOT.gap_m]
        m[f + FOOT.least_clearance_m] = min(m[f + FOOT.least_clearance_m], m[f + FOOT.lowest_m])
    m[f + FOOT.strike_pitch] += pitch
    if w[foot + FW.knee] >= 0:
        m[f + FOOT.strike_knee] += s.q[w[foot + FW.knee]]
    m[f + FOOT.swing_knee_sum] += m[f + FOOT.swing_knee]
    m[f + FOOT.hip_most_sum] += m[f + FOOT.hip_most]
    m[f + FOOT.x], m[f + FOOT.y], m[f + FOOT.z] = ankle[0], ankle[1], ankle[2]
    m[f + FOOT.heel_s], m[f + FOOT.ball_s], m[f + FOOT.slip_m], m[f + FOOT.stance_knee] = -1.0, -1.0, 0.0, -1e3
    m[f + FOOT.slip_x], m[f + FOOT.slip_y], m[f + FOOT.slip_z] = 0.0, 0.0, 0.0
    m[F.strikes] += 1.0
    m[F.last_strike_s] = s.time_s


@numba.njit
def _stance(s, w, m, f, foot, heel, front, slip):
    """While a foot stands: when heel and ball came down, how far it slips, how much the knee gives."""
    if heel > TOUCH_N and m[f + FOOT.heel_s] < 0.0:
        m[f + FOOT.heel_s] = s.time_s
    if front > TOUCH_N and m[f + FOOT.ball_s] < 0.0:
        m[f + FOOT.ball_s] = s.time_s
        lead = s.time_s - m[f + FOOT.heel_s] if m[f + FOOT.heel_s] >= 0.0 else 0.0
        m[f + FOOT.heel_lead_s] += lead
        m[f + FOOT.heel_first] += 1.0 if lead >= 0.02 else 0.0
    away = 0.0  # how far the sole has moved over the ground since it landed
    for k in range(3):
        m[f + FOOT.slip_x + k] += slip[k] * s.dt_s
        away += m[f + FOOT.slip_x + k] ** 2
    m[f + FOOT.slip_m] = max(m[f + FOOT.slip_m], math.sqrt(away))
    if w[foot + FW.knee] >= 0 and m[f + FOOT.since_s] < 0.25:
        m[f + FOOT.stance_knee] = max(m[f + FOOT.stance_knee], s.q[w[foot + FW.knee]])


@numba.njit
def _swing(s, w, m, f, foot, others, low, hip):
    """While a foot swings: its height as it passes the other ankle, the greatest knee and hip flexion."""
    ahead, aside = 0.0, 0.0
    for k in range(3):
        ahead += s.forward[k] * (s.anchor[w[foot + FW.ankle], k] - s.anchor[w[others + FW.ankle], k])
        aside += s.left[k] * (s.anchor[w[foot + FW.ankle], k] - s.anchor[w[others + FW.ankle], k])
    if abs(ahead) < 0.15:
        m[f + FOOT.lowest_m] = min(m[f + FOOT.lowest_m], low)
        m[f + FOOT.gap_m] = min(m[f + FOOT.gap_m], m[f + FOOT.side] * aside)
    if w[foot + FW.knee] >= 0:
        ahead, aside = 0.0, 0.0
        for k in range(3):
            ahead += s.forward[k] * (s.anchor[w[foot + FW.knee], k] - s.anchor[w[others + FW.knee], k])
            aside += s.left[k] * (s.anchor[w[foot + FW.knee], k] - s.anchor[w[others + FW.knee], k])
        if abs(ahead) < 0.12:
            m[f + FOOT.gap_m] = min(m[f + FOOT.gap_m], m[f + FOOT.side] * aside)
    if w[foot + FW.knee] >= 0:
        m[f + FOOT.swing_knee] = max(m[f + FOOT.swing_knee], s.q[w[foot + FW.knee]])
    m[f + FOOT.hip_most] = max(m[f + FOOT.hip_most], -hip)


@meter(parameters=("after_s",), memory=F._fields, after_s=2.0)
def footing(s: Sight, w: np.ndarray, table: np.ndarray, p: np.ndarray, m: np.ndarray, out: np.ndarray) -> float:
    """Strikes, double support, flight, greatest load, and for each foot what `FOOT` names; table (1, k): point radii."""
    feet = w[w.size - 1]
    points = feet * len(FW)
    measuring = s.time_s >= p[0]
    standing, total, slip = 0, 0.0, np.zeros(3)
    for i in range(feet):
        foot, f = i * len(FW), len(F) + i * len(FOOT)
        others = w[foot + FW.other] * len(FW)
        load, heel, front, low = _foot_now(s, w, foot, points, table, slip)
        total += load
        down = load > LOADED_N
        standing += 1 if down else 0
        pitch = pitch_of(s.rotation[w[foot + FW.link]], s.forward, s.up)
        hip = pitch_of(s.rotation[w[foot + FW.thigh]], s.forward, s.up)
        if not measuring or s.step == 1:
            m[f + FOOT.loaded], m[f + FOOT.since_s], m[f + FOOT.lowest_m] = 1.0 if down else 0.0, 0.0, 1e9
            m[f + FOOT.least_clearance_m], m[f + FOOT.heel_s], m[f + FOOT.ball_s] = 1e9, 0.0, 0.0
            m[F.last_strike_s], m[f + FOOT.side], m[f + FOOT.gap_m] = s.time_s, 1.0 - 2.0 * i, 1e9
        if not measuring:
            continue
        m[f + FOOT.since_s] += s.dt_s
        if down and m[f + FOOT.loaded] == 0.0:
            if m[f + FOOT.since_s] > LEAST_SWING_S:
                _strike(s, w, m, f, foot, others, pitch)
                m[len(F) + w[foot + FW.other] * len(FOOT) + FOOT.leave_pitch] += pitch_of(s.rotation[w[others + FW.link]], s.forward, s.up)
            m[f + FOOT.loaded], m[f + FOOT.since_s] = 1.0, 0.0
        elif not down and m[f + FOOT.loaded] > 0.0 and load < TOUCH_N:
            m[f + FOOT.loaded], m[f + FOOT.since_s] = 0.0, 0.0
            if m[f + FOOT.strikes] > 0.0:  # a whole stance was seen
                m[f + FOOT.leaves] += 1.0
                m[f + FOOT.slip_sum_m] += m[f + FOOT.slip_m]
                m[f + FOOT.stance_knee_sum] += max(0.0, m[f + FOOT.stance_knee])
                m[f + FOOT.slip_most_m] = max(m[f + FOOT.slip_most_m], m[f + FOOT.slip_m])
            m[f + FOOT.lowest_m], m[f + FOOT.swing_knee], m[f + FOOT.hip_most], m[f + FOOT.gap_m] = 1e9, 0.0, -1.0, 1e9
        if m[f + FOOT.loaded] > 0.0:
            _stance(s, w, m, f, foot, heel, front, slip)
        else:
            _swing(s, w, m, f, foot, others, low, hip)
    if measuring:
        m[F.time_s] += s.dt_s
        m[F.double_s] += s.dt_s if standing >= 2 else 0.0
        m[F.flight_s] += s.dt_s if standing == 0 else 0.0
        m[F.peak_load_n] = max(m[F.peak_load_n], total)
        over = max(0.0, total / (s.mass_kg * s.gravity_mps2) - 1.3)
        m[F.hard_n2s] += over * over * s.dt_s
    return 0.0


S = names(
    "time_s", "forward_m", "sideways_2", "vertical_2", "drift_m", "drift_most_m",
    "pitch", "pitch_2", "roll", "roll_2", "pelvis_roll", "pelvis_roll_2", "twist", "twist_2", "turn", "turn_2",
    "head_spin_2", "trunk_spin_2", "arm", "arm_2", "arm_leg", "com_height", "com_height_2", "leg_2", "twist_turn",
)  # fmt: skip
"""Time integrals: path of the centre of mass along and across the first heading; angles and their squares."""
SW = names("pelvis", "torso", "head", "arm", "thigh")


@meter(parameters=("after_s", "heading_rad"), memory=S._fields, after_s=2.0)
def posture(s: Sight, w: np.ndarray, table: np.ndarray, p: np.ndarray, m: np.ndarray, out: np.ndarray) -> float:
    """Path, trunk pitch and roll, pelvis list, twist between torso and pelvis, head and trunk rates, arm against leg."""
    if s.time_s < p[0]:
        return 0.0
    dt = s.dt_s
    c, e = math.cos(p[1] - s.heading_rad), math.sin(p[1] - s.heading_rad)
    along, across, rise, height = 0.0, 0.0, 0.0, 0.0
    for k in range(3):
        ahead, aside = c * s.forward[k] + e * s.left[k], c * s.left[k] - e * s.forward[k]
        along += ahead * s.com_velocity[k]
        across += aside * s.com_velocity[k]
        rise += s.up[k] * s.com_velocity[k]
        height += s.up[k] * s.com[k]
    m[S.time_s] += dt
    m[S.forward_m] += dt * along
    m[S.drift_m] += dt * across
    m[S.drift_most_m] = max(m[S.drift_most_m], abs(m[S.drift_m]))
    m[S.sideways_2] += dt * across * across
    m[S.vertical_2] += dt * rise * rise
    m[S.com_height] += dt * height
    m[S.com_height_2] += dt * height * height
    torso, pelvis = s.rotation[w[SW.torso]], s.rotation[w[SW.pelvis]]
    pitch, roll = pitch_of(torso, s.forward, s.up), roll_of(torso, s.left, s.up)
    hips = roll_of(pelvis, s.left, s.up)
    shoulders = 0.0  # yaw of the torso against the pelvis, from the torso's x axis
    ahead, aside = 0.0, 0.0
    for k in range(3):
        ahead += torso[3 * k] * s.forward[k]
        aside += torso[3 * k] * s.left[k]
    shoulders = math.atan2(aside, ahead)
    turn = s.heading_rad - p[1]
    values = (pitch, roll, hips, shoulders, turn)
    for i in range(5):
        m[S.pitch + 2 * i] += dt * values[i]
        m[S.pitch + 2 * i + 1] += dt * values[i] * values[i]
    m[S.twist_turn] += dt * shoulders * turn
    for k in range(3):
        m[S.trunk_spin_2] += dt * s.velocity[w[SW.torso], k] ** 2
        if w[SW.head] >= 0:
            m[S.head_spin_2] += dt * s.velocity[w[SW.head], k] ** 2
    if w[SW.arm] >= 0:
        arm, leg = s.q[w[SW.arm]], pitch_of(s.rotation[w[SW.thigh]], s.forward, s.up)
        m[S.arm] += dt * arm
        m[S.arm_2] += dt * arm * arm
        m[S.arm_leg] += dt * arm * leg
        m[S.leg_2] += dt * leg * leg
    return 0.0


def effort_of(character: Character, **parameters: Any) -> Part:
    """The `effort` meter of a character."""
    return effort.use(table=np.array([character.torque_limits_nm], dtype=float), **parameters)


def footing_of(character: Character, **parameters: Any) -> Part:
    """The `footing` meter of a character with two feet."""
    links = [link.name for link in character.links]
    points = [point for effector in character.end_effectors for point in effector.points]
    dofs = list(character.dof_names)
    wiring: list[int] = []
    first = 0
    for i, effector in enumerate(character.end_effectors):
        side = effector.name.split("_")[0]
        knee, ankle = f"{side}_knee_pitch", f"{side}_ankle_pitch"
        last = first + len(effector.points)
        wiring += [
            links.index(effector.link), 1 - i, first, last,
            dofs.index(knee) if knee in dofs else -1, dofs.index(ankle), links.index(f"{side}_thigh"),
        ]  # fmt: skip
        first = last
    for point in points:
        wiring += [ROLES.index(point.role), links.index(point.link)]
    wiring.append(len(character.end_effectors))
    radii = np.array([[point.radius_m for point in points]])
    size = len(F) + len(FOOT) * len(character.end_effectors)
    return footing.use(wiring=wiring, table=radii, memory_size=size, **parameters)


def posture_of(character: Character, **parameters: Any) -> Part:
    """The `posture` meter of a character; without a torso or arms of its own the root stands in."""
    links, dofs = [link.name for link in character.links], list(character.dof_names)
    wiring = [
        0,
        links.index("torso") if "torso" in links else 0,
        links.index("head") if "head" in links else -1,
        dofs.index("left_shoulder_pitch") if "left_shoulder_pitch" in dofs else -1,
        links.index("left_thigh") if "left_thigh" in links else 0,
    ]
    return posture.use(wiring=wiring, **parameters)
