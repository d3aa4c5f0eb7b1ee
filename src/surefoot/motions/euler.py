"""Rotations as three angles about three different axes, without jumps in time: what BVH files hold.

Every rotation has two triples of angles, each up to whole turns; here each frame takes the triple nearest to the frame before.
Laws and clips use quaternions; angles exist only at the border to files.
"""

from itertools import product

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation

Floats = NDArray[np.float64]
LOCKED = 1e-7
"""Cosine of the middle angle below which the first and third axis are one and the first angle stays as it was."""


def rotations(angles_rad: Floats, order: str) -> Rotation:
    """Rotations from angles (n, 3) about the moving axes `order`, outermost first: "ZXY" is R = Rz Rx Ry."""
    return Rotation.from_euler(order.upper(), angles_rad)


def continuous_angles(quaternions: Floats, order: str) -> Floats:
    """(T, 3): angles in rad of the rotations (T, 4) with R = R_i(a) R_j(b) R_k(c) for the axes i, j, k of `order`.

    With parity e = 1 for a cyclic order, else -1: sin b = e R_ik, tan a = -e R_jk / R_kk, tan c = -e R_ij / R_ii. The other
    triple is (a + pi, pi - b, c + pi).
    """
    i, j, k = ("XYZ".index(axis) for axis in order.upper())
    e = 1.0 if (i, j, k) in ((0, 1, 2), (1, 2, 0), (2, 0, 1)) else -1.0
    matrices = Rotation.from_quat(quaternions, scalar_first=True).as_matrix()
    first = np.arctan2(-e * matrices[:, j, k], matrices[:, k, k])
    cosine = np.hypot(matrices[:, i, i], matrices[:, i, j])
    middle = np.arctan2(e * matrices[:, i, k], cosine)
    third = np.arctan2(-e * matrices[:, i, j], matrices[:, i, i])
    found = np.empty((len(quaternions), 3))
    last = np.zeros(3)
    for t in range(len(quaternions)):
        if cosine[t] < LOCKED:
            last = _locked(matrices[t], last, float(middle[t]), order, (i, j), e)
        else:
            last = _nearest(np.array([first[t], middle[t], third[t]]), last)
        found[t] = last
    return found


def _nearest(angles: Floats, last: Floats) -> Floats:
    """The equal triple that is nearest to the last one."""
    other = np.array([angles[0] + np.pi, np.pi - angles[1], angles[2] + np.pi])
    candidates = [triple + 2.0 * np.pi * np.round((last - triple) / (2.0 * np.pi)) for triple in (angles, other)]
    return min(candidates, key=lambda triple: float(np.abs(triple - last).sum()))


def _locked(matrix: Floats, last: Floats, middle: float, order: str, axes: tuple[int, int], e: float) -> Floats:
    """With the first and third axis in line only their sum counts: keep the first angle and give the rest to the third."""
    i, j = axes
    best = None
    for a, b in product((last[0],), (middle, np.pi - middle)):
        before = rotations(np.array([[a, b, 0.0]]), order).as_matrix()[0]
        rest = before.T @ matrix
        c = np.arctan2(e * rest[j, i], rest[i, i])
        triple = np.array([a, b, c])
        triple = triple + 2.0 * np.pi * np.round((last - triple) / (2.0 * np.pi))
        if best is None or np.abs(triple - last).sum() < np.abs(best - last).sum():
            best = triple
    assert best is not None
    return best
