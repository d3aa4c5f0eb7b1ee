"""`film`: recorded motion to an MP4 that plays everywhere (H.264, yuv420p), drawn and encoded at the same time.

The encoder is the ffmpeg that imageio-ffmpeg carries. The file appears whole or not at all.
"""

import contextlib
import dataclasses
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import imageio_ffmpeg
import mujoco
import numpy as np
from numpy.typing import NDArray

from surefoot.errors import UnusableFile, WrongValue
from surefoot.files import written_whole
from surefoot.filming import storyboard, studio
from surefoot.filming.stage import dress
from surefoot.filming.takes import Shot, Take, shots_of

FPS = 25.0
SIZE = (960, 540)
QUALITY = 20
"""x264's constant rate factor: 18 looks lossless, 23 is its default."""


@dataclasses.dataclass(frozen=True, kw_only=True, slots=True)
class Film:
    """What was made."""

    path: Path
    """The file."""
    frames: int
    """How many."""
    duration_s: float
    """How long it plays."""


def film(
    scene: mujoco.MjSpec | mujoco.MjModel,
    shown: Take | Shot | Sequence[Take | Shot],
    path: Path | str,
    *,
    view: str = "three-quarter",
    speed: float = 1.0,
    title: str = "",
    fps: float = FPS,
    size: tuple[int, int] = SIZE,
    processes: int | None = None,
    progress: Callable[[float], None] | None = None,
) -> Film:
    """Film takes and shots one after another.

    Args:
      scene: the specification of the scene they were recorded in (`Scene.spec`), which gets light, sky and ground; or a
        compiled model, which is filmed as it is.
      shown: a take, or a sequence of takes and shots.
      path: where the MP4 goes.
      view: camera view of bare takes: side, left-side, front, back, three-quarter, overview or top.
      speed: of bare takes: 0.25 is slow motion.
      title: words over bare takes.
      fps: frames a second.
      size: width and height in pixels, both even.
      processes: that draw at once; by default one a core.
      progress: called with the part that is done, 0 to 1.

    Raises:
      NotAvailable: no OpenGL draws here (`gl.choose() is None` tells before).
      UnusableFile: the film cannot be written.
    """
    path, (width, height) = Path(path), size
    if width % 2 or height % 2 or min(size) < 32:
        raise WrongValue(f"a film of {width} x {height} pixels cannot be encoded: both must be even and at least 32")
    shots = shots_of(shown, view=view, speed=speed, title=title)
    model = staged(scene, shots, size)
    frames = [picture for shot in shots for picture in storyboard.pictures(model, shot, fps=fps, width=width, height=height)]
    with _encoder(path, size, fps) as write:
        for number, pixels in enumerate(studio.paint(model, frames, processes=processes)):
            write(pixels)
            if progress is not None:
                progress((number + 1) / len(frames))
    return Film(path=path, frames=len(frames), duration_s=len(frames) / fps)


def staged(scene: mujoco.MjSpec | mujoco.MjModel, shots: Sequence[Shot], size: tuple[int, int]) -> mujoco.MjModel:
    """The model to draw: a specification is dressed and compiled, with metre numbers along the way that is walked."""
    if isinstance(scene, mujoco.MjModel):
        return scene
    along = np.concatenate([take.qpos[:, 0] + take.offset_m[0] for shot in shots for take in shot.takes])
    metres = (float(along.min()) - 3.0, float(along.max()) + 4.0)
    return dress(scene, width=size[0], height=size[1], metres=metres).compile()


@contextlib.contextmanager
def _encoder(path: Path, size: tuple[int, int], fps: float) -> Iterator[Callable[[NDArray[np.uint8]], None]]:
    """Give a function that takes frames; on leaving, the finished film moves to its place."""
    with written_whole(path) as unfinished, tempfile.TemporaryFile() as complaints:
        ffmpeg = subprocess.Popen(_command(unfinished, size, fps), stdin=subprocess.PIPE, stderr=complaints)
        stdin = ffmpeg.stdin
        assert stdin is not None

        def write(pixels: NDArray[np.uint8]) -> None:
            stdin.write(np.ascontiguousarray(pixels))

        try:
            with contextlib.suppress(BrokenPipeError):  # ffmpeg ended early and says why below
                yield write
                stdin.close()
            if ffmpeg.wait() != 0:
                complaints.seek(0)
                lines = complaints.read().decode(errors="replace").strip().splitlines()
                raise UnusableFile(path, f"cannot be written: {lines[-1] if lines else 'the encoder failed'}")
        finally:
            ffmpeg.kill()
            ffmpeg.wait()
            with contextlib.suppress(BrokenPipeError):
                stdin.close()


def _command(path: Path, size: tuple[int, int], fps: float) -> list[str]:
    words = f"-y -loglevel error -f rawvideo -pix_fmt rgb24 -s {size[0]}x{size[1]} -r {fps:g} -i - -an"
    # yuv420p and the moov atom at the front: what browsers and players need to start at once
    coding = f"-c:v libx264 -preset veryfast -crf {QUALITY} -pix_fmt yuv420p -movflags +faststart"
    return [imageio_ffmpeg.get_ffmpeg_exe(), *words.split(), *coding.split(), str(path)]
