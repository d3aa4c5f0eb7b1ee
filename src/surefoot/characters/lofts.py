"""Skins: the closed surface through the rings of a loft, as vertices and triangles.

This is for the eye only: tapered arms, a rib cage, a shoe. It keeps one geom where capsules and ellipsoids would take many,
because each geom costs time at every physics step. Solids that touch or weigh are in `shapes` and `solids`.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from surefoot.characters.shapes import Section, Shape

AROUND = 20
"""Vertices on a ring."""
BETWEEN = 2
"""Rings put between two given ones, along a smooth curve."""
CAP = 4
"""Rings of the round cap at each end."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Skin:
    """A closed surface, seen from outside with counter-clockwise triangles."""

    vertices_m: NDArray[np.float64]
    """(v, 3) in the frame of the shape."""
    faces: NDArray[np.int32]
    """(f, 3) indices of vertices."""


def skin(shape: Shape) -> Skin:
    """The surface of a loft: its rings, smooth between them, with a round cap at both ends."""
    given = sorted(shape.sections, key=lambda section: section.height_m)
    rows = _with_caps(_smooth(np.array([_row(section) for section in given])))
    angle: NDArray[np.float64] = np.arange(AROUND, dtype=np.float64) * (2 * np.pi / AROUND)
    rings = np.stack([_ring(row, angle) for row in rows])
    vertices = np.concatenate([rings.reshape(-1, 3), rings[0].mean(0)[None], rings[-1].mean(0)[None]])
    return Skin(vertices_m=vertices, faces=_faces(len(rows)))


def _row(section: Section) -> tuple[float, ...]:
    x, y = section.shift_m
    return (section.height_m, section.half_depth_m, section.half_width_m, x, y, section.squareness, section.bulge)


def _smooth(rows: NDArray[np.float64]) -> NDArray[np.float64]:
    """Rings between the given ones: a cubic with the slopes of a monotone curve, so that nothing bulges (r, 7)."""
    if len(rows) < 3:
        return rows
    step = np.diff(rows, axis=0)
    product = step[:-1] * step[1:]
    inner = np.where(product > 0, 2 * product / np.where(product > 0, step[:-1] + step[1:], 1.0), 0.0)
    slope = np.concatenate([step[:1], inner, step[-1:]])  # harmonic mean of neighbours: Fritsch and Butland 1984
    t = (np.arange(BETWEEN + 1) / (BETWEEN + 1))[:, None]
    fine = [
        (1 + 2 * t) * (1 - t) ** 2 * rows[i]
        + t * (1 - t) ** 2 * slope[i]
        + t**2 * (3 - 2 * t) * rows[i + 1]
        + t**2 * (t - 1) * slope[i + 1]
        for i in range(len(step))
    ]
    return np.concatenate([*fine, rows[-1:]])


def _with_caps(rows: NDArray[np.float64]) -> NDArray[np.float64]:
    """Close both ends with a half ellipsoid; rings come in the order of the z axis."""
    return np.concatenate([_cap(rows[0], -1.0)[::-1], rows, _cap(rows[-1], 1.0)])


def _cap(row: NDArray[np.float64], outward: float) -> NDArray[np.float64]:
    angle = np.linspace(0, np.pi / 2, CAP + 1)[1:] * 0.985  # not quite to the pole, where a ring would be one point
    cap = np.repeat(row[None], CAP, axis=0)
    cap[:, 0] += outward * np.sin(angle) * row[6] * min(row[1], row[2])
    cap[:, 1:3] *= np.cos(angle)[:, None]
    return cap


def _ring(row: NDArray[np.float64], angle: NDArray[np.float64]) -> NDArray[np.float64]:
    """Points of one ring (AROUND, 3)."""
    height, depth, width, x, y, squareness, _ = row
    c, s = np.cos(angle), np.sin(angle)
    power = 2 / squareness
    forward = depth * np.sign(c) * np.abs(c) ** power
    left = width * np.sign(s) * np.abs(s) ** power
    return np.stack([x + forward, y + left, np.full_like(c, height)], axis=-1)


def _faces(rings: int) -> NDArray[np.int32]:
    """Triangles between neighbouring rings, and fans over the two ends; rings go up the z axis."""
    low = np.arange(rings - 1)[:, None] * AROUND + np.arange(AROUND)
    low_next = np.arange(rings - 1)[:, None] * AROUND + np.roll(np.arange(AROUND), -1)
    walls = np.stack([np.stack([low, low_next, low_next + AROUND], -1), np.stack([low, low_next + AROUND, low + AROUND], -1)], 2).reshape(
        -1, 3
    )
    here = np.arange(AROUND)
    after = np.roll(here, -1)
    first, last = rings * AROUND, rings * AROUND + 1
    top = (rings - 1) * AROUND
    bottom_fan = np.stack([after, here, np.full(AROUND, first)], -1)
    top_fan = np.stack([here + top, after + top, np.full(AROUND, last)], -1)
    return np.concatenate([walls, bottom_fan, top_fan]).astype(np.int32)
