"""A scene: characters and ground compiled once into one `mujoco.MjModel`, with the contacts that the tags allow and no others.

`build_scene` is the only place that decides what may touch what, and with which solver settings; characters and terrain
only tag their geoms. The compiled `Scene` knows where each character's bodies, joints and sensors lie; `batch` steps it.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from typing import Literal

import mujoco
import numpy as np

from surefoot.characters import Character, attach
from surefoot.errors import SurefootError, UnknownName
from surefoot.terrain import Ball, Ground, Plane

Integrator = Literal["implicitfast", "discrete"]
TIME_STEPS_S = (1 / 240, 1 / 300, 1 / 480, 1 / 600, 1 / 1200, 1 / 2400)
"""Steps that divide the control clocks of 30, 60 and 120 Hz (docs/choices.md)."""
PAIRS_AT_MOST = 200
"""With more foot-ground pairs than this, collision masks and MuJoCo's broad phase are cheaper than explicit pairs."""


@dataclasses.dataclass(frozen=True, kw_only=True, slots=True)
class Contact:
    """How feet and ground touch."""

    friction: float = 1.0
    """Coulomb coefficient of sliding."""
    solref: tuple[float, float] = (0.02, 1.0)
    """Time constant in s and damping ratio of the contact spring: as soft as a shoe; softer soles creep (docs/choices.md)."""
    solimp: tuple[float, float, float] = (0.9, 0.95, 0.002)
    """Impedance at no and at full depth, and that depth in m."""
    dimensions: int = 3
    """3: sliding; 4 adds torsion about the normal."""


@dataclasses.dataclass(frozen=True, kw_only=True, slots=True)
class Solver:
    """MuJoCo's settings, chosen by measurement (docs/choices.md)."""

    integrator: Integrator = "implicitfast"
    """Implicit in damping, or (discrete) in stiffness too."""
    iterations: int = 20
    """At most, of Newton's method."""
    elliptic: bool = False
    """Elliptic friction cones instead of pyramids."""


@dataclasses.dataclass(frozen=True, kw_only=True, slots=True)
class Placement:
    """One character in a scene."""

    character: Character
    """Who."""
    prefix: str = ""
    """Put before all names of the character in the model; needed as soon as there are two."""
    position_m: tuple[float, float] = (0.0, 0.0)
    """Where on the ground."""
    heading_rad: float = 0.0
    """Which way."""


@dataclasses.dataclass(frozen=True, kw_only=True, eq=False)
class Slice:
    """Where one character lies in the model: contiguous ranges, in the character's own order."""

    placement: Placement
    """Who, and where it was placed."""
    body: int
    """First body, the root."""
    joint: int
    """First internal joint."""
    qpos: int
    """First internal position."""
    dof: int
    """First internal DoF."""
    actuator: int
    """First actuator; one for each internal DoF."""
    site: int
    """First contact point's site."""
    sensor: int
    """First contact point's sensor."""
    root_qpos: int
    """First position of the root."""
    root_dof: int
    """First velocity of the root."""

    @property
    def character(self) -> Character:
        """The character placed here."""
        return self.placement.character


