"""Measure a gait on starts that were never used in tuning: the bars of a walk, pushes from eight sides, turns, speeds.

`python -m surefoot.systems.gait_tuning.measure human/walk` writes results/gaits/human-walk.json: rows of
name, value, low, high, count, bar, holds. The cost that tuning uses is in `objective`.
"""

from __future__ import annotations

import dataclasses
import json
import pathlib
import shlex
import sys
import time
from collections.abc import Sequence

import numpy as np
import tyro

from surefoot.characters import character
from surefoot.controllers.gait import Gait, load_gait
from surefoot.controllers.starts import first_phase, perturbed_starts
from surefoot.controllers.walk_report import walk_meters, walk_report
from surefoot.errors import UnknownName
from surefoot.files import written_whole
from surefoot.physics.batch import SimBatch
from surefoot.physics.disturbances import push_of
from surefoot.physics.events import fall_of
from surefoot.physics.scene import build_scene
from surefoot.robustness.tolerance import tolerance, wilson
from surefoot.seeding import SeedTree

EVALUATION_SEED = 20_000
"""Tuning seeds are small numbers; these starts are never used there."""
DIRECTIONS = {
    "forward": 0,
    "forward-left": 45,
    "left": 90,
    "back-left": 135,
    "back": 180,
    "back-right": 225,
    "right": 270,
    "forward-right": 315,
}
"""Where a push drives the walker, degrees to the left of forward."""


@dataclasses.dataclass(frozen=True, kw_only=True, slots=True)
class Measurement:
    """What is measured, on how many trials."""

    gait: tyro.conf.Positional[str] = "human/walk"
    """A gait of the library, or a file."""
    out: str = ""
    """JSON file; by default results/gaits/CHARACTER-GAIT.json."""
    trials: int = 40
    """Perturbed starts of each kind."""
    seconds: float = 60.0
    """Simulated time of the undisturbed walk."""
    time_step_s: float = 1 / 240
    """Physics step."""
    push_newtons: tuple[float, ...] = tuple(float(f) for f in range(50, 325, 25))
    """Grid of forces."""
    push_bar_n: float = 150.0
    """Each direction must stand this in half of the trials."""
    speeds_mps: tuple[float, ...] = (0.8, 1.0, 1.2, 1.4, 1.6)
    """Wanted speeds."""
    bars: str = "walk"
    """What is asked of the gait: a name in BARS."""
    directions: tuple[str, ...] = tuple(DIRECTIONS)
    """Where pushes drive it; a planar character is pushed forward and back."""
    parts: tuple[str, ...] = ("walk", "push", "turn", "speed")
    """Any of walk, push, turn, speed."""
    seed: int = EVALUATION_SEED
    """Root of all random numbers."""


@dataclasses.dataclass(frozen=True, kw_only=True, slots=True)
class Row:
    """One number of a result."""

    name: str
    """What was measured."""
    value: float
    """The number."""
    low: float | None = None
    """Lower bound of its 95 % interval."""
    high: float | None = None
    """Upper bound."""
    count: int
    """Trials behind it."""
    bar: str | None = None
    """What was asked, in words."""
    holds: bool | None = None
    """Whether it is met; None where nothing was asked."""


WALK_BARS: dict[str, tuple[float, float]] = {
    "speed_mps": (1.1, 1.4),
    "heel_first": (0.9, 1.0),
    "clearance_m": (0.02, 1.0),
    "slip_m": (0.0, 0.02),
    "double_support": (0.10, 1.0),
    "peak_load_bw": (0.0, 2.0),
    "trunk_pitch_deg": (-5.0, 5.0),
    "trunk_pitch_sd_deg": (0.0, 3.0),
    "uneven_step_s": (0.0, 0.05),
    "uneven_step_m": (0.0, 0.05),
    "drift_most_m": (0.0, 0.3),
    "gap_m": (0.09, 1.0),
    "arm_swing_deg": (10.0, 90.0),
    "pelvis_list_deg": (3.0, 15.0),
    "twist_deg": (4.0, 40.0),
}
BARS: dict[str, dict[str, tuple[float, float]]] = {
    "walk": WALK_BARS,
    "in-place": {"speed_mps": (-0.1, 0.1), "gap_m": (0.09, 1.0), "peak_load_bw": (0.0, 2.0), "trunk_pitch_deg": (-5.0, 5.0)},
    "planar-walk": {"speed_mps": (0.9, 1.3), "clearance_m": (0.02, 1.0), "slip_m": (0.0, 0.02), "flight": (0.0, 0.02)},
    "planar-run": {"speed_mps": (2.0, 3.0), "flight": (0.1, 1.0), "slip_m": (0.0, 0.05)},
}
"""Least and greatest of each mean over trials; ranges in degrees are peak to peak of a sine of the same deviation."""


