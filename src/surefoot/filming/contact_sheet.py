"""Still pictures: a PNG of one pose, and the contact sheet that shows a motion at chosen times, a row for each view.

A contact sheet is one `Picture` with many panes, drawn by the same painter as a film.
"""

import dataclasses
from collections.abc import Sequence
from pathlib import Path

import mujoco
import numpy as np
from numpy.typing import NDArray
from PIL import Image

from surefoot.errors import WrongValue
from surefoot.files import written_whole
from surefoot.filming import storyboard, studio
from surefoot.filming.film import staged
from surefoot.filming.picture import Caption, Pane, Picture
from surefoot.filming.takes import Shot, Take

CELL = (320, 400)
"""Width and height of one frame of a sheet: upright, like the figures in it."""
COLUMNS = 6
LINE = 3
"""Pixels between the frames."""


def contact_sheet(
    scene: mujoco.MjSpec | mujoco.MjModel,
    take: Take,
    path: Path | str,
    *,
    times_s: Sequence[float] | None = None,
    views: Sequence[str] = ("side", "front"),
    cell: tuple[int, int] = CELL,
    title: str = "",
) -> Path:
    """A PNG with a column for each time and a row for each view, the time and the push in every frame.

    Args:
      scene: specification of the scene (dressed first) or a compiled model (as it is).
      take: the motion.
      path: where the PNG goes.
      times_s: on the take's clock; by default COLUMNS instants spread over it.
      views: names of camera views.
      cell: width and height of a frame.
      title: one line in the first frame.
    """
    times = np.linspace(0.0, take.duration_s, COLUMNS) if times_s is None else np.asarray(times_s, dtype=np.float64)
    if times.ndim != 1 or not times.size or not views:
        raise WrongValue("a contact sheet needs at least one time and one view")
    shots = [Shot(takes=(dataclasses.replace(take, caption=""),), view=name) for name in views]
    size = (len(times) * (cell[0] + LINE) - LINE, len(views) * (cell[1] + LINE) - LINE)
    model = staged(scene, shots, size)
    panes: list[Pane] = []
    for row, shot in enumerate(shots):
        stills = storyboard.pictures_at(model, shot, times, width=cell[0], height=cell[1], clock=False)
        for column, (still, time_s) in enumerate(zip(stills, times, strict=True)):
            panes.append(_placed(still.panes[0], row, column, cell, time_s, title if not panes else "", shot.view))
    picture = Picture(width=size[0], height=size[1], panes=tuple(panes))
    return save(next(iter(studio.paint(model, [picture], processes=1))), path)


def still(
    scene: mujoco.MjSpec | mujoco.MjModel,
    qpos: NDArray[np.float64],
    path: Path | str,
    *,
    view: str = "three-quarter",
    size: tuple[int, int] = (720, 900),
    caption: str = "",
) -> Path:
    """A PNG of one pose (nq,)."""
    shot = Shot(takes=(Take(qpos=np.atleast_2d(qpos), rate_hz=1.0, caption=caption),), view=view)
    model = staged(scene, [shot], size)
    pictures = storyboard.pictures_at(model, shot, np.zeros(1), width=size[0], height=size[1], clock=False)
    return save(next(iter(studio.paint(model, pictures, processes=1))), path)


def save(pixels: NDArray[np.uint8], path: Path | str) -> Path:
    """Write a PNG, whole or not at all."""
    with written_whole(path) as unfinished:
        Image.fromarray(pixels).save(unfinished, "png")
    return Path(path)


def _placed(pane: Pane, row: int, column: int, cell: tuple[int, int], time_s: float, title: str, view: str) -> Pane:
    words = [Caption(text=title, place="top-left", emphasis=True)] if title else []
    words += list(pane.captions)
    words.append(Caption(text=f"{time_s:.2f} s", place="bottom-right"))
    if column == 0:
        words.append(Caption(text=view, place="bottom-left"))
    left, top = column * (cell[0] + LINE), row * (cell[1] + LINE)
    return dataclasses.replace(pane, left=left, top=top, captions=tuple(words))
