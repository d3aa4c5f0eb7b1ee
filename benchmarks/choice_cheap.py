"""Study (d): cheap physics. What each setting of contact and solver gains in time, and whether gait and push tolerance stay.

Every variant differs from the default in one thing: which pairs may touch, how many points a foot has, cone, solver
iterations, friction, softness. The time of a step is a ratio to the default inside one interleaved run; starts and pushes are the same
for all. How the walk is simulated is in `choice_walks`.
"""

from __future__ import annotations

import dataclasses

import mujoco
import numpy as np

from choice_rows import Row, mean, share, single
from choice_walks import Size, Way, batch_of, push_rows, pushed, step_times, time_rows, walk_of, walk_rows, walked
from surefoot.characters import Character, character
from surefoot.characters.build import HIDDEN
from surefoot.controllers.gait import Gait
from surefoot.physics.scene import Contact, Scene, Solver, build_scene

PUSH_N = (150.0,)
DEFAULT = "cheap.default"
EVERYTHING = frozenset({"foot", "body", "hand"})
FEWER_POINTS: dict[str, tuple[str, ...]] = {
    "points_7_no_top": ("toe_top",),
    "points_5_no_toe_sides": ("toe_top", "toe_inner", "toe_outer"),
    "points_4_heel_and_ball": ("toe_top", "toe_inner", "toe_middle", "toe_outer"),
    "points_4_heel_and_toe": ("toe_top", "toe_middle", "ball_inner", "ball_outer"),
}
"""Points left out of each foot; the default has eight."""


def without_points(who: Character, gone: tuple[str, ...]) -> Character:
    """The same character with fewer contact points under each foot."""
    feet = tuple(
        dataclasses.replace(foot, points=tuple(p for p in foot.points if p.name.split("_", 1)[1] not in gone)) for foot in who.end_effectors
    )
    return dataclasses.replace(who, end_effectors=feet)


def by_masks(scene: Scene, everything: bool) -> Scene:
    """The same scene without explicit pairs: collision masks and MuJoCo's broad phase find what touches.

    With `everything` all shapes of the body meet the ground and each other, as in a model that nobody sorted.
    """
    spec = scene.spec
    for pair in list(spec.pairs):
        spec.delete(pair)
    points, contact = {point.name for point in scene.slices[0].character.contact_points}, scene.contact
    for geom in spec.geoms:
        if geom.name.startswith("ground_"):
            geom.contype, geom.conaffinity = 1, 1
        elif geom.name in points or (everything and geom.group == HIDDEN):
            geom.contype, geom.conaffinity = (1, 1) if everything else (0, 1)
            geom.friction[0], geom.condim, geom.priority = contact.friction, contact.dimensions, 1
            geom.solref[:2], geom.solimp[:3] = contact.solref, contact.solimp
    return dataclasses.replace(scene, model=spec.compile())


def scenes_of(who: Character) -> dict[str, Scene]:
    """Every variant, the default first."""
    found = {"default": build_scene(who)}
    found["self_collision"] = build_scene(who, self_collision=True)
    found["body_touches_ground"] = build_scene(who, touching=EVERYTHING)
    found["feet_by_masks"] = by_masks(build_scene(who), everything=False)
    found["everything_by_masks"] = by_masks(build_scene(who), everything=True)
    for name, gone in FEWER_POINTS.items():
        found[name] = build_scene(without_points(who, gone))
    found["elliptic"] = build_scene(who, solver=Solver(elliptic=True))
    found["torsion"] = build_scene(who, contact=Contact(dimensions=4))
    for iterations in (10, 5, 3, 2):
        found[f"iterations_{iterations}"] = build_scene(who, solver=Solver(iterations=iterations))
    found["friction_0.5"] = build_scene(who, contact=Contact(friction=0.5))
    for soft in (0.01, 0.015, 0.03):
        found[f"solref_{soft:g}"] = build_scene(who, contact=Contact(solref=(soft, 1.0)))
    found["discrete"] = build_scene(who, solver=Solver(integrator="discrete"))
    return found


def cheap_study(gait: Gait, size: Size) -> list[Row]:
    """All of study (d)."""
    who = character(gait.character)
    ways = [
        Way(name=f"cheap.{name}", scene=scene, parts=(walk_of(gait, scene.slices[0].character),)) for name, scene in scenes_of(who).items()
    ]
    rows: list[Row] = []
    for way in ways:
        found = walked(way, gait, size)
        rows += walk_rows(way.name, found)
        rows += push_rows(way.name, pushed(way, gait, size, PUSH_N), PUSH_N)
    rows += touch_rows(ways[0], gait)
    return rows + time_rows(step_times(ways, gait, size), DEFAULT)


def touch_rows(way: Way, gait: Gait) -> list[Row]:
    """In two seconds of the default's walk: contacts with the ground, how often the body would touch itself, and how deep."""
    batch = batch_of(way, gait, 4, "choices contacts")
    batch.advance(3.0)
    trajectory = batch.advance(2.0, record_hz=60.0)
    assert trajectory is not None
    model = build_scene(way.character, self_collision=True).model
    data, grounded, depth = mujoco.MjData(model), [], []
    for positions in np.concatenate([trajectory.row(row) for row in range(batch.rows)]):
        data.qpos[:] = positions
        mujoco.mj_fwdPosition(model, data)
        ground = [any(model.geom(int(i)).name.startswith("ground_") for i in contact.geom) for contact in data.contact[: data.ncon]]
        grounded.append(sum(ground))
        depth.append(max((-float(c.dist) for c, on_ground in zip(data.contact, ground, strict=False) if not on_ground), default=0.0))
    return [
        mean("cheap.walk.contacts", np.array(grounded, float)),
        share("cheap.walk.touches_itself", sum(metres > 0.0 for metres in depth), len(depth)),
        single("cheap.walk.touches_itself_m", max(depth, default=np.nan), len(depth)),
    ]
