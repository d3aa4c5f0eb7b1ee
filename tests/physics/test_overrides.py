"""Overrides: a row with a changed number moves like a freshly compiled model with that number; its neighbours notice nothing."""

import copy
import dataclasses
from collections.abc import Callable

import mujoco
import numpy as np
import pytest

from surefoot.characters import Character
from surefoot.controllers.pd import pd_of
from surefoot.errors import SurefootError
from surefoot.physics.batch import SimBatch
from surefoot.physics.overrides import DERIVED, PLAIN, Override, array_of
from surefoot.physics.scene import Scene, build_scene
from surefoot.physics.worker import ThreadModels
from surefoot.terrain import random_strip

SECONDS = 0.3
Change = Callable[[np.ndarray], np.ndarray]
CHANGES: dict[str, Change] = {
    "gravity": lambda x: x + np.array([1.0, 0.5, 2.0]),
    "pair_friction": lambda x: 0.2 * x,
    "pair_solref": lambda x: 1.5 * x,
    "pair_solimp": lambda x: 0.9 * x,
    "pair_margin": lambda x: x + 0.01,
    "dof_damping": lambda x: 3.0 * x + 0.2,
    "dof_frictionloss": lambda x: x + 0.5,
    "jnt_stiffness": lambda x: x + 5.0,
    "jnt_range": lambda x: 0.1 * x,
    "jnt_solref": lambda x: 1.5 * x,
    "jnt_solimp": lambda x: 0.9 * x,
    "qpos_spring": lambda x: x + 0.1,
    "actuator_gainprm": lambda x: 0.5 * x,
    "actuator_forcerange": lambda x: 0.1 * x,
    "body_mass": lambda x: 1.3 * x,
    "body_inertia": lambda x: 1.3 * x,
    "body_ipos": lambda x: x + 0.02,
    "body_iquat": lambda x: x + np.array([0.0, 0.1, 0.05, 0.0]),
    "body_pos": lambda x: 1.05 * x,
    "body_quat": lambda x: x + np.array([0.0, 0.02, 0.01, 0.0]),
    "dof_armature": lambda x: 2.0 * x + 0.01,
    "actuator_gear": lambda x: 0.8 * x,
}
"""A change for each array that may be overridden: large enough to be seen."""
ELSEWHERE = {"geom_friction", "geom_solref", "geom_solimp", "actuator_ctrlrange"}
"""Tested on their own below: they act in other scenes, or not at all."""
SPRINGS = {"jnt_stiffness", "qpos_spring"}


def changed_rows(name: str, count: int) -> np.ndarray:
    """Which bodies, joints or DoF change: not the world, and not the root, whose frame is the state."""
    if name.startswith("body_"):
        return np.arange(2, count)
    if name.startswith(("dof_", "jnt_")):
        return np.arange(6 if name.startswith("dof_") else 1, count)
    return np.arange(7 if name == "qpos_spring" else 0, count)


def altered(model: mujoco.MjModel, name: str) -> np.ndarray:
    """The array `name` with its change, flat."""
    source = np.array(model.opt.gravity if name == "gravity" else getattr(model, name))
    value = source.copy()
    chosen = ... if name == "gravity" else changed_rows(name, len(source))
    value[chosen] = CHANGES[name](source[chosen])
    if name.endswith("quat"):
        value /= np.linalg.norm(value, axis=1, keepdims=True)
    return value.ravel()


def compiled_with(scene: Scene, name: str, value: np.ndarray) -> mujoco.MjModel:
    """A model compiled anew from the scene's description with the changed number in it."""
    spec = scene.spec.copy()
    rows = value.reshape(np.shape(scene.model.opt.gravity if name == "gravity" else getattr(scene.model, name)))
    if name == "gravity":
        spec.option.gravity = rows
    for pair, row in zip(spec.pairs, rows, strict=False):
        if name.startswith("pair_"):
            setattr(pair, name[5:], row)
    for i in range(1, scene.model.nbody):
        body = spec.body(scene.model.body(i).name)
        if name == "body_mass":
            body.mass = rows[i]
        elif name == "body_inertia":
            body.inertia, body.iquat, body.fullinertia = rows[i], scene.model.body_iquat[i], np.full(6, np.nan)
        elif name == "body_ipos":
            body.ipos = rows[i]
        elif name in ("body_pos", "body_quat"):
            setattr(body, name[5:], rows[i])
        elif name == "body_iquat":
            body.inertia, body.iquat, body.fullinertia = scene.model.body_inertia[i], rows[i], np.full(6, np.nan)
    for i in range(1, scene.model.njnt):
        joint = spec.joint(scene.model.joint(i).name)
        if name == "dof_damping":
            joint.damping = (rows[scene.model.jnt_dofadr[i]], 0, 0)
        elif name == "dof_armature":
            joint.armature = rows[scene.model.jnt_dofadr[i]]
        elif name == "dof_frictionloss":
            joint.frictionloss = rows[scene.model.jnt_dofadr[i]]
        elif name == "jnt_stiffness":
            joint.stiffness = (rows[i], 0, 0)
    return spec.compile()


