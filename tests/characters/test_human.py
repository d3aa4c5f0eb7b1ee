"""The numbers that the papers give for their humans."""

from collections.abc import Callable

import mujoco
import numpy as np
import pytest

from surefoot.characters import Character, attach, character
from surefoot.characters.human import HumanBody, build_human
from surefoot.errors import SurefootError

ANGLES = {"waist": 3, "neck": 3, "shoulder": 3, "elbow": 1, "hip": 3, "knee": 1, "ankle": 2, "toe": 1}


def test_human_is_the_one_of_coros() -> None:
    human = character("human")
    assert human.mass_kg == pytest.approx(70.4, abs=1e-9)
    assert human.dof_count == 28
    assert human.dof_count + human.root_dof_count == 34
    assert human.height_m == 1.78
    for joint in human.joints:
        assert len(joint.axes) == ANGLES[joint.name.removeprefix("left_").removeprefix("right_")]


def test_human_wang_is_the_one_of_wang() -> None:
    human = character("human_wang")
    assert human.mass_kg == pytest.approx(70.0, abs=1e-9)
    assert human.dof_count == 30
    assert human.height_m == 1.80
    assert {"left_wrist", "right_wrist"} == set(human.joint_names) - set(character("human").joint_names)
    assert set(character("human").dof_names) < set(human.dof_names), "a gait of one must carry over to the other"


@pytest.mark.parametrize("name", ["human", "human_wang"])
def test_feet_have_the_points_that_wang_s_return_needs(name: str) -> None:
    for foot in character(name).end_effectors:
        under_foot = [p for p in foot.points if p.role in ("heel", "ball")]
        under_toe = [p for p in foot.points if p.role == "toe"]
        on_top = [p for p in foot.points if p.role == "top"]
        assert len(under_foot) >= 3
        assert {p.link for p in under_foot} == {foot.link}
        assert len(under_toe) >= 3
        assert {p.link for p in under_toe + on_top} == {foot.toe_link}
        assert len(on_top) == 1


@pytest.mark.parametrize(
    ("dof", "link", "angle", "axis", "direction"),
    [
        ("left_hip_pitch", "left_foot", -0.5, 0, 1),  # a thigh swung forward has negative pitch
        ("left_knee_pitch", "left_foot", 0.5, 0, -1),  # a bent knee is positive
        ("left_ankle_pitch", "left_toes", -0.3, 2, 1),  # toes pulled up
        ("left_hip_roll", "left_foot", 0.4, 1, 1),  # spread to the left
        ("right_hip_roll", "right_foot", -0.4, 1, -1),
        ("left_shoulder_roll", "left_forearm", 1.0, 1, 1),
        ("right_shoulder_pitch", "right_forearm", -1.0, 0, 1),
        ("right_elbow_pitch", "right_forearm", -1.0, 0, 1),
        ("waist_pitch", "head", 0.5, 0, 1),  # lean forward
        ("waist_roll", "head", 0.3, 1, -1),  # right-handed about x: to the right
    ],
)
def test_signs_of_the_joints(dof: str, link: str, angle: float, axis: int, direction: int) -> None:
    human = character("human")
    spec = mujoco.MjSpec()
    attach(human, spec)
    model = spec.compile()
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    before = data.body(link).xipos[axis]
    data.joint(dof).qpos = angle
    mujoco.mj_forward(model, data)
    assert (data.body(link).xipos[axis] - before) * direction > 0.02
    low, high = human.limits_rad[human.dof_index(dof)]
    assert low < angle < high


@pytest.mark.parametrize("height_m", [1.2, 1.55, 2.0])
def test_any_size_stands(height_m: float) -> None:
    small = build_human(HumanBody(name="small", about="", mass_kg=50.0, height_m=height_m, wrists=True))
    assert small.mass_kg == pytest.approx(50.0)
    spec = mujoco.MjSpec()
    attach(small, spec)
    model = spec.compile()
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    lowest = [data.geom(p.name).xpos[2] - p.radius_m for p in small.contact_points if p.role != "top"]
    np.testing.assert_allclose(lowest, 0.0, atol=1e-12)


def test_it_carries_its_weight_on_its_feet() -> None:
    """Held by stiff joints it stands, and the touch sensors add up to its weight."""
    human = character("human")
    spec = mujoco.MjSpec()
    spec.option.integrator = mujoco.mjtIntegrator.mjINT_IMPLICITFAST
    spec.option.timestep = 0.004
    spec.worldbody.add_geom(name="ground", type=mujoco.mjtGeom.mjGEOM_PLANE, size=(0, 0, 1), contype=0, conaffinity=0)
    attach(human, spec)
    for point in human.contact_points:
        spec.add_pair(geomname1="ground", geomname2=point.name)
    model = spec.compile()
    model.actuator_biasprm[:, 1] = -500.0
    model.actuator_biasprm[:, 2] = -30.0
    data = mujoco.MjData(model)
    mujoco.mj_step(model, data, nstep=500)
    assert data.body("head").xpos[2] > 1.45
    assert data.sensordata.sum() == pytest.approx(9.81 * human.mass_kg, rel=0.01)
    assert data.sensordata.min() >= 0


@pytest.mark.parametrize(
    ("ask", "words"),
    [
        (
            lambda human: human.dof_index("left_kne"),
            "no degree of freedom 'left_kne' in character 'human': did you mean 'left_knee_pitch'?",
        ),
        (lambda human: human.joint("l_knee"), "no joint 'l_knee' in character 'human': did you mean 'left_knee'?"),
        (lambda human: human.link("left_thig"), "no link 'left_thig' in character 'human': did you mean 'left_thigh'?"),
        (lambda human: human.end_effector("foot_l"), "no end effector 'foot_l' in character 'human': there are 'left_foot', 'right_foot'"),
    ],
)
def test_names_that_nothing_carries(ask: Callable[[Character], object], words: str) -> None:
    with pytest.raises(SurefootError) as caught:
        ask(character("human"))
    assert str(caught.value) == words
