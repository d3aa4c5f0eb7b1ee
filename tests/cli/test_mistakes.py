"""What a user gets for a mistake: one sentence with the nearest match and the next move, exit code 2, no traceback, no output."""

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest

import surefoot.cli.list as list_command
from surefoot.cli import parsing
from surefoot.cli.main import COMMANDS
from surefoot.errors import WrongValue

TEXTS = [
    ("dmo", "no command 'dmo': did you mean 'demo'? see 'surefoot --help'"),
    (
        "frobnicate",
        "no command 'frobnicate': there are 'demo', 'list', 'show', 'doctor', 'character'; see 'surefoot --help'",
    ),
    ("--jsn list", "'--jsn' stands before the command: write 'surefoot COMMAND --jsn'; see 'surefoot --help'"),
    ("--versoin", "no flag '--versoin' in 'surefoot': did you mean '--version'? see 'surefoot --help'"),
    ("demo --gait biped2d/walk", "--gait is 'biped2d/walk': that is a gait of 'biped2d', not of 'human'; add --character biped2d"),
    ("show in-place", "'in-place' is only the end of a name: did you mean 'human/in-place'? see 'surefoot list'"),
    ("character show human --png .", "--png is '.': a picture's file ends in .png; write 'human.png'"),
    ("character shwo", "no command 'shwo' in 'surefoot character': did you mean 'show'? see 'surefoot character --help'"),
    ("character --json", "'surefoot character' needs one of 'show' before '--json'; see 'surefoot character --help'"),
    ("demo --pussh 3", "no flag '--pussh' in 'surefoot demo': did you mean '--push'? see 'surefoot demo --help'"),
    ("demo --push=abc", "--push is 'abc': a number is needed; see 'surefoot demo --help'"),
    ("demo --push abc", "--push is 'abc': a number is needed; see 'surefoot demo --help'"),
    ("demo --push", "--push needs a number after it; see 'surefoot demo --help'"),
    ("demo --push -5", "--push is -5: a push is from 0 to 5000 N; the gaits are made to stand 150 N"),
    ("demo --push nan", "--push is nan: a push is from 0 to 5000 N; the gaits are made to stand 150 N"),
    ("demo --slow 3", "--slow is 3: a speed of the film is above 0 and at most 1; 0.25 is four times slower"),
    ("demo --seed 1.5", "--seed is '1.5': a whole number is needed; see 'surefoot demo --help'"),
    ("demo --seed -1", "--seed is -1: a seed is a whole number of at least 0"),
    ("demo --direction lft", "--direction is 'lft': did you mean 'left'? see 'surefoot demo --help'"),
    ("demo --camera sdie", "--camera is 'sdie': did you mean 'side'? see 'surefoot demo --help'"),
    ("demo --character humna", "no character 'humna': did you mean 'human'? see 'surefoot list --kind characters'"),
    ("demo left", "'left' is one word too many for 'surefoot demo'; see 'surefoot demo --help'"),
    ("list --kind gait", "--kind is 'gait': did you mean 'gaits'? see 'surefoot list --help'"),
    ("list --json yes", "'yes' is one word too many for 'surefoot list'; see 'surefoot list --help'"),
    ("show", "'surefoot show' needs NAME; see 'surefoot show --help'"),
    ("show --jsn human", "no flag '--jsn' in 'surefoot show': did you mean '--json'? see 'surefoot show --help'"),
    ("show biped2", "no character, gait, law, scene or experiment 'biped2': did you mean 'biped2d'? see 'surefoot list'"),
    ("character show humn", "no character 'humn': did you mean 'human'?"),
    ("character show human --png a.jpg", "--png is 'a.jpg': a picture's file ends in .png; write 'a.png'"),
    ("doctor --jso", "no flag '--jso' in 'surefoot doctor': did you mean '--json'? see 'surefoot doctor --help'"),
]


