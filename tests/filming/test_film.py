"""Films and sheets as files: format, order of frames, what is drawn, and nothing half written."""

import subprocess
from pathlib import Path

import imageio_ffmpeg
import mujoco
import numpy as np
import pytest
from PIL import Image

from surefoot.errors import SurefootError
from surefoot.filming import Push, Shot, Take, contact_sheet, film, gl, still, storyboard, studio
from surefoot.filming.film import staged
from surefoot.filming.painter import ARROW_COLOUR

SIZE = (192, 108)
PUSH = Push(time_s=0.2, duration_s=0.4, force_n=(0.0, 150.0, 0.0), body="torso")


@pytest.fixture
def take(walk: np.ndarray) -> Take:
    return Take(qpos=walk, rate_hz=50.0, caption="walk", pushes=(PUSH,))


def frames(path: Path) -> np.ndarray:
    """(n, height, width, 3): what a player shows."""
    reader = imageio_ffmpeg.read_frames(str(path))
    width, height = next(reader)["size"]
    return np.stack([np.frombuffer(raw, np.uint8).reshape(height, width, 3) for raw in reader])


def orange(pixels: np.ndarray) -> np.ndarray:
    """Where the colour of an arrow is: much more red than blue, little green."""
    red, green, blue = (pixels[..., i].astype(int) for i in range(3))
    assert ARROW_COLOUR[0] > 2 * ARROW_COLOUR[1]
    return (red > 120) & (red > 2 * green) & (red > 3 * blue)


