"""Turns the words after a command into its frozen dataclass with tyro, and tyro's complaints into one sentence.

The complaints come through a hook of tyro's that is not part of its public interface: where another tyro lacks it or has
changed it, tyro's own text is folded into one line instead (the exit code stays). What the values mean is checked by each
command, not here.
"""

import contextlib
import dataclasses
import io
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any, Final, TypeVar, get_args, get_origin, get_type_hints

import tyro

from surefoot.errors import SurefootError, UnknownName, WrongValue, nearest

Options = TypeVar("Options")

FOLDED_OUT: Final = re.compile(r"\x1b\[[0-9;]*m|[\u2500-\u257f]+")
"""Colours and box-drawing characters of a printed complaint."""
IN_WORDS: Final = {int: "a whole number", float: "a number", Path: "a path", str: "a name", bool: "no value"}
"""What a flag of a type takes."""


def parse(options: type[Options], words: Sequence[str], *, program: str, summary: str, example: str) -> Options:
    """The options that `words` ask for; prints the help and leaves with code 0 on `--help`."""
    refuse_unknown_flags(options, words, program)
    said = io.StringIO()
    try:
        with _complaints_raised(words, program), contextlib.redirect_stderr(said):
            return tyro.cli(
                options,
                prog=program,
                description=f"{summary}\n\nExample: {example}",
                args=list(words),
                config=(tyro.conf.FlagCreatePairsOff, tyro.conf.PositionalMetavarFromFieldName, tyro.conf.DisallowNone),
            )
    except SystemExit as leaving:
        if not leaving.code:
            raise
        raise WrongValue(f"{' '.join(FOLDED_OUT.sub(' ', said.getvalue()).split())}; {_help(program)}") from None


def refuse_unknown_flags(options: type, words: Sequence[str], program: str) -> None:
    """Refuse a misspelt flag before anything else is looked at: tyro would first miss the positional that it swallowed."""
    known = flags(options)
    for word in words:
        flag = word.partition("=")[0]
        if flag.startswith("-") and flag not in (*known, "-h", "--help") and not _is_number(word):
            raise UnknownName("flag", flag, known, where=f"'{program}'", next_move=_help(program))


def flags(options: type, prefix: str = "--") -> tuple[str, ...]:
    """Every flag of a dataclass of options, those of dataclasses inside it with their dotted prefix."""
    found: list[str] = []
    hints = get_type_hints(options, include_extras=True)
    for field in dataclasses.fields(options):
        hint, marks = hints[field.name], ()
        if get_origin(hint) is Annotated:
            hint, *marks = get_args(hint)
        renamed = [mark.name for mark in marks if isinstance(getattr(mark, "name", None), str)]
        name = renamed[0] if renamed else field.name.replace("_", "-")
        if dataclasses.is_dataclass(hint) and isinstance(hint, type):
            found += flags(hint, f"{prefix}{name}.")
        elif tyro.conf.Positional not in marks:
            found.append(f"{prefix}{name}")
    return tuple(found)


@contextlib.contextmanager
def _complaints_raised(words: Sequence[str], program: str) -> Iterator[None]:
    """While this lasts, tyro's complaints are raised as a SurefootError instead of being printed."""
    try:
        from tyro import _errors as complaints
    except ImportError:
        yield
        return

    def complain(event: Any) -> None:
        try:
            mistake = _mistake(event, words, program)
        except (AttributeError, TypeError):  # another tyro, another event: let tyro print, its text is folded above
            return
        if mistake is not None:
            raise mistake

    with complaints.on_parse_error(complain):
        yield


def _mistake(event: Any, words: Sequence[str], program: str) -> SurefootError | None:
    """The sentence for one of tyro's events (tyro/_errors.py), or None where tyro's own text has to do."""
    match type(event).__name__:
        case "UnrecognizedArgs":
            return WrongValue(f"'{event.tokens[0]}' is one word too many for '{program}'; {_help(program)}")
        case "MissingArgs":
            wanted = " and ".join(missing.arg.field.extern_name.upper() for missing in event.missing_arguments)
            return WrongValue(f"'{program}' needs {wanted}; {_help(program)}")
        case "InvalidChoice":
            return WrongValue(f"{_flag(event.argument)} is '{event.value}': {nearest(event.value, event.choices)} {_help(program)}")
        case "BadValue":
            return WrongValue(f"{_flag(event.argument)} needs {_in_words(event.argument)} after it; {_help(program)}")
        case "InstantiationFailure" if event.argument is not None:
            flag = _flag(event.argument)
            return WrongValue(f"{flag} is '{_given(flag, words)}': {_in_words(event.argument)} is needed; {_help(program)}")
    return None


def _flag(argument: Any) -> str:
    """How the user writes an argument: its flag, or its name in capitals where it stands alone."""
    return argument.field.extern_name.upper() if argument.is_positional() else argument.lowered.name_or_flags[0]


def _in_words(argument: Any) -> str:
    """What an argument takes: `a whole number`; of an optional type, what it takes when given."""
    taken = [kind for kind in get_args(argument.field.type_stripped) if kind is not type(None)]
    return IN_WORDS.get(taken[0] if taken else argument.field.type_stripped, "a value")


def _given(flag: str, words: Sequence[str]) -> str:
    """The value that the user wrote after a flag, as it was written."""
    for word, following in zip(words, (*words[1:], ""), strict=True):
        if word == flag:
            return following
        if word.startswith(f"{flag}="):
            return word.partition("=")[2]
    return ""


def _help(program: str) -> str:
    return f"see '{program} --help'"


def _is_number(word: str) -> bool:
    try:
        float(word)
    except ValueError:
        return False
    return True
