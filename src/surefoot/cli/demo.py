"""`surefoot demo`: a human walks, is pushed and keeps walking; a film, a contact sheet, a motion file and a table.

This module asks and prints; the demo itself is `surefoot.demo.run_demo`, and its flags are the fields of
`surefoot.demo_options.DemoOptions`.
"""

from dataclasses import replace
from importlib import import_module
from pathlib import Path

from surefoot.cli.known import Kind, kind
from surefoot.demo_options import DemoOptions, DemoReport
from surefoot.errors import UnknownName, WrongValue

Options = DemoOptions


def run(options: DemoOptions) -> None:
    """Check the names, run the demo, print its table and what it wrote."""
    must_exist(options.character, kind("characters"))
    if options.gait.startswith(f"{options.character}/") and not options.gait.endswith(".toml"):
        options = replace(options, gait=options.gait.partition("/")[2])  # as `surefoot list` prints it
    must_have_gait(options.character, options.gait)
    options.out.mkdir(parents=True, exist_ok=True)  # before the work, so that a place that cannot be written is told at once
    report: DemoReport = import_module("surefoot.demo").run_demo(options)
    print("\n".join(closing_words(report)))


def must_exist(name: str, among: Kind) -> None:
    """Refuse a name before minutes of work are spent."""
    names = among.names()
    if name not in names:
        raise UnknownName(among.name, name, names, next_move=f"see 'surefoot list --kind {among.plural}'")


def must_have_gait(character: str, gait: str) -> None:
    """Refuse a gait that the character does not have, or a gait file that cannot be read."""
    gaits = kind("gaits")
    if gait.endswith(".toml"):
        with Path(gait).open("rb"):  # a file that cannot be opened is told of with the nearest name in its folder
            pass
        _must_be_of(character, gait, gaits.get(gait).character)
        return
    its_own = [name.partition("/")[2] for name in gaits.names() if name.startswith(f"{character}/")]
    if gait not in its_own:
        if gait in gaits.names():
            _must_be_of(character, gait, gait.partition("/")[0])
        raise UnknownName("gait", gait, its_own, where=f"character '{character}'", next_move="see 'surefoot list --kind gaits'")


def _must_be_of(character: str, gait: str, owner: str) -> None:
    if owner != character:
        raise WrongValue(f"--gait is '{gait}': that is a gait of '{owner}', not of '{character}'; add --character {owner}")


def size(path: Path) -> str:
    """How much a file holds: `2.1 MB`, `0.4 kB`."""
    held = path.stat().st_size
    return f"{held / 1e6:.1f} MB" if held >= 1e5 else f"{held / 1e3:.1f} kB"


def closing_words(report: DemoReport) -> list[str]:
    """What the terminal shows at the end; the last line is what is missing, when something is."""
    lines = [f"{report.options.character}, gait {report.options.gait}, pushed", "", report.table(), ""]
    lines += [f"wrote {path} ({size(path)})" for path in report.files]
    lines.append(f"{report.elapsed_s:.0f} s")
    return [*lines, report.not_drawn] if report.not_drawn else lines