def batch_of(gait: Gait, rows: int, measurement: Measurement, stream: str, after_s: float = 5.0) -> SimBatch:
    """Perturbed starts: sd 0.05 rad, 0.3 rad/s, 0.2 m/s at the root."""
    who = character(gait.character)
    scene = build_scene(who, time_step_s=measurement.time_step_s)
    parts = [gait.walk(first_phase=first_phase(gait)), push_of(who), *walk_meters(who, after_s=after_s), fall_of(who)]
    batch = SimBatch(scene, rows, parts, endings=["fall"], seed=measurement.seed)
    generator = SeedTree(root=measurement.seed).generator(stream)
    positions, velocities = perturbed_starts(scene, gait, rows, generator, angle_rad=0.05, spin_radps=0.3, speed_mps=0.2)
    batch.reset(qpos=positions, qvel=velocities)
    return batch


def walk_rows(gait: Gait, measurement: Measurement) -> list[Row]:
    """Falls, and the walk's means against the bars."""
    batch = batch_of(gait, measurement.trials, measurement, "walk")
    batch.advance(measurement.seconds)
    stood, n = int(batch.running.sum()), measurement.trials
    rows = [Row(name="no_fall", value=stood / n, low=wilson(stood, n)[0], high=wilson(stood, n)[1], count=n, bar="1", holds=stood == n)]
    report = walk_report(batch)
    report |= {
        "trunk_pitch_deg": np.degrees(report["trunk_pitch_rad"]),
        "trunk_pitch_sd_deg": np.degrees(report["trunk_pitch_sd_rad"]),
        "arm_swing_deg": np.degrees(report["arm_swing_sd_rad"]) * 2 * np.sqrt(2),
        "pelvis_list_deg": np.degrees(report["pelvis_list_sd_rad"]) * 2 * np.sqrt(2),
        "twist_deg": np.degrees(report["twist_sd_rad"]) * 2 * np.sqrt(2),
    }
    for name, values in report.items():
        values = values[np.isfinite(values)]
        mean, error = float(values.mean()), float(values.std(ddof=1) / np.sqrt(values.size)) if values.size > 1 else 0.0
        least, most = BARS[measurement.bars].get(name, (None, None))
        held = None if least is None else bool(least <= mean <= most)  # type: ignore[operator]
        bar = None if least is None else f"{least:g} to {most:g}"
        rows.append(Row(name=name, value=mean, low=mean - 1.96 * error, high=mean + 1.96 * error, count=values.size, bar=bar, holds=held))
    return rows


def push_rows(gait: Gait, measurement: Measurement) -> list[Row]:
    """Success over the grid of forces in eight directions: 0.4 s every 4 s for 40 s; F50 of a logistic fit."""
    forces, n = np.array(measurement.push_newtons), measurement.trials
    degrees = [DIRECTIONS[name] for name in measurement.directions]
    shape = (len(degrees), forces.size, n)
    batch = batch_of(gait, int(np.prod(shape)), measurement, "push")
    angle, newtons, _ = np.broadcast_arrays(np.radians(degrees)[:, None, None], forces[None, :, None], np.zeros(n)[None, None])
    generator = SeedTree(root=measurement.seed).generator("push times")
    batch.parameter("push", "angle_rad")[:] = angle.ravel()
    batch.parameter("push", "newtons")[:] = newtons.ravel()
    batch.parameter("push", "start_s")[:] = np.broadcast_to(3.0 + 1.2 * generator.random(n), shape).ravel()
    batch.parameter("push", "every_s")[:] = 4.0
    batch.advance(40.0)
    stood = batch.running.reshape(shape)
    rows = []
    for i, name in enumerate(measurement.directions):
        fit = tolerance(forces, stood[i], SeedTree(root=measurement.seed).generator(f"bootstrap {name}"))
        held = bool(fit.f50 >= measurement.push_bar_n)
        rows.append(
            Row(name=f"push_f50_n.{name}", value=fit.f50, low=fit.low, high=fit.high, count=forces.size * n,
                bar=f">= {measurement.push_bar_n:g}", holds=held)
        )  # fmt: skip
        for k, force in enumerate(forces):
            low, high = wilson(int(stood[i, k].sum()), n)
            rows.append(Row(name=f"push_success.{name}.{force:g}", value=float(stood[i, k].mean()), low=low, high=high, count=n))
    return rows


