"""BVH: what is written is read again, an independent reading by the format's rules agrees, and bad files get one sentence."""

import dataclasses
import math
import re
from collections.abc import Callable
from pathlib import Path

import mujoco
import numpy as np
import pytest

from surefoot.characters import character, names
from surefoot.errors import SurefootError, UnusableFile
from surefoot.motions import Clip, Skeleton, clip_of, forward, read_bvh, skeleton_of, write_bvh
from surefoot.motions.bvh import ORDERS, UNITS_M


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("unit", UNITS_M)
def test_written_and_read_again(skeleton: Skeleton, clip: Clip, tmp_path: Path, order: str, unit: str) -> None:
    again_skeleton, again = read_bvh(write_bvh(tmp_path / "a.bvh", skeleton, clip, unit=unit, order=order))
    assert again_skeleton.names == skeleton.names
    assert again.rate_hz == pytest.approx(clip.rate_hz, rel=1e-6)
    assert np.abs(forward(again_skeleton, again)[0] - forward(skeleton, clip)[0]).max() < 1e-5
    tips = [(bone.tip_m, other.tip_m) for bone, other in zip(skeleton.bones, again_skeleton.bones, strict=True) if bone.tip_m]
    assert np.allclose([a for a, _ in tips], [b for _, b in tips], atol=1e-5)


@pytest.mark.parametrize("name", names())
def test_the_file_puts_every_body_where_mujoco_does(
    name: str, tmp_path: Path, model_of: Callable[..., mujoco.MjModel], wander: Callable[..., np.ndarray]
) -> None:
    who = character(name)
    model = model_of(who)
    qpos = wander(model, 40)
    path = write_bvh(tmp_path / "a.bvh", skeleton_of(who), clip_of(who, model, qpos, 60.0))
    positions, _ = forward(*read_bvh(path))
    data = mujoco.MjData(model)
    for pose, found in zip(qpos, positions, strict=True):
        data.qpos[:] = pose
        mujoco.mj_kinematics(model, data)
        assert np.abs(data.xpos[[model.body(link).id for link in who.link_names]] - found).max() < 1e-4


def turn(axis: str, degrees: float) -> np.ndarray:
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    return {
        "X": np.array([[1, 0, 0], [0, c, -s], [0, s, c]]),
        "Y": np.array([[c, 0, s], [0, 1, 0], [-s, 0, c]]),
        "Z": np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]]),
    }[axis]


def by_the_rules(text: str, frame: int) -> dict[str, np.ndarray]:
    """Places in the file's axes, by the rules of the format: M = T(offset or position) R1 R2 R3, parent first, nothing of ours."""
    head, motion = text.split("MOTION")
    numbers = [float(word) for word in motion.split("\n")[3 + frame].split()]
    stack: list[tuple[np.ndarray, np.ndarray]] = [(np.zeros(3), np.eye(3))]
    found: dict[str, np.ndarray] = {}
    name, offset = "", np.zeros(3)
    for line in head.split("\n"):
        words = line.split()
        if not words:
            continue
        if words[0] in ("ROOT", "JOINT", "End"):
            name = words[1] if words[0] != "End" else ""
        elif words[0] == "OFFSET":
            offset = np.array([float(word) for word in words[1:]])
            if not name:
                stack.append(stack[-1])
        elif words[0] == "CHANNELS":
            place, rotation = offset.copy(), np.eye(3)
            for channel in words[2:]:
                value = numbers.pop(0)
                if channel.endswith("position"):
                    place["XYZ".index(channel[0])] = value
                else:
                    rotation = rotation @ turn(channel[0], value)
            parent_place, parent_rotation = stack[-1]
            stack.append((parent_place + parent_rotation @ place, parent_rotation @ rotation))
            found[name] = stack[-1][0]
        elif words[0] == "}":
            stack.pop()
    assert not numbers
    return found


def test_an_independent_reading_agrees(skeleton: Skeleton, clip: Clip, tmp_path: Path) -> None:
    """Y up, facing +Z, left is +X: the world's x forward, y left, z up become Z, X, Y."""
    text = write_bvh(tmp_path / "a.bvh", skeleton, clip, unit="cm").read_text()
    positions, _ = forward(skeleton, clip)
    for frame in (0, 30, 89):
        found = by_the_rules(text, frame)
        for bone, name in enumerate(skeleton.names):
            x, y, z = 100.0 * positions[frame, bone]
            assert found[name] == pytest.approx([y, z, x], abs=1e-3)


