"""Skins are closed, seen from outside, pass through their rings, and do not bulge between them."""

from collections import Counter

import numpy as np
import pytest

from surefoot.characters import character, names
from surefoot.characters.lofts import skin
from surefoot.characters.shapes import Shape, loft, mirrored, ring, scaled

COLOUR = (0.5, 0.5, 0.5, 1.0)
ROUND_BAR = loft((ring(0.0, 0.1, 0.1), ring(1.0, 0.1, 0.1)), colour=COLOUR)
LOFTS = [shape for name in names() for link in character(name).links for shape in link.shapes if shape.kind == "loft"]


def volume(vertices: np.ndarray, faces: np.ndarray) -> float:
    """Signed volume: positive when triangles are counter-clockwise from outside."""
    a, b, c = (vertices[faces[:, i]] for i in range(3))
    return float(np.einsum("ij,ij->i", a, np.cross(b, c)).sum() / 6)


def test_a_round_bar_has_nearly_the_volume_of_a_capsule() -> None:
    surface = skin(ROUND_BAR)
    exact = np.pi * 0.1**2 * 1.0 + 4 / 3 * np.pi * 0.1**3
    assert volume(surface.vertices_m, surface.faces) == pytest.approx(exact, rel=0.03)


@pytest.mark.parametrize("shape", LOFTS, ids=range(len(LOFTS)))
def test_every_skin_is_closed_and_faces_outwards(shape: Shape) -> None:
    surface = skin(shape)
    edges = Counter(tuple(edge) for a, b, c in surface.faces.tolist() for edge in ((a, b), (b, c), (c, a)))
    assert set(edges.values()) == {1}, "an edge is used twice in the same direction"
    assert all((b, a) in edges for a, b in edges), "an edge has no other side"
    assert volume(surface.vertices_m, surface.faces) > 0


def test_the_skin_goes_through_its_rings_and_stays_between_their_sizes() -> None:
    shape = loft((ring(0.0, 0.10, 0.08), ring(0.4, 0.06, 0.05), ring(0.9, 0.07, 0.05), ring(1.0, 0.02, 0.02)), colour=COLOUR)
    vertices = skin(shape).vertices_m
    for height, depth in ((0.0, 0.10), (0.4, 0.06), (0.9, 0.07), (1.0, 0.02)):
        here = vertices[np.abs(vertices[:, 2] - height) < 1e-12]
        assert here[:, 0].max() == pytest.approx(depth)
    between = vertices[(vertices[:, 2] > 0.4) & (vertices[:, 2] < 0.9)]
    assert between[:, 0].max() <= 0.07 + 1e-12


def test_order_of_rings_does_not_matter() -> None:
    rings = (ring(0.0, 0.1, 0.1), ring(-0.4, 0.06, 0.05))
    np.testing.assert_array_equal(skin(loft(rings, colour=COLOUR)).vertices_m, skin(loft(rings[::-1], colour=COLOUR)).vertices_m)


def test_the_other_side_has_the_mirrored_skin() -> None:
    shape = loft((ring(0.0, 0.1, 0.1, 0.02, 0.03), ring(0.5, 0.06, 0.05, 0.0, -0.02)), colour=COLOUR)
    here, there = (skin(each).vertices_m for each in (shape, mirrored(shape, COLOUR)))
    np.testing.assert_allclose(there.min(0), [here[:, 0].min(), -here[:, 1].max(), here[:, 2].min()], atol=1e-12)


def test_a_larger_figure_has_a_larger_skin() -> None:
    shape = loft((ring(0.0, 0.1, 0.1, 0.02, 0.03), ring(0.5, 0.06, 0.05)), colour=COLOUR)
    np.testing.assert_allclose(skin(scaled(shape, 1.5)).vertices_m, 1.5 * skin(shape).vertices_m, atol=1e-12)
