"""`surefoot doctor`: one screen, and for everything that is missing the command that mends it."""

import json
import re
import subprocess
import sys
import tomllib
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from surefoot import __version__
from surefoot.cli import doctor
from surefoot.cli.plain_data import plain
from surefoot.filming import gl


def test_one_screen(surefoot) -> None:
    answer = surefoot("doctor")
    assert (answer.code, answer.err) == (0, "")
    assert len(answer.out.splitlines()) <= 24
    for said in (f"surefoot     {__version__}", " cores, ", " GB of memory", "draws with", "compiled     ", "mujoco 4.", "missing"):
        assert said in answer.out


def test_for_a_program(surefoot) -> None:
    found = json.loads(surefoot("doctor", "--json").out)
    assert found["surefoot"] == __version__
    assert found["cores"] >= 1
    assert found["memory_gb"] > 0.1
    assert found["core"]["numpy"]
    assert all(found["core"].values())


def test_core_is_that_of_the_project() -> None:
    """Every library of the core in pyproject.toml is examined."""
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())["project"]
    assert sorted(doctor.CORE) == sorted(line.partition(">=")[0] for line in project["dependencies"])


def test_what_is_missing_comes_with_its_remedy(surefoot, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("SUREFOOT_CACHE", str(tmp_path / "file"))
    monkeypatch.setattr(gl, "choose", lambda: None)
    monkeypatch.setattr(gl, "install_hint", lambda: "apt-get install libegl1")
    monkeypatch.setattr(doctor, "CORE", (*doctor.CORE, "no-such-library"))
    lines = surefoot("doctor").out.splitlines()
    remedies = dict(pairwise(lines))
    assert "pip install no-such-library" in remedies["missing      library no-such-library"]
    assert remedies["missing      an OpenGL that draws without a display"] == "  mend it    apt-get install libegl1"
    cache = f"missing      a cache for compiled laws ({tmp_path / 'file'} cannot be written)"
    assert remedies[cache] == "  mend it    export SUREFOOT_CACHE=FOLDER"


def test_compiled_laws_are_where_the_physics_puts_them(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("SUREFOOT_CACHE", str(tmp_path / "not yet"))
    assert doctor.compiled_laws() == (tmp_path / "not yet", True)
    assert not (tmp_path / "not yet").exists(), "the doctor only looks"


BROKEN = """
import sys
sys.modules["mujoco"] = sys.modules["numpy"] = None
from surefoot.cli.main import main
sys.exit(main(["doctor"]))
"""


def test_the_doctor_sees_broken_installations() -> None:
    """Without mujoco and numpy there is still a page that tells how to get them."""
    run = subprocess.run([sys.executable, "-c", BROKEN], capture_output=True, text=True, check=False)
    assert (run.returncode, run.stderr) == (0, "")
    assert "missing      an OpenGL that draws" in run.stdout
    assert re.search(r"mend it    .* -m pip install (mujoco|numpy)", run.stdout)


def test_plain_data_reads_arrays() -> None:
    thing = {"a": np.arange(2), "b": np.float64(0.5), "c": np.array([np.nan]), "d": Path("x"), "e": (1, True, None)}
    assert plain(thing) == {"a": [0, 1], "b": 0.5, "c": [None], "d": "x", "e": [1, True, None]}
