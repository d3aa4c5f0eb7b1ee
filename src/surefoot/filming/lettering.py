"""Words in pictures: titles, clock, newtons beside an arrow, labels above heads. Drawn with Pillow on the finished pixels.

The letters are those that Pillow carries with it, so pictures look alike on every machine. Where the words stand is decided
in `storyboard` (corners) and `painter` (points of the scene).
"""

import functools

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from surefoot.filming.picture import Caption

INK = (250, 250, 250)
PLATE = (24, 30, 38, 168)
"""Dark glass behind words, so that they read on sky and ground alike; last number: opacity of 255."""
SMALLEST_PIXELS = 13
MARGIN = 0.022
"""From the edge of the pane, as a part of its height."""

ASIDE = 0.15
"""From an arrow's tip to the middle of its words at least, as a part of the pane's height: half a torso and half a plate."""


@functools.lru_cache(maxsize=16)
def font(pixels: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    """Letters of a given height."""
    return ImageFont.load_default(size=pixels)


def letter(pixels: NDArray[np.uint8], captions: tuple[Caption, ...], left: int, top: int, width: int, height: int) -> None:
    """Write captions into the corners of a pane; those of one corner stand below one another, in order."""
    used: dict[str, int] = {}
    margin = max(6, round(MARGIN * height))
    for caption in captions:
        if not caption.text:
            continue
        size = max(SMALLEST_PIXELS, round(height * (0.046 if caption.emphasis else 0.036)))
        plate = _plate(caption.text, size)
        across = left + margin if caption.place.endswith("left") else left + width - margin - plate.shape[1]
        shift = used.get(caption.place, 0)
        low = caption.place.startswith("bottom")
        down = top + height - margin - plate.shape[0] - shift if low else top + margin + shift
        used[caption.place] = shift + plate.shape[0] + margin // 3
        _lay(pixels, plate, across, down, (left, top, width, height))


def letter_at(pixels: NDArray[np.uint8], text: str, across: float, down: float, box: tuple[int, int, int, int]) -> None:
    """Write words that stand on a point of the picture; `box` is the pane (left, top, width, height) that they stay in."""
    plate = _plate(text, max(SMALLEST_PIXELS, round(box[3] * 0.034)))
    margin = 3
    across = min(max(across - plate.shape[1] / 2, box[0] + margin), box[0] + box[2] - plate.shape[1] - margin)
    down = min(max(down - plate.shape[0], box[1] + margin), box[1] + box[3] - plate.shape[0] - margin)
    _lay(pixels, plate, round(across), round(down), box)


def clear_of(words: float, tip: float, height: float) -> float:
    """How far across an arrow's words stand: at its tail, or further out where it points along the view and would hide who is pushed."""
    if abs(words - tip) >= ASIDE * height:
        return words
    left = words - tip < -ASIDE / 3.0 * height  # not at 0, where a swaying figure would make the words jump from side to side
    return tip - ASIDE * height if left else tip + ASIDE * height


@functools.lru_cache(maxsize=256)
def _plate(text: str, size: int) -> NDArray[np.uint8]:
    """(h, w, 4): the words on their rounded plate."""
    face = font(size)
    lines = text.split("\n")
    line_height = round(size * 1.28)
    pad = round(size * 0.45)
    width = max(round(face.getlength(line)) for line in lines) + 2 * pad
    plate = Image.new("RGBA", (max(width, 1), line_height * len(lines) + pad), (0, 0, 0, 0))
    pen = ImageDraw.Draw(plate)
    pen.rounded_rectangle((0, 0, plate.width - 1, plate.height - 1), radius=pad, fill=PLATE)
    for number, line in enumerate(lines):
        pen.text((pad, pad / 2 + line_height * (number + 0.5)), line, fill=(*INK, 255), font=face, anchor="lm")
    return np.asarray(plate)


def _lay(pixels: NDArray[np.uint8], plate: NDArray[np.uint8], left: int, top: int, box: tuple[int, int, int, int]) -> None:
    """Blend a plate into the picture, clipped to the pane."""
    x0, y0 = max(left, box[0], 0), max(top, box[1], 0)
    x1 = min(left + plate.shape[1], box[0] + box[2], pixels.shape[1])
    y1 = min(top + plate.shape[0], box[1] + box[3], pixels.shape[0])
    if x0 >= x1 or y0 >= y1:
        return
    part = plate[y0 - top : y1 - top, x0 - left : x1 - left].astype(np.uint16)
    cover = part[..., 3:]
    under = pixels[y0:y1, x0:x1].astype(np.uint16)
    pixels[y0:y1, x0:x1] = ((under * (255 - cover) + part[..., :3] * cover) // 255).astype(np.uint8)
