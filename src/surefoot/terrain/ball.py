"""A ball: a free body to throw at a character or to kick.

Only its description and its entry into a specification are here; what it may touch is decided in `surefoot.physics.scene`,
and where it flies is state: set the positions and velocities of its free joint.
"""

from dataclasses import dataclass

import mujoco

from surefoot.errors import SurefootError

Vector = tuple[float, float, float]


@dataclass(frozen=True, kw_only=True, slots=True)
class Ball:
    """A uniform solid ball."""

    name: str = "ball"
    """Names its body, its free joint and its geom."""
    mass_kg: float = 5.0
    """Mass; Coros et al. 2009 throw balls of 5 to 15 kg."""
    radius_m: float = 0.12
    """Radius."""
    position_m: Vector = (-3.0, 0.0, 1.0)
    """Where its middle is at the start."""
    colour: tuple[float, float, float, float] = (0.95, 0.72, 0.22, 1.0)
    """Red, green, blue, opacity."""

    def __post_init__(self) -> None:
        for field, number in (("mass_kg", self.mass_kg), ("radius_m", self.radius_m)):
            if not number > 0:
                raise SurefootError(f"{field} of ball '{self.name}' is {number}: it must be above 0")

    def add_to(self, spec: mujoco.MjSpec) -> None:
        """Add body, free joint and geom; contype = conaffinity = 0."""
        body = spec.worldbody.add_body(name=self.name, pos=self.position_m)
        body.add_freejoint(name=self.name)
        body.add_geom(
            name=self.name,
            type=mujoco.mjtGeom.mjGEOM_SPHERE,
            size=(self.radius_m, 0.0, 0.0),
            mass=self.mass_kg,
            contype=0,
            conaffinity=0,
            rgba=self.colour,
        )
