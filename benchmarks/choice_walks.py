"""What every study of choices measures of a walk: falls, the cycle, pushes survived, and the time that a step takes.

A `Way` is one manner of simulating the same gait; all ways get the same starts and pushes (common random numbers), from the
evaluation seed, which no tuning uses. Which ways there are is said in `choice_step`, `choice_laws` and `choice_cheap`.
"""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Mapping, Sequence

import numpy as np

from choice_rows import Row, interleaved, mean, median, ratios, share
from surefoot.characters import Character
from surefoot.controllers import simbicon as law
from surefoot.controllers.gait import Gait, simbicon_wiring
from surefoot.controllers.starts import first_phase, perturbed_starts
from surefoot.controllers.walk_report import walk_meters, walk_report
from surefoot.physics.batch import SimBatch
from surefoot.physics.disturbances import push_of
from surefoot.physics.events import fall_of
from surefoot.physics.law import Part
from surefoot.physics.overrides import Override
from surefoot.physics.scene import Scene
from surefoot.seeding import SeedTree

EVALUATION_SEED = 20_000
"""Tuning seeds are small numbers; these starts are never used there."""
SETTLED_S = 4.0
"""The cycle is measured from here on."""
CYCLE_HZ = 60.0
"""Poses of the cycle are recorded at a rate that divides every physics rate."""
PUSH_SECONDS = 8.5
"""A push starts between 3.0 and 4.2 s and lasts 0.4 s: this leaves 3.9 s and more to fall in."""


@dataclasses.dataclass(frozen=True, kw_only=True, slots=True)
class Size:
    """How much is simulated."""

    name: str
    starts: int = 16
    """Perturbed starts for falls and cycle."""
    seconds: float = 10.0
    """How long they walk."""
    directions_deg: tuple[float, ...] = (0, 45, 90, 135, 180, 225, 270, 315)
    """Where a push drives the walker, to the left of forward."""
    push_trials: int = 8
    """For each direction and force."""
    holds: int = 4
    """Scattered poses of a PD hold."""
    repeats: int = 7
    """Turns of a timing."""
    timing_rows: int = 64
    timing_steps: int = 120
    """Steps of one timing."""

    @property
    def smoke(self) -> bool:
        """Whether it only shows that everything works."""
        return self.name == "smoke"


DRAFT = Size(name="draft", starts=8, push_trials=1, holds=1, repeats=3, timing_rows=32)
SMOKE = Size(
    name="smoke", starts=2, seconds=4.5, directions_deg=(0.0, 90.0), push_trials=1, holds=1, repeats=2, timing_rows=4, timing_steps=12
)


@dataclasses.dataclass(frozen=True, kw_only=True, eq=False)
class Way:
    """One manner of simulating the same walk."""

    name: str
    scene: Scene
    parts: tuple[Part, ...]
    """The law, and disturbances that belong to the way."""
    overrides: Mapping[str, np.ndarray] = dataclasses.field(default_factory=dict)
    """Model arrays that differ, by name."""

    @property
    def character(self) -> Character:
        """Who walks."""
        return self.scene.slices[0].character


def walk_of(gait: Gait, who: Character) -> Part:
    """The gait's law, wired for `who`, which may have other contact points than the gait's own character."""
    return law.simbicon.use(
        name="walk",
        wiring=simbicon_wiring(who),
        table=gait.table(),
        memory_size=law.memory_size(who.dof_count),
        speed_mps=gait.scalars["speed_mps"],
        first_phase=first_phase(gait),
    )


def batch_of(way: Way, gait: Gait, rows: int, stream: str, more: Sequence[Part] = (), threads: int | None = None) -> SimBatch:
    """Starts with noise of 0.05 rad, 0.3 rad/s and 0.2 m/s at the root, the same for every way."""
    overrides = [Override(array=name) for name in way.overrides]
    parts = [*way.parts, *more, fall_of(way.character)]
    batch = SimBatch(way.scene, rows, parts, endings=["fall"], overrides=overrides, threads=threads, seed=EVALUATION_SEED)
    generator = SeedTree(root=EVALUATION_SEED).generator(stream)
    q, v = perturbed_starts(way.scene, gait, rows, generator, angle_rad=0.05, spin_radps=0.3, speed_mps=0.2)
    batch.reset(qpos=q, qvel=v)
    for name, values in way.overrides.items():
        batch.override(name)[:] = values
    return batch


@dataclasses.dataclass(frozen=True, kw_only=True, eq=False)
class Walked:
    """What became of the starts."""

    stood: np.ndarray
    """(starts,) whether it never fell nor blew up."""
    report: Mapping[str, np.ndarray]
    """(starts,) each, NaN where it fell."""
    cycle: np.ndarray
    """(starts, 2 n): mean and deviation over time of every joint angle, rad; NaN where it fell."""


