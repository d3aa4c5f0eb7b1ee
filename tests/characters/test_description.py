"""A character is data: other bodies than those of the roster need no new code, and a wrong description is answered."""

import mujoco
import numpy as np
import pytest

from surefoot.characters import Character, ContactPoint, EndEffector, Joint, Link, attach
from surefoot.characters.shapes import capsule, sphere
from surefoot.characters.solids import weigh
from surefoot.errors import SurefootError


def joint(name: str, axes: str = "y", limit: float = 1.0) -> Joint:
    count = len(axes)
    return Joint(
        name=name,
        axes=axes,
        limits_rad=((-limit, limit),) * count,
        torque_limit_nm=(50.0,) * count,
        servo_stiffness_nm=(100.0,) * count,
        servo_damping_nms=(10.0,) * count,
        armature_kgm2=(0.01,) * count,
        damping_nms=(0.1,) * count,
        stiffness_nm=(0.0,) * count,
    )


def link(name: str, parent: str | None, offset: tuple[float, float, float], axes: str = "y", mass_kg: float = 1.0) -> Link:
    bar = capsule((0, 0, 0), (0, 0, -0.2), 0.03)
    hung = None if parent is None or not axes else joint(name.replace("link", "joint"), axes)
    return Link(name=name, parent=parent, offset_m=offset, mass_kg=mass_kg, solid=bar, joint=hung, shapes=(bar,))


def whole(links: tuple[Link, ...], root: str = "free", feet: tuple[EndEffector, ...] = ()) -> Character:
    return Character(
        name="toy",
        about="",
        root=root,
        links=links,
        end_effectors=feet,
        standing_height_m=1.0,
        height_m=1.2,  # type: ignore[arg-type]
    )


def model_of(who: Character) -> mujoco.MjModel:
    spec = mujoco.MjSpec()
    attach(who, spec)
    return spec.compile()


def test_a_gymnast_on_a_bar_is_two_links_and_a_pivot() -> None:
    """Unit point masses at the ends of unit links (da Silva et al. 2009): the double pendulum's inertia at rest is known."""
    mass_point = sphere((0, 0, -1), 1e-4)
    arms = Link(name="arms", parent=None, offset_m=(0, 0, 0), mass_kg=1.0, solid=mass_point, joint=None)
    legs = Link(name="legs", parent="arms", offset_m=(0, 0, -1), mass_kg=1.0, solid=mass_point, joint=joint("hip", limit=3.0))
    gymnast = whole((arms, legs), root="pivot")
    model = model_of(gymnast)
    assert (model.nq, model.nv, model.nu) == (2, 2, 1)
    assert gymnast.root_dof_count == 1
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    inertia = np.zeros((2, 2))
    mujoco.mj_fullM(model, data, inertia)
    np.testing.assert_allclose(inertia - np.diag(model.dof_armature), [[5, 2], [2, 1]], atol=1e-6)


def test_a_dog_is_a_planar_tree_with_four_feet() -> None:
    links = [link("spine_0", None, (0, 0, 0))]
    links += [link(f"spine_{i}", f"spine_{i - 1}", (0.1, 0, 0)) for i in range(1, 5)]
    for side, across in (("left", 0.1), ("right", -0.1)):
        for i in range(4):
            links.append(link(f"{side}_front_{i}", "spine_4" if i == 0 else f"{side}_front_{i - 1}", (0, across if i == 0 else 0, -0.2)))
    for side, across in (("left", 0.1), ("right", -0.1)):
        for i in range(4):
            links.append(link(f"{side}_hind_{i}", "spine_0" if i == 0 else f"{side}_hind_{i - 1}", (0, across if i == 0 else 0, -0.2)))
    feet = tuple(
        EndEffector(
            name=f"{side}_{end}_paw",
            link=f"{side}_{end}_3",
            toe_link=None,
            points=(ContactPoint(name=f"{side}_{end}_pad", link=f"{side}_{end}_3", position_m=(0, 0, -0.2), radius_m=0.02, role="ball"),),
        )
        for side in ("left", "right")
        for end in ("front", "hind")
    )
    dog = whole(tuple(links), root="planar", feet=feet)
    model = model_of(dog)
    assert len(dog.links) == 21
    assert model.nv == 20 + 3
    assert model.nsensor == 4
    assert [model.body(i + 1).name for i in range(21)] == list(dog.link_names)
    np.testing.assert_array_equal(np.sort(dog.mirror.permutation), np.arange(20))


