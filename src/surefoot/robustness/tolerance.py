"""Statistics of success and failure: Wilson intervals, and the force that half of the trials survive.

Knows counts only; who was pushed, and how, is decided by the protocol that calls.
"""

from __future__ import annotations

import dataclasses
import math

import numpy as np
import scipy.optimize

LOGIT_90 = math.log(9.0)


def wilson(successes: int, trials: int, z: float = 1.96) -> tuple[float, float]:
    """The Wilson score interval of a success rate (z = 1.96: 95 %)."""
    if trials == 0:
        return 0.0, 1.0
    rate, n = successes / trials, trials
    middle = (rate + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * math.sqrt(rate * (1 - rate) / n + z * z / (4 * n * n))
    return max(0.0, middle - half), min(1.0, middle + half)


@dataclasses.dataclass(frozen=True, kw_only=True, slots=True)
class Tolerance:
    """A falling logistic curve fitted to success against force."""

    f50: float
    """Force that half of the trials survive."""
    f90: float
    """Force that nine in ten survive."""
    low: float
    """Bounds of f50, 95 %, by a bootstrap over trials."""
    high: float
    """Upper bound of f50."""
    clipped: bool
    """All or none of the trials survived: f50 is then the last or first force of the grid, a bound only."""


def tolerance(forces: np.ndarray, survived: np.ndarray, generator: np.random.Generator, resamples: int = 200) -> Tolerance:
    """Fit p(survive | F) = 1 / (1 + exp((F - f50) / width)); forces (k,), survived (k, trials) of 0 and 1."""
    forces, survived = np.asarray(forces, float), np.asarray(survived, float)
    rates = survived.mean(axis=1)
    f50, width = _fit(forces, rates)
    draws = []
    for _ in range(resamples):
        chosen = generator.integers(0, survived.shape[1], survived.shape[1])
        draws.append(_fit(forces, survived[:, chosen].mean(axis=1))[0])
    low, high = np.percentile(draws, [2.5, 97.5])
    clipped = bool(rates.min() > 0.5 or rates.max() < 0.5)
    return Tolerance(f50=f50, f90=f50 - LOGIT_90 * width, low=float(low), high=float(high), clipped=clipped)


def _fit(forces: np.ndarray, rates: np.ndarray) -> tuple[float, float]:
    """Most likely (f50, width); a weak prior of half a trial each way keeps separable data finite."""
    step = float(np.min(np.diff(forces))) if forces.size > 1 else 1.0

    def loss(x: np.ndarray) -> float:
        logits = (x[0] - forces) / (step * math.exp(x[1]))
        p = 1.0 / (1.0 + np.exp(-np.clip(logits, -30, 30)))
        p = np.clip(p, 1e-9, 1 - 1e-9)
        return float(-(rates * np.log(p) + (1 - rates) * np.log(1 - p)).sum() + 1e-3 * x[1] ** 2)

    inside = (
        float(np.interp(0.5, rates[::-1], forces[::-1])) if np.all(np.diff(rates) <= 0) else float(forces[np.argmin(np.abs(rates - 0.5))])
    )
    found = scipy.optimize.minimize(loss, np.array([inside, 0.0]), method="Nelder-Mead")
    f50 = float(np.clip(found.x[0], forces.min() - step, forces.max() + step))
    return f50, step * math.exp(float(np.clip(found.x[1], -4, 4)))
