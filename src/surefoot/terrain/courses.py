"""Random courses: strips with gaps, steps and walls, drawn from a generator that the caller seeds.

The same generator state gives the same course, whatever the number of threads. A difficulty between 0 (level ground) and 1
scales every obstacle; how large they may be and how far apart stands in `Obstacles`.
"""

from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from surefoot.errors import SurefootError, nearest
from surefoot.terrain.strip import Piece, Strip

Kind = Literal["gap", "step", "wall"]
KINDS: tuple[Kind, ...] = get_args(Kind)


@dataclass(frozen=True, kw_only=True, slots=True)
class Obstacles:
    """What stands in the way and how large it is at difficulty 1; the defaults are ours, sized for a human of 1.8 m."""

    kinds: tuple[Kind, ...] = KINDS
    """Drawn with equal chances."""
    longest_gap_m: float = 0.8
    """Length of the longest gap."""
    highest_step_m: float = 0.25
    """Largest change of level, up or down."""
    highest_wall_m: float = 0.4
    """Height of the highest wall over the ground before it."""
    wall_length_m: float = 0.2
    """Length of a wall along x."""
    smallest_share: float = 0.5
    """An obstacle has at least this part of the largest size at its difficulty."""
    apart_m: tuple[float, float] = (2.0, 5.0)
    """Shortest and longest level stretch between two obstacles."""
    run_up_m: float = 5.0
    """Level ground ahead of x = 0, before the first obstacle."""
    behind_m: float = 5.0
    """Level ground behind x = 0."""

    def __post_init__(self) -> None:
        for kind in self.kinds:
            if kind not in KINDS:
                raise SurefootError(f"no obstacle '{kind}': {nearest(kind, KINDS)}")
        if not self.kinds:
            raise SurefootError(f"a course needs a kind of obstacle: {nearest('', KINDS)}")
        if not 0 < self.apart_m[0] <= self.apart_m[1]:
            raise SurefootError(f"apart_m is {self.apart_m}: give the shortest stretch, above 0, then the longest")


def random_strip(
    generator: np.random.Generator, *, difficulty: float, obstacle_count: int = 20, obstacles: Obstacles | None = None
) -> Strip:
    """A course of obstacles of random kinds, sizes and distances.

    Args:
      generator: draws everything; pass one seeded for this purpose alone.
      difficulty: 0 is level ground, 1 the largest obstacles.
      obstacle_count: how many; each adds one piece, a wall two.
      obstacles: what they may be.
    """
    if not 0 <= difficulty <= 1:
        raise SurefootError(f"difficulty is {difficulty}: it lies between 0 (level) and 1 (hardest)")
    if obstacle_count < 0:
        raise SurefootError(f"obstacle_count is {obstacle_count}: it must not be negative")
    choice = obstacles or Obstacles()
    pieces = [Piece(start_m=-choice.behind_m, end_m=choice.run_up_m, level_m=0.0)]
    for _ in range(obstacle_count):
        pieces += _next(generator, difficulty, choice, pieces[-1])
    return Strip(pieces=tuple(pieces), floor_m=min(piece.level_m for piece in pieces) - 2.0)


def _next(generator: np.random.Generator, difficulty: float, choice: Obstacles, before: Piece) -> list[Piece]:
    """One obstacle and the level stretch after it. Always four draws, so that changing one size shifts no later one."""
    kind = choice.kinds[int(generator.integers(len(choice.kinds)))]
    size = difficulty * generator.uniform(choice.smallest_share, 1.0)
    upward = generator.uniform() < 0.5
    stretch_m = generator.uniform(*choice.apart_m)
    at, level = before.end_m, before.level_m
    if kind == "step":
        level += (1 if upward else -1) * size * choice.highest_step_m
        return [Piece(start_m=at, end_m=at + stretch_m, level_m=level)]
    if kind == "gap":
        beyond = at + size * choice.longest_gap_m
        return [Piece(start_m=beyond, end_m=beyond + stretch_m, level_m=level)]
    beyond = at + choice.wall_length_m
    return [
        Piece(start_m=at, end_m=beyond, level_m=level + size * choice.highest_wall_m),
        Piece(start_m=beyond, end_m=beyond + stretch_m, level_m=level),
    ]