def test_the_file_looks_as_programs_expect(skeleton: Skeleton, clip: Clip, tmp_path: Path) -> None:
    text = write_bvh(tmp_path / "a.bvh", skeleton, clip).read_text()
    assert text.startswith("HIERARCHY\nROOT pelvis\n{\n\tOFFSET 0.000000 0.000000 0.000000\n\tCHANNELS 6 Xposition Yposition Zposition ")
    assert text.count("{") == text.count("}") == len(skeleton.bones) + text.count("End Site")
    assert "\tCHANNELS 3 Zrotation Xrotation Yrotation\n" in text
    assert re.search(r"\nMOTION\nFrames: 90\nFrame Time: 0\.01666667\n", text)
    numbers = np.array(text.split("Frame Time: 0.01666667\n")[1].split(), dtype=float).reshape(90, -1)
    assert numbers.shape[1] == 3 * (len(skeleton.bones) + 1)
    assert "-0.000000" not in text.split("MOTION")[1]
    assert not re.search(r"End Site\s*\{\s*OFFSET 0.000000 0.000000 0.000000", text)


def test_angles_do_not_jump(skeleton: Skeleton, tmp_path: Path, model_of: Callable, wander: Callable) -> None:
    human = character("human")
    model = model_of(human)
    clip = clip_of(human, model, wander(model, 600, 5), 60.0)
    text = write_bvh(tmp_path / "a.bvh", skeleton, clip).read_text()
    angles = np.array(text.split("0.01666667\n")[1].split(), dtype=float).reshape(600, -1)[:, 3:]
    steps = np.abs(np.diff(angles, axis=0))
    assert steps.max() < 200.0
    assert np.quantile(steps, 0.99) < 40.0


def test_welded_links_and_joints_without_rotations_rest(clip: Clip, skeleton: Skeleton, tmp_path: Path) -> None:
    kept = [n for n, name in enumerate(clip.joint_names) if "elbow" not in name]
    fewer = dataclasses.replace(
        clip, joint_names=tuple(clip.joint_names[n] for n in kept), joint_quaternions=clip.joint_quaternions[:, kept]
    )
    _, again = read_bvh(write_bvh(tmp_path / "a.bvh", skeleton, fewer))
    assert np.allclose(again.joint("left_elbow"), (1, 0, 0, 0))


SMALL = """HIERARCHY
ROOT Hips
{
  OFFSET 0 90 0
  CHANNELS 6 Xposition Yposition Zposition Zrotation Yrotation Xrotation
  JOINT Bip01 L Thigh {
    OFFSET 10 -5 0
    CHANNELS 3 Zrotation Xrotation Yrotation
    End Site
    { OFFSET 0 -40 0 }
  }
  JOINT Chest
  {
    OFFSET 0 20 0
    CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
    End Site
    {
      OFFSET 0 30 0
    }
  }
}
MOTION
Frames: 2
Frame Time: 0.0333333
0 95 0 0 0 0  0 0 0  0 20 0 0 0 0
0 95 4 0 90 0  0 -30 0  0 20 0 0 0 0
"""


