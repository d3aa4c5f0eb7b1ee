"""The compiled loop: a chunk of rows is streamed through one worker's `MjModel` and `MjData`, many steps for each call.

For each step: `mj_step1`, features, laws, disturbances, one write to the actuators, `mj_step2`, meters, events.
Everything that differs between batches arrives as an argument (addresses of parts, of arrays, of models), so this
loop is compiled once and serves every law; it is cached on disk. `batch` owns the arrays and the threads.
"""

from __future__ import annotations

import numba
import numpy as np

from surefoot.physics.addresses import call_mj, call_mj_state, call_part, matrix, vector
from surefoot.physics.features import angular_momentum, centre_velocity, heading_frame
from surefoot.physics.law import Sight
from surefoot.physics.layout import BIAS_WIDTH, CELL, Desk

RUNNING, DIVERGED, FIRST_ENDING = 0, 1, 2
"""Row status: going on; blown up; ended by event part `status - FIRST_ENDING`."""
SPEED_LIMIT = 1e3
"""A generalised speed above this (m/s or rad/s) is a simulation that blew up: no joint of a walker turns at 160 turns a second."""
HUGE = 1e10
"""MuJoCo's mjMAXVAL: it calls positions and controls above this (and NaN) bad, and would set such controls to zero in silence."""
CHARACTER_KEY = 0x5851F42D4C957F2D
"""Added to the row's key once for each character before this one: two characters of a row draw different noise."""
WITHIN_LIMIT = 1.0 - 1e-9
"""So near to its limit a torque that would exceed it is brought."""
LAW, DISTURBANCE, METER, EVENT = 0, 1, 2, 3


@numba.njit(inline="always")
def _sight(cell, n, b, k, time_s, dt_s, step, key, gravity, up, frame, extra, q, v):
    return Sight(
        time_s,
        dt_s,
        frame[6],
        extra[6],
        gravity,
        step,
        key,
        up,
        frame[0:3],
        frame[3:6],
        vector(cell[CELL.com], 3),
        extra[0:3],
        extra[3:6],
        q,
        v,
        matrix(cell[CELL.axis], n, 3),
        matrix(cell[CELL.anchor], n, 3),
        matrix(cell[CELL.position], b, 3),
        matrix(cell[CELL.rotation], b, 9),
        matrix(cell[CELL.velocity], b, 6),
        matrix(cell[CELL.centre], b, 3),
        vector(cell[CELL.weight], b),
        matrix(cell[CELL.point], k, 3),
        vector(cell[CELL.load], k),
        vector(cell[CELL.torque], n),
        matrix(cell[CELL.wrench], b, 6),
    )


@numba.njit(inline="always")
def _part(parts, i, s, rows, row, out):
    arguments = (
        s,
        parts.wiring[parts.w[i, 0] : parts.w[i, 1]],
        matrix(parts.table[i, 0], parts.table[i, 1], parts.table[i, 2]),
        rows.parameters[row, parts.p[i, 0] : parts.p[i, 1]],
        rows.memory[row, parts.m[i, 0] : parts.m[i, 1]],
        out,
    )
    return call_part(parts.address[i], arguments)


@numba.njit(inline="always")
def _actuate(cell, n, out):
    """Write torque, stiffness and damping as an affine actuator: ctrl - K q - D v equals the torque now.

    MuJoCo drops an actuator's slopes when it cuts its force off at the limit, and a stiff hold would chatter there; so a torque
    beyond the limit is scaled to just within it, slopes and all. Returns whether all are numbers that MuJoCo takes.
    """
    q, v = vector(cell[CELL.q], n), vector(cell[CELL.v], n)
    ctrl, bias, limit = vector(cell[CELL.ctrl], n), matrix(cell[CELL.bias], n, BIAS_WIDTH), matrix(cell[CELL.limit], n, 2)
    good = True
    for j in range(n):
        torque, most = out[0, j], limit[j, 1] if out[0, j] > 0.0 else -limit[j, 0]
        share = 1.0 if abs(torque) <= most else WITHIN_LIMIT * most / abs(torque)
        bias[j, 1] = -share * out[1, j]
        bias[j, 2] = -share * out[2, j]
        ctrl[j] = share * (torque + out[1, j] * q[j] + out[2, j] * v[j])
        good &= abs(torque) < HUGE and abs(ctrl[j]) < HUGE  # false for NaN too
    return good


