"""Study (a): which time step, which integrator.

Every step that divides the control clocks, crossed with implicitfast and discrete: does the same gait walk, is its cycle
the same, does it stand the same pushes, what does it cost, and how much time is simulated in a second. Beside the walk, what does
not depend on it: energy made or lost by a limp body, and the stiffest PD hold that stays stable. `choice_holds` has those two.
"""

from __future__ import annotations

import dataclasses

from choice_holds import LIGHT_S, Hold, limp_energy_drift, stable, stiffest
from choice_rows import Row, mean, median, single
from choice_walks import Size, Walked, Way, cycle_difference_deg, push_rows, pushed, step_times, time_rows, walk_of, walk_rows, walked
from surefoot.characters import character
from surefoot.controllers.gait import Gait
from surefoot.physics.scene import TIME_STEPS_S, Integrator, Solver, build_scene

INTEGRATORS: tuple[Integrator, ...] = ("implicitfast", "discrete")
FORCES_N = (100.0, 150.0, 200.0)
DEFAULT = "step.implicitfast.240"
PAIRED = ("speed_mps", "step_s", "peak_load_bw", "cost_of_transport")


def hertz(time_step_s: float) -> int:
    """1/240 s is 240: how a step is named in the rows."""
    return round(1.0 / time_step_s)


def steps_of(size: Size) -> tuple[float, ...]:
    """Time steps, the finest last: the others are compared with it."""
    return TIME_STEPS_S[:2] if size.smoke else TIME_STEPS_S


def ways_of(gait: Gait, size: Size) -> list[Way]:
    """Steps crossed with integrators."""
    who = character(gait.character)
    return [
        Way(
            name=f"step.{integrator}.{hertz(step)}",
            scene=build_scene(who, time_step_s=step, solver=Solver(integrator=integrator)),
            parts=(walk_of(gait, who),),
        )
        for integrator in INTEGRATORS
        for step in steps_of(size)
    ]


def step_study(gait: Gait, size: Size) -> list[Row]:
    """All of study (a)."""
    ways = ways_of(gait, size)
    found = {way.name: walked(way, gait, size) for way in ways}
    reference = found[f"step.implicitfast.{hertz(steps_of(size)[-1])}"]
    rows = []
    for way in ways:
        rows += walk_rows(way.name, found[way.name])
        rows += differences(way.name, found[way.name], reference)
        rows += push_rows(way.name, pushed(way, gait, size, FORCES_N), FORCES_N)
    halves = reference.cycle[::2], reference.cycle[1::2]
    rows.append(single("step.floor.cycle_difference_deg", cycle_difference_deg(*halves), len(halves[0])))
    taken = step_times(ways, gait, size)
    rows += time_rows(taken, DEFAULT)
    for way in ways:
        rows.append(median(f"{way.name}.simulated_s_per_s", [1e6 * way.scene.time_step_s / us for us in taken[way.name]]))
    return rows + passive_rows(size)


def differences(name: str, found: Walked, reference: Walked) -> list[Row]:
    """What differs from the finest step, start by start, and how far the mean cycle is from its."""
    rows = [mean(f"{name}.{field}_difference", found.report[field] - reference.report[field]) for field in PAIRED]
    both = found.stood & reference.stood
    gap = cycle_difference_deg(found.cycle[both], reference.cycle[both])
    return [*rows, single(f"{name}.cycle_difference_deg", gap, int(both.sum()))]


def passive_rows(size: Size) -> list[Row]:
    """Energy that a limp body makes in two seconds, and the stiffest stable holds, for each step."""
    rows, who = [], character("human")
    starts, seconds = (2, 0.5) if size.smoke else (16, 2.0)
    for integrator in INTEGRATORS:
        heavy = Hold(way="law", integrator=integrator, limited=False)
        holds = {"stiffest_hold_nm": heavy, "stiffest_light_hold_nm": dataclasses.replace(heavy, damping_s=LIGHT_S)}
        for step in steps_of(size):
            name = f"step.{integrator}.{hertz(step)}"
            rows.append(mean(f"{name}.limp_energy_drift", limp_energy_drift(who, step, integrator, starts, seconds)))
            for word, hold in holds.items():
                rows.append(single(f"{name}.{word}", stiffest(hold, stable(hold, step, size.holds)), size.holds))
    return rows
