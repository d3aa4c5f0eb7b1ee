"""Terrain: where it happens. Ground as data, with a height that policies see and the bodies that physics touches.

Every ground here is a `Ground`: `height(x, y)` over arrays, and `add_to(spec)`. `ground` has the plane and the slope, `strip` the
planar course with gaps, steps and walls, `courses` the seeded generator with a difficulty, `ball` a thing to throw. Which
feet touch which ground, and how hard it is, is decided in `surefoot.physics.scene`.
"""

from surefoot.terrain.ball import Ball
from surefoot.terrain.courses import Obstacles, random_strip
from surefoot.terrain.ground import Ground, Plane, Slope
from surefoot.terrain.strip import Piece, Strip

__all__ = ["Ball", "Ground", "Obstacles", "Piece", "Plane", "Slope", "Strip", "random_strip"]