@numba.njit(inline="always")
def _look(cell, n, b, frame, extra, up, q, v, momentum):
    """Features of one character: heading frame, centre-of-mass velocity, momentum; a copy of angles and rates."""
    heading_frame(matrix(cell[CELL.rotation], b, 9)[0], up, frame)
    weight, velocity, centre = (
        vector(cell[CELL.weight], b),
        matrix(cell[CELL.velocity], b, 6),
        matrix(cell[CELL.centre], b, 3),
    )
    com = vector(cell[CELL.com], 3)
    extra[6] = centre_velocity(weight, velocity, centre, com, extra[0:3])
    if momentum:
        angular_momentum(
            weight,
            velocity,
            centre,
            com,
            extra[0:3],
            matrix(cell[CELL.inertia], b, 3),
            matrix(cell[CELL.inertia_frame], b, 9),
            extra[3:6],
        )
    now_q, now_v = vector(cell[CELL.q], n), vector(cell[CELL.v], n)
    for j in range(n):
        q[j] = now_q[j]
        v[j] = now_v[j]


def _load_row(worker, sizes, rows, row, mdl, up):
    """Put a row into the worker's model and data; fill up (3,) and return the size of gravity."""
    for j in range(worker.overrides.shape[1]):
        vector(worker.overrides[mdl, j], 1)[0] = rows.overrides[row, j]
    if sizes.constants:
        call_mj(worker.engine[4], worker.model[mdl], worker.data[mdl])
    call_mj_state(worker.engine[2], worker.model[mdl], worker.data[mdl], rows.state[row].ctypes.data, sizes.state_parts)
    sensors = vector(worker.sensors[mdl], sizes.sensors)
    for j in range(sizes.sensors):
        sensors[j] = rows.sensors[row, j]
    forces = vector(worker.forces[mdl], sizes.actuators)
    for j in range(sizes.actuators):
        forces[j] = rows.torque[row, j]
    gravity = vector(worker.gravity[mdl], 3)
    size = np.sqrt(gravity[0] ** 2 + gravity[1] ** 2 + gravity[2] ** 2)
    for j in range(3):
        up[j] = -gravity[j] / size if size > 0.0 else (1.0 if j == 2 else 0.0)
    return size


def _save_row(worker, sizes, rows, row, mdl):
    call_mj_state(worker.engine[3], worker.model[mdl], worker.data[mdl], rows.state[row].ctypes.data, sizes.state_parts)
    sensors = vector(worker.sensors[mdl], sizes.sensors)
    for j in range(sizes.sensors):
        rows.sensors[row, j] = sensors[j]
    forces = vector(worker.forces[mdl], sizes.actuators)
    for j in range(sizes.actuators):
        rows.torque[row, j] = forces[j]


def _record(worker, recording, row, mdl, frame, late):
    """Copy the channels of the step's start into a new frame, or (`late`) those of its end into the same."""
    at = 0
    for c in range(recording.length.size):
        if recording.late[c] == late:
            source = vector(worker.channels[mdl, c], recording.length[c])
            for j in range(recording.length[c]):
                recording.frames[row, frame, at + j] = source[j]
        at += recording.length[c]
    recording.written[row] = frame + 1


_load_row = numba.njit(_load_row)
_save_row = numba.njit(_save_row)
_record = numba.njit(_record)


@numba.njit(inline="always")
def _exploded(qvel):
    for j in range(qvel.size):
        if not abs(qvel[j]) < SPEED_LIMIT:  # true for NaN too
            return True
    return False


@numba.njit(inline="always")
def _unusable(state):
    """Whether a row holds numbers that no step can start from: laws are not shown them."""
    for j in range(state.size):
        if not abs(state[j]) <= HUGE:
            return True
    return False


@numba.njit
def new_desk(sizes, parts):
    """A desk for the largest character of a scene."""
    count, wide = sizes.characters.shape[0], 1
    for c in range(count):
        wide = max(wide, sizes.characters[c, 0])
    first = np.zeros(5, np.int64)
    for i in range(parts.kind.size):
        for kind in range(parts.kind[i] + 1, 5):
            first[kind] += 1
    return Desk(
        np.zeros(3),
        np.zeros((3, wide)),
        np.zeros((3, wide)),
        np.zeros((count, 7)),
        np.zeros((count, 7)),
        np.zeros((count, wide)),
        np.zeros((count, wide)),
        first,
    )


@numba.njit(inline="always")
def _clear(out, n):
    """Zeros into (3, n); a loop, because assigning to a slice costs ten times as much in compiled code."""
    for j in range(n):
        out[0, j], out[1, j], out[2, j] = 0.0, 0.0, 0.0


