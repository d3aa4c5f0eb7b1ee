"""Scenes: what touches what, where characters lie in the model, several characters with a law each, balls."""

import mujoco
import numpy as np
import pytest

from surefoot.characters import Character, character
from surefoot.controllers.gait import load_gait
from surefoot.controllers.pd import pd_of
from surefoot.errors import SurefootError
from surefoot.physics.batch import SimBatch
from surefoot.physics.disturbances import push
from surefoot.physics.events import fall_of
from surefoot.physics.scene import PAIRS_AT_MOST, Contact, Placement, Scene, build_scene
from surefoot.terrain import Ball, random_strip


def contacts(scene: Scene, qpos: np.ndarray) -> set[frozenset[str]]:
    """Names of the geoms that touch."""
    data = mujoco.MjData(scene.model)
    data.qpos[:] = qpos
    mujoco.mj_forward(scene.model, data)
    names = [scene.model.geom(i).name for i in range(scene.model.ngeom)]
    return {frozenset(names[g] for g in contact.geom) for contact in data.contact}


def test_only_feet_touch_the_ground(scene: Scene, human: Character) -> None:
    qpos, _ = scene.standing()
    qpos[2] -= 0.005
    points = {point.name for point in human.contact_points if point.role != "top"}
    assert contacts(scene, qpos) == {frozenset({name, "ground_0"}) for name in points}
    qpos[2] = 0.2
    assert len(contacts(scene, qpos)) == len(human.contact_points), "shanks and hands in the ground touch nothing"


def test_bodies_touch_the_ground_when_they_are_told_to(human: Character) -> None:
    scene = build_scene(human, touching=frozenset({"foot", "body"}))
    qpos, _ = scene.standing()
    qpos[2] = 0.3
    assert any("thigh" in name for pair in contacts(scene, qpos) for name in pair)


@pytest.mark.parametrize("count", [1, 60])
def test_few_pairs_are_listed_and_many_found_by_masks(human: Character, count: int) -> None:
    """Either way the same contacts, with the same friction."""
    scene = build_scene(
        human, ground=random_strip(np.random.default_rng(0), difficulty=0.3, obstacle_count=count), contact=Contact(friction=0.6)
    )
    assert (scene.model.npair == 0) is (len(human.contact_points) * (scene.model.ngeom) > PAIRS_AT_MOST and count > 1)
    qpos, _ = scene.standing()
    qpos[2] -= 0.004
    pairs = contacts(scene, qpos)
    assert {next(iter(pair - {"ground_1"})) for pair in pairs} == {p.name for p in human.contact_points if p.role != "top"}
    data = mujoco.MjData(scene.model)
    data.qpos[:] = qpos
    mujoco.mj_forward(scene.model, data)
    assert data.contact.friction[:, :2] == pytest.approx(0.6)
    assert data.contact.solref == pytest.approx(np.tile(Contact().solref, (len(data.contact), 1)))


def pair_of_humans(human: Character, apart_m: float) -> Scene:
    second = Placement(character=human, prefix="b_", position_m=(apart_m, 0.0), heading_rad=np.pi)
    return build_scene([Placement(character=human), second])


def test_two_characters_each_move_by_their_own_law(human: Character) -> None:
    """One walks, the other holds another pose: each as if it were alone, and no memory is shared."""
    scene = pair_of_humans(human, 30.0)
    pose = np.zeros(28)
    pose[human.dof_index("left_elbow_pitch")] = -1.0
    walk = load_gait("human/walk").walk()
    parts = [walk, pd_of(human, pose, index=1, name="hold"), fall_of(human)]
    both = SimBatch(scene, 2, parts)
    first = SimBatch(build_scene(human), 2, [walk])
    second = SimBatch(
        build_scene([Placement(character=human, position_m=(30.0, 0.0), heading_rad=np.pi)]), 2, [pd_of(human, pose, name="hold")]
    )
    for batch in (both, first, second):
        batch.advance(0.4)
    a, b = scene.slices
    assert (a.qpos, b.root_qpos) == (7, 35)
    assert both.qpos[:, :35] == pytest.approx(first.qpos, abs=1e-9)
    assert both.qpos[:, 35:] == pytest.approx(second.qpos, abs=1e-9)
    assert both.qpos[0, b.qpos + human.dof_index("left_elbow_pitch")] == pytest.approx(-1.0, abs=0.1)
    assert np.abs(both.qpos[0, 7:35]).max() > 0.1


