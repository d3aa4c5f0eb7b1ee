"""The search: it finds known minima, replays to the same bits, and leaves NumPy's global generator alone."""

import numpy as np
import pytest
from numpy import random as global_random

from surefoot.learning.search import Search
from surefoot.seeding import SeedTree


def search(n: int, seed: int = 1, population: int = 10, sigma: float = 0.5, mean: float = 1.0) -> Search:
    return Search(np.full(n, mean), sigma=sigma, population=population, generator=SeedTree(root=seed).generator("cma"))


def sphere(x: np.ndarray) -> np.ndarray:
    return ((x - 0.3) ** 2).sum(axis=1)


def ellipsoid(x: np.ndarray) -> np.ndarray:
    """Condition 1e4, rotated, so that no axis is an axis of the search."""
    n = x.shape[1]
    basis, _ = np.linalg.qr(np.random.default_rng(5).standard_normal((n, n)))
    return (((x - 0.3) @ basis) ** 2 * np.logspace(0, 4, n)).sum(axis=1)


@pytest.mark.parametrize(("cost", "iterations"), [(sphere, 120), (ellipsoid, 260)], ids=["sphere", "rotated ellipsoid"])
def test_known_minima_are_found(cost, iterations: int) -> None:
    found = search(6)
    for _ in range(iterations):
        candidates = found.ask()
        assert candidates.shape == (10, 6)
        found.tell(cost(candidates))
    assert found.best[0] < 1e-8
    assert found.mean == pytest.approx(np.full(6, 0.3), abs=1e-4)
    assert cost(found.best[1][None])[0] == found.best[0]
    assert found.sigma < 0.01


def test_a_search_is_replayed_from_its_costs_to_the_same_bits() -> None:
    first = search(5, seed=4)
    for _ in range(15):
        first.tell(ellipsoid(first.ask()))
    again = search(5, seed=4)
    again.replay(first.told)
    assert again.mean.tobytes() == first.mean.tobytes()
    assert again.sigma == first.sigma
    assert again.best[0] == first.best[0]
    assert again.best[1].tobytes() == first.best[1].tobytes()
    assert again.ask().tobytes() == first.ask().tobytes()


def test_another_seed_asks_for_other_candidates() -> None:
    assert search(5, seed=1).ask().tobytes() == search(5, seed=1).ask().tobytes()
    assert (search(5, seed=1).ask() != search(5, seed=2).ask()).all()


def test_numpys_global_generator_is_left_alone() -> None:
    before = global_random.get_state(legacy=False)  # noqa: NPY002 - that is what is watched
    found = search(4)
    for _ in range(10):
        found.tell(sphere(found.ask()))
    after = global_random.get_state(legacy=False)  # noqa: NPY002
    assert before["state"]["pos"] == after["state"]["pos"]
    assert (before["state"]["key"] == after["state"]["key"]).all()


def test_two_searches_at_once_do_not_disturb_each_other() -> None:
    alone, one, two = search(4, seed=1), search(4, seed=1), search(4, seed=2)
    for _ in range(5):
        alone.tell(sphere(alone.ask()))
        a, b = one.ask(), two.ask()
        two.tell(sphere(b))
        one.tell(sphere(a))
    assert alone.mean.tobytes() == one.mean.tobytes()


def test_costs_that_are_no_numbers_count_as_the_worst() -> None:
    found = search(4)
    for _ in range(60):
        candidates = found.ask()
        costs = sphere(candidates)
        costs[candidates[:, 0] > 0.9] = np.nan
        costs[0] = np.inf if costs[0] > costs.min() else costs[0]
        found.tell(costs)
    assert found.best[0] < 1e-3
    assert np.isfinite(found.mean).all()


def test_what_is_told_is_kept_apart_from_the_callers_array() -> None:
    found = search(3)
    costs = sphere(found.ask())
    found.tell(costs)
    costs[:] = -1.0
    assert (found.told[0] != -1.0).all()


def test_a_flat_cost_does_not_stop_the_search() -> None:
    found = search(3)
    for _ in range(30):
        found.ask()
        found.tell(np.zeros(10))
    assert found.ask().shape == (10, 3)
