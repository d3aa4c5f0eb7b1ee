"""Results of background work on a batch: `Pending` for a barrier, `Completion` for a queue of rows.

Both only wait and order; the stepping is in `engine`, started by `batch`.
"""

from __future__ import annotations

import concurrent.futures
import heapq
from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from surefoot.errors import WrongValue
from surefoot.physics.layout import Recording
from surefoot.physics.trajectory import Trajectory

if TYPE_CHECKING:
    from surefoot.physics.batch import SimBatch


class Pending:
    """An advance that goes on in the background; `result` waits for it and returns what was recorded."""

    def __init__(
        self,
        jobs: list[concurrent.futures.Future[None]],
        recording: Recording,
        every_s: float,
        channels: tuple[str, ...],
        lengths: tuple[int, ...],
    ) -> None:
        self._jobs, self._recording, self._every_s = jobs, recording, every_s
        self._channels, self._lengths = channels, lengths

    def done(self) -> bool:
        """Whether every row has arrived."""
        return all(job.done() for job in self._jobs)

    def result(self) -> Trajectory | None:
        """Wait; the recording, or None where nothing was recorded."""
        for job in self._jobs:
            job.result()
        if not self._recording.every:
            return None
        frames = self._recording.frames
        edges = np.cumsum((0, *self._lengths))
        parts = {name: frames[:, :, edges[i] : edges[i + 1]] for i, name in enumerate(self._channels)}
        return Trajectory(time_s=np.arange(frames.shape[1]) * self._every_s, channels=parts, count=self._recording.written)


class Completion:
    """Rows as they finish a decision: iterate, look at the row, write its parameters, `again(row)` to send it on.

    Rows come back in the order (decision count, row) whatever the number of threads, so a learner sees the same
    sequence everywhere; rows that wait for their turn are computed meanwhile. A row that ended for good, or is not sent
    again, leaves the queue.
    """

    def __init__(self, batch: SimBatch, event: int, steps: int) -> None:
        self._batch, self._event, self._steps = batch, event, steps
        self._flying: list[tuple[int, int]] = []
        self._jobs: dict[int, concurrent.futures.Future[None]] = {}
        self.decisions = np.zeros(batch.rows, np.int64)
        """How many decisions each row has finished."""
        for row in np.flatnonzero(batch.running):
            self.again(int(row))

    def again(self, row: int) -> None:
        """Send a row on to its next event; one that has ended for good stays out of the queue."""
        if not 0 <= row < self._batch.rows:
            raise WrongValue(f"no row {row}: this batch has {self._batch.rows}, counted from 0")
        if row in self._jobs:
            raise WrongValue(f"row {row} is still under way: wait until it comes back before sending it again")
        if not self._batch.running[row]:
            return
        heapq.heappush(self._flying, (int(self.decisions[row]), row))
        self._jobs[row] = self._batch.run_row(row, self._steps, self._event)

    def __iter__(self) -> Iterator[int]:
        while self._flying:
            _, row = heapq.heappop(self._flying)
            self._jobs.pop(row).result()
            self.decisions[row] += 1
            yield row
