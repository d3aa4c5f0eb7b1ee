"""The only list of ready scenes: a name to a function that compiles one.

They are what demos, tests and the bench share; `surefoot list` shows them. A scene of your own is one call of
`surefoot.physics.scene.build_scene`.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from surefoot.characters import character
from surefoot.errors import UnknownName
from surefoot.physics.scene import Placement, Scene, build_scene
from surefoot.terrain import Ball, Slope, random_strip


def human_on_plane() -> Scene:
    """A human on level ground; only its feet meet the floor, which is the fastest."""
    return build_scene(character("human"))


def human_that_can_fall() -> Scene:
    """A human on level ground whose body and hands meet the floor too."""
    return build_scene(character("human"), touching=frozenset({"foot", "body", "hand"}))


def human_on_slope() -> Scene:
    """A human on ground that climbs 5 degrees ahead."""
    return build_scene(character("human"), ground=Slope(climb_rad=math.radians(5.0)))


def human_and_ball() -> Scene:
    """A human and a ball of 5 kg that may hit it."""
    return build_scene(character("human"), balls=(Ball(),))


def two_humans() -> Scene:
    """Two humans side by side that can collide; prefixes `a_` and `b_`."""
    who = character("human")
    return build_scene((Placement(character=who, prefix="a_"), Placement(character=who, prefix="b_", position_m=(0.0, 1.5))))


def biped2d_on_plane() -> Scene:
    """The planar biped on level ground."""
    return build_scene(character("biped2d"))


def biped2d_on_boxes() -> Scene:
    """The planar biped before a course of gaps, steps and walls."""
    return build_scene(character("biped2d"), ground=random_strip(np.random.default_rng(1), difficulty=0.5, obstacle_count=50))


SCENES: dict[str, Callable[[], Scene]] = {
    "human-on-plane": human_on_plane,
    "human-that-can-fall": human_that_can_fall,
    "human-on-slope": human_on_slope,
    "human-and-ball": human_and_ball,
    "two-humans": two_humans,
    "biped2d-on-plane": biped2d_on_plane,
    "biped2d-on-boxes": biped2d_on_boxes,
}


def names() -> tuple[str, ...]:
    """All ready scenes, in alphabetical order."""
    return tuple(sorted(SCENES))


def scene(name: str) -> Callable[[], Scene]:
    """The function that compiles the scene of that name; its docstring says what it is."""
    if name not in SCENES:
        raise UnknownName("scene", name, names())
    return SCENES[name]
