"""A planar strip: a course along x, as wide as a road, made of level pieces with gaps, steps and walls between them.

It is data: pieces with an extent and a level, each a box that reaches down to the floor of the gaps. Where there is no piece
there is that floor, so the height is known everywhere. Random courses are in `courses`.
"""

from dataclasses import dataclass
from itertools import pairwise

import mujoco
import numpy as np
from numpy.typing import ArrayLike

from surefoot.errors import SurefootError
from surefoot.terrain.ground import COLOUR, Floats, add_plane

HALF_WIDTH_M = 2.0
"""The strip spans y from -2 to 2 m."""
SHADES = (1.0, 0.9)
"""Neighbouring boxes differ a little in brightness, so that steps are seen from above."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Piece:
    """A level stretch of the strip."""

    start_m: float
    """Where it begins along x."""
    end_m: float
    """Where it ends along x."""
    level_m: float
    """Height of its top."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Strip:
    """Pieces in the order of x, and a floor in the gaps between them and around."""

    pieces: tuple[Piece, ...]
    """Without overlap; a gap is where none is."""
    floor_m: float = -2.0
    """Height of the floor of the gaps: deep enough that who falls in has fallen."""

    def __post_init__(self) -> None:
        if not self.pieces:
            raise SurefootError("a strip needs at least one piece to stand on")
        for piece in self.pieces:
            if not piece.start_m < piece.end_m:
                raise SurefootError(f"a piece from {piece.start_m} to {piece.end_m} m has no length: end_m must be beyond start_m")
            if not piece.level_m > self.floor_m:
                raise SurefootError(f"a piece at {piece.level_m} m is not above the floor at {self.floor_m} m: lower floor_m")
        for before, after in pairwise(self.pieces):
            if after.start_m < before.end_m:
                raise SurefootError(f"two pieces overlap at x = {after.start_m} m: sort the pieces along x and cut them there")

    @property
    def end_m(self) -> float:
        """Where the last piece ends."""
        return self.pieces[-1].end_m

    def height(self, x_m: ArrayLike, y_m: ArrayLike) -> Floats:
        """Level of the piece below each place, or the floor; at a common edge, of the piece ahead."""
        x, y = np.broadcast_arrays(np.asarray(x_m, dtype=np.float64), np.asarray(y_m, dtype=np.float64))
        starts, ends, levels = np.array([(p.start_m, p.end_m, p.level_m) for p in self.pieces]).T
        index = np.searchsorted(starts, x, side="right") - 1
        inside = (index >= 0) & (x <= ends[np.maximum(index, 0)]) & (np.abs(y) <= HALF_WIDTH_M)
        return np.where(inside, levels[np.maximum(index, 0)], self.floor_m)

    def add_to(self, spec: mujoco.MjSpec) -> None:
        """`ground_0` is the floor, then one box for each piece."""
        add_plane(spec, 0, height_m=self.floor_m)
        for number, piece in enumerate(self.pieces, start=1):
            shade = SHADES[number % len(SHADES)]
            spec.worldbody.add_geom(
                name=f"ground_{number}",
                type=mujoco.mjtGeom.mjGEOM_BOX,
                size=((piece.end_m - piece.start_m) / 2, HALF_WIDTH_M, (piece.level_m - self.floor_m) / 2),
                pos=((piece.end_m + piece.start_m) / 2, 0.0, (piece.level_m + self.floor_m) / 2),
                contype=0,
                conaffinity=0,
                rgba=(shade * COLOUR[0], shade * COLOUR[1], shade * COLOUR[2], COLOUR[3]),
            )
