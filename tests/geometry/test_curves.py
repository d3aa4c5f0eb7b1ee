"""Curves against SciPy: Catmull-Rom, held states, smooth ramps."""

import math

import numpy as np
import pytest
from scipy.interpolate import CubicHermiteSpline

from surefoot.geometry.curves import held_weights, smooth_step, spline_weights

PHASES = np.linspace(-0.3, 1.3, 161)


def value(find, phase: float, knots: np.ndarray) -> float:
    weights = np.full(4, np.nan)
    first = find(phase, len(knots), weights)
    assert 0 <= first <= len(knots) - 4
    return float(weights @ knots[first : first + 4])


@pytest.mark.parametrize("count", [4, 5, 6, 9])
def test_spline_is_catmull_rom_with_its_ends_held(count: int) -> None:
    knots = np.random.default_rng(count).standard_normal(count)
    places = np.linspace(0, 1, count)
    wanted = CubicHermiteSpline(places, knots, np.gradient(knots, places))(np.clip(PHASES, 0, 1))
    assert [value(spline_weights, phase, knots) for phase in PHASES] == pytest.approx(wanted, abs=1e-12)


@pytest.mark.parametrize("count", [4, 6])
def test_spline_goes_through_its_knots(count: int) -> None:
    knots = np.random.default_rng(1).standard_normal(count)
    assert [value(spline_weights, i / (count - 1), knots) for i in range(count)] == pytest.approx(knots, abs=1e-12)


@pytest.mark.parametrize("find", [spline_weights, held_weights], ids=["spline", "held"])
@pytest.mark.parametrize("phase", [-1e9, -0.1, 0.0, 0.37, 1.0, 1.2, 1e9, math.nan])
def test_weights_add_up_to_one_whatever_the_phase(find, phase: float) -> None:
    """A phase that is no number gives a knot, not a place outside of memory."""
    weights = np.full(4, np.nan)
    first = find(phase, 6, weights)
    assert 0 <= first <= 2
    assert weights.sum() == pytest.approx(1.0)


def test_a_spline_of_three_knots_is_refused() -> None:
    with pytest.raises(ValueError, match="a spline needs at least four knots"):
        spline_weights(0.5, 3, np.zeros(4))


def test_held_knots_hold() -> None:
    """Knot i from phase i/count to (i+1)/count, the first before, the last for ever after."""
    knots = np.array([10.0, 11.0, 12.0, 13.0, 14.0])
    for phase in PHASES:
        index = min(4, max(0, math.floor(phase * 5)))
        assert value(held_weights, phase, knots) == knots[index]


def test_smooth_step() -> None:
    x = np.linspace(-1, 2, 301)
    y = np.array([smooth_step(each) for each in x])
    assert (y[x <= 0] == 0).all() and (y[x >= 1] == 1).all()
    assert (np.diff(y) >= 0).all()
    assert smooth_step(0.5) == 0.5
    assert smooth_step(0.25) == pytest.approx(3 * 0.25**2 - 2 * 0.25**3)
    assert np.abs(np.diff(y) / 0.01).max() < 1.51, "it has no corner"
