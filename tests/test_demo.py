"""The demo at its smallest: one push, with and without a machine that draws; what it writes is what it tells."""

from pathlib import Path

import numpy as np
import pytest

from surefoot import demo
from surefoot.characters import character
from surefoot.controllers.gait import load_gait
from surefoot.demo_options import DemoOptions
from surefoot.filming import gl
from surefoot.motions import read_bvh


def options(folder: Path, push_n: float = 0.0, seed: int = 0) -> DemoOptions:
    return DemoOptions(push_n=push_n, direction="left", out=folder, seed=seed)


def test_nobody_falls_of_no_push_and_everybody_of_a_huge_one(tmp_path: Path) -> None:
    who, gait = character("human"), load_gait("human/walk")
    calm = demo.simulate(who, gait, options(tmp_path))
    assert calm.stood.all()
    thrown = demo.simulate(who, gait, options(tmp_path, push_n=500.0))
    assert not thrown.stood.any()
    assert np.isfinite(thrown.fell_s).all()
    assert (thrown.fell_s > demo.PUSHED_AT_S).all()
    lying = thrown.motion[0][-1, 2]
    assert 0.0 < lying < 0.6, "who falls lies on the ground, neither under it nor in the air"


def test_the_same_seed_gives_the_same_motion(tmp_path: Path) -> None:
    who, gait = character("human"), load_gait("human/walk")
    one, same, other = (demo.simulate(who, gait, options(tmp_path, 80.0, seed)) for seed in (3, 3, 4))
    assert all(np.array_equal(a, b) for a, b in zip(one.motion, same.motion, strict=True))
    assert not np.array_equal(one.motion[0], other.motion[0])


def test_without_opengl_everything_else_is_made_and_the_package_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gl, "choose", lambda: None)
    report = demo.run_demo(options(tmp_path))
    assert {path.name for path in report.files} == {"walk.bvh", "pushes.txt"}
    assert "libegl1" in report.not_drawn
    assert "12 of 12" in (tmp_path / "pushes.txt").read_text()
    skeleton, clip = read_bvh(tmp_path / "walk.bvh")
    assert clip.duration_s > 5.0
    assert clip.root_position_m[-1, 0] - clip.root_position_m[0, 0] > 4.0
    assert "left_hip" in {bone.name for bone in skeleton.bones} or "left_thigh" in {bone.name for bone in skeleton.bones}


@pytest.mark.skipif(gl.choose() is None, reason="no OpenGL draws here")
def test_with_opengl_there_is_a_film_of_at_most_15_seconds_and_a_sheet(tmp_path: Path) -> None:
    report = demo.run_demo(options(tmp_path, 60.0))
    names = [path.name for path in report.files]
    assert names[0] == "demo.mp4"
    assert "contact-sheet.png" in names
    assert all(path.stat().st_size > 1000 for path in report.files if path.suffix in (".mp4", ".png"))
    assert not report.not_drawn