def test_swapped_characters_swap_what_they_do(human: Character) -> None:
    scene = pair_of_humans(human, 30.0)
    walk = load_gait("human/walk").walk
    straight = SimBatch(scene, 1, [walk(index=0), pd_of(human, index=1)])
    swapped = SimBatch(scene, 1, [walk(index=1, heading_rad=np.pi), pd_of(human, index=0)])
    for batch in (straight, swapped):
        batch.advance(0.3)
    internal = slice(7, 35), slice(42, 70)
    assert straight.qpos[0, internal[0]] == pytest.approx(swapped.qpos[0, internal[1]], abs=1e-6)
    assert straight.qpos[0, internal[1]] == pytest.approx(swapped.qpos[0, internal[0]], abs=1e-6)


def test_two_humans_collide(human: Character) -> None:
    """Pushed into each other they do not pass through, and the second is moved."""
    scene = pair_of_humans(human, 0.6)
    torso = human.link_names.index("torso")
    parts = [pd_of(human), pd_of(human, index=1, name="other"), push.use(wiring=[torso], newtons=400.0, start_s=0.0, duration_s=0.3)]
    batch = SimBatch(scene, 1, parts)
    far = SimBatch(pair_of_humans(human, 5.0), 1, parts)
    batch.advance(0.4)
    far.advance(0.4)
    moved = batch.qpos[0, 35] - 0.6
    assert moved > 0.01
    assert abs(far.qpos[0, 35] - 5.0) < 0.005


def test_a_ball_hits_a_human(human: Character) -> None:
    """It flies freely, hits the chest, bounces off, and what it lost is what the human and the ground gained."""
    ball = Ball(mass_kg=5.0, radius_m=0.12, position_m=(1.0, 0.0, 1.3))
    scene = build_scene(human, balls=[ball])
    batch = SimBatch(scene, 2, [pd_of(human)])
    place = int(scene.model.joint("ball").dofadr[0])
    batch.qvel[0, place] = -8.0
    batch.qvel[1, place] = 8.0
    batch.advance(0.05)
    assert batch.qvel[:, place] == pytest.approx([-8.0, 8.0]), "in flight"
    batch.advance(0.15)
    assert batch.qvel[0, place] > -3.0
    assert batch.qvel[0, 0] < batch.qvel[1, 0] - 0.2
    assert batch.qvel[1, place] == pytest.approx(8.0)


def test_a_scene_knows_its_characters(human: Character) -> None:
    scene = pair_of_humans(human, 3.0)
    assert scene.slice_of("b_").body == 16
    with pytest.raises(SurefootError, match="no character with prefix 'c_' in the scene"):
        scene.slice_of("c_")
    with pytest.raises(SurefootError, match="two characters share the prefix ''"):
        build_scene([Placement(character=human), Placement(character=human)])


@pytest.mark.parametrize("name", ["human", "human_wang", "biped2d"])
def test_standing_is_standing(name: str) -> None:
    """Soles on the ground, at the placement, facing its heading."""
    who = character(name)
    turn = 0.7 if who.root == "free" else 0.0
    scene = build_scene([Placement(character=who, position_m=(1.5, -0.5 if turn else 0.0), heading_rad=turn)])
    qpos, qvel = scene.standing()
    data = mujoco.MjData(scene.model)
    data.qpos[:] = qpos
    mujoco.mj_forward(scene.model, data)
    soles = [data.geom(point.name).xpos[2] - point.radius_m for point in who.contact_points if point.role != "top"]
    assert soles == pytest.approx([0.0] * len(soles), abs=1e-12)
    assert data.body(who.links[0].name).xpos[0] == pytest.approx(1.5)
    assert data.body(who.links[0].name).xmat.reshape(3, 3)[:, 0] == pytest.approx([np.cos(turn), np.sin(turn), 0.0])
    assert (qvel == 0).all()
