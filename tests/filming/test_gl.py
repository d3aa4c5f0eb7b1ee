"""Choosing an OpenGL: by trying, kept for the machine, and what a machine without one is told."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from surefoot.errors import NotAvailable
from surefoot.filming import gl


@pytest.fixture(autouse=True)
def fresh_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.delenv("MUJOCO_GL", raising=False)
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)


def only(name: str):
    return lambda candidate: candidate == name


def test_takes_the_first_that_draws() -> None:
    assert gl.choose(probe=lambda candidate: True) == "egl"
    assert gl.choose(probe=only("osmesa")) == "osmesa"
    assert gl.choose(probe=lambda candidate: False) is None


def test_tries_what_the_user_set_before_all_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MUJOCO_GL", "osmesa")
    assert gl.candidates("osmesa") == ("osmesa", "egl")
    assert gl.choose(probe=lambda candidate: True) == "osmesa"
    assert gl.choose(probe=only("egl")) == "egl"


def test_what_was_asked_for_once_is_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gl, "draws", lambda candidate: True)
    monkeypatch.setenv("MUJOCO_GL", "osmesa")
    assert gl.choose() == "osmesa"
    monkeypatch.delenv("MUJOCO_GL")
    assert gl.choose() == "egl"


def test_an_answer_that_turned_out_wrong_is_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gl, "draws", only("egl"))
    assert gl.choose() == "egl"
    monkeypatch.setattr(gl, "draws", only("osmesa"))
    assert gl.choose() == "egl"
    gl.forget()
    gl.forget()
    assert gl.choose() == "osmesa"


def test_a_window_is_the_last_resort(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISPLAY", ":0")
    assert gl.candidates() == ("egl", "osmesa", "glfw")


def test_does_not_try_where_the_user_forbade_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MUJOCO_GL", "disable")
    assert gl.choose(probe=lambda candidate: pytest.fail("tried")) is None
    assert gl.install_hint() == "no film was drawn, because MUJOCO_GL says 'disable': unset it"


def test_keeps_a_good_answer_and_never_a_bad_one(monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[str] = []

    def draws(candidate: str) -> bool:
        tried.append(candidate)
        return candidate == "osmesa" and len(tried) > 2

    monkeypatch.setattr(gl, "draws", draws)
    assert gl.choose() is None
    assert not list(gl.cache_folder().glob("*"))
    assert gl.choose() == "osmesa"
    assert len(tried) == 4
    assert gl.choose() == "osmesa"
    assert len(tried) == 4
    gl.choose(refresh=True)
    assert len(tried) == 6


@pytest.mark.parametrize("torn", ["", "{", "[]", '{"choice": 3, "python": ""}', '{"choice": "egl"}'])
def test_a_torn_answer_is_tried_anew(torn: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gl, "draws", only("osmesa"))
    gl.choose()
    next(gl.cache_folder().glob("gl-*.json")).write_text(torn)
    assert gl.choose() == "osmesa"


def test_a_cache_that_cannot_be_written_costs_nothing_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    monkeypatch.setattr(gl, "draws", only("egl"))
    assert gl.choose() == "egl"


def test_what_draws_draws_and_what_does_not_does_not(drawing: str) -> None:
    assert gl.draws(drawing)
    assert not gl.draws("nothing_of_that_name")


@pytest.mark.skipif(sys.platform != "linux", reason="the hint names packages of Debian")
def test_a_machine_without_opengl_is_told_what_to_install(tmp_path: Path) -> None:
    """A broken PyOpenGL stands for missing libraries: neither egl nor osmesa loads."""
    (tmp_path / "OpenGL").mkdir()
    (tmp_path / "OpenGL" / "__init__.py").write_text("raise ImportError('no library')")
    program = (
        "from surefoot.filming import gl\nprint(gl.choose())\ntry:\n    gl.required()\nexcept gl.NotAvailable as error:\n    print(error)\n"
    )
    kept = {key: value for key, value in os.environ.items() if key not in ("DISPLAY", "WAYLAND_DISPLAY", "MUJOCO_GL")}
    done = subprocess.run(
        [sys.executable, "-c", program], env=kept | {"PYTHONPATH": str(tmp_path)}, capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines() == [
        "None",
        "no software OpenGL was found, so no film was drawn: apt-get install libegl1 libgl1-mesa-dri (Debian, Ubuntu), "
        "or libosmesa6; then run it again",
    ]


def test_required_raises_where_nothing_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gl, "draws", lambda candidate: False)
    with pytest.raises(NotAvailable):
        gl.required()


def test_an_imported_mujoco_with_another_opengl_does_not_matter(drawing: str, tmp_path: Path) -> None:
    """mujoco reads MUJOCO_GL at import: pictures are drawn in child processes all the same."""
    program = (
        "import mujoco, numpy as np\n"
        "from surefoot.filming import still\n"
        "spec = mujoco.MjSpec.from_string('<mujoco><worldbody><body><freejoint/><geom size=\".3\"/></body></worldbody></mujoco>')\n"
        f"still(spec, np.array([0, 0, .3, 1, 0, 0, 0.]), {str(tmp_path / 'ball.png')!r}, size=(96, 96))\n"
    )
    unset = {key: value for key, value in os.environ.items() if key not in ("MUJOCO_GL", "PYOPENGL_PLATFORM")}
    for mislaid in ({}, {"MUJOCO_GL": "glfw"}, {"PYOPENGL_PLATFORM": "glx"}):
        subprocess.run([sys.executable, "-c", program], env=unset | mislaid, check=True, capture_output=True)
        assert (tmp_path / "ball.png").stat().st_size > 500
        (tmp_path / "ball.png").unlink()