@dataclasses.dataclass(frozen=True, kw_only=True, eq=False)
class Scene:
    """A compiled scene. The model is shared and must not be changed: batches work on copies."""

    model: mujoco.MjModel
    """What MuJoCo steps."""
    slices: tuple[Slice, ...]
    """Where each character lies, in the order of placement."""
    ground: Ground
    """What they stand on."""
    contact: Contact
    """How feet and ground touch."""
    solver: Solver
    """MuJoCo's settings."""
    spec: mujoco.MjSpec
    """The description the model was compiled from, for films that add light and sky."""

    @property
    def time_step_s(self) -> float:
        """Physics step."""
        return float(self.model.opt.timestep)

    def slice_of(self, prefix: str = "") -> Slice:
        """The character that was placed under a prefix."""
        for part in self.slices:
            if part.placement.prefix == prefix:
                return part
        raise UnknownName("character with prefix", prefix, [s.placement.prefix for s in self.slices], where="the scene")

    def standing(self) -> tuple[np.ndarray, np.ndarray]:
        """Positions (nq,) and velocities (nv,) with every character upright at its place, everything else at rest."""
        qpos, qvel = self.model.qpos0.copy(), np.zeros(self.model.nv)
        for part in self.slices:
            x, y = part.placement.position_m
            z = float(self.ground.height(np.array([x]), np.array([y]))[0]) + part.character.standing_height_m
            if part.character.root == "free":
                half = part.placement.heading_rad / 2
                qpos[part.root_qpos : part.root_qpos + 7] = (x, y, z, math.cos(half), 0.0, 0.0, math.sin(half))
            else:
                qpos[part.root_qpos : part.root_qpos + 3] = (x, z, 0.0)
        return qpos, qvel


def build_scene(
    characters: Character | Sequence[Placement],
    *,
    ground: Ground | None = None,
    balls: Sequence[Ball] = (),
    time_step_s: float = 1 / 240,
    contact: Contact | None = None,
    solver: Solver | None = None,
    touching: frozenset[str] = frozenset({"foot"}),
    self_collision: bool = False,
) -> Scene:
    """Compile characters, ground and balls; `touching` names the tags that meet the ground ('foot', 'body', 'hand')."""
    placements = (Placement(character=characters),) if isinstance(characters, Character) else tuple(characters)
    prefixes = [placement.prefix for placement in placements]
    if len(set(prefixes)) < len(prefixes):
        raise SurefootError(f"two characters share the prefix '{prefixes[0]}': give each placement its own prefix")
    ground, contact, solver = ground or Plane(), contact or Contact(), solver or Solver()
    spec = mujoco.MjSpec()
    _set_options(spec, time_step_s, solver)
    ground.add_to(spec)
    for placement in placements:
        attach(placement.character, spec, placement.prefix)
    for ball in balls:
        ball.add_to(spec)
    _allow_contacts(spec, placements, balls, contact, touching, self_collision)
    model = spec.compile()
    slices = tuple(_slice(model, placement) for placement in placements)
    return Scene(model=model, slices=slices, ground=ground, contact=contact, solver=solver, spec=spec)


def _set_options(spec: mujoco.MjSpec, time_step_s: float, solver: Solver) -> None:
    option = spec.option
    option.timestep = time_step_s
    kinds = {"implicitfast": mujoco.mjtIntegrator.mjINT_IMPLICITFAST, "discrete": mujoco.mjtIntegrator.mjINT_DISCRETE}
    option.integrator = kinds[solver.integrator]
    option.iterations = solver.iterations
    option.cone = mujoco.mjtCone.mjCONE_ELLIPTIC if solver.elliptic else mujoco.mjtCone.mjCONE_PYRAMIDAL
    # a diverged simulation must not stand up again by itself
    option.disableflags |= int(mujoco.mjtDisableBit.mjDSBL_AUTORESET)


def _allow_contacts(
    spec: mujoco.MjSpec,
    placements: Sequence[Placement],
    balls: Sequence[Ball],
    contact: Contact,
    touching: frozenset[str],
    self_collision: bool,
) -> None:
    """Explicit pairs where they are few; collision masks between whole characters, balls and rough ground."""
    grounds = [geom for geom in spec.geoms if geom.name.startswith("ground_")]
    balls_geoms = [geom for geom in spec.geoms if any(geom.name == ball.name for ball in balls)]
    tagged = [_geoms_by_tag(spec, placement) for placement in placements]
    meeting = [geom for by_tag in tagged for tag in sorted(touching) for geom in by_tag.get(tag, ())]
    pairs = [(a, b) for a in meeting + balls_geoms for b in grounds]
    pairs += [(a, b) for by_tag in tagged for tag in ("body", "hand") for a in by_tag.get(tag, ()) for b in balls_geoms]
    if len(pairs) <= PAIRS_AT_MOST:
        for a, b in pairs:
            _add_pair(spec, a, b, contact)
    else:
        for geom in grounds:
            geom.contype = 1 << 20
        for geom in meeting + balls_geoms:
            geom.conaffinity |= 1 << 20
            geom.friction[0], geom.solref[:], geom.solimp[:3] = contact.friction, contact.solref, contact.solimp
            geom.condim, geom.priority = contact.dimensions, 1
    for index, by_tag in enumerate(tagged):
        for tag in ("body", "hand", "foot"):
            for geom in by_tag.get(tag, ()) if len(tagged) > 1 or self_collision else ():
                geom.contype |= 1 << index
                geom.conaffinity |= sum(1 << other for other in range(len(tagged)) if other != index or self_collision)


