"""Words keep inside their pane, stand below one another and can be read."""

import numpy as np

from surefoot.filming.lettering import ASIDE, clear_of, letter, letter_at
from surefoot.filming.picture import Caption


def touched(captions: tuple[Caption, ...], box: tuple[int, int, int, int] = (40, 30, 300, 200)) -> np.ndarray:
    pixels = np.full((300, 400, 3), 200, dtype=np.uint8)
    letter(pixels, captions, *box)
    return (pixels != 200).any(axis=2)


def test_corners() -> None:
    for place, rows, columns in (
        ("top-left", (30, 130), (40, 190)),
        ("top-right", (30, 130), (190, 340)),
        ("bottom-left", (130, 230), (40, 190)),
        ("bottom-right", (130, 230), (190, 340)),
    ):
        seen = touched((Caption(text="150 N", place=place),))
        assert seen.any()
        outside = seen.copy()
        outside[rows[0] : rows[1], columns[0] : columns[1]] = False
        assert not outside.any()


def test_lines_of_one_corner_do_not_overlap() -> None:
    one, two = Caption(text="walk", place="top-left"), Caption(text="pushed", place="top-left")
    assert touched((one, two)).sum() >= touched((one,)).sum() + 0.9 * touched((two,)).sum()


def test_long_words_are_cut_at_the_pane() -> None:
    seen = touched((Caption(text="x" * 200, place="top-left"),))
    seen[30:230, 40:340] = False
    assert not seen.any()


def test_words_at_a_point_are_moved_into_the_pane() -> None:
    pixels = np.full((300, 400, 3), 200, dtype=np.uint8)
    letter_at(pixels, "150 N", 1000.0, -50.0, (40, 30, 300, 200))
    seen = (pixels != 200).any(axis=2)
    assert seen[30:230, 40:340].sum() == seen.sum() > 100


def test_ink_stands_out_from_its_plate() -> None:
    pixels = np.full((300, 400, 3), 200, dtype=np.uint8)
    letter(pixels, (Caption(text="150 N", place="top-left"),), 0, 0, 400, 300)
    part = pixels[7:20, 7:40].astype(int)
    assert part.max() - part.min() > 120


def test_words_of_an_arrow_along_the_view_stand_beside_who_is_pushed() -> None:
    assert clear_of(100.0, 300.0, 500.0) == 100.0, "an arrow seen from the side has its words at its tail"
    for tail, side in ((270.0, -1), (330.0, 1), (299.0, 1), (301.0, 1)):
        assert clear_of(tail, 300.0, 500.0) == 300.0 + side * ASIDE * 500.0
