"""Skeletons of characters: the same tree, tips where limbs end, refusals of trees that are none."""

import numpy as np
import pytest

from surefoot.characters import character, names
from surefoot.errors import SurefootError
from surefoot.motions import Bone, Clip, Skeleton, forward, skeleton_of


@pytest.mark.parametrize("name", names())
def test_the_tree_is_the_characters(name: str) -> None:
    who = character(name)
    skeleton = skeleton_of(who)
    assert skeleton.names[0] == who.links[0].name
    assert set(skeleton.names[1:]) == set(who.joint_names) | {link.name for link in who.links[1:] if link.joint is None}
    leaves = [bone for bone in skeleton.bones if not skeleton.children(bone.name)]
    assert leaves
    assert all(bone.tip_m is not None for bone in leaves)
    assert [bone.tip_m for bone in skeleton.bones if bone not in leaves] == [None] * (len(skeleton.bones) - len(leaves))


def test_the_human_stands_upright_at_rest() -> None:
    human = character("human")
    rest = Clip(
        name="rest",
        time_s=np.zeros(1),
        root_position_m=np.array([[0.0, 0.0, human.standing_height_m]]),
        root_quaternion=np.array([[1.0, 0.0, 0.0, 0.0]]),
        joint_names=(),
        joint_quaternions=np.zeros((1, 0, 4)),
    )
    skeleton = skeleton_of(human)
    places = dict(zip(skeleton.names, forward(skeleton, rest)[0][0], strict=True))
    assert 0.0 < places["left_ankle"][2] < 0.15
    assert places["left_ankle"][1] > 0.0 > places["right_ankle"][1]
    assert places["neck"][2] > 1.3
    assert places["left_toe"][0] > places["left_ankle"][0]


@pytest.mark.parametrize(
    ("bones", "words"),
    [
        ((), "has no root"),
        ((("a", "b"),), "has no root"),
        ((("a", None), ("a", "a")), "names a bone twice: \\['a'\\]"),
        ((("hips", None), ("spine", "hisp")), "no parent 'hisp' in skeleton 's', before 'spine': did you mean 'hips'"),
    ],
)
def test_refusals(bones: tuple[tuple[str, str | None], ...], words: str) -> None:
    with pytest.raises(SurefootError, match=words):
        Skeleton(name="s", bones=tuple(Bone(name=n, parent=p, offset_m=(0.0, 0.0, 0.0), link=n) for n, p in bones))
