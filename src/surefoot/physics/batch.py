"""SimBatch: any number of seeded simulations, advanced together by compiled control.

Rows are states, streamed through a few `MjData` a thread (`worker`, `engine`); parameters, memory, model overrides and
noise keys are part of a row, so snapshots, forks and resumes carry them, and no result depends on threads or chunks.
What happens inside a step is in `engine`; policies that act at a control clock are in `surefoot.rollouts`.
"""

from __future__ import annotations

import concurrent.futures
import functools
import hashlib
import os
import queue
from collections.abc import Mapping, Sequence
from typing import Any

import mujoco
import numba
import numpy as np

from surefoot.errors import SurefootError, UnknownName, WrongValue, nearest
from surefoot.physics import engine, layout, loop, noise
from surefoot.physics import overrides as override_tools
from surefoot.physics.addresses import address_of, use_package_cache
from surefoot.physics.completion import Completion, Pending
from surefoot.physics.law import Part
from surefoot.physics.overrides import Override
from surefoot.physics.scene import Scene
from surefoot.physics.trajectory import Trajectory
from surefoot.physics.worker import LATE, ThreadModels, channel_array
from surefoot.seeding import SeedTree

STATE_PARTS = int(mujoco.mjtState.mjSTATE_FULLPHYSICS) | int(mujoco.mjtState.mjSTATE_WARMSTART)
CHUNKS_A_THREAD = 8
"""So many pieces a thread, so that a fallen, contact-rich simulation holds nobody up."""
_KIND = {"law": engine.LAW, "disturbance": engine.DISTURBANCE, "meter": engine.METER, "event": engine.EVENT}


@functools.cache
def _compiled_loop() -> Any:
    """The engine's loop, compiled or loaded from disk on first use."""
    use_package_cache()
    return numba.njit(cache=True, nogil=True, error_model="numpy")(loop.run_rows)


