"""`as_completed`: a queue instead of a barrier, in an order that no thread changes."""

from collections.abc import Callable

import numpy as np
import pytest

from surefoot.characters import Character
from surefoot.errors import SurefootError
from surefoot.physics.batch import SimBatch
from surefoot.physics.events import clock, fall_of

Crowd = Callable[..., SimBatch]
DECISIONS = 3


def by_queue(batch: SimBatch, decisions: int = DECISIONS) -> list[tuple[int, int]]:
    """Every row through so many decisions; the order in which (decision, row) came back."""
    order = []
    queue = batch.as_completed("foot_strike", 0.3)
    for row in queue:
        order.append((int(queue.decisions[row]), row))
        batch.parameter("walk", "speed_mps")[row] += 0.01  # a learner decides
        if queue.decisions[row] < decisions:
            queue.again(row)
    return order


def by_barrier(batch: SimBatch, decisions: int = DECISIONS) -> None:
    for _ in range(decisions):
        going = batch.running.copy()
        batch.advance_until("foot_strike", 0.3)
        batch.parameter("walk", "speed_mps")[going] += 0.01


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_the_queue_gives_the_same_bits_as_the_barrier(crowd: Crowd, threads: int) -> None:
    queued, waited = crowd(12, threads=threads), crowd(12, threads=1)
    order = by_queue(queued)
    by_barrier(waited)
    assert order == sorted(order), "the order is that of (decision count, row)"
    ended = {row for row, reason in enumerate(queued.reasons()) if reason}
    assert ended and len(ended) < 12, "some are to fall and some to go on"
    for row in range(12):
        count = sum(1 for _, other in order if other == row)
        assert count == DECISIONS or (row in ended and count <= DECISIONS)
    for name, a, b in zip(queued.arrays._fields, queued.arrays, waited.arrays, strict=True):
        if name != "fired":  # the barrier forgets what the rows that ended before had fired
            assert a.tobytes() == b.tobytes(), name


def test_rows_that_end_leave_the_queue(held: Crowd, human: Character) -> None:
    """A learner that sends every row on, always, comes to an end when all rows have."""
    batch = held(4, clock.use(), fall_of(human, hold_s=0.0), endings=["fall"])
    batch.parameter("fall", "height_m")[:] = [9.0, 0.1, 0.1, 9.0]
    queue = batch.as_completed("clock", 0.05)
    seen = []
    for row in queue:
        seen.append(row)
        if len(seen) == 10:
            batch.parameter("fall", "height_m")[:] = 9.0
        assert len(seen) < 20
        queue.again(row)
    assert seen[:7] == [0, 1, 2, 3, 1, 2, 1]
    assert set(seen[4:]) == {1, 2}
    assert batch.reasons() == ["fall"] * 4


def test_rows_may_be_started_anew_in_the_loop(held: Crowd, human: Character) -> None:
    batch = held(2, clock.use(at_s=0.1), fall_of(human), endings=["fall"])
    batch.parameter("fall", "height_m")[1] = 9.0
    queue, seen = batch.as_completed("clock", 1.0), []
    for row in queue:
        seen.append((row, batch.reasons()[row]))
        if queue.decisions[row] < 3:
            batch.reset([row])
            queue.again(row)
    assert seen == [(0, None), (1, "fall")] * 3


def test_rows_of_unequal_length_come_back_in_order(held: Crowd) -> None:
    """A slow row 0 does not let a fast row 1 overtake in the order, whatever was finished first."""
    batch = held(3, clock.use())
    batch.parameter("clock", "at_s")[:] = [0.5, 1 / 240, 2 / 240]
    assert list(batch.as_completed("clock", 1.0)) == [0, 1, 2]
    assert (batch.arrays.step == [120, 1, 2]).all()


def test_a_row_that_times_out_comes_back_too(held: Crowd) -> None:
    batch = held(2, clock.use(at_s=9.0))
    assert list(batch.as_completed("clock", 0.05)) == [0, 1]
    assert batch.arrays.fired.tolist() == [-1, -1]


def test_only_running_rows_enter(held: Crowd, human: Character) -> None:
    batch = held(3, clock.use(at_s=0.1), fall_of(human), endings=["fall"])
    batch.parameter("fall", "height_m")[1] = 9.0
    batch.advance(1 / 240)
    assert list(batch.as_completed("clock", 1.0)) == [0, 2]


def test_a_row_cannot_be_sent_twice(held: Crowd) -> None:
    batch = held(3, clock.use(at_s=0.1))
    queue = batch.as_completed("clock", 0.2)
    with pytest.raises(SurefootError, match="row 1 is still under way: wait until it comes back"):
        queue.again(1)
    row = next(iter(queue))
    queue.again(row)
    with pytest.raises(SurefootError, match=f"row {row} is still under way"):
        queue.again(row)
    for missing in (3, -1):
        with pytest.raises(SurefootError, match=f"no row {missing}: this batch has 3"):
            queue.again(missing)
    assert np.unique(list(queue)).size == 3
