"""Pictures out of takes: times, poses between recorded ones, arrows that fade, panes that do not overlap."""

import dataclasses

import mujoco
import numpy as np
import pytest

from surefoot.errors import SurefootError
from surefoot.filming import storyboard
from surefoot.filming.takes import Note, Push, Shot, Take

SIZE = {"width": 320, "height": 180}
PUSH = Push(time_s=0.2, duration_s=0.2, force_n=(0.0, 150.0, 0.0), body="torso")


@pytest.fixture
def take(walk: np.ndarray) -> Take:
    return Take(qpos=walk, rate_hz=50.0, caption="walk", pushes=(PUSH,))


def test_number_of_frames_follows_speed_and_span(model: mujoco.MjModel, take: Take) -> None:
    assert len(storyboard.pictures(model, Shot(takes=(take,)), fps=25, **SIZE)) == 25
    assert len(storyboard.pictures(model, Shot(takes=(take,), speed=0.25), fps=25, **SIZE)) == 100
    assert len(storyboard.pictures(model, Shot(takes=(take,), start_s=0.4, end_s=0.6), fps=25, **SIZE)) == 5


def test_recorded_poses_are_shown_as_they_are(model: mujoco.MjModel, take: Take) -> None:
    pictures = storyboard.pictures(model, Shot(takes=(take,)), fps=25, **SIZE)
    for k, picture in enumerate(pictures):
        assert np.array_equal(picture.panes[0].figures[0].qpos, take.qpos[2 * k])


def test_poses_between_turn_the_short_way(model: mujoco.MjModel) -> None:
    qpos = np.tile(model.qpos0, (2, 1))
    turn = np.radians(80.0)
    qpos[1, 3:7] = -np.array([np.cos(turn / 2), 0.0, 0.0, np.sin(turn / 2)])  # the sign of a quaternion means nothing
    half = storyboard.pose(model, Take(qpos=qpos, rate_hz=1.0), 0.5)
    assert abs(half[3:7] @ np.array([np.cos(turn / 4), 0.0, 0.0, np.sin(turn / 4)])) == pytest.approx(1.0)


def test_a_shorter_take_rests_in_its_last_pose(model: mujoco.MjModel, take: Take) -> None:
    assert np.array_equal(storyboard.pose(model, take, 99.0), take.qpos[-1])
    assert np.array_equal(storyboard.pose(model, take, -1.0), take.qpos[0])


def test_an_arrow_comes_with_its_push_and_fades_after_it(model: mujoco.MjModel, take: Take) -> None:
    pictures = storyboard.pictures(model, Shot(takes=(take,)), fps=25, **SIZE)
    opacity = [sum(arrow.opacity for arrow in picture.panes[0].arrows) for picture in pictures]
    assert opacity[4] == 0.0
    assert opacity[6] == opacity[9] == 1.0
    assert 0.0 < opacity[15] < 1.0
    assert opacity[24] == 0.0


def test_notes_and_clock(model: mujoco.MjModel, take: Take) -> None:
    noted = dataclasses.replace(take, notes=(Note(time_s=0.5, text="stands"),))
    early, late = storyboard.pictures_at(model, Shot(takes=(noted,), speed=0.5, title="demo"), np.array([0.1, 0.6]), **SIZE)
    assert [caption.text for caption in early.panes[0].captions] == ["walk"]
    assert [caption.text for caption in late.panes[0].captions] == ["walk", "stands"]
    assert [caption.text for caption in late.captions] == ["demo", "0.60 s   0.5 x speed"]


@pytest.mark.parametrize("count", range(1, 13))
@pytest.mark.parametrize("columns", [None, 1, 4])
def test_panes_cover_the_picture_without_overlap(count: int, columns: int | None) -> None:
    seen = np.zeros((180, 320), dtype=int)
    boxes = storyboard.grid(count, 320, 180, columns)
    for left, top, width, height in boxes:
        assert left + width <= 320
        assert top + height <= 180
        seen[top : top + height, left : left + width] += 1
    assert len(boxes) == count
    assert seen.max() == 1


def test_takes_together_share_a_pane_and_in_a_grid_have_their_own(model: mujoco.MjModel, take: Take) -> None:
    together = storyboard.pictures_at(model, Shot(takes=(take, take)), np.zeros(1), **SIZE)[0]
    assert [len(pane.figures) for pane in together.panes] == [2]
    assert [figure.label for figure in together.panes[0].figures] == ["walk", "walk"]
    grid = storyboard.pictures_at(model, Shot(takes=(take, take), layout="grid"), np.zeros(1), **SIZE)[0]
    assert [len(pane.figures) for pane in grid.panes] == [1, 1]


def test_a_take_of_another_scene_is_refused(model: mujoco.MjModel) -> None:
    with pytest.raises(SurefootError, match="the take 'run' has 3 positions an instant and the scene has 10"):
        storyboard.check(model, Take(qpos=np.zeros((1, 3)), rate_hz=1.0, caption="run"))


def test_a_push_on_a_missing_body_is_refused(model: mujoco.MjModel, take: Take) -> None:
    lost = dataclasses.replace(take, pushes=(dataclasses.replace(PUSH, body="torsoo"),))
    with pytest.raises(SurefootError, match="no body 'torsoo' in the filmed scene: did you mean 'torso'"):
        storyboard.check(model, lost)


def test_height_of_the_figure(model: mujoco.MjModel) -> None:
    assert storyboard.standing_height_m(model, model.qpos0) == pytest.approx(0.95 + 0.1 + 0.74, abs=0.01)
