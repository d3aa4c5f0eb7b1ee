"""The stage adds what is seen and touches nothing that moves; its ground tells the scale truly."""

import math

import mujoco
import numpy as np
import pytest

from surefoot.filming.picture import Eye, Figure, Pane, Picture
from surefoot.filming.stage import FIELD_RAD, NUMBER_LANE_M, dress
from surefoot.filming.studio import paint


def test_the_scene_is_left_as_it_is(spec: mujoco.MjSpec) -> None:
    before = spec.to_xml()
    dress(spec, metres=(0.0, 3.0))
    assert spec.to_xml() == before


def test_physics_is_the_same(spec: mujoco.MjSpec, model: mujoco.MjModel) -> None:
    staged = dress(spec, metres=(0.0, 3.0)).compile()
    assert (staged.nq, staged.nv, staged.nbody, staged.njnt, staged.npair) == (model.nq, model.nv, model.nbody, model.njnt, model.npair)
    assert np.array_equal(staged.body_mass, model.body_mass)
    assert [staged.body(i).name for i in range(staged.nbody)] == [model.body(i).name for i in range(model.nbody)]
    added = [g for g in range(staged.ngeom) if staged.geom(g).name.startswith("stage_")]
    assert len(added) == 4
    assert not staged.geom_contype[added].any()
    assert not staged.geom_conaffinity[added].any()


def test_a_scene_without_ground_gets_one_and_a_bent_one_no_numbers() -> None:
    bare = mujoco.MjSpec.from_string('<mujoco><worldbody><body><freejoint/><geom size=".1"/></body></worldbody></mujoco>')
    assert dress(bare).geom("stage_floor") is not None
    slope = '<mujoco><worldbody><geom name="ground_0" type="plane" size="0 0 1" euler="0 10 0"/></worldbody></mujoco>'
    names = [geom.name for geom in dress(mujoco.MjSpec.from_string(slope), metres=(0.0, 3.0)).geoms]
    assert names == ["ground_0"]


def test_lights_of_the_scene_give_way_to_the_sun() -> None:
    lit = mujoco.MjSpec.from_string('<mujoco><worldbody><light pos="0 0 3"/></worldbody></mujoco>')
    assert [light.name for light in dress(lit).lights] == ["stage_sun"]


PLANE = '<geom name="ground_0" type="plane" size="0 0 1"/>'
BOX = '<geom name="ground_0" type="box" size="6 4 .5" pos="0 0 -.5"/>'


def from_above(ground: str, metres: tuple[float, float] | None) -> np.ndarray:
    """(400, 400): brightness of 4 by 4 m of the ground around the origin, x to the right, y up."""
    xml = f'<mujoco><worldbody>{ground}<body pos="0 0 -9"><freejoint/><geom size=".1"/></body></worldbody></mujoco>'
    model = dress(mujoco.MjSpec.from_string(xml), width=400, height=400, metres=metres).compile()
    eye = Eye(
        target_m=(0.0, 0.0, 0.0),
        distance_m=2.0 / math.tan(FIELD_RAD / 2),
        azimuth_rad=math.pi / 2,
        elevation_rad=-math.pi / 2,
        field_rad=FIELD_RAD,
    )
    pane = Pane(left=0, top=0, width=400, height=400, eye=eye, figures=(Figure(qpos=model.qpos0),), shadow_reach_m=8.0)
    picture = Picture(width=400, height=400, panes=(pane,))
    return next(iter(paint(model, [picture], processes=1))).mean(axis=2)


@pytest.mark.parametrize("ground", [PLANE, BOX], ids=["plane", "box"])
@pytest.mark.usefixtures("drawing")
def test_a_square_is_a_metre(ground: str) -> None:
    """A metre has 100 pixels here: squares change their shade every 100 pixels, along x and along y."""
    seen = from_above(ground, None)
    middles = seen[np.ix_([55, 155, 255, 355], [55, 155, 255, 355])]
    odd = np.add.outer(range(4), range(4)) % 2 == 1
    assert abs(middles[odd].mean() - middles[~odd].mean()) > 8
    assert np.ptp(middles[odd]) < 4
    assert np.ptp(middles[~odd]) < 4
    for line in (100, 200, 300):
        assert seen[line - 3 : line + 4, 55].max() > middles.max() + 8
        assert seen[55, line - 3 : line + 4].max() > middles.max() + 8


@pytest.mark.usefixtures("drawing")
def test_numbers_lie_on_the_ground_without_a_seam() -> None:
    plain, numbered = from_above(PLANE, None), from_above(PLANE, (-2.0, 2.0))
    low, high = (round(200 - 100 * y) for y in reversed(NUMBER_LANE_M))
    changed = np.abs(numbered - plain) > 12
    assert changed[low:high].any()
    assert not changed[:low].any()
    assert not changed[high:].any()
    # letters only: a patch of the wrong square would change half of the lane
    assert changed[low:high].mean() < 0.2
    for metre in range(-2, 2):
        start = 200 + 100 * metre
        assert changed[low:high, start : start + 50].any(), f"{metre} m is missing"
        assert not changed[low:high, start + 52 : start + 98].any()
