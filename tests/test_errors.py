"""Errors: nearest names and sentences."""

import pytest

from surefoot.errors import LISTED_AT_MOST, SurefootError, UnknownName, UnusableFile, listed, nearest, nearest_name


def test_nearest_offers_the_closest_name() -> None:
    assert nearest("l_knee", ["left_hip", "left_knee", "right_knee"]) == "did you mean 'left_knee'?"


def test_nearest_ignores_upper_and_lower_case() -> None:
    assert nearest("HUMAN", ["biped2d", "human"]) == "did you mean 'human'?"


def test_nearest_lists_what_exists_when_nothing_is_near() -> None:
    assert nearest("walk", ["run", "jump"]) == "there are 'run', 'jump'"
    assert nearest("walk", ["jump"]) == "there is 'jump'"
    assert nearest("walk", []) == "there are none"


def test_nearest_name_is_none_far_from_everything() -> None:
    assert nearest_name("walk", ["run", "jump"]) is None
    assert nearest_name("walc", ["run", "walk"]) == "walk"


def test_long_lists_are_cut() -> None:
    names = [f"name{number}" for number in range(LISTED_AT_MOST + 3)]
    assert listed(names).endswith(f"'name{LISTED_AT_MOST - 1}' and 3 more")
    assert listed(names[:LISTED_AT_MOST]).endswith(f"'name{LISTED_AT_MOST - 1}'")


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (
            UnknownName("joint", "l_knee", ["left_knee"], where="character 'biped'"),
            "no joint 'l_knee' in character 'biped': did you mean 'left_knee'?",
        ),
        (UnknownName("gait", "wlk", ["walk"], next_move="see 'x'"), "no gait 'wlk': did you mean 'walk'? see 'x'"),
        (UnknownName("gait", "zzz", ["walk"], next_move="see 'x'"), "no gait 'zzz': there is 'walk'; see 'x'"),
        (UnusableFile("a.bvh", "is torn", next_move="record it again"), "file 'a.bvh' is torn; record it again"),
    ],
)
def test_sentences(error: SurefootError, sentence: str) -> None:
    assert str(error) == sentence
