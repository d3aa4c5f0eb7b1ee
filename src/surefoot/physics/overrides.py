"""Model overrides: any array of `MjModel` by name, as part of a row, written into a thread's own model before the row steps.

Constants that MuJoCo derives from an array (subtree masses, inverse weights) follow: such overrides make the engine call
`mj_setConst` for each row. Arrays that define sizes or the tree are refused.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import mujoco
import numpy as np

from surefoot.errors import SurefootError, UnknownName

PLAIN = frozenset(
    [
        "gravity",
        "geom_friction",
        "geom_solref",
        "geom_solimp",
        "pair_friction",
        "pair_solref",
        "pair_solimp",
        "pair_margin",
        "dof_damping",
        "dof_frictionloss",
        "jnt_stiffness",
        "jnt_range",
        "jnt_solref",
        "jnt_solimp",
        "qpos_spring",
        "actuator_gainprm",
        "actuator_forcerange",
        "actuator_ctrlrange",
    ]
)
"""Arrays that the step reads directly; nothing else is derived from them."""
DERIVED = frozenset(["body_mass", "body_inertia", "body_ipos", "body_iquat", "body_pos", "body_quat", "dof_armature", "actuator_gear"])
"""Arrays from which mj_setConst derives others (subtree mass, inverse weights, accelerations of actuators)."""


@dataclasses.dataclass(frozen=True, kw_only=True, slots=True)
class Override:
    """One array of the model, or part of it, that differs from row to row."""

    array: str
    """Name of an `MjModel` array, or 'gravity'."""
    index: tuple[int, ...] | None = None
    """Flat positions in it; None: all."""

    @property
    def derived(self) -> bool:
        """Whether MuJoCo derives other constants from it."""
        return self.array in DERIVED


def array_of(model: mujoco.MjModel, override: Override) -> np.ndarray:
    """The model's array that an override writes, as a flat view."""
    if override.array not in PLAIN | DERIVED:
        if hasattr(model, override.array):
            raise SurefootError(
                f"'{override.array}' cannot differ between rows: it shapes the model, or nothing would follow its change; "
                "compile a second scene and give it to the row (SimBatch.use_scenes)"
            )
        raise UnknownName("model array", override.array, sorted(PLAIN | DERIVED))
    if override.array.startswith("geom_") and not model.geom_contype.any():
        raise SurefootError(
            f"nothing would follow '{override.array}': this scene's contacts are pairs, so override 'pair{override.array[4:]}'"
        )
    view = model.opt.gravity if override.array == "gravity" else getattr(model, override.array)
    return view.reshape(-1)


def positions(model: mujoco.MjModel, override: Override) -> np.ndarray:
    """Flat positions that an override writes."""
    size = array_of(model, override).size
    if not size:
        raise SurefootError(f"nothing would follow '{override.array}': it is empty in this scene")
    wanted = np.arange(size) if override.index is None else np.asarray(override.index, dtype=np.int64)
    if wanted.size and not (wanted.min() >= 0 and wanted.max() < size):
        raise SurefootError(f"override of '{override.array}' names position {int(wanted.max())}: it has {size} numbers")
    return wanted


def starting_values(model: mujoco.MjModel, overrides: Sequence[Override]) -> np.ndarray:
    """The model's own values at all overridden positions, one after another."""
    pieces = [array_of(model, override)[positions(model, override)] for override in overrides]
    return np.concatenate(pieces) if pieces else np.zeros(0)


def addresses(model: mujoco.MjModel, overrides: Sequence[Override]) -> np.ndarray:
    """Memory addresses of all overridden numbers in one model, int64."""
    pieces = [array_of(model, override).ctypes.data + 8 * positions(model, override) for override in overrides]
    return np.concatenate(pieces).astype(np.int64) if pieces else np.zeros(0, np.int64)
