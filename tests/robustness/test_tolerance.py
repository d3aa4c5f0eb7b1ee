"""Wilson intervals against the textbook, tolerated forces against curves whose middle is known."""

import numpy as np
import pytest

from surefoot.robustness.tolerance import tolerance, wilson


@pytest.mark.parametrize(
    ("successes", "trials", "low", "high"),
    [(0, 10, 0.0, 0.2775), (10, 10, 0.7225, 1.0), (5, 10, 0.2366, 0.7634), (38, 40, 0.8350, 0.9862)],
)
def test_wilson_gives_the_textbook_interval(successes: int, trials: int, low: float, high: float) -> None:
    assert wilson(successes, trials) == pytest.approx((low, high), abs=1e-3)


def test_wilson_of_no_trials_says_nothing() -> None:
    assert wilson(0, 0) == (0.0, 1.0)


def test_f50_and_f90_are_found_from_trials_of_a_known_curve() -> None:
    generator = np.random.default_rng(0)
    forces = np.arange(50.0, 325.0, 25.0)
    chance = 1.0 / (1.0 + np.exp((forces - 170.0) / 20.0))
    found = tolerance(forces, generator.random((forces.size, 400)) < chance[:, None], generator, resamples=50)
    assert found.f50 == pytest.approx(170.0, abs=6.0)
    assert found.f90 == pytest.approx(170.0 - 20.0 * np.log(9.0), abs=10.0)
    assert found.low < 170.0 < found.high
    assert found.high - found.low < 20.0
    assert not found.clipped


def test_a_sharp_edge_lies_between_its_forces() -> None:
    forces = np.array([100.0, 125.0, 150.0, 175.0])
    survived = np.repeat(np.array([[1], [1], [0], [0]]), 40, axis=1)
    found = tolerance(forces, survived, np.random.default_rng(0), resamples=20)
    assert 125.0 < found.f50 < 150.0


@pytest.mark.parametrize("everyone", [0, 1])
def test_all_or_none_is_reported_as_a_bound(everyone: int) -> None:
    forces = np.array([100.0, 125.0, 150.0])
    found = tolerance(forces, np.full((3, 40), everyone), np.random.default_rng(0), resamples=5)
    assert found.clipped
    assert found.f50 >= 150.0 if everyone else found.f50 <= 100.0