def walked(way: Way, gait: Gait, size: Size) -> Walked:
    """Walk from all starts; the cycle is that of the rows that stood, after `SETTLED_S`."""
    batch = batch_of(way, gait, size.starts, "choices walk", walk_meters(way.character, after_s=SETTLED_S))
    batch.advance(SETTLED_S)
    trajectory = batch.advance(size.seconds - SETTLED_S, record_hz=CYCLE_HZ)
    assert trajectory is not None
    stood, part = batch.running.copy(), way.scene.slices[0]
    angles = trajectory.qpos[:, :, part.qpos : part.qpos + part.character.dof_count]
    cycle = np.concatenate([angles.mean(axis=1), angles.std(axis=1)], axis=1)
    report = {name: np.where(stood, values, np.nan) for name, values in walk_report(batch).items()}
    return Walked(stood=stood, report=report, cycle=np.where(stood[:, None], cycle, np.nan))


def cycle_difference_deg(a: np.ndarray, b: np.ndarray) -> float:
    """How far apart two cycles are: rms over joints of the differences in mean angle and in deviation, means over rows first."""
    a, b = a[np.isfinite(a[:, 0])], b[np.isfinite(b[:, 0])]
    if not (len(a) and len(b)):
        return np.nan
    return float(np.degrees(np.sqrt(2.0 * np.mean((a.mean(axis=0) - b.mean(axis=0)) ** 2))))


def pushed(way: Way, gait: Gait, size: Size, forces_n: Sequence[float]) -> np.ndarray:
    """One push of 0.4 s on the torso; whether each stood, (forces, directions, trials)."""
    shape = (len(forces_n), len(size.directions_deg), size.push_trials)
    # a start and a time belong to the trial: every direction and force meets the same
    starts = SeedTree(root=EVALUATION_SEED).generator("choices push times")
    batch = batch_of(way, gait, int(np.prod(shape)), "choices push", [push_of(way.character)])
    for array in (batch.qpos, batch.qvel):
        array[:] = np.tile(array[: size.push_trials], (shape[0] * shape[1], 1))
    angle, newtons, start = np.broadcast_arrays(
        np.radians(size.directions_deg)[None, :, None],
        np.array(forces_n)[:, None, None],
        (3.0 + 1.2 * starts.random(size.push_trials))[None, None],
    )
    for field, values in (("angle_rad", angle), ("newtons", newtons), ("start_s", start)):
        batch.parameter("push", field)[:] = values.ravel()
    batch.advance(PUSH_SECONDS)
    return batch.running.reshape(shape)


CYCLE_ROWS = ("speed_mps", "step_s", "step_m", "peak_load_bw", "cost_of_transport", "double_support", "slip_m")
"""What of a walk's report goes into the results."""


def walk_rows(name: str, found: Walked, fields: Sequence[str] = CYCLE_ROWS) -> list[Row]:
    """Survival, and the means of those that stood."""
    rows = [share(f"{name}.stood", int(found.stood.sum()), found.stood.size)]
    return rows + [mean(f"{name}.{field}", found.report[field]) for field in fields]


def push_rows(name: str, stood: np.ndarray, forces_n: Sequence[float]) -> list[Row]:
    """Survivors of each force, over all directions."""
    return [share(f"{name}.push_{force:g}", int(stood[i].sum()), stood[i].size) for i, force in enumerate(forces_n)]


def step_times(ways: Sequence[Way], gait: Gait, size: Size) -> dict[str, list[float]]:
    """Microseconds of processor time of a controlled step in mid-walk, one thread, each way in each turn."""
    calls = {}
    for way in ways:
        batch = batch_of(way, gait, size.timing_rows, "choices timing", threads=1)
        batch.advance(1.0)
        calls[way.name] = _Timed(batch, size.timing_steps * way.scene.time_step_s)
    return interleaved(calls, size.repeats)


class _Timed:
    """Calling it advances a batch from the same state every time and gives the microseconds of a step of a row."""

    def __init__(self, batch: SimBatch, seconds: float) -> None:
        self._batch, self._seconds, self._state = batch, seconds, batch.snapshot()

    def __call__(self) -> float:
        self._batch.restore(self._state)
        began = time.process_time()  # not wall time: what else runs on the machine counts less
        self._batch.advance(self._seconds)
        spent = time.process_time() - began
        return 1e6 * spent / max(1, int((self._batch.arrays.step - self._state["step"]).sum()))


def time_rows(taken: Mapping[str, list[float]], against: str) -> list[Row]:
    """Time of a step, and its ratio to one of the ways, turn by turn."""
    rows = [median(f"{name}.step_us", values) for name, values in taken.items()]
    return rows + [median(f"{name}.time_ratio", ratios(taken, name, against)) for name in taken]
