"""`surefoot list`: what the library knows by name, with one line about each.

The lists themselves are kept where the things live; `surefoot.cli.known` says where. `surefoot show NAME` tells more about one.
"""

from dataclasses import dataclass
from typing import Literal

from surefoot.cli.known import KINDS, kind, summary
from surefoot.cli.plain_data import print_json


@dataclass(frozen=True, kw_only=True, slots=True)
class Options:
    """Flags of `surefoot list`."""

    kind: Literal["characters", "gaits", "laws", "scenes", "experiments"] | None = None
    """Only this kind; without it, all."""
    json: bool = False
    """Print JSON for a program to read."""


def run(options: Options) -> None:
    """Print the names of every kind, or of one."""
    shown = KINDS if options.kind is None else (kind(options.kind),)
    known = {each.plural: {name: summary(each.get(name)) for name in each.names()} for each in shown}
    if options.json:
        print_json({plural: [{"name": name, "about": about} for name, about in things.items()] for plural, things in known.items()})
        return
    width = max((len(name) for things in known.values() for name in things), default=0)
    for plural, things in known.items():
        print(plural)
        for name, about in things.items():
            print(f"  {name:<{width}}  {about}".rstrip())
        if not things:
            print("  none in this installation")
