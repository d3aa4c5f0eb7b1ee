"""Draws by counter: uniform, independent between keys, steps and channels, and the same wherever they are drawn."""

import numba
import numpy as np
import pytest

from surefoot.physics.noise import normal, row_keys, uniform
from surefoot.seeding import SeedTree


@numba.njit
def draws(keys, steps, channels, gaussian):
    result = np.empty((keys.size, steps, channels))
    for i in range(keys.size):
        for step in range(steps):
            for channel in range(channels):
                result[i, step, channel] = normal(keys[i], step, channel) if gaussian else uniform(keys[i], step, channel)
    return result


@pytest.fixture(scope="module")
def keys() -> np.ndarray:
    return row_keys(SeedTree(root=3).key("rows"), 64)


def test_uniform_moments(keys: np.ndarray) -> None:
    """Mean 1/2, variance 1/12, flat over 50 bins: each within four standard deviations of chance."""
    x = draws(keys, 100, 40, False).ravel()
    n = x.size
    assert 0.0 <= x.min() < x.max() < 1.0
    assert x.mean() == pytest.approx(0.5, abs=4 * np.sqrt(1 / 12 / n))
    assert x.var() == pytest.approx(1 / 12, abs=4 * np.sqrt(1 / 180 / n))
    counts, _ = np.histogram(x, 50, (0, 1))
    chi_square = ((counts - n / 50) ** 2 / (n / 50)).sum()
    assert chi_square < 49 + 4 * np.sqrt(2 * 49)
    assert np.unique(x).size == n


def test_normal_moments(keys: np.ndarray) -> None:
    x = draws(keys, 100, 40, True).ravel()
    n = x.size
    assert np.isfinite(x).all()
    assert x.mean() == pytest.approx(0.0, abs=4 / np.sqrt(n))
    assert x.var() == pytest.approx(1.0, abs=4 * np.sqrt(2 / n))
    assert (x**3).mean() == pytest.approx(0.0, abs=4 * np.sqrt(15 / n))
    assert (x**4).mean() == pytest.approx(3.0, abs=4 * np.sqrt(96 / n))
    assert np.mean(np.abs(x) < 1) == pytest.approx(0.6827, abs=4 * np.sqrt(0.22 / n))


@pytest.mark.parametrize("gaussian", [False, True], ids=["uniform", "normal"])
@pytest.mark.parametrize("axis", [0, 1, 2], ids=["keys", "steps", "channels"])
def test_neighbours_are_independent(keys: np.ndarray, axis: int, gaussian: bool) -> None:
    """No correlation between one key (step, channel) and the next ones."""
    x = draws(keys, 64, 64, gaussian)
    x = (x - x.mean()) / x.std()
    x = np.moveaxis(x, axis, 0)
    for lag in (1, 2, 3):
        products = x[lag:] * x[:-lag]
        assert products.mean() == pytest.approx(0.0, abs=4.5 / np.sqrt(products.size))


def test_channels_of_normal_do_not_share_numbers(keys: np.ndarray) -> None:
    x = draws(keys[:4], 20, 40, True)
    assert np.unique(x).size == x.size


def test_a_number_depends_on_key_step_and_channel_alone() -> None:
    first = uniform(12345, 7, 3)
    uniform(1, 1, 1)
    assert uniform(12345, 7, 3) == first
    assert len({first, uniform(12346, 7, 3), uniform(12345, 8, 3), uniform(12345, 7, 4), uniform(-12345, 7, 3)}) == 5


def test_the_numbers_are_those_they_were() -> None:
    """Everything that was made with noise hangs on these; SplitMix64 in Python integers gives the same."""
    mask = (1 << 64) - 1

    def mixed(x: int) -> int:
        x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & mask
        x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & mask
        return x ^ (x >> 31)

    for key, step, channel in ((1, 0, 0), (-5, 17, 1001), (2**62, 10**6, 101)):
        state = mixed(((key & mask) + step * 0x9E3779B97F4A7C15) & mask)
        assert uniform(key, step, channel) == (mixed((state + channel * 0xD1B54A32D192ED03) & mask) >> 11) / 2**53


def test_row_keys_are_all_different_and_the_first_do_not_depend_on_how_many() -> None:
    few, many = row_keys(SeedTree(root=3).key("rows"), 10), row_keys(SeedTree(root=3).key("rows"), 100_000)
    assert few.dtype == np.int64
    assert (many[:10] == few).all()
    assert np.unique(many).size == 100_000
    assert not np.intersect1d(row_keys(SeedTree(root=4).key("rows"), 100_000), many).size