def _geoms_by_tag(spec: mujoco.MjSpec, placement: Placement) -> dict[str, list[mujoco.MjsGeom]]:
    by_name = {geom.name: geom for geom in spec.geoms}
    found: dict[str, list[mujoco.MjsGeom]] = {"foot": []}
    for effector in placement.character.end_effectors:
        found["foot"] += [by_name[placement.prefix + point.name] for point in effector.points]
    for link in placement.character.links:
        for number, shape in enumerate(link.shapes):
            geom = by_name.get(f"{placement.prefix}{link.name}_{number}")
            if geom is not None and shape.tag != "looks":
                found.setdefault(shape.tag, []).append(geom)
    return found


def _add_pair(spec: mujoco.MjSpec, a: mujoco.MjsGeom, b: mujoco.MjsGeom, contact: Contact) -> None:
    pair = spec.add_pair()
    pair.geomname1, pair.geomname2 = a.name, b.name
    pair.condim = contact.dimensions
    pair.friction[:] = (contact.friction, contact.friction, 0.005, 0.0001, 0.0001)
    pair.solref[:2] = contact.solref
    pair.solimp[:3] = contact.solimp


def _slice(model: mujoco.MjModel, placement: Placement) -> Slice:
    character, prefix = placement.character, placement.prefix
    first_dof = model.joint(prefix + character.dof_names[0]) if character.dof_names else None
    root_joint = model.joint(prefix + ("root" if character.root == "free" else "root_x"))
    points = [point.name for effector in character.end_effectors for point in effector.points]
    part = Slice(
        placement=placement,
        body=model.body(prefix + character.links[0].name).id,
        joint=first_dof.id if first_dof else 0,
        qpos=int(first_dof.qposadr[0]) if first_dof else 0,
        dof=int(first_dof.dofadr[0]) if first_dof else 0,
        actuator=model.actuator(prefix + character.dof_names[0]).id if first_dof else 0,
        site=model.site(prefix + points[0]).id if points else 0,
        sensor=int(model.sensor(prefix + points[0]).adr[0]) if points else 0,
        root_qpos=int(root_joint.qposadr[0]),
        root_dof=int(root_joint.dofadr[0]),
    )
    _check_contiguous(model, part, points)
    return part


def _check_contiguous(model: mujoco.MjModel, part: Slice, points: Sequence[str]) -> None:
    """The engine reads ranges, so an order that MuJoCo changed would be silent nonsense: refuse it here."""
    prefix, character = part.placement.prefix, part.character
    for i, link in enumerate(character.links):
        assert model.body(prefix + link.name).id == part.body + i, f"body order of {link.name}"
    for i, name in enumerate(character.dof_names):
        joint = model.joint(prefix + name)
        assert (joint.id, joint.qposadr[0], joint.dofadr[0]) == (part.joint + i, part.qpos + i, part.dof + i), name
        assert model.actuator(prefix + name).id == part.actuator + i, f"actuator order of {name}"
    for i, name in enumerate(points):
        assert model.site(prefix + name).id == part.site + i, f"site order of {name}"
        assert int(model.sensor(prefix + name).adr[0]) == part.sensor + i, f"sensor order of {name}"
