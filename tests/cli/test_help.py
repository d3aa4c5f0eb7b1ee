"""Help of every command: it has an example that works, it is quick, and it loads nothing heavy."""

import shlex
import subprocess
import sys
import time
from importlib import import_module

import pytest

from surefoot import __version__
from surefoot.cli.main import COMMANDS, find_command
from surefoot.cli.parsing import parse

LIMIT_S = 0.5
"""The bar for `surefoot --help`; the help of each command is held to it as well."""
HEAVY = {"mujoco", "numba", "scipy", "matplotlib", "imageio", "viser", "torch", "mink", "cma", "trimesh", "PIL"}
LOADED = """
import sys
from surefoot.cli.main import main
try:
    main({words!r})
except SystemExit:
    pass
sys.stderr.write(" ".join(sys.modules))
"""
HELPS = ["--help", "--version", "character --help", *(f"{name} --help" for name in COMMANDS)]


@pytest.mark.parametrize("name", COMMANDS)
def test_help_tells_flags_and_an_example(name: str, surefoot) -> None:
    answer = surefoot(*name.split(), "--help")
    assert (answer.code, answer.err) == (0, "")
    command = COMMANDS[name]
    assert command.summary in answer.out
    assert f"Example: {command.example}" in answer.out
    options = import_module(f"surefoot.cli.{command.module}").Options
    for field in options.__dataclass_fields__:
        assert field.removesuffix("_n").replace("_", "-").upper() in answer.out.upper()


@pytest.mark.parametrize("name", COMMANDS)
def test_the_example_is_a_correct_line(name: str) -> None:
    command = COMMANDS[name]
    words = shlex.split(command.example)
    assert words[0] == "surefoot"
    found, rest = find_command(words[1:])
    assert found == command
    options = import_module(f"surefoot.cli.{command.module}").Options
    assert isinstance(parse(options, rest, program="surefoot", summary="", example=""), options)


@pytest.mark.parametrize("name", COMMANDS)
def test_read_by_a_program(name: str) -> None:
    """Every command but the demo, whose product is files, can print JSON."""
    options = import_module(f"surefoot.cli.{COMMANDS[name].module}").Options
    assert "json" in options.__dataclass_fields__ or name == "demo"


def test_overview_names_every_command(surefoot) -> None:
    for words in ((), ("--help",), ("-h",)):
        answer = surefoot(*words)
        assert answer.code == 0
        for command in COMMANDS.values():
            assert command.name in answer.out
            assert command.summary in answer.out
    group = surefoot("character")
    assert (group.code, group.out) == (0, surefoot("character", "--help").out)
    assert "character show" in group.out
    assert "doctor" not in group.out


def test_version(surefoot) -> None:
    assert surefoot("--version").out == f"surefoot {__version__}\n"


@pytest.mark.parametrize("words", HELPS)
def test_help_is_quick(words: str) -> None:
    """Best of five, in a process of its own each, so that a busy machine does not decide."""
    took = []
    for _ in range(5):
        start = time.perf_counter()
        subprocess.run([sys.executable, "-m", "surefoot.cli", *words.split()], stdout=subprocess.DEVNULL, check=True)
        took.append(time.perf_counter() - start)
        if took[-1] < LIMIT_S:
            break
    assert min(took) < LIMIT_S


@pytest.mark.parametrize("words", HELPS)
def test_help_loads_nothing_heavy(words: str) -> None:
    code = LOADED.format(words=words.split())
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = {module.partition(".")[0] for module in run.stderr.split()}
    assert "surefoot" in loaded
    assert not loaded & HEAVY
