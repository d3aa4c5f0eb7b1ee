"""The front door of the command line: finds the command, loads its module on demand, and answers `--help` and `--version`.

Nothing but the standard library is imported here, so that help comes in a fraction of a second. A command is a module of this
package with a frozen dataclass `Options`, whose fields are the flags, and `run(options)`; adding one means a line in COMMANDS.
"""

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Final

from surefoot import __version__
from surefoot.cli.mistakes import told_in_one_sentence
from surefoot.errors import SurefootError, UnknownName, listed, nearest_name


@dataclass(frozen=True, kw_only=True, slots=True)
class Command:
    """One command: what it is for, where it is, and a line to copy."""

    name: str
    """Words typed after `surefoot`, such as `demo` or `character show`."""
    module: str
    """Module in this package with `Options` and `run`."""
    summary: str
    """One line for the list of commands."""
    example: str
    """A complete line that works as it stands."""


COMMANDS: Final = {
    command.name: command
    for command in (
        Command(
            name="demo",
            module="demo",
            summary="The 3-D human walks and is pushed: a film, a contact sheet, a motion file and a table.",
            example="surefoot demo --push 200 --direction left --gait in-place --slow 0.25 --camera side",
        ),
        Command(name="list", module="list", summary="What the library knows by name.", example="surefoot list --kind gaits"),
        Command(name="show", module="show", summary="One named thing: what it is made of.", example="surefoot show human"),
        Command(
            name="doctor",
            module="doctor",
            summary="What is installed, what draws, where caches lie, and what is missing with the command that mends it.",
            example="surefoot doctor --json",
        ),
        Command(
            name="character show",
            module="character",
            summary="A character's tree, masses, gains and limits; --png draws it.",
            example="surefoot character show human --png human.png",
        ),
    )
}
"""Every command; the tests run through this list."""

USAGE: Final = "see 'surefoot --help'"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command line and return its exit code: 0 done, 2 a mistake in the request, 1 a fault of the program."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    return told_in_one_sentence(lambda: run(words))


def run(words: list[str]) -> None:
    """Run the command that `words` ask for."""
    if not words or words[0] in ("--help", "-h"):
        print(overview())
    elif words[0] == "--version":
        print(f"surefoot {__version__}")
    else:
        command, rest = find_command(words)
        if command is None:
            print(overview(under=words[0]))
            return
        module = import_module(f"surefoot.cli.{command.module}")
        from surefoot.cli.parsing import parse  # here, because tyro takes 70 ms that `--help` and `--version` need not pay

        options = parse(module.Options, rest, program=f"surefoot {command.name}", summary=command.summary, example=command.example)
        module.run(options)


def find_command(words: list[str]) -> tuple[Command | None, list[str]]:
    """The command that the first words name, and the words left for it; None when help on a group of commands is asked for."""
    first = words[0]
    if first.startswith("-"):
        if near := nearest_name(first, ("--help", "--version")):
            raise SurefootError(f"no flag '{first}' in 'surefoot': did you mean '{near}'? {USAGE}")
        raise SurefootError(f"'{first}' stands before the command: write 'surefoot COMMAND {first}'; {USAGE}")
    if first in COMMANDS:
        return COMMANDS[first], words[1:]
    group = [name for name in COMMANDS if name.startswith(f"{first} ")]
    if not group:
        raise UnknownName("command", first, first_words(), next_move=USAGE)
    if len(words) > 1 and f"{first} {words[1]}" in COMMANDS:
        return COMMANDS[f"{first} {words[1]}"], words[2:]
    if len(words) == 1 or words[1] in ("--help", "-h"):
        return None, []
    seconds = [name.split()[1] for name in group]
    if words[1].startswith("-"):
        raise SurefootError(f"'surefoot {first}' needs one of {listed(seconds)} before '{words[1]}'; see 'surefoot {first} --help'")
    raise UnknownName("command", words[1], seconds, where=f"'surefoot {first}'", next_move=f"see 'surefoot {first} --help'")


def first_words() -> tuple[str, ...]:
    """What may follow `surefoot`, each word once, in the order of the list."""
    return tuple(dict.fromkeys(name.split()[0] for name in COMMANDS))


def overview(under: str = "") -> str:
    """The help of `surefoot` itself or of a group of commands."""
    shown = [command for command in COMMANDS.values() if not under or command.name.startswith(f"{under} ")]
    width = max(len(command.name) for command in shown)
    lines = [f"usage: surefoot {under + ' ' if under else ''}COMMAND [flags]", ""]
    if not under:
        lines += ["Physics-based character control: simulated humans that walk, are pushed, and keep walking.", ""]
    lines += [f"  {command.name:<{width}}  {command.summary}" for command in shown]
    lines += ["", f"  {'--help':<{width}}  This text; after a command, its flags.", f"  {'--version':<{width}}  The version."]
    lines += ["", "example:", f"  {shown[0].example}"]
    return "\n".join(lines)