@pytest.mark.parametrize(("line", "sentence"), TEXTS)
def test_sentence(line: str, sentence: str, surefoot) -> None:
    answer = surefoot(*line.split())
    assert (answer.code, answer.out, answer.err) == (2, "", f"surefoot: {sentence}\n")


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_refuses_unknown_flags(name: str, surefoot) -> None:
    answer = surefoot(*name.split(), "--nothing-like-it")
    assert (answer.code, answer.out) == (2, "")
    assert answer.err.startswith(f"surefoot: no flag '--nothing-like-it' in 'surefoot {name}': there ")
    assert answer.err.count("\n") == 1


def test_out_that_is_a_file(surefoot, tmp_path: Path) -> None:
    blocker = tmp_path / "runs"
    blocker.write_text("")
    answer = surefoot("demo", "--out", str(blocker / "demo"))
    assert (answer.code, answer.err) == (2, f"surefoot: file '{blocker}' is not a folder; name a folder with --out\n")


def command(*words: str) -> list[str]:
    return [sys.executable, "-m", "surefoot.cli", *words]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
@pytest.mark.parametrize("words", [("--help",), ("list",), ("list", "--json"), ("doctor",), ("show", "human"), ("demo", "--help")])
def test_full_disk_behind_standard_output(words: tuple[str, ...]) -> None:
    with Path("/dev/full").open("w") as full:
        run = subprocess.run(command(*words), stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    told = "surefoot: file 'standard output' cannot be written: the disk is full; free some space or write to another disk\n"
    assert (run.returncode, run.stderr) == (2, told)


def test_a_reader_that_leaves_early_is_no_mistake() -> None:
    """As in `surefoot show human --json | head -1`."""
    here, there = os.pipe()
    os.close(here)
    run = subprocess.run(command("show", "human", "--json"), stdout=there, stderr=subprocess.PIPE, text=True, check=False)
    os.close(there)
    assert (run.returncode, run.stderr) == (0, "")


def test_faults_of_the_program_keep_their_traceback(surefoot, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(options: object) -> None:
        raise ZeroDivisionError("a fault of ours")

    monkeypatch.setattr(list_command, "run", broken)
    with pytest.raises(ZeroDivisionError):
        surefoot("list")


@pytest.mark.parametrize(
    ("error", "code", "sentence"),
    [
        (
            FileNotFoundError(errno.ENOENT, "", "none/x.json"),
            2,
            "file 'none/x.json' does not exist; the folder 'none' does not exist either",
        ),
        (
            PermissionError(errno.EACCES, "", "x.json"),
            2,
            "file 'x.json' may not be read or written by you; choose another place or change its permissions",
        ),
        (
            OSError(errno.ENOSPC, "", "x.mp4"),
            2,
            "file 'x.mp4' cannot be written: the disk is full; free some space or write to another disk",
        ),
        (ModuleNotFoundError("", name="torch.nn"), 2, "'torch.nn' is not installed: pip install 'surefoot[deep]'"),
        (KeyboardInterrupt(), 130, "stopped"),
    ],
)
def test_what_comes_from_below(error: BaseException, code: int, sentence: str, surefoot, monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(options: object) -> None:
        raise error

    monkeypatch.setattr(list_command, "run", failing)
    answer = surefoot("list")
    assert (answer.code, answer.err) == (code, f"surefoot: {sentence}\n")


def test_another_tyro_still_gives_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the private hook is gone or changed, tyro's own text is folded into a line."""
    monkeypatch.setattr(parsing, "_mistake", lambda event, words, program: None)
    from surefoot.demo_options import DemoOptions

    with pytest.raises(WrongValue) as told:
        parsing.parse(DemoOptions, ["--seed", "x"], program="surefoot demo", summary="", example="")
    text = str(told.value)
    assert "\n" not in text
    assert "--seed" in text
    assert not set(text) & set("╭│╰─")
    assert text.endswith("; see 'surefoot demo --help'")
