"""What a compiled part of the simulation loop is: laws, disturbances, meters and events share one signature.

A part is an ordinary typed Python function `part(s, w, table, p, m, out)`; tests call it uncompiled (`part.python`).
Here are the view of the simulation that it gets (`Sight`), the decorators that declare its parameters and memory, and
`Part`, one use of it in a batch. The loop that calls parts is in `engine`; laws themselves live in `controllers`.
"""

from __future__ import annotations

import dataclasses
import functools
from collections import namedtuple
from collections.abc import Callable, Sequence
from typing import Any, Literal, NamedTuple

import numba
import numpy as np
from numba import types

from surefoot.errors import UnknownName
from surefoot.physics.addresses import use_package_cache

Kind = Literal["law", "disturbance", "meter", "event"]


class Sight(NamedTuple):
    """What a part sees of one character in one simulation. World frame, SI; n internal DoF, b bodies, k contact points.

    Positions and velocities are those at the start of the step; `load` and `torque` are those of the last finished
    step for laws, disturbances, and of this step for meters and events. Bodies are in the character's own order, 0 the root.
    """

    time_s: float
    dt_s: float
    heading_rad: float
    """Yaw of the root about up."""
    mass_kg: float
    gravity_mps2: float
    step: int
    """Steps since the row was reset."""
    key: int
    """Random key of the row's place, for counter-based draws (`noise`)."""
    up: np.ndarray
    """(3,) minus gravity, of unit length."""
    forward: np.ndarray
    """(3,) heading direction, at right angles to up."""
    left: np.ndarray
    """(3,) up x forward."""
    com: np.ndarray
    """(3,) centre of mass."""
    com_velocity: np.ndarray
    """(3,)"""
    momentum: np.ndarray
    """(3,) angular momentum about the centre of mass; zeros unless a part declares `momentum=True`."""
    q: np.ndarray
    """(n,) joint angles."""
    v: np.ndarray
    """(n,) joint rates."""
    axis: np.ndarray
    """(n, 3) joint axes."""
    anchor: np.ndarray
    """(n, 3) joint anchors."""
    position: np.ndarray
    """(b, 3) body frames."""
    rotation: np.ndarray
    """(b, 9) body to world, rows first."""
    velocity: np.ndarray
    """(b, 6) angular velocity, then the velocity of the body point that coincides with the character's centre of mass."""
    centre: np.ndarray
    """(b, 3) centres of mass of the bodies."""
    weight: np.ndarray
    """(b,) body masses in kg."""
    point: np.ndarray
    """(k, 3) contact points."""
    load: np.ndarray
    """(k,) normal force on each contact point, N."""
    torque: np.ndarray
    """(n,) joint torques, after limits."""
    wrench: np.ndarray
    """(b, 6) external force and torque at the bodies' centres of mass; disturbances write it."""


_V, _M = types.float64[::1], types.float64[:, ::1]
SIGHT_TYPE = types.NamedTuple((types.float64,) * 5 + (types.int64,) * 2 + (_V,) * 8 + (_M,) * 6 + (_V, _M, _V, _V, _M), Sight)
SIGNATURE = types.float64(SIGHT_TYPE, types.int64[::1], _M, _V, _V, _M)
"""part(s, w, table, p, m, out) -> float: sight, wiring, shared table, own parameters, memory, [torque, stiffness, damping]."""


def names(*fields: str) -> Any:
    """A constant that maps each name to its position: `P = names('speed', 'gait'); p[P.speed]`, in compiled code too."""
    return namedtuple("Names", fields)(*range(len(fields)))


