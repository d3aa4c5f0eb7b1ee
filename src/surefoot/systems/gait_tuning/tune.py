"""Tune a gait by CMA: many perturbed starts of many candidates, one batch for each iteration.

`python -m surefoot.systems.gait_tuning --help`. Every few iterations the best gait is written as a file, with the command
that made it, and the search as the costs it was told; a run that was cut off goes on from there.
"""

from __future__ import annotations

import dataclasses
import json
import os
import pathlib
import time

import numpy as np

from surefoot.characters import character
from surefoot.controllers.gait import Gait, load_gait, role_of, write_gait
from surefoot.controllers.gait_table import TRUNK, G
from surefoot.controllers.starts import captured_start, first_phase, perturbed_starts
from surefoot.controllers.walk_report import walk_meters, walk_report
from surefoot.errors import SurefootError, UnknownName
from surefoot.files import written_whole
from surefoot.learning.search import Search
from surefoot.physics.batch import SimBatch
from surefoot.physics.disturbances import push_of
from surefoot.physics.events import fall_of
from surefoot.physics.scene import build_scene
from surefoot.seeding import SeedTree
from surefoot.systems.gait_tuning.config import SETS, Knob, Tuning, Weights
from surefoot.systems.gait_tuning.objective import walk_cost


class Evaluation:
    """Costs of many gaits in one batch: rows are candidates x starts, the gait table holds every candidate."""

    def __init__(self, gait: Gait, knobs: tuple[Knob, ...], tuning: Tuning) -> None:
        self.gait, self.knobs, self.tuning = gait, knobs, tuning
        self.rows = tuning.population * tuning.starts
        who = character(gait.character)
        self.table = np.tile(gait.table(), (tuning.population, 1))
        self.columns = [[gait.place(path.removeprefix("slope:")) for path in knob.paths] for knob in knobs]
        self.slope = [knob.paths[0].startswith("slope:") for knob in knobs]
        self.scene = build_scene(who, time_step_s=tuning.time_step_s)
        walk = gait.walk(table=self.table)
        self.table = walk.table
        parts = [walk, push_of(who), *walk_meters(who), fall_of(who)]
        self.batch = SimBatch(self.scene, self.rows, parts, endings=["fall"], threads=tuning.threads or os.cpu_count())
        self.batch.parameter("walk", "gait")[:] = np.repeat(np.arange(tuning.population), tuning.starts)
        start = gait.table()
        self.first = np.array([start[int(s), c[0]] for s, c in zip(self.slope, self.columns, strict=True)])
        self.scales = np.array([knob.scale for knob in knobs])
        self.bounds = np.array([(knob.least, knob.most) for knob in knobs])

    def values(self, candidates: np.ndarray) -> np.ndarray:
        """Numbers of the gait (candidates, knobs) from scaled coordinates."""
        return np.clip(self.first + candidates * self.scales, self.bounds[:, 0], self.bounds[:, 1])

    def costs(self, candidates: np.ndarray, generator: np.random.Generator) -> np.ndarray:
        """Mean over starts plus half the worst (population,)."""
        tuning, batch = self.tuning, self.batch
        values = self.values(candidates)
        for k, (columns, is_slope) in enumerate(zip(self.columns, self.slope, strict=True)):
            self.table[int(is_slope) :: 2, columns] = values[:, k : k + 1]
        starts = perturbed_starts(
            self.scene,
            self.gait,
            tuning.starts,
            generator,
            angle_rad=tuning.start_angle_rad,
            spin_radps=tuning.start_spin_radps,
            speed_mps=tuning.start_speed_mps,
        )
        batch.reset(qpos=np.tile(starts[0], (tuning.population, 1)), qvel=np.tile(starts[1], (tuning.population, 1)))
        batch.parameter("walk", "first_phase")[:] = first_phase(self.gait)
        speed, turns, looks = self._ask(generator)
        half = batch.steps_in(tuning.seconds) // 2 * tuning.time_step_s
        batch.parameter("walk", "heading_rad")[:] = 0.0
        batch.parameter("posture", "heading_rad")[:] = 0.0
        batch.advance(half)
        batch.parameter("walk", "heading_rad")[:] = turns
        batch.parameter("posture", "heading_rad")[:] = turns
        batch.advance(tuning.seconds - half)
        cost = walk_cost(walk_report(batch), tuning.seconds, speed, looks, tuning.weights).reshape(tuning.population, -1)
        return cost.mean(axis=1) + 0.5 * cost.max(axis=1)

    def _ask(self, generator: np.random.Generator) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Give every start its speed, pushes and turn, the same for all candidates; returns speed, turn and share of looks."""
        tuning, batch = self.tuning, self.batch
        every = np.tile(np.arange(tuning.starts), tuning.population)
        calm = tuning.calm or -(-tuning.starts // 2)
        disturbed = (np.arange(tuning.starts) >= calm) & (tuning.push_n + tuning.heading_rad > 0)
        draws = generator.random((5, tuning.starts))
        low, high = tuning.speed_range_mps
        places = (np.arange(tuning.starts) + draws[3]) / calm  # one in each part of the range
        wanted = tuning.weights.speed_mps + np.where(disturbed, 0.0, -low + (low + high) * np.minimum(1.0, places))
        batch.parameter("walk", "speed_mps")[:] = wanted[every]
        batch.parameter("push", "newtons")[:] = (tuning.push_n * disturbed * (0.6 + 0.6 * draws[0]))[every]
        batch.parameter("push", "every_s")[:] = 4.0
        batch.parameter("push", "start_s")[:] = (2.5 + 1.2 * draws[1])[every]
        batch.parameter("push", "angle_rad")[:] = (2 * np.pi * draws[2])[every]
        turns = tuning.heading_rad * disturbed * (2 * draws[4] - 1)
        return wanted[every], turns[every], np.where(disturbed, tuning.disturbed_looks, 1.0)[every]


def fitting(gait: Gait, name: str) -> tuple[Knob, ...]:
    """The knobs of a set that this gait has."""
    if name not in SETS:
        raise UnknownName("set of knobs", name, SETS)
    dofs = {role_of(dof) for dof in character(gait.character).dof_names}
    known = {*dofs, *G._fields, *TRUNK}
    return tuple(knob for knob in SETS[name] if knob.paths[0].removeprefix("slope:").partition(".")[0] in known)


def tune(tuning: Tuning, command: str = "") -> Gait:
    """Improve a gait from where it stands; returns the gait at the centre of the search."""
    if tuning.style:
        tuning = dataclasses.replace(tuning, weights=Weights.of(tuning.style), style="")
    folder = pathlib.Path(tuning.out)
    folder.mkdir(parents=True, exist_ok=True)
    gait = load_gait(tuning.gait)
    if tuning.recapture:
        gait = dataclasses.replace(gait, start=captured_start(gait))
    gait = dataclasses.replace(gait, name=folder.name, description=tuning.description or gait.description)
    gait = gait.changed({"speed_mps": tuning.weights.speed_mps})
    knobs = fitting(gait, tuning.knobs)
    evaluation = Evaluation(gait, knobs, tuning)
    seeds = SeedTree(root=tuning.seed)
    search = Search(np.zeros(len(knobs)), sigma=tuning.sigma, population=tuning.population, generator=seeds.generator("cma"))
    told = folder / "told.npy"
    if told.exists():
        search.replay(list(np.load(told)))
    (folder / "config.json").write_text(json.dumps(dataclasses.asdict(tuning), indent=1))
    began = time.monotonic()
    for iteration in range(len(search.told), tuning.iterations):
        candidates = search.ask()
        costs = evaluation.costs(candidates, seeds.child("starts").generator(str(iteration)))
        search.tell(costs)
        print(
            f"{iteration:4d}  best {costs.min():8.2f}  median {np.median(costs):8.2f}  sigma {search.sigma:.3f}"
            f"  {time.monotonic() - began:6.0f} s",
            flush=True,
        )
        if iteration % 5 == 4:
            _save(folder, gait, evaluation, search, command)
    tuned = _save(folder, gait, evaluation, search, command)
    try:
        tuned = dataclasses.replace(tuned, start=captured_start(tuned))
    except SurefootError as error:
        print(f"the old start is kept: {error}")
    write_gait(tuned, folder / "gait.toml")
    return tuned


def _save(folder: pathlib.Path, gait: Gait, evaluation: Evaluation, search: Search, command: str) -> Gait:
    """Write the centre of the search as a gait, and the costs told so far."""
    values = evaluation.values(search.mean[None])[0]
    changes = {path: float(value) for knob, value in zip(evaluation.knobs, values, strict=True) for path in knob.paths}
    tuned = gait.changed(changes, command=command)
    write_gait(tuned, folder / "gait.toml")
    with written_whole(folder / "told.npy") as part:
        np.save(part, np.array(search.told))
    return tuned
