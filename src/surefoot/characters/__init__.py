"""Characters: who moves. Bodies, joints, masses, limits, contact points, as data, and the way into a MuJoCo specification.

`character("human")` gives a frozen description; `attach(description, spec)` puts it into an `MjSpec`. The list is in
`roster`, the words of the description are in `description`. How a character moves is `surefoot.physics`; what it stands on is
`surefoot.terrain`.
"""

from typing import TYPE_CHECKING, Any

from surefoot.characters.balls import with_balls
from surefoot.characters.description import Character, ContactPoint, EndEffector, Joint, Link
from surefoot.characters.mirror import Mirror, mirror_position, mirror_velocity
from surefoot.characters.roster import character, names
from surefoot.characters.shapes import Section, Shape

if TYPE_CHECKING:
    from surefoot.characters.build import attach

__all__ = [
    "Character",
    "ContactPoint",
    "EndEffector",
    "Joint",
    "Link",
    "Mirror",
    "Section",
    "Shape",
    "attach",
    "character",
    "mirror_position",
    "mirror_velocity",
    "names",
    "with_balls",
]


def __getattr__(name: str) -> Any:
    """Import MuJoCo only when a body is built: listing names must be instant."""
    if name == "attach":
        from surefoot.characters.build import attach

        return attach
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
