"""The only list of characters: a name to a description, made on demand.

To add a character, write a module that returns a `Character` and add its line here; the tests in tests/characters run over
this list.
"""

from collections.abc import Callable
from functools import cache

from surefoot.characters.biped2d import biped2d
from surefoot.characters.description import Character
from surefoot.characters.human import human, human_wang
from surefoot.errors import SurefootError, nearest

ROSTER: dict[str, Callable[[], Character]] = {
    "biped2d": biped2d,
    "human": human,
    "human_wang": human_wang,
}


def names() -> tuple[str, ...]:
    """All characters, in alphabetical order."""
    return tuple(sorted(ROSTER))


@cache
def character(name: str) -> Character:
    """The character of that name."""
    if name not in ROSTER:
        raise SurefootError(f"no character '{name}': {nearest(name, names())}")
    return ROSTER[name]()
