"""`make bench`: speed of controlled simulation as ratios to raw MuJoCo inside one interleaved run, and what memory a row takes.

Writes results/bench.json: rows of name, value, bar, holds (the last two null where a row is only informative). The raw
yardstick is in `raw`. Timings of a shared machine vary; ratios of medians of interleaved repeats vary little.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable

import numpy as np

from choice_rows import interleaved
from raw import RawReplay
from surefoot.characters import character
from surefoot.controllers.gait import Gait, load_gait
from surefoot.controllers.starts import first_phase, perturbed_starts
from surefoot.controllers.walk_report import walk_meters
from surefoot.physics.batch import SimBatch
from surefoot.physics.disturbances import push_of
from surefoot.physics.events import fall_of, foot_strike_of
from surefoot.physics.law import Part
from surefoot.physics.meters import effort_of, footing_of, posture_of
from surefoot.physics.scene import Placement, Scene, build_scene
from surefoot.terrain import Ball, random_strip

REPEATS = 7
CONTROLLED_BAR = 0.96
WARM_UP_S = 1.0


class Table:
    """Rows as they come, printed and kept."""

    def __init__(self) -> None:
        self.rows: list[dict[str, object]] = []

    def add(self, name: str, value: float, bar: float | None = None, holds: bool | None = None) -> None:
        """One row; a bar comes with whether it holds."""
        self.rows.append({"name": name, "value": round(float(value), 5), "bar": bar, "holds": holds})
        print(f"{name:58s} {value:14.4f}  {'' if bar is None else f'bar {bar:g}: ' + ('holds' if holds else 'FALLS SHORT')}", flush=True)


def walking_batch(scene: Scene, gait: Gait, rows: int, threads: int, parts: list[Part] | None = None) -> SimBatch:
    """A batch in mid-walk, from perturbed starts."""
    parts = [gait.walk(first_phase=first_phase(gait))] if parts is None else parts
    batch = SimBatch(scene, rows, parts, threads=threads, seed=3)
    q, v = perturbed_starts(scene, gait, rows, np.random.default_rng(3), angle_rad=0.03, spin_radps=0.15, speed_mps=0.1)
    batch.reset(qpos=q, qvel=v)
    batch.advance(WARM_UP_S)
    return batch


def seconds_of(batch: SimBatch, seconds: float) -> float:
    """Wall seconds of one advance from the same state; the batch is put back."""
    before = batch.snapshot()
    began = time.perf_counter()
    batch.advance(seconds)
    spent = time.perf_counter() - began
    batch.restore(before)
    return spent


def medians(ways: dict[str, Callable[[], float]], repeats: int = REPEATS) -> dict[str, float]:
    """Median seconds of each way; the ways take turns."""
    return {name: statistics.median(values) for name, values in interleaved(ways, repeats).items()}


def control_over_raw(table: Table, gait: Gait) -> None:
    """The main figure: controlled steps a second over raw ones."""
    scene = build_scene(character(gait.character))
    for threads in sorted({1, min(2, os.cpu_count() or 1)}):
        for rows in (1, 16, 64, 256, 1024):
            batch = walking_batch(scene, gait, rows, threads)
            steps = max(60, min(480, 24_000 // rows))
            seconds = steps * scene.time_step_s
            replay = RawReplay(batch, seconds, threads)
            took = medians(
                {"controlled": lambda b=batch, s=seconds: seconds_of(b, s), "loop": replay.bare_loop_s, "rollout": replay.rollout_s},
                repeats=REPEATS if rows > 1 else 3 * REPEATS,
            )
            ratio = min(took["loop"], took["rollout"]) / took["controlled"]
            bar = CONTROLLED_BAR if rows > 1 else None
            table.add(f"controlled_over_raw.threads_{threads}.batch_{rows}", ratio, bar, None if bar is None else ratio >= bar)
            if rows == 256:
                table.add(f"steps_per_s.threads_{threads}", rows * steps / took["controlled"])
                table.add(f"simulated_s_per_s.threads_{threads}", rows * seconds / took["controlled"])


def cost_of_parts(table: Table, gait: Gait) -> None:
    """Each meter, event and disturbance: time with it over time without."""
    who = character(gait.character)
    scene = build_scene(who)
    extra: dict[str, Part] = {
        "effort": effort_of(who), "footing": footing_of(who), "posture": posture_of(who),
        "push": push_of(who, newtons=0.0), "fall": fall_of(who), "foot_strike": foot_strike_of(who),
    }  # fmt: skip

    def batch_with(names: list[str]) -> SimBatch:
        return walking_batch(scene, gait, 64, 1, [gait.walk(first_phase=first_phase(gait)), *(extra[name] for name in names)])

    batches = {"none": batch_with([]), **{name: batch_with([name]) for name in extra}, "all": batch_with(list(extra))}
    took = medians({name: (lambda b=batch: seconds_of(b, 1.0)) for name, batch in batches.items()})
    for name in [*extra, "all"]:
        table.add(f"time_with_over_without.{name}", took[name] / took["none"])


def one_environment(table: Table, gait: Gait) -> None:
    """A single simulation from a Python loop at 30 Hz, beside a batch of 256, both with one thread."""
    scene = build_scene(character(gait.character))
    single, many = walking_batch(scene, gait, 1, 1), walking_batch(scene, gait, 256, 1)

    def python_loop() -> float:
        before = single.snapshot()
        began = time.perf_counter()
        for _ in range(60):
            single.advance(1 / 30)
        spent = time.perf_counter() - began
        single.restore(before)
        return spent / 480

    took = medians({"loop": python_loop, "batch": lambda: seconds_of(many, 0.25) / (256 * 60)})
    table.add("one_environment_python_loop_over_batch", took["batch"] / took["loop"])


def other_scenes(table: Table) -> None:
    """biped2d on 100 boxes, a human and a ball, two humans: controlled over raw of the same model, and steps a second."""
    human, biped = load_gait("human/walk"), load_gait("biped2d/walk")
    who = character("human")
    strip = random_strip(np.random.default_rng(1), difficulty=0.0, obstacle_count=50)
    two = (Placement(character=who, prefix="a_"), Placement(character=who, prefix="b_", position_m=(0.0, 1.5)))
    scenes = {
        "biped2d_on_boxes": (build_scene(character("biped2d"), ground=strip), [biped.walk(first_phase=0.4)]),
        "human_and_ball": (build_scene(who, balls=(Ball(),)), [human.walk(first_phase=0.4)]),
        "two_humans": (build_scene(two), [human.walk(first_phase=0.4), _renamed(human.walk(first_phase=0.4, index=1), "second")]),
    }
    for name, (scene, parts) in scenes.items():
        batch = SimBatch(scene, 64, parts, threads=1)
        batch.advance(0.5)
        replay = RawReplay(batch, 0.5, 1)
        took = medians({"controlled": lambda b=batch: seconds_of(b, 0.5), "raw": replay.bare_loop_s}, repeats=5)
        table.add(f"scene.{name}.controlled_over_raw", took["raw"] / took["controlled"])
        table.add(f"scene.{name}.steps_per_s", 64 * 0.5 / scene.time_step_s / took["controlled"])
        table.add(f"scene.{name}.ground_geoms", sum(scene.model.geom(i).name.startswith("ground_") for i in range(scene.model.ngeom)))


def _renamed(part: Part, name: str) -> Part:
    return dataclasses.replace(part, name=name)


def memory_a_row(table: Table, gait: Gait) -> None:
    """Bytes a row at 100,000 rows, with the walking law and all meters."""
    who = character(gait.character)
    batch = SimBatch(build_scene(who), 100_000, [gait.walk(), push_of(who), *walk_meters(who), fall_of(who)])
    size = sum(array.nbytes for array in batch.arrays) / batch.rows
    table.add("memory_bytes_a_row.at_100000_rows", size, 10_000, size < 10_000)


FIRST_STEP = """
import time; began = time.perf_counter()
from surefoot.characters import character
from surefoot.controllers.gait import load_gait
from surefoot.controllers.walk_report import walk_meters
from surefoot.physics.batch import SimBatch
from surefoot.physics.scene import build_scene
gait = load_gait("human/walk"); who = character("human"); scene = build_scene(who)
batch = SimBatch(scene, 4, [gait.walk(), *walk_meters(who)]); batch.advance(scene.time_step_s)
print(time.perf_counter() - began)
"""


def second_process(table: Table) -> None:
    """A second process compiles nothing: no new files in the cache, first step within 3 s of the start of Python's work."""
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "SUREFOOT_CACHE": folder}

        def run() -> tuple[float, int]:
            done = subprocess.run([sys.executable, "-c", FIRST_STEP], env=environment, check=True, capture_output=True, text=True)
            return float(done.stdout.split()[-1]), sum(1 for p in pathlib.Path(folder).rglob("*") if p.is_file())

        (first, files), (second, after) = run(), run()
    table.add("first_process_first_step_s", first)
    table.add("second_process_first_step_s", second, 3.0, second < 3.0)
    table.add("second_process_new_compiled_files", after - files, 0, after == files and files > 0)


def main() -> int:
    """Run everything, or the parts named; exit 1 when a bar falls short."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", nargs="*", default=["control", "parts", "one", "scenes", "memory", "process"])
    parser.add_argument("--out", default="results/bench.json")
    asked = parser.parse_args()
    table, gait = Table(), load_gait("human/walk")
    kinds: dict[str, Callable[[], None]] = {
        "control": lambda: control_over_raw(table, gait),
        "parts": lambda: cost_of_parts(table, gait),
        "one": lambda: one_environment(table, gait),
        "scenes": lambda: other_scenes(table),
        "memory": lambda: memory_a_row(table, gait),
        "process": lambda: second_process(table),
    }
    for name in asked.only:
        kinds[name]()
    path = pathlib.Path(asked.out)
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = ",\n ".join(json.dumps(row) for row in table.rows)
    path.write_text(f"[\n {lines}\n]\n", encoding="utf-8")
    return 0 if all(row["holds"] is not False for row in table.rows) else 1


if __name__ == "__main__":
    sys.exit(main())