@dataclasses.dataclass(frozen=True, kw_only=True)
class PartKind:
    """A part as it was declared; `use` makes a `Part` of it."""

    name: str
    """Name of the function."""
    kind: Kind
    """law, disturbance, meter or event."""
    python: Callable[..., float]
    """The plain Python function."""
    parameters: tuple[str, ...]
    """Names of the row's numbers."""
    memory: tuple[str, ...]
    """Names of the first cells of memory."""
    defaults: dict[str, float]
    """Starting values of parameters; 0 for those not named."""
    momentum: bool
    """Whether it reads angular momentum, which costs a loop over the bodies."""

    @property
    def about(self) -> str:
        """What it does, in one line: the first of its function's docstring."""
        return (self.python.__doc__ or "").strip().partition("\n")[0]

    @functools.cached_property
    def address(self) -> int:
        """Address of the compiled function; the first use compiles it or loads it from disk."""
        use_package_cache()
        code = numba.njit(SIGNATURE, cache=True, nogil=True, error_model="numpy")(self.python)
        result = code.overloads[SIGNATURE.args]
        _KEEP.append(code)
        return int(result.library.get_pointer_to_function(result.fndesc.llvm_cfunc_wrapper_name))

    def use(
        self,
        *,
        name: str | None = None,
        character: int = 0,
        wiring: Sequence[int] | np.ndarray = (),
        table: np.ndarray | None = None,
        memory_size: int | None = None,
        **parameters: float,
    ) -> Part:
        """One use of this part in a batch; `parameters` are the starting values of every row."""
        for asked in parameters:
            if asked not in self.parameters:
                raise UnknownName("parameter", asked, self.parameters, where=f"{self.kind} '{self.name}'")
        values = [float({**self.defaults, **parameters}.get(field, 0.0)) for field in self.parameters]
        return Part(
            kind=self,
            name=name or self.name,
            character=character,
            wiring=np.asarray(wiring, dtype=np.int64),
            table=np.zeros((1, 1)) if table is None else np.ascontiguousarray(table, dtype=np.float64),
            memory_size=len(self.memory) if memory_size is None else memory_size,
            values=np.array(values),
        )


_KEEP: list[Any] = []
"""Compiled functions live as long as the process: their addresses are in use."""


@dataclasses.dataclass(frozen=True, kw_only=True, eq=False)
class Part:
    """One use of a part kind in a batch: on which character, with which wiring, table and starting parameters."""

    kind: PartKind
    """What was declared."""
    name: str
    """Unique in the batch."""
    character: int
    """Place in the scene's list of characters."""
    wiring: np.ndarray
    """Integers that a part needs to find joints and bodies, int64."""
    table: np.ndarray
    """Numbers shared by all rows, (entries, width); a row's parameters may index it."""
    memory_size: int
    """Cells of memory."""
    values: np.ndarray
    """Starting parameters of every row."""


def _declare(kind: Kind, parameters: Sequence[str], memory: Sequence[str], momentum: bool, defaults: dict[str, float]):
    def decorate(function: Callable[..., float]) -> PartKind:
        return PartKind(
            name=function.__name__,
            kind=kind,
            python=function,
            parameters=tuple(parameters),
            memory=tuple(memory),
            defaults=dict(defaults),
            momentum=momentum,
        )

    return decorate


def law(*, parameters: Sequence[str] = (), memory: Sequence[str] = (), momentum: bool = False, **defaults: float):
    """Declare a law: it fills `out` (3, n) with torque, stiffness and damping of each DoF and returns 0.0.

    `torque` is the whole torque at the present state, its springs and dampers included. `stiffness` and `damping` are
    minus its derivatives by angle and rate: the integrator uses them to stay stable at large steps.
    """
    return _declare("law", parameters, memory, momentum, defaults)


def disturbance(*, parameters: Sequence[str] = (), memory: Sequence[str] = (), momentum: bool = False, **defaults: float):
    """Declare a disturbance: after the laws it may change `out` (their sum) and add to `s.wrench`; returns 0.0."""
    return _declare("disturbance", parameters, memory, momentum, defaults)


def meter(*, parameters: Sequence[str] = (), memory: Sequence[str] = (), momentum: bool = False, **defaults: float):
    """Declare a meter: after the step it adds to its memory; returns 0.0."""
    return _declare("meter", parameters, memory, momentum, defaults)


def event(*, parameters: Sequence[str] = (), memory: Sequence[str] = (), momentum: bool = False, **defaults: float):
    """Declare an event: after the step it returns 1.0 when it happened in this step, else 0.0."""
    return _declare("event", parameters, memory, momentum, defaults)