def turn_rows(gait: Gait, measurement: Measurement) -> list[Row]:
    """Heading steps of 0.5 rad either way, ten seconds in; survived, and the heading error at the end."""
    n = measurement.trials
    batch = batch_of(gait, 2 * n, measurement, "turn")
    turns = np.repeat([-0.5, 0.5], n)
    batch.advance(10.0)
    batch.parameter("walk", "heading_rad")[:] = turns
    batch.parameter("posture", "heading_rad")[:] = turns
    batch.advance(20.0)
    rows = []
    for i, word in enumerate(("right", "left")):
        stood = int(batch.running[i * n : (i + 1) * n].sum())
        low, high = wilson(stood, n)
        rows.append(Row(name=f"turn_half_rad_{word}", value=stood / n, low=low, high=high, count=n, bar="1", holds=stood == n))
    return rows


def speed_rows(gait: Gait, measurement: Measurement) -> list[Row]:
    """Wanted speeds by one number: survived 30 s, and the speed that came out."""
    n, speeds = measurement.trials, np.array(measurement.speeds_mps)
    batch = batch_of(gait, n * speeds.size, measurement, "speed", after_s=10.0)
    batch.parameter("walk", "speed_mps")[:] = np.repeat(speeds, n)
    batch.advance(30.0)
    report = walk_report(batch)
    rows = []
    for i, speed in enumerate(speeds):
        these = slice(i * n, (i + 1) * n)
        stood = int(batch.running[these].sum())
        low, high = wilson(stood, n)
        rows.append(Row(name=f"speed_{speed:g}.survived", value=stood / n, low=low, high=high, count=n, bar="1", holds=stood == n))
        mean = float(np.nanmean(report["speed_mps"][these]))
        rows.append(
            Row(
                name=f"speed_{speed:g}.mps",
                value=mean,
                count=n,
                bar=f"{speed - 0.1:g} to {speed + 0.1:g}",
                holds=bool(abs(mean - speed) <= 0.1),
            )
        )
    return rows


def measure(measurement: Measurement) -> list[Row]:
    """All parts asked for."""
    if measurement.bars not in BARS:
        raise UnknownName("set of bars", measurement.bars, BARS)
    gait = load_gait(measurement.gait)
    kinds = {"walk": walk_rows, "push": push_rows, "turn": turn_rows, "speed": speed_rows}
    return [row for part in measurement.parts for row in kinds[part](gait, measurement)]


def write_results(path: pathlib.Path, rows: Sequence[Row], command: str, seconds: float) -> None:
    """JSON: the command, the seconds it took, and the rows, one a line."""
    lines = ",\n  ".join(json.dumps(dataclasses.asdict(row)) for row in rows)
    with written_whole(path) as part:
        part.write_text(f'{{"command": {json.dumps(command)},\n "wall_s": {seconds:.0f},\n "rows": [\n  {lines}\n]}}\n')


if __name__ == "__main__":
    asked = tyro.cli(Measurement)
    began = time.monotonic()
    found = measure(asked)
    target = pathlib.Path(asked.out or f"results/gaits/{asked.gait.replace('/', '-')}.json")
    write_results(target, found, "python -m surefoot.systems.gait_tuning.measure " + shlex.join(sys.argv[1:]), time.monotonic() - began)
    for row in found:
        if not row.name.startswith("push_success"):
            verdict = "" if row.holds is None else "holds" if row.holds else "FALLS SHORT"
            print(f"{row.name:28s} {row.value:9.4f}  {row.bar or '':16s} {verdict}")
