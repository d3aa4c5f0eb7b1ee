"""`surefoot show NAME`: one named thing, whatever its kind, field by field.

A character has a page of its own, drawn by `surefoot.cli.character`; everything else is a frozen dataclass or a function and
is shown as it is. Where names are kept is in `surefoot.cli.known`.
"""

import dataclasses
import inspect
from dataclasses import dataclass
from typing import Any

import tyro

from surefoot.cli.character import character_page
from surefoot.cli.known import Kind, everywhere, summary
from surefoot.cli.plain_data import outline, plain, print_json


@dataclass(frozen=True, kw_only=True, slots=True)
class Options:
    """Flags of `surefoot show`."""

    name: tyro.conf.Positional[str]
    """A name that `surefoot list` prints."""
    json: bool = False
    """Print JSON for a program to read."""


def run(options: Options) -> None:
    """Print everything that has this name."""
    found = [(each, each.get(options.name)) for each in everywhere(options.name)]
    if options.json:
        print_json([{"kind": each.name, "name": options.name, "about": summary(thing), "fields": fields(thing)} for each, thing in found])
        return
    print("\n\n".join(page(each, options.name, thing) for each, thing in found))


def page(each: Kind, name: str, thing: Any) -> str:
    """What a person reads about a thing."""
    if each.name == "character":
        return character_page(thing)
    about = summary(thing)
    return "\n".join([f"{each.name} {name}{f': {about}' if about else ''}", *outline(fields(thing), 1)])


def fields(thing: Any) -> dict[str, Any]:
    """The fields of a frozen dataclass, or the signature and text of a function, as plain data."""
    if dataclasses.is_dataclass(thing) and not isinstance(thing, type):
        return plain(thing)
    function = inspect.unwrap(getattr(thing, "py_func", thing))
    if callable(function):
        return {"signature": f"{getattr(function, '__name__', '')}{inspect.signature(function)}", "text": inspect.getdoc(function) or ""}
    return {"value": plain(thing)}
