"""The camera: views by name, a smooth path, and figures that stay in the picture."""

import math

import numpy as np
import pytest

from surefoot.errors import UnknownName, WrongValue
from surefoot.filming.camera import VIEWS, Track, follow, view
from surefoot.filming.picture import Eye

RATE_HZ = 25.0


def eyes(
    roots: np.ndarray, name: str = "side", heading_rad: float = 0.0, soles: np.ndarray | None = None, bodies: np.ndarray | None = None
) -> tuple[Eye, ...]:
    track = Track(
        rate_hz=RATE_HZ,
        roots_m=roots,
        soles_m=np.zeros(roots.shape[:2]) if soles is None else soles,
        bodies_m=roots if bodies is None else bodies,
    )
    return follow(track, view_name=name, heading_rad=heading_rad, height_m=1.8, aspect=16 / 9)


def walking(seconds: float = 4.0, sway_m: float = 0.05) -> np.ndarray:
    time_s = np.arange(round(seconds * RATE_HZ)) / RATE_HZ
    height = 0.95 + 0.03 * np.cos(4 * math.pi * time_s)
    return np.stack([1.3 * time_s, sway_m * np.sin(2 * math.pi * time_s), height], axis=1)[:, None]


def test_views_have_two_spellings_and_a_helpful_error() -> None:
    assert view("three_quarter") == view("Three-Quarter") == VIEWS["three-quarter"]
    with pytest.raises(UnknownName, match="no view 'sied': did you mean 'side'"):
        view("sied")


def test_side_view_walks_to_the_right_and_front_view_comes_closer() -> None:
    right, up, forward = eyes(walking(), "side")[0].axes()
    assert right[0] > 0.99
    assert up[2] > 0.9
    assert forward[1] > 0.9
    _, _, forward = eyes(walking(), "front")[0].axes()
    assert forward[0] < -0.9


def test_views_turn_with_the_heading() -> None:
    right, _, _ = eyes(walking(), "side", heading_rad=math.pi / 2)[0].axes()
    assert right[1] > 0.99


def test_the_camera_moves_along_but_does_not_sway_with_the_steps() -> None:
    targets = np.array([eye.target_m for eye in eyes(walking(sway_m=0.05))])
    inner = slice(25, -25)
    assert np.allclose(np.diff(targets[inner, 0]) * RATE_HZ, 1.3, atol=0.05)
    assert np.ptp(targets[inner, 1]) < 0.01
    assert np.ptp(targets[inner, 2]) < 0.01


@pytest.mark.parametrize("name", VIEWS)
@pytest.mark.parametrize("count", [1, 8])
def test_every_figure_is_inside_the_picture(name: str, count: int) -> None:
    roots = np.concatenate([walking() + np.array([-1.5 * (i // 4), 1.5 * (i % 4), 0.0]) for i in range(count)], axis=1)
    for k, eye in enumerate(eyes(roots, name)):
        for root in roots[k]:
            for x, y, z in [(0.3, 0.2, 0.0), (-0.3, -0.2, 0.0), (0.0, 0.0, 1.8)]:
                at = eye.project((root[0] + x, root[1] + y, z), 960, 540)
                assert at is not None
                assert 0 < at[0] < 960
                assert 0 < at[1] < 540


@pytest.mark.parametrize("name", VIEWS)
def test_a_lying_figure_is_inside_the_picture(name: str) -> None:
    roots = walking()
    roots[30:, 0, 2] = 0.15
    lying = roots + np.array([[[0.95, 0.0, 0.0], [-0.8, 0.0, 0.0], [0.0, 0.7, 0.0], [0.0, -0.7, 0.0]]])
    for eye, points in zip(eyes(roots, name, bodies=lying), lying, strict=True):
        for point in points:
            at = eye.project(tuple(point), 960, 540)
            assert at is not None
            assert 0 < at[0] < 960
            assert 0 < at[1] < 540


def test_a_fall_lowers_the_camera_less_than_the_figure_and_a_stair_takes_it_along() -> None:
    roots = walking()
    falling = roots.copy()
    falling[50:, 0, 2] = 0.15
    low = np.array([eye.target_m[2] for eye in eyes(falling)])
    assert 0.2 < low[0] - low[-1] < 0.5
    stairs, soles = roots.copy(), np.zeros(roots.shape[:2])
    stairs[50:, 0, 2] -= 1.0
    soles[50:] -= 1.0
    heights = np.array([eye.target_m[2] for eye in eyes(stairs, soles=soles)])
    assert heights[0] - heights[-1] == pytest.approx(1.0, abs=0.05)


def test_projection_keeps_right_and_up() -> None:
    eye = Eye(target_m=(0.0, 0.0, 1.0), distance_m=5.0, azimuth_rad=math.pi / 2, elevation_rad=0.0, field_rad=math.radians(30))
    assert eye.project((0.0, 0.0, 1.0), 960, 540) == pytest.approx((480.0, 270.0))
    pixels_per_metre = 540 / (2 * 5.0 * math.tan(math.radians(15)))
    assert eye.project((1.0, 0.0, 1.5), 960, 540) == pytest.approx((480 + pixels_per_metre, 270 - 0.5 * pixels_per_metre))
    assert eye.project((0.0, -6.0, 1.0), 960, 540) is None


def test_wrong_shapes_are_refused() -> None:
    with pytest.raises(WrongValue, match=r"roots \(T, figures, 3\)"):
        eyes(np.zeros((0, 1, 3)))
