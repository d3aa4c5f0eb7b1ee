"""The only list of laws: a name to a compiled part that gives torques at every physics step.

To add a law, write a module that declares it with `surefoot.physics.law.law` and add its line here; the command line lists
what stands here, and the tests in tests/twins and tests/laws run over it.
"""

from surefoot.controllers.pd import pd
from surefoot.controllers.simbicon import simbicon
from surefoot.errors import UnknownName
from surefoot.physics.law import PartKind

LAWS: dict[str, PartKind] = {
    "pd": pd,
    "simbicon": simbicon,
}


def names() -> tuple[str, ...]:
    """All laws, in alphabetical order."""
    return tuple(sorted(LAWS))


def law(name: str) -> PartKind:
    """The law of that name."""
    if name not in LAWS:
        raise UnknownName("law", name, names())
    return LAWS[name]
