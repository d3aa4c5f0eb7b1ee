"""True of every character in the roster: it compiles, in the order it says, with the mass and height it says, left like right."""

import mujoco
import numpy as np
import pytest

from surefoot.characters import Character, attach, character, mirror_position, mirror_velocity, names
from surefoot.characters.mirror import other_side
from surefoot.errors import SurefootError

EVERY = pytest.mark.parametrize("name", names())
SIGN = np.array([1.0, -1.0, 1.0])
"""y -> -y on a vector."""


def compiled(who: Character, prefix: str = "", looks: bool = True) -> tuple[mujoco.MjModel, mujoco.MjData]:
    """A model with the character alone, in its rest pose."""
    spec = mujoco.MjSpec()
    attach(who, spec, prefix, looks=looks)
    model = spec.compile()
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    return model, data


def test_the_roster_has_what_the_library_promises() -> None:
    assert {"human", "human_wang", "biped2d"} <= set(names())


def test_an_unknown_name_is_answered_with_the_nearest() -> None:
    with pytest.raises(SurefootError, match=r"^no character 'humn': did you mean 'human'\?$"):
        character("humn")


@EVERY
def test_masses_add_up(name: str) -> None:
    who = character(name)
    model, _ = compiled(who)
    assert model.body_mass.sum() == pytest.approx(who.mass_kg, abs=1e-9)
    for link in who.links:
        assert model.body(link.name).mass[0] == pytest.approx(link.mass_kg, abs=1e-12)


@EVERY
def test_order_is_that_of_the_compiled_model(name: str) -> None:
    who = character(name)
    model, _ = compiled(who, "a_")
    dofs = tuple("a_" + dof for dof in who.dof_names)
    assert tuple(model.body(i).name for i in range(1, model.nbody)) == tuple("a_" + link for link in who.link_names)
    assert tuple(model.joint(i).name for i in range(model.njnt - who.dof_count, model.njnt)) == dofs
    assert tuple(model.actuator(i).name for i in range(model.nu)) == dofs
    points = tuple("a_" + point.name for point in who.contact_points)
    assert tuple(model.sensor(i).name for i in range(model.nsensor)) == points
    assert tuple(model.site(i).name for i in range(model.nsite)) == points
    assert model.nv == who.dof_count + who.root_dof_count
    np.testing.assert_array_equal(model.jnt_dofadr[-who.dof_count :], np.arange(who.root_dof_count, model.nv))


@EVERY
def test_limits_reach_the_model(name: str) -> None:
    who = character(name)
    model, _ = compiled(who)
    np.testing.assert_array_equal(model.actuator_forcerange[:, 1], who.torque_limits_nm)
    np.testing.assert_array_equal(model.actuator_forcerange[:, 0], -who.torque_limits_nm)
    np.testing.assert_allclose(model.jnt_range[-who.dof_count :], who.limits_rad, atol=1e-12)
    assert model.jnt_limited[-who.dof_count :].all()
    assert np.all(who.limits_rad[:, 0] < who.limits_rad[:, 1])
    assert np.all(who.torque_limits_nm > 0)
    assert not model.actuator_ctrllimited.any()
    np.testing.assert_array_equal(model.actuator_gear[:, 0], 1.0)


@EVERY
@pytest.mark.parametrize("degree", [True, False])
def test_limits_do_not_depend_on_the_unit_of_the_specification(name: str, degree: bool) -> None:
    who = character(name)
    spec = mujoco.MjSpec()
    spec.compiler.degree = degree
    attach(who, spec)
    np.testing.assert_allclose(spec.compile().jnt_range[-who.dof_count :], who.limits_rad, atol=1e-12)


@EVERY
def test_actuators_are_ready_for_implicit_servos(name: str) -> None:
    """Force = ctrl + b1 angle + b2 velocity once the engine writes b1 and b2; at first just the control."""
    who = character(name)
    model, data = compiled(who)
    data.ctrl[:] = np.linspace(-1, 1, model.nu)
    mujoco.mj_forward(model, data)
    np.testing.assert_allclose(data.actuator_force, data.ctrl)
    model.actuator_biasprm[:, 1] = -10.0
    data.qpos[-who.dof_count :] = 0.01
    mujoco.mj_forward(model, data)
    np.testing.assert_allclose(data.actuator_force, data.ctrl - 0.1)


@EVERY
def test_it_stands_on_its_soles(name: str) -> None:
    who = character(name)
    _, data = compiled(who)
    for point in who.contact_points:
        lowest_m = data.geom(point.name).xpos[2] - point.radius_m
        if point.role == "top":
            assert lowest_m > 0.01
        else:
            assert lowest_m == pytest.approx(0.0, abs=1e-12)


@EVERY
def test_the_centre_of_mass_lies_over_the_feet(name: str) -> None:
    who = character(name)
    _, data = compiled(who)
    forward = [data.geom(point.name).xpos[0] for point in who.contact_points]
    assert min(forward) < data.subtree_com[0][0] < max(forward)


@EVERY
def test_height_is_what_is_seen(name: str) -> None:
    """The highest vertex of the skin lies at the height that the description gives, within a centimetre."""
    who = character(name)
    model, data = compiled(who)
    tops = [highest(model, data, geom) for geom in range(model.ngeom) if model.geom_group[geom] == 0]
    assert max(tops) == pytest.approx(who.height_m, abs=0.01)