COMPILED = [
    "gravity", "pair_friction", "pair_solref", "pair_solimp", "pair_margin", "dof_damping", "dof_frictionloss", "jnt_stiffness",
    "dof_armature", "body_mass", "body_inertia", "body_ipos", "body_iquat", "body_pos", "body_quat",
]  # fmt: skip
"""Overrides that are also compared to a fresh compile; the others to a model in which the array was written."""


def own_scene(scene: Scene, name: str) -> Scene:
    """A scene whose model has the change from the start."""
    value = altered(scene.model, name)
    if name in COMPILED:
        model = compiled_with(scene, name, value)
    else:
        model = copy.copy(scene.model)
        array_of(model, Override(array=name))[:] = value
        mujoco.mj_setConst(model, mujoco.MjData(model))
    written = np.array(model.opt.gravity if name == "gravity" else getattr(model, name)).ravel()
    assert written == pytest.approx(value, abs=1e-12), "the fresh model has what was asked"
    return dataclasses.replace(scene, model=model)


def start(batch: SimBatch) -> None:
    generator = np.random.default_rng(0)
    batch.qpos[:, 7:] += 0.05 * generator.standard_normal(batch.qpos.shape[1] - 7)
    batch.qvel[:] += 0.4 * generator.standard_normal(batch.qvel.shape[1])


def test_every_override_is_tested() -> None:
    assert set(CHANGES) | ELSEWHERE == PLAIN | DERIVED


@pytest.mark.parametrize("name", CHANGES)
def test_an_overridden_row_is_a_fresh_model(scene: Scene, human: Character, name: str) -> None:
    """Rows 1 and 3 are overridden, 0 and 2 are not; one thread, one chunk, so that any leak shows."""
    hold = pd_of(human, np.full(28, 0.05))
    mixed = SimBatch(scene, 4, [hold], overrides=[Override(array=name)], threads=1, chunk=4)
    fresh = SimBatch(own_scene(scene, name), 1, [hold], threads=1)
    plain = SimBatch(scene, 1, [hold], threads=1)
    mixed.override(name)[[1, 3]] = altered(scene.model, name)
    for batch in (mixed, fresh, plain):
        start(batch)
        batch.advance(SECONDS)
        assert batch.running.all()
    assert mixed.arrays.state[0].tobytes() == plain.arrays.state[0].tobytes() == mixed.arrays.state[2].tobytes()
    assert mixed.arrays.state[1].tobytes() == mixed.arrays.state[3].tobytes()
    assert mixed.qpos[1] == pytest.approx(fresh.qpos[0], abs=1e-12)
    assert np.abs(mixed.qpos[1] - plain.qpos[0]).max() > 1e-7, "the change is to be felt"


def test_two_rows_with_different_values_do_not_leak(scene: Scene, human: Character) -> None:
    overrides = [Override(array="body_mass", index=(2, 3)), Override(array="gravity"), Override(array="dof_damping", index=(8,))]
    both = SimBatch(scene, 2, [pd_of(human)], overrides=overrides, threads=1, chunk=2)
    swapped = SimBatch(scene, 2, [pd_of(human)], overrides=overrides, threads=1, chunk=2)
    for batch, rows in ((both, [0, 1]), (swapped, [1, 0])):
        start(batch)
        batch.override("body_mass")[rows] = [[30.0, 5.0], [20.0, 7.0]]
        batch.override("gravity")[rows] = [[0.0, 0.0, -9.0], [1.0, 0.0, -9.81]]
        batch.override("dof_damping")[rows] = [[3.0], [0.1]]
        batch.advance(SECONDS)
    assert both.arrays.state.tobytes() == swapped.arrays.state[::-1].tobytes()
    assert np.abs(both.qpos[0] - both.qpos[1]).max() > 1e-4


