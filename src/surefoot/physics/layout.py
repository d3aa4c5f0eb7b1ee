"""What the compiled loop reads and writes, as named tuples of arrays and addresses: workers, sizes, parts, rows, recordings.

Only the layout is here, with shapes. `worker` fills in a thread's addresses, `batch` owns the rows, `engine` steps them.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np


class Cells(NamedTuple):
    """Where one character's arrays lie in one `MjData` and `MjModel`: columns of the cell table."""

    q: int = 0
    v: int = 1
    axis: int = 2
    anchor: int = 3
    position: int = 4
    rotation: int = 5
    velocity: int = 6
    centre: int = 7
    weight: int = 8
    com: int = 9
    point: int = 10
    load: int = 11
    torque: int = 12
    wrench: int = 13
    ctrl: int = 14
    bias: int = 15
    inertia: int = 16
    inertia_frame: int = 17
    limit: int = 18


CELL = Cells()
BIAS_WIDTH = 10  # mjNBIAS


class Worker(NamedTuple):
    """Addresses that one thread works with; first axis: the model in the pool."""

    engine: np.ndarray
    """Addresses of the C functions (`addresses.ENGINE_FUNCTIONS`)."""
    model: np.ndarray
    data: np.ndarray
    gravity: np.ndarray
    qvel: np.ndarray
    sensors: np.ndarray
    forces: np.ndarray
    """actuator_force."""
    applied: np.ndarray
    """xfrc_applied."""
    cells: np.ndarray
    """(models, characters, len(Cells))"""
    overrides: np.ndarray
    """(models, overrides) addresses of single numbers in the model."""
    channels: np.ndarray
    """(models, channels) addresses of what is recorded."""


class Sizes(NamedTuple):
    """Shapes of the scene, the same for every model in the pool."""

    nv: int
    bodies: int
    sensors: int
    actuators: int
    state_parts: int
    """Bits of MuJoCo's state that a row consists of."""
    characters: np.ndarray
    """(characters, 3): DoF, bodies, contact points."""
    momentum: bool
    constants: bool
    """Whether overrides change constants that MuJoCo derives (mj_setConst)."""
    dt_s: float


class Parts(NamedTuple):
    """The parts of a batch, sorted laws, disturbances, meters, events; one entry each."""

    kind: np.ndarray
    address: np.ndarray
    character: np.ndarray
    p: np.ndarray
    """(parts, 2) slice of the row's parameters."""
    m: np.ndarray
    """(parts, 2) slice of the row's memory."""
    w: np.ndarray
    """(parts, 2) slice of `wiring`."""
    table: np.ndarray
    """(parts, 3) address, rows and columns of the shared table."""
    ending: np.ndarray
    """Whether an event ends the simulation for good."""
    wiring: np.ndarray


class Rows(NamedTuple):
    """What a simulation consists of; first axis: the row."""

    state: np.ndarray
    """MuJoCo's state: time, positions, velocities, activations, warm start."""
    parameters: np.ndarray
    memory: np.ndarray
    sensors: np.ndarray
    """Last contact forces: not in MuJoCo's state, and laws read them."""
    torque: np.ndarray
    """Last joint torques, for the same reason."""
    overrides: np.ndarray
    weights: np.ndarray
    """(rows, parts): each law's output is scaled by its weight."""
    step: np.ndarray
    status: np.ndarray
    key: np.ndarray
    model: np.ndarray
    fired: np.ndarray
    """Index of the event part that stopped the last `advance_until`, or -1."""


class Recording(NamedTuple):
    """What is recorded: every so many steps (0: nothing) the channels, one after another, into `frames`."""

    every: int
    length: np.ndarray
    """(channels,) numbers in each channel."""
    late: np.ndarray
    """(channels,) whether it is known only when the step is done (forces); the others belong to the step's start."""
    frames: np.ndarray
    """(rows, frames, width) float32 or float64."""
    written: np.ndarray
    """(rows,) frames written."""


class Desk(NamedTuple):
    """Room to work in, one for each call: what laws write, and each character's features at the step's start."""

    up: np.ndarray
    out: np.ndarray
    """(3, n) of one law."""
    total: np.ndarray
    """(3, n) of all laws."""
    frame: np.ndarray
    """(characters, 7) heading frame."""
    extra: np.ndarray
    """(characters, 7) velocity of the centre of mass, angular momentum, mass."""
    angles: np.ndarray
    rates: np.ndarray
    first: np.ndarray
    """Where each kind of part begins, and how many parts there are."""