@numba.njit(inline="always")
def _control(worker, sizes, parts, rows, desk, row, mdl, c, gravity, time_s):
    """Features, laws and disturbances of one character, and its actuators; whether they are numbers that MuJoCo takes."""
    cell, n, b, k = worker.cells[mdl, c], sizes.characters[c, 0], sizes.characters[c, 1], sizes.characters[c, 2]
    q, v, own = desk.angles[c, :n], desk.rates[c, :n], rows.key[row] + c * CHARACTER_KEY
    _look(cell, n, b, desk.frame[c], desk.extra[c], desk.up, q, v, sizes.momentum)
    s = _sight(cell, n, b, k, time_s, sizes.dt_s, rows.step[row], own, gravity, desk.up, desk.frame[c], desk.extra[c], q, v)
    out, total = desk.out, desk.total
    _clear(total, n)
    for i in range(desk.first[1]):
        if parts.character[i] == c:
            _clear(out, n)
            _part(parts, i, s, rows, row, out)
            share = rows.weights[row, i]
            for j in range(n):
                total[0, j] += share * out[0, j]
                total[1, j] += share * out[1, j]
                total[2, j] += share * out[2, j]
    for i in range(desk.first[1], desk.first[2]):
        if parts.character[i] == c:
            _part(parts, i, s, rows, row, total)
    return _actuate(cell, n, total)


@numba.njit(inline="always")
def _watch(worker, sizes, parts, rows, desk, row, mdl, c, gravity, time_s, until):
    """Meters and events of one character; whether the row stops here."""
    cell, n, b, k = worker.cells[mdl, c], sizes.characters[c, 0], sizes.characters[c, 1], sizes.characters[c, 2]
    q, v, own = desk.angles[c, :n], desk.rates[c, :n], rows.key[row] + c * CHARACTER_KEY
    s = _sight(cell, n, b, k, time_s, sizes.dt_s, rows.step[row], own, gravity, desk.up, desk.frame[c], desk.extra[c], q, v)
    stop = False
    for i in range(desk.first[2], desk.first[4]):
        if parts.character[i] != c:
            continue
        happened = _part(parts, i, s, rows, row, desk.out) > 0.0
        if i >= desk.first[3] and happened:
            if i == until:
                rows.fired[row] = i
                stop = True
            if parts.ending[i]:
                if rows.status[row] == RUNNING:
                    rows.status[row] = FIRST_ENDING + i
                stop = True
    return stop


@numba.njit
def run_rows(order, steps, until, worker, sizes, parts, rows, recording, desk):
    """Advance the rows named in `order` by up to `steps` steps each, or until event part `until` (-1: none) happens."""
    count = sizes.characters.shape[0]
    disturbed, watched = desk.first[2] > desk.first[1], desk.first[4] > desk.first[2]
    for row in order:
        if rows.status[row] != RUNNING:
            continue
        mdl = rows.model[row]
        model, data = worker.model[mdl], worker.data[mdl]
        gravity = _load_row(worker, sizes, rows, row, mdl, desk.up)
        qvel, wrenches = vector(worker.qvel[mdl], sizes.nv), vector(worker.applied[mdl], 6 * sizes.bodies)
        wrenches[:] = 0.0
        rows.fired[row] = -1
        if _unusable(rows.state[row]) or _exploded(qvel):
            rows.status[row] = DIVERGED
            continue
        for it in range(steps):
            call_mj(worker.engine[0], model, data)
            recorded = recording.every > 0 and it % recording.every == 0
            if recorded:
                _record(worker, recording, row, mdl, it // recording.every, False)
            if disturbed:
                for j in range(wrenches.size):
                    wrenches[j] = 0.0
            time_s, controlled, stop = rows.step[row] * sizes.dt_s, True, False
            for c in range(count):
                controlled &= _control(worker, sizes, parts, rows, desk, row, mdl, c, gravity, time_s)
            if not controlled:
                rows.status[row] = DIVERGED
                break
            call_mj(worker.engine[1], model, data)
            rows.step[row] += 1
            if recorded:
                _record(worker, recording, row, mdl, it // recording.every, True)
            if _exploded(qvel):
                rows.status[row] = DIVERGED
                break
            if watched:
                for c in range(count):
                    stop |= _watch(worker, sizes, parts, rows, desk, row, mdl, c, gravity, time_s, until)
            if stop:
                break
        _save_row(worker, sizes, rows, row, mdl)
