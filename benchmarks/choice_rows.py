"""Rows of results/choices.json: one number each with its interval and its count, kept by study with command and wall time.

`Row` and what makes rows of means, shares and ratios. What is measured stands in `choice_step`, `choice_joints`,
`choice_laws` and `choice_cheap`; the tables of the docs page are made from the rows by `choice_page`.
"""

from __future__ import annotations

import dataclasses
import json
import math
import pathlib
import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from surefoot.files import written_whole
from surefoot.robustness.tolerance import wilson


@dataclasses.dataclass(frozen=True, kw_only=True, slots=True)
class Row:
    """One number of a study."""

    name: str
    """Dotted: what was varied, then what was measured."""
    value: float | None
    """None where nothing could be measured: no simulation stood long enough."""
    low: float | None = None
    """Lower bound of the 95 % interval (of times: the lower quartile)."""
    high: float | None = None
    """Upper bound."""
    count: int
    """Simulations, or repeats, behind the number."""


def single(name: str, value: float, count: int = 1) -> Row:
    """A number that is not a mean: a greatest, a bound found on a grid, an exact result."""
    return Row(name=name, value=_finite(value), count=count)


def share(name: str, successes: int, trials: int) -> Row:
    """A rate with its Wilson interval."""
    if not trials:
        return Row(name=name, value=None, count=0)
    low, high = wilson(successes, trials)
    return Row(name=name, value=round(successes / trials, 4), low=round(low, 4), high=round(high, 4), count=trials)


def mean(name: str, values: np.ndarray) -> Row:
    """A mean over simulations with its normal interval."""
    values = values[np.isfinite(values)]
    if not values.size:
        return Row(name=name, value=None, count=0)
    half = 1.96 * float(values.std(ddof=1)) / math.sqrt(values.size) if values.size > 1 else 0.0
    middle = float(values.mean())
    return Row(name=name, value=_finite(middle), low=_finite(middle - half), high=_finite(middle + half), count=values.size)


def median(name: str, values: Sequence[float]) -> Row:
    """A median of repeats with its quartiles."""
    low, middle, high = (float(x) for x in np.percentile(np.array(values), [25, 50, 75]))
    return Row(name=name, value=_finite(middle), low=_finite(low), high=_finite(high), count=len(values))


def _finite(value: float) -> float | None:
    """Six significant digits; None for what JSON cannot hold."""
    return float(f"{value:.6g}") if math.isfinite(value) else None


def interleaved(ways: Mapping[str, Callable[[], float]], repeats: int) -> dict[str, list[float]]:
    """What each way's call gives in each turn; ways take turns, so that a noisy neighbour meets them all. The first turn is thrown away."""
    taken: dict[str, list[float]] = {name: [] for name in ways}
    for turn in range(repeats + 1):
        for name, way in ways.items():
            spent = way()
            if turn:
                taken[name].append(spent)
    return taken


def ratios(taken: Mapping[str, list[float]], name: str, against: str) -> list[float]:
    """Time of one way over that of another, turn by turn."""
    return [a / b for a, b in zip(taken[name], taken[against], strict=True)]


@dataclasses.dataclass(frozen=True, kw_only=True, slots=True)
class Study:
    """What one study gave."""

    name: str
    command: str
    gait: str
    """The gait that walked, and the first digits of the hash of its file; empty where nothing walks."""
    size: str
    """'full'; 'draft' for an eighth of the trials; 'smoke' for a run that only shows that everything works."""
    wall_s: float
    rows: tuple[Row, ...]


def load(path: pathlib.Path) -> dict[str, Study]:
    """The studies of a results file; none where there is no file yet."""
    if not path.is_file():
        return {}
    raw: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return {study["name"]: Study(**{**study, "rows": tuple(Row(**row) for row in study["rows"])}) for study in raw["studies"]}


def save(path: pathlib.Path, studies: Mapping[str, Study]) -> None:
    """Write all studies, one row a line."""
    blocks = []
    for study in studies.values():
        head = {key: value for key, value in dataclasses.asdict(study).items() if key != "rows"}
        lines = ",\n  ".join(json.dumps(dataclasses.asdict(row)) for row in study.rows)
        blocks.append(f'{json.dumps(head)[:-1]}, "rows": [\n  {lines}\n ]}}')
    with written_whole(path) as part:
        part.write_text('{"studies": [\n ' + ",\n ".join(blocks) + "\n]}\n", encoding="utf-8")


def timed(function: Callable[[], list[Row]]) -> tuple[list[Row], float]:
    """Rows of a study and the wall seconds it took."""
    began = time.monotonic()
    rows = function()
    names = [row.name for row in rows]
    assert len(set(names)) == len(names), f"rows of one name: {statistics.mode(names)}"
    return rows, time.monotonic() - began
