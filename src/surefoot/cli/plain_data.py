"""Turns the library's frozen dataclasses and arrays into plain data, for `--json` and for reading on a screen.

Only what a person or a program reads passes here. Files that the library reads back (gaits, motions, replays) have formats of their
own, written where those things live.
"""

import dataclasses
import json
import math
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any


def plain(thing: Any) -> Any:
    """`thing` as dicts, lists, numbers and words; a function becomes its name, NaN and infinities become None."""
    match thing:
        case None | bool() | int() | str():
            return thing
        case float():
            return thing if math.isfinite(thing) else None
        case Path():
            return str(thing)
        case Mapping():
            return {str(key): plain(value) for key, value in thing.items()}
        case list() | tuple() | set() | frozenset():
            return [plain(value) for value in thing]
        case _ if callable(getattr(thing, "tolist", None)):  # an array or a number of NumPy, which `doctor` must do without
            return plain(thing.tolist())
        case _ if dataclasses.is_dataclass(thing) and not isinstance(thing, type):
            return {field.name: plain(getattr(thing, field.name)) for field in dataclasses.fields(thing) if field.repr}
        case _:
            return getattr(thing, "__name__", None) or str(thing)


def print_json(thing: Any) -> None:
    """Print `thing` as JSON that any reader takes."""
    print(json.dumps(plain(thing), indent=2, ensure_ascii=False, allow_nan=False))


def outline(data: Any, indent: int = 0) -> Iterator[str]:
    """Lines of plain data to read on a screen: `name: value`, deeper levels indented."""
    space = "  " * indent
    items = data.items() if isinstance(data, dict) else ((None, value) for value in data)
    for key, value in items:
        title = f"{key}:" if key is not None else "-"
        if isinstance(value, dict | list) and value and not _fits_a_line(value):
            yield f"{space}{title}"
            yield from outline(value, indent + 1)
        else:
            yield f"{space}{title} {_in_a_line(value)}"


def _fits_a_line(value: Any) -> bool:
    return isinstance(value, list) and all(not isinstance(part, dict | list) for part in value) and len(_in_a_line(value)) <= 100


def _in_a_line(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, list):
        return ", ".join(_in_a_line(part) for part in value) or "none"
    return "none" if value in (None, {}) else str(value)
