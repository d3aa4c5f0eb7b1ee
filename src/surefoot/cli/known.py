"""What the library knows by name: characters, gaits, laws, scenes, experiments; `list` and `show` look through these.

Each kind has a module below that keeps the only list of it, with `names()`, and a function that gives the thing of a name. Those
modules are loaded when somebody asks, never before; a kind whose module is not part of this installation has no names.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Final

from surefoot.errors import SurefootError, UnknownName


@dataclass(frozen=True, kw_only=True, slots=True)
class Kind:
    """One kind of named thing and where its list is kept."""

    name: str
    """Singular, as in messages: `gait`."""
    plural: str
    """As in `surefoot list --kind gaits`."""
    module: str
    """Module that keeps the list, with `names()`."""
    getter: str
    """Function of that module that gives the thing of a name."""

    def names(self) -> tuple[str, ...]:
        """Every name of this kind."""
        return tuple(import_module(self.module).names()) if self.is_here() else ()

    def get(self, name: str) -> Any:
        """The thing of that name."""
        return getattr(import_module(self.module), self.getter)(name)

    def is_here(self) -> bool:
        """Whether this installation has the module of the kind."""
        package = self.module.rpartition(".")[0]
        return find_spec(package) is not None and find_spec(self.module) is not None


KINDS: Final = (
    Kind(name="character", plural="characters", module="surefoot.characters.roster", getter="character"),
    Kind(name="gait", plural="gaits", module="surefoot.controllers.gait", getter="load_gait"),
    Kind(name="law", plural="laws", module="surefoot.controllers.roster", getter="law"),
    Kind(name="scene", plural="scenes", module="surefoot.physics.scenes", getter="scene"),
    Kind(name="experiment", plural="experiments", module="surefoot.catalog", getter="experiment"),
)
"""Every kind, in the order in which a newcomer meets them."""


def kind(plural: str) -> Kind:
    """The kind of that plural."""
    for each in KINDS:
        if each.plural == plural:
            return each
    raise UnknownName("kind", plural, [each.plural for each in KINDS])


def everywhere(name: str) -> tuple[Kind, ...]:
    """The kinds that have something of that name; a SurefootError with the nearest name of any kind when none has."""
    names: Mapping[Kind, tuple[str, ...]] = {each: each.names() for each in KINDS}
    found = tuple(each for each, known in names.items() if name in known)
    if not found:
        ends = tuple(f"'{full}'" for known in names.values() for full in known if full.partition("/")[2] == name)
        if ends:  # as in `show walk`: gaits carry the name of who walks
            raise SurefootError(f"'{name}' is only the end of a name: did you mean {' or '.join(ends)}? see 'surefoot list'")
        every = tuple(dict.fromkeys(known for some in names.values() for known in some))
        raise UnknownName("character, gait, law, scene or experiment", name, every, next_move="see 'surefoot list'")
    return found


def summary(thing: Any) -> str:
    """One line about a named thing: what it says of itself, or else the first line of its docstring."""
    for field in ("about", "description"):
        told = getattr(thing, field, None)
        if isinstance(told, str) and told:
            return told.strip().partition("\n")[0]
    documented: Callable[..., Any] | type | None = thing if callable(thing) else None
    return (documented.__doc__ or "").strip().partition("\n")[0] if documented is not None else ""
