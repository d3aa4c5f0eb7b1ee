"""Search without gradients: CMA-ES from the package `cma`, by ask and tell, with its own random generator.

A search can be saved as its seed and all told costs, and replayed to the same bits. It knows nothing of what it searches.
"""

from __future__ import annotations

import warnings

import numpy as np

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    import cma


class Search:
    """CMA-ES (Hansen 2016) on parameters in units of their own scale, minimising; starts at `mean`."""

    def __init__(self, mean: np.ndarray, *, sigma: float, population: int, generator: np.random.Generator) -> None:
        """mean (n,); sigma: first standard deviation, in the same scaled units."""
        options = {
            "popsize": population,
            "verbose": -9,
            "seed": np.nan,  # the package must not seed NumPy's global generator
            "randn": lambda *shape: generator.standard_normal(shape),
            "tolfun": 0.0,
            "tolx": 0.0,
            "tolfunhist": 0.0,
            "tolflatfitness": 10**6,
            "tolstagnation": 10**9,
        }
        self._cma = cma.CMAEvolutionStrategy(np.asarray(mean, float), sigma, options)
        self._asked: list[np.ndarray] = []
        self.told: list[np.ndarray] = []
        """Costs of every iteration so far, (population,) each: with the seed they are the whole checkpoint."""
        self.best = (np.inf, np.asarray(mean, float).copy())

    def ask(self) -> np.ndarray:
        """Candidates (population, n)."""
        self._asked = self._cma.ask()
        return np.array(self._asked)

    def tell(self, costs: np.ndarray) -> None:
        """Costs (population,) of the candidates just asked for; NaN counts as the worst."""
        values = np.where(np.isfinite(costs), costs, 1e12)
        self._cma.tell(self._asked, values.tolist())
        self.told.append(np.asarray(costs, float).copy())
        first = int(np.argmin(values))
        if values[first] < self.best[0]:
            self.best = (float(values[first]), self._asked[first].copy())

    def replay(self, told: list[np.ndarray]) -> None:
        """Repeat a search from its costs: the same seed and costs give the same bits."""
        for costs in told:
            self.ask()
            self.tell(costs)

    @property
    def mean(self) -> np.ndarray:
        """Centre of the distribution: less lucky than the best candidate under noisy costs."""
        return np.array(self._cma.mean)

    @property
    def sigma(self) -> float:
        """Present step size, in scaled units."""
        return float(self._cma.sigma)
