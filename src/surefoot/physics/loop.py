"""The way into the compiled loop: the batch's arrays enter `engine.run_rows` without their counts of references.

Compiled code counts a reference whenever an array is handed to a function or taken out of a tuple, by an atomic instruction;
a law is handed a score of arrays, and counting took half of the time between MuJoCo's steps. The arrays that enter here belong
to the caller, who keeps them for the whole call, so the loop works on views of the same memory that count nothing.
"""

from __future__ import annotations

import numba
from numba import carray  # type: ignore[attr-defined] - not in its __all__

from surefoot.physics.addresses import pointer
from surefoot.physics.engine import new_desk
from surefoot.physics.engine import run_rows as run_bare_rows
from surefoot.physics.layout import Desk, Parts, Rows, Sizes, Worker


@numba.njit(inline="always")
def bare(array):
    """A view of an array that counts no references; whoever makes it keeps the array alive."""
    return carray(pointer(array.ctypes.data), array.shape, array.dtype)


def run_rows(order, steps, until, worker, sizes, parts, rows, recording):
    """As `engine.run_rows`, with the same arrays."""
    w, p, r, d = worker, parts, rows, new_desk(sizes, parts)
    bare_worker = Worker(
        bare(w.engine),
        bare(w.model),
        bare(w.data),
        bare(w.gravity),
        bare(w.qvel),
        bare(w.sensors),
        bare(w.forces),
        bare(w.applied),
        bare(w.cells),
        bare(w.overrides),
        bare(w.channels),
    )
    bare_parts = Parts(
        bare(p.kind), bare(p.address), bare(p.character), bare(p.p), bare(p.m), bare(p.w), bare(p.table), bare(p.ending), bare(p.wiring)
    )
    bare_rows = Rows(
        bare(r.state),
        bare(r.parameters),
        bare(r.memory),
        bare(r.sensors),
        bare(r.torque),
        bare(r.overrides),
        bare(r.weights),
        bare(r.step),
        bare(r.status),
        bare(r.key),
        bare(r.model),
        bare(r.fired),
    )
    bare_sizes = Sizes(
        sizes.nv,
        sizes.bodies,
        sizes.sensors,
        sizes.actuators,
        sizes.state_parts,
        bare(sizes.characters),
        sizes.momentum,
        sizes.constants,
        sizes.dt_s,
    )
    desk = Desk(bare(d.up), bare(d.out), bare(d.total), bare(d.frame), bare(d.extra), bare(d.angles), bare(d.rates), bare(d.first))
    run_bare_rows(order, steps, until, bare_worker, bare_sizes, bare_parts, bare_rows, recording, desk)
    return d.up[0]  # the desk belongs to this function: this last use keeps it until the loop is done