@pytest.mark.parametrize("name", ["body_mass", "body_inertia", "body_ipos", "dof_armature", "body_pos"])
def test_derived_constants_follow(scene: Scene, name: str) -> None:
    """The worker's model, after a row was stepped, holds the constants of a model compiled with the row's values."""
    override = Override(array=name)
    models = ThreadModels([scene], [override])
    array_of(models.models[0], override)[:] = altered(scene.model, name)
    mujoco.mj_setConst(models.models[0], models.datas[0])  # what the engine calls for each row
    fresh = own_scene(scene, name).model
    for constant in ("body_subtreemass", "body_invweight0", "dof_invweight0", "dof_M0", "actuator_acc0"):
        assert getattr(models.models[0], constant) == pytest.approx(getattr(fresh, constant), rel=1e-9, abs=1e-12), constant
    # mj_setConst leaves out stat.meaninertia, which only scales the tolerance at which the solver stops


def test_an_override_left_alone_changes_no_bit(scene: Scene, human: Character) -> None:
    """Not even one for which constants are derived anew for each row."""
    digests = set()
    for overrides in ([], [Override(array="pair_friction")], [Override(array="body_mass")], [Override(array=n) for n in sorted(DERIVED)]):
        batch = SimBatch(scene, 2, [pd_of(human)], overrides=overrides)
        start(batch)
        batch.advance(SECONDS)
        digests.add(batch.arrays.state.tobytes())
    assert len(digests) == 1


def test_gravity_override_turns_up(scene: Scene, human: Character) -> None:
    """Weightless and upside-down rows beside a heavy one."""
    batch = SimBatch(scene, 3, [pd_of(human)], overrides=[Override(array="gravity")])
    batch.qpos[:, 2] = 5.0
    batch.override("gravity")[:] = [[0, 0, -9.81], [0, 0, 0], [0, 0, 9.81]]
    batch.advance(0.1)
    assert batch.qvel[:, 2] == pytest.approx([-0.981, 0.0, 0.981], abs=1e-6)


def test_friction_of_geoms_where_contacts_are_found_by_masks(human: Character) -> None:
    """A scene with more pairs than are listed uses geom friction: there the override is felt."""
    course = random_strip(np.random.default_rng(0), difficulty=0.2, obstacle_count=20)
    scene = build_scene(human, ground=course)
    assert scene.model.npair == 0
    batch = SimBatch(scene, 2, [pd_of(human)], overrides=[Override(array="geom_friction")])
    batch.qvel[:, 0] = 1.0
    batch.override("geom_friction")[1] *= 0.1
    batch.advance(0.2)
    assert batch.qvel[1, 0] > batch.qvel[0, 0] + 0.02
    with pytest.raises(SurefootError, match="nothing would follow 'pair_friction': it is empty in this scene"):
        SimBatch(scene, 1, [], overrides=[Override(array="pair_friction")])


@pytest.mark.parametrize(
    ("override", "text"),
    [
        (Override(array="body_parentid"), "'body_parentid' cannot differ between rows: it shapes the model.* compile a second scene"),
        (Override(array="geom_size"), "'geom_size' cannot differ between rows"),
        (Override(array="jnt_type"), "'jnt_type' cannot differ between rows"),
        (Override(array="nbody"), "'nbody' cannot differ between rows"),
        (Override(array="body_maas"), r"no model array 'body_maas': did you mean 'body_mass'\?"),
        (Override(array="wind"), "no model array 'wind'"),
        (Override(array="body_mass", index=(99,)), "override of 'body_mass' names position 99: it has 16 numbers"),
        (Override(array="body_mass", index=(-1,)), "override of 'body_mass' names position -1: it has 16 numbers"),
        (Override(array="geom_friction"), "nothing would follow 'geom_friction': .* override 'pair_friction'"),
    ],
    ids=lambda x: x.array if isinstance(x, Override) else "",
)
def test_texts_for_what_cannot_be_overridden(scene: Scene, override: Override, text: str) -> None:
    with pytest.raises(SurefootError, match=text):
        SimBatch(scene, 1, [], overrides=[override])
