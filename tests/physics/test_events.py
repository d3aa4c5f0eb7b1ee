"""Events: when they happen, and when not."""

import math
from collections.abc import Callable

import numpy as np
import pytest

from surefoot.characters import Character, character
from surefoot.controllers.pd import pd_of
from surefoot.physics.batch import SimBatch
from surefoot.physics.events import LOADED_N, clock, fall_of, foot_strike_of, tumble_of
from surefoot.physics.law import Part
from surefoot.physics.scene import build_scene

Held = Callable[..., SimBatch]


def happenings(batch: SimBatch, name: str, seconds: float) -> list[list[int]]:
    """Steps of each row in which an event happened."""
    found: list[list[int]] = [[] for _ in range(batch.rows)]
    ends = batch.arrays.step + batch.steps_in(seconds)
    while batch.running.any() and (batch.arrays.step < ends).any():
        mask = batch.advance_until(name, batch.scene.time_step_s)
        for row in np.flatnonzero(mask):
            found[row].append(int(batch.arrays.step[row]))
    return found


@pytest.mark.parametrize("time_step_s", [1 / 240, 1 / 300, 1 / 480, 1 / 1200])
def test_clock_happens_once_at_its_time(human: Character, time_step_s: float) -> None:
    times = np.array([time_step_s, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35])
    batch = SimBatch(build_scene(human, time_step_s=time_step_s), times.size, [clock.use()])
    batch.parameter("clock", "at_s")[:] = times
    assert happenings(batch, "clock", 0.4) == [[round(t / time_step_s)] for t in times]


def lay(batch: SimBatch, row: int, pitch: float) -> None:
    batch.qpos[row, 3:7] = [math.cos(pitch / 2), 0, math.sin(pitch / 2), 0]
    batch.qpos[row, 2] = 3.0


def test_fall_is_a_low_centre_of_mass(held: Held, human: Character) -> None:
    """Standing is no fall, lying is; in the air too, since the height is over the lowest contact point."""
    batch = held(4, fall_of(human), endings=["fall"])
    lay(batch, 1, math.pi / 2)
    lay(batch, 2, -math.pi / 2)
    lay(batch, 3, 0.0)
    batch.advance(0.1)
    assert batch.reasons() == [None, "fall", "fall", None]
    assert batch.arrays.step.tolist() == [24, 1, 1, 24]


def test_fall_waits_for_as_long_as_it_is_told(held: Held, human: Character) -> None:
    batch = held(2, fall_of(human), endings=["fall"])
    batch.parameter("fall", "hold_s")[:] = [0.0, 0.05]
    for row in range(2):
        lay(batch, row, math.pi / 2)
    batch.advance(0.1)
    assert batch.arrays.step.tolist() == [1, 13]


def test_fall_height_is_a_share_of_the_standing_height() -> None:
    human = character("human")
    assert fall_of(human, share=0.6).values[0] == pytest.approx(0.6 * human.standing_height_m)


@pytest.mark.parametrize(("pitch", "tumbles"), [(0.0, False), (0.95, False), (1.15, True), (-1.15, True), (math.pi, True)])
def test_tumble_is_a_lean_of_more_than_sixty_degrees(held: Held, human: Character, pitch: float, tumbles: bool) -> None:
    batch = held(1, tumble_of(human))
    lay(batch, 0, pitch)
    assert bool(batch.advance_until("tumble", 1 / 240)[0]) is tumbles


def dropped(parts: list[Part], left_m: float, right_m: float, rows: int = 1) -> SimBatch:
    """A planar biped over the ground, with knees bent so that one foot hangs `left_m`, the other `right_m` above it."""
    who = character("biped2d")
    batch = SimBatch(build_scene(who), rows, [pd_of(who), *parts])
    for side, above in (("left", left_m), ("right", right_m)):
        bend = math.acos(1 - above / 0.9)
        batch.qpos[:, 3 + who.dof_index(f"{side}_hip_pitch")] = -bend
        batch.qpos[:, 3 + who.dof_index(f"{side}_knee_pitch")] = 2 * bend
        batch.qpos[:, 3 + who.dof_index(f"{side}_ankle_pitch")] = -bend
    return batch


@pytest.mark.parametrize(("left_m", "right_m", "side"), [(0.02, 0.1, 1.0), (0.1, 0.02, -1.0)])
def test_foot_strike_names_the_side_that_lands(left_m: float, right_m: float, side: float) -> None:
    who = character("biped2d")
    batch = dropped([foot_strike_of(who, refractory_s=0.0)], left_m, right_m)
    batch.qpos[:, 1] += 0.01
    assert batch.advance_until("foot_strike", 0.5).all()
    assert batch.recalled("foot_strike", "side")[0] == side
    foot = slice(0, 2) if side > 0 else slice(2, 4)
    loads = batch.arrays.sensors[0]
    assert loads[foot].sum() > LOADED_N >= loads.sum() - loads[foot].sum()


def test_foot_strike_has_a_refractory_time(human: Character) -> None:
    """Dropped on one foot, then the other; landings closer than the refractory time are one."""
    who = character("biped2d")
    batch = dropped([foot_strike_of(who)], 0.0, 0.1, rows=2)
    batch.parameter("foot_strike", "refractory_s")[:] = [0.01, 0.3]
    batch.qpos[:, 1] += 0.6
    found = happenings(batch, "foot_strike", 2.0)
    assert len(found[0]) > len(found[1]) >= 1
    assert np.diff(found[1]).min(initial=1000) >= 0.3 * 240 - 1
    assert batch.recalled("foot_strike", "strikes").tolist() == [len(steps) for steps in found]


def test_feet_that_stand_at_the_start_do_not_strike(held: Held, human: Character) -> None:
    batch = held(1, foot_strike_of(human))
    assert happenings(batch, "foot_strike", 0.5) == [[]]
    assert (batch.memory("foot_strike")[0, 3:] == 1).all(), "both are down"
