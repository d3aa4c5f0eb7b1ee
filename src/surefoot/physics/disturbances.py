"""Disturbances: pushes, motor noise, control delay. They act after the laws and before the actuators, inside the loop.

Forces are physical newtons at a body's centre of mass. Rates are per second and noise is scaled with the step, so that a
change of time step changes nothing. Draws are by counter (`noise`), so they belong to the row and not to the thread.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from surefoot.characters import Character
from surefoot.physics.law import Part, Sight, disturbance, names
from surefoot.physics.noise import normal, uniform

PUSH = names("newtons", "angle_rad", "start_s", "duration_s", "every_s", "random")


@disturbance(parameters=PUSH._fields, memory=("force_n", "x", "y", "z"), duration_s=0.4, start_s=1.0)
def push(s: Sight, w: np.ndarray, table: np.ndarray, p: np.ndarray, m: np.ndarray, out: np.ndarray) -> float:
    """A horizontal push on body w[0]: `newtons` towards `angle_rad` (0 forward, pi/2 left, in the heading frame at its start).

    From `start_s` for `duration_s`, again every `every_s` (0: once); with `random` 1 each push has a direction of its own.
    """
    since = s.time_s - p[PUSH.start_s]
    count = 0
    if p[PUSH.every_s] > 0.0 and since > 0.0:
        count = int(since / p[PUSH.every_s] + 1e-9)
        since -= count * p[PUSH.every_s]
    m[0] = 0.0
    if since < -1e-9 or since >= p[PUSH.duration_s] - 1e-9:
        m[1] = m[2] = m[3] = 0.0
        return 0.0
    if m[1] == 0.0 and m[2] == 0.0 and m[3] == 0.0:
        angle = p[PUSH.angle_rad]
        if p[PUSH.random] > 0.5:
            angle = 2.0 * math.pi * uniform(s.key, count, 101)
        for k in range(3):
            m[1 + k] = math.cos(angle) * s.forward[k] + math.sin(angle) * s.left[k]
    m[0] = p[PUSH.newtons]
    for k in range(3):
        s.wrench[w[0], k] += p[PUSH.newtons] * m[1 + k]
    return 0.0


@disturbance(parameters=("beta",))
def motor_noise(s: Sight, w: np.ndarray, table: np.ndarray, p: np.ndarray, m: np.ndarray, out: np.ndarray) -> float:
    """Signal-dependent torque noise (Wang et al. 2010, Eqs 6 and 7): sigma = |tau| beta exp(-2.76) MVT^-0.25.

    MVT is the joint's stiffness in Nm/rad, table (1, n); a joint of no strength has no noise. White per 1/2400 s in the paper;
    here its deviation is scaled by sqrt(1 / (2400 dt)), which keeps the noise's power at any step.
    """
    scale = p[0] * math.exp(-2.76) * math.sqrt(1.0 / (2400.0 * s.dt_s))
    for j in range(s.q.size):
        strength = table[0, j]
        if strength > 0.0:
            out[0, j] += scale * strength**-0.25 * abs(out[0, j]) * normal(s.key, s.step, 1000 + j)
    return 0.0


@disturbance(parameters=("delay_s",), memory=("filled",))
def delay(s: Sight, w: np.ndarray, table: np.ndarray, p: np.ndarray, m: np.ndarray, out: np.ndarray) -> float:
    """Torques arrive `delay_s` late; stiffness and damping stay, as the slopes by which the step is integrated.

    Memory: a ring of past torques, long enough for the greatest delay in any row.
    """
    n = s.q.size
    length = (m.size - 1) // n
    late = min(round(p[0] / s.dt_s), length - 1)
    here = s.step % length
    for j in range(n):
        m[1 + here * n + j] = out[0, j]
    then = (s.step - min(late, s.step)) % length
    for j in range(n):
        out[0, j] = m[1 + then * n + j]
    return 0.0


def push_of(character: Character, body: str = "torso", **parameters: Any) -> Part:
    """`push` on a named body; a character without a torso is pushed at its root."""
    links = [link.name for link in character.links]
    return push.use(wiring=[links.index(body) if body in links else 0], **parameters)


def delay_of(character: Character, delay_s: float, time_step_s: float, most_s: float | None = None) -> Part:
    """`delay` with room for `most_s`."""
    length = round((most_s or delay_s) / time_step_s) + 1
    return delay.use(memory_size=1 + length * len(character.dof_names), delay_s=delay_s)


def motor_noise_of(character: Character, stiffness_nm: np.ndarray, beta: float) -> Part:
    """`motor_noise` with a controller's stiffnesses (n,) as the joints' strengths."""
    return motor_noise.use(table=np.asarray(stiffness_nm, float)[None], beta=beta)