class SimBatch:
    """Simulations of one scene (or of a pool of scenes of equal shape) under the same parts."""

    def __init__(
        self,
        scene: Scene | Sequence[Scene],
        rows: int,
        parts: Sequence[Part],
        *,
        endings: Sequence[str] = (),
        overrides: Sequence[Override] = (),
        threads: int | None = None,
        chunk: int | None = None,
        seed: int = 0,
    ) -> None:
        """`endings` names the event parts that end a simulation for good, with their name as the reason."""
        self.scenes = (scene,) if isinstance(scene, Scene) else tuple(scene)
        self.rows = rows
        self.parts = tuple(sorted(parts, key=lambda part: _KIND[part.kind.kind]))
        self.threads = threads or os.cpu_count() or 1
        self._chunk = chunk
        self._index = {part.name: i for i, part in enumerate(self.parts)}
        if len(self._index) < len(self.parts):
            raise SurefootError("two parts of a batch share a name: give one of them name='...'")
        for part in self.parts:
            if not 0 <= part.character < len(self.scene.slices):
                here = len(self.scene.slices)
                raise WrongValue(f"part '{part.name}' is for character {part.character}: the scene has {here}, counted from 0")
        for name in endings:
            self._event_index(name)
        self._table = _parts_table(self.parts, frozenset(endings))
        self._overrides = tuple(overrides)
        self._sizes = _sizes(self.scenes, self.parts, self._overrides)
        self.arrays = self._fresh_rows(seed)
        self._workers: queue.SimpleQueue[ThreadModels] = queue.SimpleQueue()
        for _ in range(self.threads):
            self._workers.put(ThreadModels(self.scenes, self._overrides))
        self._pool = concurrent.futures.ThreadPoolExecutor(self.threads, thread_name_prefix="surefoot")
        self.reset()

    @property
    def scene(self) -> Scene:
        """The first (usually only) scene."""
        return self.scenes[0]

    @property
    def model(self) -> mujoco.MjModel:
        """The first scene's model; do not change it."""
        return self.scene.model

    def _fresh_rows(self, seed: int) -> layout.Rows:
        model, n = self.model, self.rows
        values = override_tools.starting_values(model, self._overrides)
        p_width, m_width = int(self._table.p[-1, 1]) if self.parts else 0, int(self._table.m[-1, 1]) if self.parts else 0
        return layout.Rows(
            state=np.zeros((n, mujoco.mj_stateSize(model, STATE_PARTS))),
            parameters=np.tile(np.concatenate([np.zeros(0), *[part.values for part in self.parts]]), (n, 1)).reshape(n, p_width),
            memory=np.zeros((n, m_width)),
            sensors=np.zeros((n, model.nsensordata)),
            torque=np.zeros((n, model.nu)),
            overrides=np.tile(values, (n, 1)).reshape(n, values.size),
            weights=np.ones((n, max(1, len(self.parts)))),
            step=np.zeros(n, np.int64),
            status=np.zeros(n, np.int64),
            key=noise.row_keys(int(SeedTree(root=seed).key("rows")), n),
            model=np.zeros(n, np.int64),
            fired=np.full(n, -1, np.int64),
        )

    # ---- what a row holds ---------------------------------------------------------------------------------------------

    def _part_index(self, name: str) -> int:
        if name not in self._index:
            raise UnknownName("part", name, self._index, where="this batch")
        return self._index[name]

    def _event_index(self, name: str) -> int:
        events = {part.name: i for i, part in enumerate(self.parts) if part.kind.kind == "event"}
        if name in self._index and name not in events:
            kind = self.parts[self._index[name]].kind.kind
            raise WrongValue(f"'{name}' is a {kind} and never happens: name an event of this batch, {nearest(name, events)}")
        return self._part_index(name)

    def parameters(self, name: str) -> np.ndarray:
        """A part's parameters, a view (rows, parameters) that may be written."""
        lo, hi = self._table.p[self._part_index(name)]
        return self.arrays.parameters[:, lo:hi]

    def parameter(self, name: str, field: str) -> np.ndarray:
        """One parameter of a part, a view (rows,) that may be written: `batch.parameter('push', 'newtons')[:] = 150`."""
        fields = self.parts[self._part_index(name)].kind.parameters
        if field not in fields:
            raise UnknownName("parameter", field, fields, where=f"part '{name}'")
        return self.parameters(name)[:, fields.index(field)]

    def memory(self, name: str) -> np.ndarray:
        """A part's memory, a view (rows, cells)."""
        lo, hi = self._table.m[self._part_index(name)]
        return self.arrays.memory[:, lo:hi]

    def recalled(self, name: str, field: str) -> np.ndarray:
        """One cell of a part's memory, a view (rows,): `batch.recalled('gait_meter', 'steps')`."""
        fields = self.parts[self._part_index(name)].kind.memory
        if field not in fields:
            raise UnknownName("memory cell", field, fields, where=f"part '{name}'")
        return self.memory(name)[:, fields.index(field)]

    def weight(self, name: str) -> np.ndarray:
        """The share of a law's output, a view (rows,) that may be written."""
        return self.arrays.weights[:, self._part_index(name)]

    def override(self, array: str) -> np.ndarray:
        """The overridden numbers of one model array, a view (rows, numbers) that may be written."""
        at = 0
        for override in self._overrides:
            size = override_tools.positions(self.model, override).size
            if override.array == array:
                return self.arrays.overrides[:, at : at + size]
            at += size
        raise UnknownName("override", array, [override.array for override in self._overrides], where="this batch")

    def state(self, part: mujoco.mjtState) -> np.ndarray:
        """A part of MuJoCo's state, a view (rows, width)."""
        first = mujoco.mj_stateSize(self.model, STATE_PARTS & (int(part) - 1))
        return self.arrays.state[:, first : first + mujoco.mj_stateSize(self.model, int(part))]

    @property
    def qpos(self) -> np.ndarray:
        """Positions (rows, nq)."""
        return self.state(mujoco.mjtState.mjSTATE_QPOS)

    @property
    def qvel(self) -> np.ndarray:
        """Velocities (rows, nv)."""
        return self.state(mujoco.mjtState.mjSTATE_QVEL)

    @property
    def time_s(self) -> np.ndarray:
        """Seconds since each row's reset."""
        return self.arrays.step * self._sizes.dt_s

    @property
    def running(self) -> np.ndarray:
        """Mask of rows that have neither blown up nor ended."""
        return self.arrays.status == engine.RUNNING

    def reasons(self) -> list[str | None]:
        """Why each row stopped: None while it runs, 'diverged', or the name of the ending."""
        words = {engine.RUNNING: None, engine.DIVERGED: "diverged"}
        words |= {engine.FIRST_ENDING + i: part.name for i, part in enumerate(self.parts)}
        return [words[int(code)] for code in self.arrays.status]

    def digest(self) -> str:
        """SHA-256 of everything a row holds, over all rows: equal digests mean equal bits."""
        code = hashlib.sha256()
        for array in self.arrays:
            code.update(np.ascontiguousarray(array).tobytes())
        return code.hexdigest()

    # ---- starting, keeping, copying ------------------------------------------------------------------------------------

    def reset(self, rows: Any = slice(None), *, qpos: np.ndarray | None = None, qvel: np.ndarray | None = None) -> None:
        """Start rows anew: standing in their own scene (or at the given positions and velocities), memory empty, time zero."""
        stands = [scene.standing() for scene in self.scenes]
        a = self.arrays
        a.state[rows] = 0.0
        self.qpos[rows] = np.array([stand[0] for stand in stands])[a.model[rows]] if qpos is None else qpos
        self.qvel[rows] = np.array([stand[1] for stand in stands])[a.model[rows]] if qvel is None else qvel
        a.memory[rows], a.sensors[rows], a.torque[rows] = 0.0, 0.0, 0.0
        a.step[rows], a.status[rows], a.fired[rows] = 0, engine.RUNNING, -1

    def resume(self, rows: Any = slice(None)) -> None:
        """Let rows that ended go on from where they are, a fallen body included; those that blew up stay stopped."""
        status = self.arrays.status[rows]
        self.arrays.status[rows] = np.where(status == engine.DIVERGED, status, engine.RUNNING)

    def use_scenes(self, scenes: Any, rows: Any = slice(None)) -> None:
        """Give rows a scene of the pool each, by place; overridden numbers go back to that scene's own, and the rows start anew."""
        chosen = np.asarray(scenes, np.int64)
        if chosen.size and not (chosen.min() >= 0 and chosen.max() < len(self.scenes)):
            raise WrongValue(f"no scene {int(chosen.max())} in this batch: it has {len(self.scenes)}, counted from 0")
        self.arrays.model[rows] = chosen
        own = np.array([override_tools.starting_values(scene.model, self._overrides) for scene in self.scenes])
        self.arrays.overrides[rows] = own[self.arrays.model[rows]]
        self.reset(rows)

    def snapshot(self) -> dict[str, np.ndarray]:
        """A copy of everything the rows hold, plain arrays by name."""
        return {name: array.copy() for name, array in self.arrays._asdict().items()}

    def restore(self, snapshot: Mapping[str, np.ndarray]) -> None:
        """Go back to a snapshot, bit for bit."""
        for name, array in self.arrays._asdict().items():
            if snapshot[name].shape != array.shape:
                raise WrongValue(f"snapshot holds '{name}' of shape {snapshot[name].shape}, this batch has {array.shape}")
            array[...] = snapshot[name]

    def fork(self, indices: np.ndarray | Sequence[int]) -> None:
        """Row i becomes a copy of row indices[i]; noise keys stay with their places, so that children differ."""
        chosen = np.asarray(indices, np.int64)
        if chosen.shape != (self.rows,) or chosen.min(initial=0) < 0 or chosen.max(initial=0) >= self.rows:
            raise WrongValue(f"fork needs {self.rows} row numbers from 0 to {self.rows - 1}")
        for name, array in self.arrays._asdict().items():
            if name != "key":
                array[...] = array[chosen]

    # ---- going on in time ----------------------------------------------------------------------------------------------

    def steps_in(self, seconds: float) -> int:
        """Physics steps in a duration; refuses durations that are not whole steps to within a thousandth."""
        steps = round(seconds / self._sizes.dt_s)
        if seconds < 0 or abs(steps * self._sizes.dt_s - seconds) > 1e-3 * self._sizes.dt_s + 1e-9 * seconds:
            count = f"{seconds / self._sizes.dt_s:.3f} physics steps of {self._sizes.dt_s} s"
            raise WrongValue(f"{seconds} s is {count}: choose a whole number of steps")
        return steps

    def advance(self, seconds: float, *, record_hz: float = 0.0, channels: Sequence[str] = ("qpos",)) -> Trajectory | None:
        """Advance every running row by a duration; with `record_hz`, return the recorded channels."""
        return self.start(seconds, record_hz=record_hz, channels=channels).result()

    def start(self, seconds: float, *, until: str | None = None, record_hz: float = 0.0, channels: Sequence[str] = ("qpos",)) -> Pending:
        """Like `advance`, without waiting: the rows must be left alone until `.result()` returns."""
        steps = self.steps_in(seconds)
        event = -1 if until is None else self._event_index(until)
        self.arrays.fired[:] = -1
        recording, lengths = self._recording(steps, record_hz, tuple(channels))
        order = np.flatnonzero(self.running)
        size = self._chunk or max(1, -(-order.size // (self.threads * CHUNKS_A_THREAD)))
        jobs = [
            self._pool.submit(self._run, order[at : at + size], steps, event, recording, tuple(channels))
            for at in range(0, order.size, size)
        ]
        every_s = recording.every * self._sizes.dt_s
        return Pending(jobs, recording, every_s, tuple(channels), lengths)

    def advance_until(self, event: str, timeout_s: float) -> np.ndarray:
        """Advance each running row until an event happens in it; returns the mask of rows in which it did."""
        self.start(timeout_s, until=event).result()
        return self.arrays.fired == self._part_index(event)

    def as_completed(self, event: str, timeout_s: float) -> Completion:
        """A queue instead of a barrier: rows come back in the order (decision count, row); see `Completion`."""
        return Completion(self, self._event_index(event), self.steps_in(timeout_s))

    def run_row(self, row: int, steps: int, event: int) -> concurrent.futures.Future[None]:
        """Advance a single row in the background; used by `Completion`."""
        return self._pool.submit(self._run, np.array([row]), steps, event, self._recording(0, 0.0, ())[0], ())

    def _run(self, order: np.ndarray, steps: int, event: int, recording: layout.Recording, channels: tuple[str, ...]) -> None:
        models = self._workers.get()
        try:
            worker = models.recording(channels) if recording.every else models.worker
            _compiled_loop()(order, steps, event, worker, self._sizes, self._table, self.arrays, recording)
        finally:
            self._workers.put(models)

    def _recording(self, steps: int, hertz: float, channels: tuple[str, ...]) -> tuple[layout.Recording, tuple[int, ...]]:
        if not hertz:
            nothing = np.zeros(0, np.int64)
            return layout.Recording(0, nothing, np.zeros(0, np.bool_), np.zeros((1, 0, 0)), np.zeros(1, np.int64)), ()
        every = round(1.0 / (hertz * self._sizes.dt_s))
        if every < 1 or abs(every * hertz * self._sizes.dt_s - 1.0) > 1e-6:
            raise WrongValue(f"{hertz} Hz does not divide the physics rate of {1.0 / self._sizes.dt_s:.6g} Hz")
        data = mujoco.MjData(self.model)
        lengths = tuple(channel_array(data, self.model, name).size for name in channels)
        frames = np.zeros((self.rows, -(-steps // every), sum(lengths)))
        late = np.array([name in LATE for name in channels], np.bool_)
        return layout.Recording(every, np.array(lengths, np.int64), late, frames, np.zeros(self.rows, np.int64)), lengths


def _parts_table(parts: Sequence[Part], endings: frozenset[str]) -> layout.Parts:
    """Parts as the engine reads them: kinds, addresses and slices."""

    def slices(sizes: Sequence[int]) -> np.ndarray:
        edges = np.concatenate([[0], np.cumsum(np.array(sizes, np.int64))]).astype(np.int64)
        return np.stack([edges[:-1], edges[1:]], axis=1)

    return layout.Parts(
        kind=np.array([_KIND[part.kind.kind] for part in parts], np.int64),
        address=np.array([part.kind.address for part in parts], np.int64),
        character=np.array([part.character for part in parts], np.int64),
        p=slices([part.values.size for part in parts]),
        m=slices([part.memory_size for part in parts]),
        w=slices([part.wiring.size for part in parts]),
        table=np.array([(address_of(part.table), *part.table.shape) for part in parts], np.int64).reshape(len(parts), 3),
        ending=np.array([part.name in endings for part in parts], np.bool_),
        wiring=np.concatenate([np.zeros(0, np.int64), *[part.wiring for part in parts]]),
    )


def _sizes(scenes: Sequence[Scene], parts: Sequence[Part], overrides: Sequence[Override]) -> layout.Sizes:
    """Shapes shared by the pool of scenes; refuses scenes of different shape."""
    shapes = {(s.model.nq, s.model.nv, s.model.nu, s.model.nbody, s.model.nsensordata, s.time_step_s, len(s.slices)) for s in scenes}
    if len(shapes) > 1:
        raise SurefootError(f"scenes in one batch must have equal shapes and steps, these differ: {sorted(shapes)}")
    if len({override_tools.starting_values(scene.model, overrides).size for scene in scenes}) > 1:
        raise SurefootError("an overridden array has other sizes in other scenes of this batch: name positions that all have (index=...)")
    model = scenes[0].model
    counted = [
        [(part.character.dof_count, len(part.character.links), len(part.character.contact_points)) for part in scene.slices]
        for scene in scenes
    ]
    if any(counts != counted[0] for counts in counted):
        raise SurefootError(f"scenes in one batch must hold characters of equal shape, these differ (DoF, links, points): {counted}")
    characters = counted[0]
    return layout.Sizes(
        nv=model.nv,
        bodies=model.nbody,
        sensors=model.nsensordata,
        actuators=model.nu,
        state_parts=STATE_PARTS,
        characters=np.array(characters, np.int64).reshape(-1, 3),
        momentum=any(part.kind.momentum for part in parts),
        constants=any(override.derived for override in overrides),
        dt_s=scenes[0].time_step_s,
    )