@pytest.mark.usefixtures("drawing")
class TestFilm:
    def test_plays_everywhere(self, spec: mujoco.MjSpec, take: Take, tmp_path: Path) -> None:
        done: list[float] = []
        made = film(spec, take, tmp_path / "runs" / "walk.mp4", size=SIZE, progress=done.append)
        told = subprocess.run([imageio_ffmpeg.get_ffmpeg_exe(), "-i", str(made.path)], capture_output=True, text=True, check=False).stderr
        assert "h264" in told
        assert "yuv420p" in told
        assert "192x108" in told
        assert "25 fps" in told
        assert made.frames == 25
        assert made.duration_s == 1.0
        assert len(frames(made.path)) == 25
        assert done == pytest.approx([(k + 1) / 25 for k in range(25)])
        assert [path.name for path in made.path.parent.iterdir()] == ["walk.mp4"]

    def test_frames_are_alike_and_in_order_for_any_number_of_processes(self, spec: mujoco.MjSpec, take: Take) -> None:
        shot = Shot(takes=(take,))
        model = staged(spec, [shot], SIZE)
        pictures = storyboard.pictures(model, shot, fps=25, width=SIZE[0], height=SIZE[1])
        one, three = (list(studio.paint(model, pictures, processes=n)) for n in (1, 3))
        assert len(one) == 25
        assert all(np.array_equal(a, b) for a, b in zip(one, three, strict=True))
        assert len({frame.tobytes() for frame in one}) == 25

    def test_shots_follow_one_another(self, spec: mujoco.MjSpec, take: Take, tmp_path: Path) -> None:
        shots = [Shot(takes=(take,), end_s=0.2), Shot(takes=(take, take), layout="grid", end_s=0.2), take]
        assert film(spec, shots, tmp_path / "three.mp4", size=SIZE, speed=2.0).frames == 5 + 5 + 12

    def test_a_film_that_fails_leaves_the_old_one(
        self, spec: mujoco.MjSpec, take: Take, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        path = tmp_path / "walk.mp4"
        path.write_text("old")
        monkeypatch.setattr(imageio_ffmpeg, "get_ffmpeg_exe", lambda: "false")
        with pytest.raises(SurefootError, match=r"walk\.mp4' cannot be written: the encoder failed"):
            film(spec, take, path, size=SIZE)
        assert path.read_text() == "old"
        assert list(tmp_path.iterdir()) == [path]

    def test_a_reader_that_stops_early_leaves_no_process(self, spec: mujoco.MjSpec, take: Take) -> None:
        shot = Shot(takes=(take,))
        model = staged(spec, [shot], SIZE)
        painting = studio.paint(model, storyboard.pictures(model, shot, fps=25, width=SIZE[0], height=SIZE[1]), processes=2)
        next(painting)
        painting.close()

    def test_a_drawing_process_that_dies_is_reported(
        self, spec: mujoco.MjSpec, take: Take, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(gl, "required", lambda: "egl-of-another-world")
        with pytest.raises(SurefootError, match=r"drawing failed: .*egl-of-another-world.*surefoot doctor"):
            film(spec, take, tmp_path / "walk.mp4", size=SIZE)
        assert not list(tmp_path.iterdir())


@pytest.mark.usefixtures("drawing")
class TestStills:
    def test_a_sheet_has_a_row_for_each_view_and_a_column_for_each_time(self, spec: mujoco.MjSpec, take: Take, tmp_path: Path) -> None:
        path = contact_sheet(spec, take, tmp_path / "sheet.png", times_s=(0.0, 0.4, 1.0), cell=(240, 320))
        pixels = np.asarray(Image.open(path))
        assert pixels.shape == (2 * 320 + 3, 3 * 240 + 6, 3)
        arrow = [[orange(pixels[r * 323 : r * 323 + 320, c * 243 : c * 243 + 240]).any() for c in range(3)] for r in range(2)]
        assert arrow[1][:2] == [False, True]

    def test_an_arrow_ends_at_the_pushed_body(self, spec: mujoco.MjSpec, take: Take, tmp_path: Path) -> None:
        """A push to the left, seen from the front: the arrow comes from the picture's left, as long as it should be."""
        shot = Shot(takes=(take,), view="front")
        size = (960, 540)
        model = staged(spec, [shot], size)
        picture = storyboard.pictures_at(model, shot, np.array([0.3]), width=size[0], height=size[1])[0]
        seen = orange(next(iter(studio.paint(model, [picture], processes=1))))
        data = mujoco.MjData(model)
        data.qpos[:] = picture.panes[0].figures[0].qpos
        mujoco.mj_kinematics(model, data)
        middle = data.xipos[model.body("torso").id]
        tip = picture.panes[0].eye.project((middle[0], middle[1] - 0.13, middle[2]), *size)
        tail = picture.panes[0].eye.project((middle[0], middle[1] - 0.13 - 0.625, middle[2]), *size)
        assert tip is not None
        assert tail is not None
        columns = np.flatnonzero(seen.any(axis=0))
        assert columns.max() == pytest.approx(tip[0], abs=8)
        assert columns.min() == pytest.approx(tail[0], abs=8)

    def test_a_ghost_is_fainter(self, spec: mujoco.MjSpec, walk: np.ndarray, tmp_path: Path) -> None:
        def blue(opacity: float) -> float:
            shot = Shot(takes=(Take(qpos=walk[:1], rate_hz=1.0, opacity=opacity),), view="left-side")
            model = staged(spec, [shot], SIZE)
            picture = storyboard.pictures_at(model, shot, np.zeros(1), width=SIZE[0], height=SIZE[1], clock=False)[0]
            pixels = next(iter(studio.paint(model, [picture], processes=1))).astype(int)
            return float((pixels[..., 2] - pixels[..., 0])[50:].clip(0).max())

        assert blue(0.3) < 0.75 * blue(1.0)

    def test_a_still(self, spec: mujoco.MjSpec, walk: np.ndarray, tmp_path: Path) -> None:
        assert Image.open(still(spec, walk[0], tmp_path / "a.png", size=(120, 160), caption="human")).size == (120, 160)

    def test_a_folder_in_the_way(self, spec: mujoco.MjSpec, walk: np.ndarray, tmp_path: Path) -> None:
        with pytest.raises(SurefootError, match="is a folder"):
            still(spec, walk[0], tmp_path)


def test_without_opengl_a_film_says_what_to_install(
    spec: mujoco.MjSpec, take: Take, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gl, "choose", lambda: None)
    monkeypatch.delenv("MUJOCO_GL", raising=False)
    with pytest.raises(SurefootError, match="OpenGL"):
        film(spec, take, tmp_path / "walk.mp4")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("size", [(961, 540), (960, 10)])
def test_sizes_that_cannot_be_encoded(spec: mujoco.MjSpec, take: Take, size: tuple[int, int], tmp_path: Path) -> None:
    with pytest.raises(SurefootError, match="cannot be encoded: both must be even and at least 32"):
        film(spec, take, tmp_path / "walk.mp4", size=size)
