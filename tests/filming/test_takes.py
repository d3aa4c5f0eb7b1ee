"""Takes and shots refuse what cannot be shown, in one sentence each."""

import numpy as np
import pytest

from surefoot.errors import SurefootError
from surefoot.filming.takes import Shot, Take, shots_of


def take(count: int = 5) -> Take:
    return Take(qpos=np.zeros((count, 7)), rate_hz=4.0)


def test_durations() -> None:
    assert take().duration_s == 1.0
    assert Shot(takes=(take(), take(9))).duration_s == 2.0
    assert Shot(takes=(take(),), speed=0.25).duration_s == 4.0
    assert Shot(takes=(take(),), start_s=0.25, end_s=0.75).duration_s == 0.5


def test_bare_takes_become_shots_one_after_another() -> None:
    first, second = take(), Shot(takes=(take(),), view="front")
    shots = shots_of([first, second], view="top", speed=0.5, title="walk")
    assert shots[0] == Shot(takes=(first,), view="top", speed=0.5, title="walk") or shots[0].takes == (first,)
    assert (shots[0].view, shots[0].speed, shots[0].title) == ("top", 0.5, "walk")
    assert shots[1] is second


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: Take(qpos=np.zeros(7), rate_hz=1.0), "positions of shape \\(T, nq\\)"),
        (lambda: Take(qpos=np.zeros((0, 7)), rate_hz=1.0), "at least one instant"),
        (lambda: Take(qpos=np.zeros((2, 7)), rate_hz=0.0), "the rate must be above 0"),
        (lambda: Take(qpos=np.array([[0.0], [np.nan]]), rate_hz=1.0, caption="fell"), "'fell'.* from instant 1: cut it there"),
        (lambda: Shot(takes=()), "give it at least one take"),
        (lambda: Shot(takes=(take(),), speed=0.0), "0.25 for slow motion"),
        (lambda: Shot(takes=(take(),), view="sied"), "did you mean 'side'"),
        (lambda: Shot(takes=(take(),), layout="gird"), "did you mean 'grid'"),  # type: ignore[arg-type]
        (lambda: Shot(takes=(take(),), start_s=2.0), "its takes last 1.0 s"),
        (lambda: shots_of([]), "nothing to film"),
    ],
)
def test_refusals(make: object, words: str) -> None:
    with pytest.raises(SurefootError, match=words):
        make()  # type: ignore[operator]
