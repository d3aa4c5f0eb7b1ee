"""`surefoot demo`: its options, its table and its closing words; the demo itself is tested in tests/test_demo.py."""

import errno
import sys
from dataclasses import replace
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import get_args

import pytest

from surefoot.cli import demo
from surefoot.controllers import gait as gaits
from surefoot.demo_options import DIRECTIONS, Camera, DemoOptions, DemoReport, PushOutcome
from surefoot.filming.camera import VIEWS


def report(options: DemoOptions, files: tuple[Path, ...] = (), not_drawn: str = "") -> DemoReport:
    outcomes = tuple(
        PushOutcome(direction=direction, push_n=push_n, trials=5, survived=survived)
        for direction in DIRECTIONS
        for push_n, survived in ((150.0, 5), (400.0, 0))
    )
    return DemoReport(options=options, outcomes=outcomes, files=files, elapsed_s=12.3, not_drawn=not_drawn)


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[DemoOptions]:
    """The options that reach `run_demo`, which does nothing else here."""
    seen: list[DemoOptions] = []
    module = ModuleType("surefoot.demo")
    module.__spec__ = ModuleSpec("surefoot.demo", None)

    def run_demo(options: DemoOptions) -> DemoReport:
        seen.append(options)
        return report(options, not_drawn="no film: apt-get install libegl1")

    module.run_demo = run_demo  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "surefoot.demo", module)
    return seen


def test_every_flag_reaches_the_demo(asked: list[DemoOptions], surefoot, tmp_path: Path) -> None:
    line = f"demo --push 200 --direction left --slow 0.25 --camera side --character human --out {tmp_path} --seed 7"
    assert surefoot(*line.split()).code == 0
    assert asked == [DemoOptions(push_n=200.0, direction="left", slow=0.25, camera="side", character="human", out=tmp_path, seed=7)]


def test_closing_words(asked: list[DemoOptions], surefoot, tmp_path: Path) -> None:
    answer = surefoot("demo", "--out", str(tmp_path))
    assert report(asked[0]).table() in answer.out
    assert answer.out.splitlines()[-1] == "no film: apt-get install libegl1"


def test_files_are_named_with_their_size(tmp_path: Path) -> None:
    film = tmp_path / "demo.mp4"
    film.write_bytes(bytes(2_000_000))
    words = demo.closing_words(report(DemoOptions(), files=(film,)))
    assert f"wrote {film} (2.0 MB)" in words


def test_table_has_a_line_for_each_direction_and_a_column_for_each_force() -> None:
    lines = report(DemoOptions()).table().splitlines()
    assert lines[0].split() == ["pushed", "0.4", "s", "to", "150", "N", "400", "N"]
    assert [line.split()[0] for line in lines[1:]] == list(DIRECTIONS)
    assert lines[1].split()[1:] == ["5", "of", "5", "0", "of", "5"]
    one = replace(report(DemoOptions()), outcomes=(PushOutcome(direction="left", push_n=90.0, trials=1, survived=1),))
    assert len(one.table().splitlines()) == 2


def test_cameras_are_the_views_of_the_films() -> None:
    assert get_args(Camera) == tuple(VIEWS)


def test_gait_files_are_read_before_anything_runs(asked: list[DemoOptions], surefoot, tmp_path: Path) -> None:
    missing = tmp_path / "walk.toml"
    answer = surefoot("demo", "--gait", str(missing))
    assert (answer.code, answer.out) == (2, "")
    assert answer.err == f"surefoot: file '{missing}' does not exist; check the name\n"
    missing.write_text("[gait\nname = ")
    torn = surefoot("demo", "--gait", str(missing))
    assert (torn.code, torn.out) == (2, "")
    assert str(missing) in torn.err
    assert torn.err.count("\n") == 1
    assert asked == []


def test_a_gait_may_be_named_as_list_prints_it(asked: list[DemoOptions], surefoot, tmp_path: Path) -> None:
    assert surefoot("demo", "--gait", "human/in-place", "--out", str(tmp_path)).code == 0
    assert asked == [DemoOptions(gait="in-place", out=tmp_path)]


def test_a_gait_file_of_another_character(asked: list[DemoOptions], surefoot) -> None:
    file = Path(gaits.__file__).parent / "gaits" / "biped2d" / "walk.toml"
    answer = surefoot("demo", "--gait", str(file))
    told = f"--gait is '{file}': that is a gait of 'biped2d', not of 'human'; add --character biped2d"
    assert (answer.code, answer.err, asked) == (2, f"surefoot: {told}\n", [])


def test_small_files_are_not_empty(tmp_path: Path) -> None:
    table = tmp_path / "pushes.txt"
    table.write_bytes(bytes(360))
    assert demo.size(table) == "0.4 kB"


def test_unknown_gait(asked: list[DemoOptions], surefoot) -> None:
    answer = surefoot("demo", "--gait", "wlak")
    assert answer.err == "surefoot: no gait 'wlak' in character 'human': did you mean 'walk'? see 'surefoot list --kind gaits'\n"
    assert (answer.code, asked) == (2, [])


def test_a_folder_that_cannot_be_made_is_told_before_the_work(asked: list[DemoOptions], surefoot, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: Path, **how: bool) -> None:
        raise PermissionError(errno.EACCES, "", str(path))

    monkeypatch.setattr(Path, "mkdir", refuse)
    answer = surefoot("demo", "--out", "nowhere/demo")
    told = "file 'nowhere/demo' may not be read or written by you; choose another place or change its permissions"
    assert (answer.code, answer.err, asked) == (2, f"surefoot: {told}\n", [])
