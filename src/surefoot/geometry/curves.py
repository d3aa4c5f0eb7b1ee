"""Curves over a step's phase: Catmull-Rom splines through evenly spaced knots, held constants, smooth ramps.

All curves of a gait share their phase, so a spline is evaluated as four weights, computed once, on four neighbouring knots.
Callable from Python and from compiled laws; what the curves mean is in `controllers.gaits`.
"""

from __future__ import annotations

import numba
import numpy as np


@numba.njit(inline="always")
def spline_weights(phase: float, count: int, weights: np.ndarray) -> int:
    """Catmull-Rom weights (4,) on `count` knots at phases 0 to 1; returns the first of the four knots.

    Outside [0, 1] the end knot is held, the first one also where the phase is no number. Tangents are central differences,
    one-sided at the ends.
    """
    weights[0], weights[1], weights[2], weights[3] = 0.0, 0.0, 0.0, 0.0
    last = count - 1
    if count < 4:
        raise ValueError("a spline needs at least four knots")
    if not phase > 0.0:  # NaN too: as an index it would be any number
        weights[0] = 1.0
        return 0
    if phase >= 1.0:
        weights[3] = 1.0
        return last - 3
    i = int(phase * last)
    t = phase * last - i
    first = max(0, min(i - 1, last - 3))
    k = i - first  # where the segment starts among the four
    t2, t3 = t * t, t * t * t
    tangent_here, tangent_there = t3 - 2.0 * t2 + t, t3 - t2
    weights[k] += 2.0 * t3 - 3.0 * t2 + 1.0
    weights[k + 1] += 3.0 * t2 - 2.0 * t3
    if i > 0:
        weights[k - 1] -= 0.5 * tangent_here
        weights[k + 1] += 0.5 * tangent_here
    else:
        weights[k] -= tangent_here
        weights[k + 1] += tangent_here
    if i + 2 <= last:
        weights[k] -= 0.5 * tangent_there
        weights[k + 2] += 0.5 * tangent_there
    else:
        weights[k] -= tangent_there
        weights[k + 1] += tangent_there
    return first


@numba.njit
def held_weights(phase: float, count: int, weights: np.ndarray) -> int:
    """Weights (4,) of a state machine's targets: knot i from phase i/count to (i+1)/count, the last one for ever after."""
    weights[0], weights[1], weights[2], weights[3] = 0.0, 0.0, 0.0, 0.0
    i = max(0, min(int(phase * count), count - 1))
    first = max(0, min(i, count - 4))
    weights[i - first] = 1.0
    return first


@numba.njit
def smooth_step(x: float) -> float:
    """0 below 0, 1 above 1, and 3x^2 - 2x^3 between."""
    x = min(1.0, max(0.0, x))
    return x * x * (3.0 - 2.0 * x)