def highest(model: mujoco.MjModel, data: mujoco.MjData, geom: int) -> float:
    """Top of a drawn geom: of its vertices, or of an ellipsoid."""
    turn = data.geom_xmat[geom].reshape(3, 3)
    if model.geom_type[geom] == mujoco.mjtGeom.mjGEOM_MESH:
        first, count = model.mesh_vertadr[model.geom_dataid[geom]], model.mesh_vertnum[model.geom_dataid[geom]]
        return float((model.mesh_vert[first : first + count] @ turn.T)[:, 2].max() + data.geom_xpos[geom][2])
    assert model.geom_type[geom] == mujoco.mjtGeom.mjGEOM_ELLIPSOID, "say here how high the new kind of geom reaches"
    return float(np.linalg.norm(turn[2] * model.geom_size[geom]) + data.geom_xpos[geom][2])


@EVERY
def test_the_mirror_is_its_own_inverse(name: str) -> None:
    who = character(name)
    numbers = np.random.default_rng(5).normal(size=(3, who.dof_count))
    np.testing.assert_array_equal(who.mirror(who.mirror(numbers)), numbers)
    for joint in who.dof_names:
        there = who.mirror.permutation[who.dof_index(joint)]
        assert who.dof_names[there] == other_side(joint)


@EVERY
def test_ranges_limits_and_gains_are_alike_on_both_sides(name: str) -> None:
    who = character(name)
    swap, signs = who.mirror.permutation, who.mirror.signs
    for numbers in (who.torque_limits_nm, who.servo_stiffness_nm, who.servo_damping_nms):
        np.testing.assert_array_equal(numbers, numbers[swap])
    low, high = who.limits_rad.T
    mirrored = np.sort(np.stack([signs * low[swap], signs * high[swap]], axis=1), axis=1)
    np.testing.assert_array_equal(mirrored, who.limits_rad)


@EVERY
def test_the_mirrored_pose_is_the_mirrored_body(name: str) -> None:
    """In any pose: positions, masses, inertias and contact points of the mirrored pose are the mirrored ones."""
    who = character(name)
    model, data = compiled(who)
    other = mujoco.MjData(model)
    generator = np.random.default_rng(11)
    for _ in range(5):
        qpos, qvel = np.zeros(model.nq), generator.normal(size=model.nv)
        mujoco.mj_integratePos(model, qpos, generator.normal(scale=0.4, size=model.nv), 1.0)
        data.qpos, data.qvel = qpos, qvel
        other.qpos, other.qvel = mirror_position(who)(qpos), mirror_velocity(who)(qvel)
        for each in (data, other):
            mujoco.mj_forward(model, each)
            mujoco.mj_subtreeVel(model, each)
        for link in who.links:
            here, there = data.body(link.name), other.body(other_side(link.name))
            np.testing.assert_allclose(there.xipos, SIGN * here.xipos, atol=1e-12)
            np.testing.assert_allclose(
                world_inertia(model, other, there.id), mirror_matrix(world_inertia(model, data, here.id)), atol=1e-12
            )
        for point in who.contact_points:
            np.testing.assert_allclose(other.geom(other_side(point.name)).xpos, SIGN * data.geom(point.name).xpos, atol=1e-12)
        np.testing.assert_allclose(other.subtree_linvel[0], SIGN * data.subtree_linvel[0], atol=1e-12)


def world_inertia(model: mujoco.MjModel, data: mujoco.MjData, body: int) -> np.ndarray:
    turn = data.ximat[body].reshape(3, 3)
    return turn @ np.diag(model.body_inertia[body]) @ turn.T


def mirror_matrix(matrix: np.ndarray) -> np.ndarray:
    return SIGN[:, None] * matrix * SIGN


@EVERY
def test_two_of_them_fit_into_one_model(name: str) -> None:
    who = character(name)
    spec = mujoco.MjSpec()
    attach(who, spec, "a_")
    attach(who, spec, "b_")
    model = spec.compile()
    assert model.nv == 2 * (who.dof_count + who.root_dof_count)
    for i, dof in enumerate(who.dof_names):
        assert model.joint("b_" + dof).dofadr[0] == model.nv // 2 + who.root_dof_count + i


@EVERY
def test_nothing_touches_by_itself(name: str) -> None:
    model, _ = compiled(character(name))
    assert not model.geom_contype.any()
    assert not model.geom_conaffinity.any()


@EVERY
def test_looks_are_only_looks(name: str) -> None:
    """Without its skin the character is the same to physics, and the skin covers what touches."""
    who = character(name)
    seen, _ = compiled(who)
    bare, _ = compiled(who, looks=False)
    assert bare.ngeom < seen.ngeom
    assert bare.nmesh == 0
    np.testing.assert_array_equal(bare.body_mass, seen.body_mass)
    np.testing.assert_array_equal(bare.body_inertia, seen.body_inertia)
    np.testing.assert_array_equal(bare.dof_M0, seen.dof_M0)


@EVERY
def test_drawn_soles_lie_on_the_ground(name: str) -> None:
    """What is drawn neither floats over the ground nor sinks into it."""
    model, data = compiled(character(name))
    lowest = min(lowest_vertex(model, data, geom) for geom in range(model.ngeom) if model.geom_type[geom] == mujoco.mjtGeom.mjGEOM_MESH)
    assert lowest == pytest.approx(0.0, abs=0.002)


def lowest_vertex(model: mujoco.MjModel, data: mujoco.MjData, geom: int) -> float:
    first, count = model.mesh_vertadr[model.geom_dataid[geom]], model.mesh_vertnum[model.geom_dataid[geom]]
    turn = data.geom_xmat[geom].reshape(3, 3)
    return float((model.mesh_vert[first : first + count] @ turn.T)[:, 2].min() + data.geom_xpos[geom][2])


@EVERY
def test_left_is_warm_right_is_cool(name: str) -> None:
    who = character(name)
    for link in who.links:
        for shape in link.shapes:
            if shape.colour is not None and link.name.endswith(("thigh", "shank", "foot")) and np.ptp(shape.colour[:3]) > 0.1:
                red, _, blue, _ = shape.colour
                assert (red > blue) == link.name.startswith("left_")
