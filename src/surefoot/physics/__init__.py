"""Physics: how it moves, and the only place that steps MuJoCo.

`build_scene` compiles characters and ground into a `Scene`; a `SimBatch` advances any number of rows of it under laws,
disturbances, meters and events, which are declared with the decorators of `surefoot.physics.law`. What torques a law gives
is in `surefoot.controllers`; who moves is in `surefoot.characters`.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from surefoot.physics.batch import SimBatch
    from surefoot.physics.law import Part, PartKind, Sight
    from surefoot.physics.overrides import Override
    from surefoot.physics.scene import Contact, Placement, Scene, Solver, build_scene
    from surefoot.physics.trajectory import Trajectory

_HOMES = {
    "Contact": "scene",
    "Override": "overrides",
    "Part": "law",
    "PartKind": "law",
    "Placement": "scene",
    "Scene": "scene",
    "Sight": "law",
    "SimBatch": "batch",
    "Solver": "scene",
    "Trajectory": "trajectory",
    "build_scene": "scene",
}

__all__ = [
    "Contact",
    "Override",
    "Part",
    "PartKind",
    "Placement",
    "Scene",
    "Sight",
    "SimBatch",
    "Solver",
    "Trajectory",
    "build_scene",
]


def __getattr__(name: str) -> Any:
    """Import MuJoCo and the compiler only when a name is used: looking for modules must be instant."""
    if name in _HOMES:
        return getattr(import_module(f"surefoot.physics.{_HOMES[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