def test_a_link_without_joint_is_welded() -> None:
    model = model_of(whole((link("body", None, (0, 0, 0)), link("horn", "body", (0, 0, 0.2), axes=""))))
    assert model.nv == 6
    assert model.body("horn").weldid[0] == model.body("body").id


def test_solids_weigh_what_mujoco_says() -> None:
    """Mass, middle and inertia of every solid, turned and moved, against MuJoCo's own."""
    from surefoot.characters.shapes import Shape, box, ellipsoid

    solids = (
        sphere((0.1, 0.2, 0.3), 0.2),
        capsule((0.1, 0, 0), (0.3, 0.2, -0.4), 0.07),
        capsule((0, 0, 0.3), (0, 0, -0.3), 0.07),
        ellipsoid((0.1, 0, 0), (0.1, 0.2, 0.3), pitch_rad=0.7),
        box((0.1, 0, 0.5), (0.1, 0.2, 0.3), pitch_rad=-0.4),
        Shape(kind="cylinder", size_m=(0.1, 0.3), rotation=(0.8, 0.6, 0.0, 0.0)),
    )
    kinds = {"sphere": 2, "capsule": 3, "ellipsoid": 4, "cylinder": 5, "box": 6}
    for solid in solids:
        spec = mujoco.MjSpec()
        size = (*solid.size_m, 0, 0)[:3]
        spec.worldbody.add_body().add_geom(
            type=mujoco.mjtGeom(kinds[solid.kind]), size=size, pos=solid.position_m, quat=solid.rotation, mass=3.0
        )
        model = spec.compile()
        turn = np.zeros(9)
        mujoco.mju_quat2Mat(turn, model.body_iquat[1])
        theirs = turn.reshape(3, 3) @ np.diag(model.body_inertia[1]) @ turn.reshape(3, 3).T
        ours = weigh(solid, 3.0)
        np.testing.assert_allclose(ours.inertia_kgm2, theirs, atol=1e-9)
        np.testing.assert_allclose(ours.middle_m, model.body_ipos[1], atol=1e-9)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: whole(()), "character 'toy' has no root"),
        (lambda: whole((link("a", None, (0, 0, 0)), link("a", "a", (0, 0, 0)))), "names a link twice: a"),
        (
            lambda: whole((link("body", None, (0, 0, 0)), link("tail", "bodi", (0, 0, 0)))),
            "no link 'bodi' in character 'toy': did you mean 'body'?",
        ),
        (
            lambda: whole((link("a", None, (0, 0, 0)), link("b", "a", (0, 0, 0)), link("c", "a", (0, 0, 0)), link("d", "b", (0, 0, 0)))),
            "link 'd' of character 'toy' is out of order: list each branch to its end before the next",
        ),
        (
            lambda: whole((link("body", None, (0, 0, 0)),), feet=(EndEffector(name="paw", link="boddy", toe_link=None, points=()),)),
            "no link 'boddy' in character 'toy': did you mean 'body'?",
        ),
        (lambda: joint("knee", "w"), "joint 'knee' has axes 'w': write each of x, y, z at most once"),
        (
            lambda: Joint(
                name="knee",
                axes="yx",
                limits_rad=((0, 1),) * 2,
                torque_limit_nm=(1.0,),
                servo_stiffness_nm=(1.0, 1.0),
                servo_damping_nms=(1.0, 1.0),
                armature_kgm2=(1.0, 1.0),
                damping_nms=(1.0, 1.0),
                stiffness_nm=(1.0, 1.0),
            ),
            "joint 'knee' has 2 axes and 1 of torque_limit_nm: give one for each axis",
        ),
        (
            lambda: whole((link("body", None, (0, 0, 0)), link("left_ear", "body", (0, 0, 0)))).mirror,
            "character 'toy' has no mirror: nothing stands opposite 'left_ear_pitch'",
        ),
    ],
)
def test_a_wrong_description_is_answered(make: object, words: str) -> None:
    with pytest.raises(SurefootError) as caught:
        make()  # type: ignore[operator]
    assert words in str(caught.value)
