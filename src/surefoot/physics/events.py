"""Events: what stops an `advance_until`, or ends a simulation for good.

`fall` by the height of the centre of mass over the lowest contact point, `tumble` by the lean of the trunk,
`foot_strike` with its side and a refractory time, `clock` by time. Fragments and tasks add their own.
"""

from __future__ import annotations

import numpy as np

from surefoot.characters import Character
from surefoot.physics.law import Part, Sight, event, names

LOADED_N = 30.0


@event(parameters=("height_m", "hold_s"), memory=("since_s",), hold_s=0.0)
def fall(s: Sight, w: np.ndarray, table: np.ndarray, p: np.ndarray, m: np.ndarray, out: np.ndarray) -> float:
    """The centre of mass has been less than `height_m` above the lowest contact point for `hold_s` seconds."""
    low, height = 1e9, 0.0
    for k in range(3):
        height += s.up[k] * s.com[k]
    for i in range(s.point.shape[0]):
        low = min(low, s.up[0] * s.point[i, 0] + s.up[1] * s.point[i, 1] + s.up[2] * s.point[i, 2])
    if height - low >= p[0]:
        m[0] = 0.0
        return 0.0
    m[0] += s.dt_s
    return 1.0 if m[0] > p[1] else 0.0


@event(parameters=("lean",), lean=0.5)
def tumble(s: Sight, w: np.ndarray, table: np.ndarray, p: np.ndarray, m: np.ndarray, out: np.ndarray) -> float:
    """The vertical axis of body w[0] has less than `lean` of its length along up (0.5: leans more than 60 degrees)."""
    r = s.rotation[w[0]]
    return 1.0 if r[2] * s.up[0] + r[5] * s.up[1] + r[8] * s.up[2] < p[0] else 0.0


T = names("side", "strikes", "since_s", "left_down", "right_down")


@event(parameters=("refractory_s",), memory=T._fields, refractory_s=0.2)
def foot_strike(s: Sight, w: np.ndarray, table: np.ndarray, p: np.ndarray, m: np.ndarray, out: np.ndarray) -> float:
    """A foot lands at least `refractory_s` after the last landing; memory `side`: +1 left, -1 right. Wiring: point ranges."""
    m[T.since_s] += s.dt_s
    happened = 0.0
    for foot in range(2):
        load = 0.0
        for i in range(w[2 * foot], w[2 * foot + 1]):
            load += s.load[i]
        down = load > LOADED_N
        if down and m[T.left_down + foot] == 0.0 and s.step > 1 and m[T.since_s] >= p[0]:
            m[T.side], m[T.since_s], happened = 1.0 - 2.0 * foot, 0.0, 1.0
            m[T.strikes] += 1.0
        if down or load == 0.0:
            m[T.left_down + foot] = 1.0 if down else 0.0
    return happened


@event(parameters=("at_s",))
def clock(s: Sight, w: np.ndarray, table: np.ndarray, p: np.ndarray, m: np.ndarray, out: np.ndarray) -> float:
    """The step that reaches `at_s`."""
    return 1.0 if s.time_s + 1e-9 < p[0] <= s.time_s + s.dt_s + 1e-9 else 0.0


def fall_of(character: Character, share: float = 0.7, hold_s: float = 0.0) -> Part:
    """`fall` when the centre of mass is below a share of the standing height of its root (0.7: Wang et al. 2010, failed_t: 0.7 m)."""
    return fall.use(height_m=share * character.standing_height_m, hold_s=hold_s)


def tumble_of(character: Character, lean: float = 0.5) -> Part:
    """`tumble` of the trunk."""
    links = [link.name for link in character.links]
    return tumble.use(wiring=[links.index("torso") if "torso" in links else 0], lean=lean)


def foot_strike_of(character: Character, refractory_s: float = 0.2) -> Part:
    """`foot_strike` of a character with two feet."""
    wiring, first = [], 0
    for effector in character.end_effectors:
        wiring += [first, first + len(effector.points)]
        first += len(effector.points)
    return foot_strike.use(wiring=wiring, refractory_s=refractory_s)