def test_a_file_of_another_program(tmp_path: Path) -> None:
    """Names with spaces, braces anywhere, six channels on a rigid joint, centimetres, ZYX at the root."""
    (tmp_path / "walk.bvh").write_text(SMALL)
    skeleton, clip = read_bvh(tmp_path / "walk.bvh", loop=True, licence="CC0")
    assert skeleton.names == ("Hips", "Bip01 L Thigh", "Chest")
    assert (clip.name, clip.source, clip.loop, clip.licence) == ("walk", "walk.bvh", True, "CC0")
    assert clip.rate_hz == pytest.approx(30.0, rel=1e-4)
    assert clip.root_position_m[1] == pytest.approx([0.04, 0.0, 0.95])
    positions, _ = forward(skeleton, clip)
    assert positions[0, 1] == pytest.approx([0.0, 0.1, 0.9])
    # a heading of 90 degrees to the left takes the left side to the back
    assert positions[1, 1] == pytest.approx([0.04 - 0.1, 0.0, 0.9])
    # a rotation about X (left) by -30 degrees swings the leg forward: the pitch about y is negative
    assert clip.joint("Bip01 L Thigh")[1] == pytest.approx([math.cos(math.pi / 12), 0.0, -math.sin(math.pi / 12), 0.0])
    assert skeleton.bones[1].tip_m == pytest.approx((0.0, 0.0, -0.4))
    in_metres, _ = read_bvh(tmp_path / "walk.bvh", unit="m")
    assert in_metres.bones[1].offset_m == pytest.approx((0.0, 10.0, -5.0))


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("HIERARCHY", "HIERACHY", "is not a BVH file: it does not begin with HIERARCHY"),
        ("MOTION\n", "", "is torn: it has no MOTION section"),
        ("Frames: 2", "Frames: 3", "is torn: 3 frames of 15 channels are 45 numbers, and it has 30"),
        ("Frames: 2", "Frames: 0", "says it has 0 frames"),
        ("Frames: 2", "Frames: two", "is torn: after MOTION come"),
        ("0.0333333", "0", "says it has 2 frames of 0.0 s"),
        ("0.0333333", "nan", "says it has 2 frames of nan s"),
        ("0 95 4", "0 95 x", "has something among its numbers that is none"),
        ("0 95 4", "0 95 nan", "has a number that is not finite in frame 2"),
        ("OFFSET 10 -5 0", "OFFSET 10 -5", "has an OFFSET in line 7 that is not three numbers: '10 -5'"),
        ("CHANNELS 3 Z", "CHANNELS 4 Z", "has CHANNELS in line 8 that cannot be read"),
        ("CHANNELS 3 Zrotation", "CHANNELS 3 Wrotation", "has CHANNELS in line 8 that cannot be read"),
        ("{ OFFSET 0 -40 0 }", "{ OFFSET 0 -40 0", "is torn: its hierarchy ends inside a joint"),
        ("MOTION", "}\nMOTION", "closes a brace in line 22 that was never opened"),
        ("JOINT Chest", "ROOT Chest", "has two roots in line 12: one figure is read"),
        ("JOINT Chest", "Chest", "says 'Chest' in line 12, which a BVH hierarchy does not know"),
        ("JOINT Chest", "JOINT Hips", "holds no usable motion: skeleton 'a' names a bone twice"),
        ("0 -30 0  0 20 0", "0 -30 0  0 29 0", "moves its joint 'Chest' away from its parent: only figures with rigid bones are read"),
        (SMALL[SMALL.index("ROOT") : SMALL.index("MOTION")], "", "has no ROOT joint"),
    ],
)
def test_bad_files_get_one_sentence(tmp_path: Path, old: str, new: str, words: str) -> None:
    assert old in SMALL
    (tmp_path / "a.bvh").write_text(SMALL.replace(old, new, 1))
    with pytest.raises(UnusableFile) as told:
        read_bvh(tmp_path / "a.bvh")
    assert f"a.bvh' {words}" in str(told.value)
    assert "\n" not in str(told.value)


@pytest.mark.parametrize("cut", range(1, 20))
def test_a_file_cut_anywhere_is_torn(tmp_path: Path, cut: int) -> None:
    (tmp_path / "a.bvh").write_text(SMALL[: len(SMALL) * cut // 20])
    with pytest.raises(UnusableFile):
        read_bvh(tmp_path / "a.bvh")


def test_files_that_are_none(tmp_path: Path) -> None:
    (tmp_path / "walk.bvh").write_text(SMALL)
    with pytest.raises(UnusableFile, match=r"walkk\.bvh' does not exist; did you mean '.*walk\.bvh'"):
        read_bvh(tmp_path / "walkk.bvh")
    with pytest.raises(UnusableFile, match="is a folder"):
        read_bvh(tmp_path)
    (tmp_path / "b.bvh").write_bytes(bytes(range(256)))
    with pytest.raises(UnusableFile, match="is not a BVH file: it is not text"):
        read_bvh(tmp_path / "b.bvh")
    (tmp_path / "c.bvh").write_text("HIERARCHY\n" + "ROOT a\n{\n" + "JOINT b\n{\n" * 500 + "MOTION\n")
    with pytest.raises(UnusableFile, match="more than 200 joints in one chain"):
        read_bvh(tmp_path / "c.bvh")


def test_refusals_of_the_writer(skeleton: Skeleton, clip: Clip, tmp_path: Path) -> None:
    with pytest.raises(SurefootError, match="no unit 'mm': did you mean 'm'"):
        write_bvh(tmp_path / "a.bvh", skeleton, clip, unit="mm")
    with pytest.raises(SurefootError, match=r"no order of channels 'ZXZ': did you mean '[XYZ]+'"):
        write_bvh(tmp_path / "a.bvh", skeleton, clip, order="ZXZ")
    with pytest.raises(SurefootError, match=r"ends in \.bvh"):
        write_bvh(tmp_path / "a.txt", skeleton, clip)
    with pytest.raises(SurefootError, match="not evenly spaced"):
        write_bvh(tmp_path / "a.bvh", skeleton, dataclasses.replace(clip, time_s=clip.time_s**2 + clip.time_s))
    with pytest.raises(SurefootError, match="no joint 'waist' in skeleton 'biped2d' for clip 'tumble'"):
        write_bvh(tmp_path / "a.bvh", skeleton_of(character("biped2d")), clip)
    assert not list(tmp_path.iterdir())
    with pytest.raises(SurefootError, match="no unit 'inch'"):
        read_bvh(tmp_path / "a.bvh", unit="inch")
