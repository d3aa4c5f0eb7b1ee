"""BVH files to a skeleton and a clip: any order of channels, Y up.

Written by hand: bvhio 1.5.4 reads our files to the same positions (5e-7 m), but answers a torn file with an IndexError and
takes eight times as long. The writer, with the axes and units, is in `bvh`.
"""

import re
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from surefoot.errors import SurefootError, UnknownName, UnusableFile
from surefoot.files import file_mistake
from surefoot.motions.bvh import TO_FILE, UNITS_M
from surefoot.motions.clip import Clip, unflipped
from surefoot.motions.euler import rotations
from surefoot.motions.skeleton import Bone, Skeleton

Floats = NDArray[np.float64]
CENTIMETRES_FROM = 10.0
"""A figure that measures more than that from tip to tip is in centimetres: nobody films giants."""
DEEPEST = 200
"""Joints in one chain; a deeper file is not a figure."""
LARGEST_BYTES = 500_000_000
"""About an hour of a large skeleton at 120 Hz."""
CHANNELS = {f"{axis}{kind}" for axis in "XYZ" for kind in ("position", "rotation")}
LONGEST_STEP_S = 10.0
"""A frame that lasts longer is a slip of the unit."""
RIGID = 1e-3
"""Part of the figure's size by which a joint with position channels may move against its parent and still be a joint."""


@dataclass(kw_only=True, slots=True)
class _Joint:
    """One joint of the file, while it is read."""

    name: str
    parent: int
    offset: Floats = field(default_factory=lambda: np.zeros(3))
    channels: list[str] = field(default_factory=list)
    tip: Floats | None = None


def read_bvh(path: Path | str, *, unit: str | None = None, loop: bool = False, licence: str = "") -> tuple[Skeleton, Clip]:
    """Read a BVH file.

    Args:
      path: the file.
      unit: of its lengths, "m" or "cm"; by default metres, unless the figure would measure more than CENTIMETRES_FROM.
      loop: whether its end continues at its beginning; the format does not say.
      licence: of the motion; the format does not say.
    """
    if unit is not None and unit not in UNITS_M:
        raise UnknownName("unit", unit, UNITS_M)
    path = Path(path)
    head, words = _halves(path)
    try:
        joints = _tree(path, head)
        step_s, numbers = _frames(path, words, sum(len(joint.channels) for joint in joints))
        scale = UNITS_M[unit or ("cm" if _extent(joints) > CENTIMETRES_FROM else "m")]
        return _figure(path, joints, numbers, step_s, scale, loop, licence)
    except UnusableFile:
        raise
    except SurefootError as error:
        raise UnusableFile(path, f"holds no usable motion: {error}") from error


def _halves(path: Path) -> tuple[list[tuple[int, str]], list[str]]:
    """Numbered lines of the hierarchy with braces on lines of their own, and the words after MOTION."""
    try:
        if path.stat().st_size > LARGEST_BYTES:
            raise UnusableFile(path, f"has {path.stat().st_size / 1e6:.0f} MB: BVH files up to {LARGEST_BYTES / 1e6:.0f} MB are read")
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise UnusableFile(path, "is not a BVH file: it is not text") from None
    except OSError as error:
        raise file_mistake(error, path) or error from error
    if not text.lstrip().upper().startswith("HIERARCHY"):
        raise UnusableFile(path, "is not a BVH file: it does not begin with HIERARCHY")
    head, found, tail = _at_line(text, "MOTION")
    if not found:
        raise UnusableFile(path, "is torn: it has no MOTION section")
    lines = []
    for number, line in enumerate(head.splitlines(), start=1):
        for part in line.replace("{", "\n{\n").replace("}", "\n}\n").splitlines():
            if part.strip():
                lines.append((number, part.strip()))
    return lines[1:], tail.split()


def _at_line(text: str, word: str) -> tuple[str, bool, str]:
    """The text before and after the line that holds only this word."""
    found = re.search(rf"^[ \t]*{word}[ \t]*$", text, flags=re.MULTILINE | re.IGNORECASE)
    return (text[: found.start()], True, text[found.end() :]) if found else (text, False, "")


def _tree(path: Path, lines: list[tuple[int, str]]) -> list[_Joint]:
    joints: list[_Joint] = []
    branch: list[int | None] = []  # the joints whose braces are open; None is an end site
    opening: int | None = -1
    for number, line in lines:
        key, _, rest = line.partition(" ")
        match key.upper():
            case "ROOT" | "JOINT":
                if (key.upper() == "ROOT") != (not joints):
                    raise UnusableFile(
                        path, f"has {'two roots' if joints else 'a joint before its root'} in line {number}: one figure is read"
                    )
                joints.append(_Joint(name=rest.strip() or f"joint_{len(joints)}", parent=_open(path, branch, number) if branch else -1))
                opening = len(joints) - 1
            case "END":
                opening = None
            case "{":
                branch.append(opening)
                if len(branch) > DEEPEST:
                    raise UnusableFile(path, f"has more than {DEEPEST} joints in one chain: that is no figure")
            case "}":
                if not branch:
                    raise UnusableFile(path, f"closes a brace in line {number} that was never opened")
                branch.pop()
            case "OFFSET" | "CHANNELS" if not branch:
                raise UnusableFile(path, f"has {key} outside of a joint in line {number}")
            case "OFFSET":
                offset = _vector(path, rest, number)
                if branch[-1] is None:
                    joints[_open(path, branch[:-1], number)].tip = offset
                else:
                    joints[branch[-1]].offset = offset
            case "CHANNELS":
                joints[_open(path, branch, number)].channels = _channels(path, rest, number)
            case _:
                raise UnusableFile(path, f"says '{line[:40]}' in line {number}, which a BVH hierarchy does not know")
    if branch or not joints:
        raise UnusableFile(path, "is torn: its hierarchy ends inside a joint" if branch else "has no ROOT joint")
    return joints


def _open(path: Path, branch: list[int | None], number: int) -> int:
    """The joint whose braces are open."""
    if not branch or branch[-1] is None:
        raise UnusableFile(path, f"has something in line {number} that belongs into a joint, not there")
    return branch[-1]


def _vector(path: Path, words: str, number: int) -> Floats:
    try:
        vector = np.array([float(word) for word in words.split()])
    except ValueError:
        vector = np.zeros(0)
    if vector.shape != (3,) or not np.isfinite(vector).all():
        raise UnusableFile(path, f"has an OFFSET in line {number} that is not three numbers: '{words[:40]}'")
    return vector


def _channels(path: Path, words: str, number: int) -> list[str]:
    count, *names = words.split() or ["0"]
    names = [name.capitalize() for name in names]
    if not count.isdigit() or int(count) != len(names) or not set(names) <= CHANNELS or len(set(names)) < len(names):
        raise UnusableFile(path, f"has CHANNELS in line {number} that cannot be read: '{words[:60]}'")
    return names


def _frames(path: Path, words: list[str], width: int) -> tuple[float, Floats]:
    """Seconds a frame and the numbers (frames, channels)."""
    try:
        if [word.upper() for word in (words[0], *words[2:4])] != ["FRAMES:", "FRAME", "TIME:"]:
            raise ValueError
        count, step_s = int(words[1]), float(words[4])
    except (ValueError, IndexError):
        raise UnusableFile(path, "is torn: after MOTION come 'Frames: N' and 'Frame Time: seconds'") from None
    if count < 1 or not 0.0 < step_s < LONGEST_STEP_S:
        raise UnusableFile(path, f"says it has {count} frames of {step_s} s: at least one frame and a time above 0 make a motion")
    if len(words) - 5 != count * width:
        raise UnusableFile(path, f"is torn: {count} frames of {width} channels are {count * width} numbers, and it has {len(words) - 5}")
    try:
        numbers = np.array(words[5:], dtype=np.float64).reshape(count, width)
    except ValueError as error:
        raise UnusableFile(path, f"has something among its numbers that is none: {error}") from None
    if not np.isfinite(numbers).all():
        raise UnusableFile(path, f"has a number that is not finite in frame {int(np.argmin(np.isfinite(numbers).all(axis=1))) + 1}")
    return step_s, numbers


def _extent(joints: list[_Joint]) -> float:
    """Diagonal of the box around the figure at rest, in units of the file."""
    places: list[Floats] = []
    for joint in joints:
        places.append(joint.offset + places[joint.parent] if joint.parent >= 0 else np.zeros(3))
    tips = [place + joint.tip for place, joint in zip(places, joints, strict=True) if joint.tip is not None]
    return float(np.linalg.norm(np.ptp(np.array(places + tips), axis=0)))


def _figure(
    path: Path, joints: list[_Joint], numbers: Floats, step_s: float, scale: float, loop: bool, licence: str
) -> tuple[Skeleton, Clip]:
    size, column, bones, turning = _extent(joints), 0, [], {}
    root_position = np.zeros((len(numbers), 3))
    for joint in joints:
        part = numbers[:, column : column + len(joint.channels)]
        column += len(joint.channels)
        turns = [(name[0], part[:, n]) for n, name in enumerate(joint.channels) if name.endswith("rotation")]
        if turns or joint.parent < 0:
            turning[joint.name] = _quaternions(turns, len(numbers))
        place = _places(path, joint, part, size)
        if joint.parent < 0:
            root_position, place = from_file(place) * scale, np.zeros((1, 3))
        bones.append(
            Bone(
                name=joint.name,
                parent=joints[joint.parent].name if joint.parent >= 0 else None,
                offset_m=_tuple(from_file(place[0]) * scale),
                link=joint.name,
                tip_m=None if joint.tip is None else _tuple(from_file(joint.tip) * scale),
            )
        )
    names = tuple(name for name in turning if name != joints[0].name)
    joint_quaternions = np.stack([turning[name] for name in names], axis=1) if names else np.zeros((len(numbers), 0, 4))
    clip = Clip(
        name=path.stem,
        time_s=np.arange(len(numbers), dtype=np.float64) * step_s,
        root_position_m=root_position,
        root_quaternion=turning[joints[0].name],
        joint_names=names,
        joint_quaternions=joint_quaternions,
        loop=loop,
        source=path.name,
        licence=licence,
    )
    return Skeleton(name=path.stem, bones=tuple(bones)), clip


def from_file(vectors: Floats) -> Floats:
    """Vectors (..., 3) of the file in the world's axes."""
    return vectors[..., np.argsort(TO_FILE)]


def _tuple(vector: Floats) -> tuple[float, float, float]:
    return float(vector[0]), float(vector[1]), float(vector[2])


def _quaternions(turns: list[tuple[str, Floats]], count: int) -> Floats:
    """(T, 4) in the world's axes."""
    found = np.tile([1.0, 0.0, 0.0, 0.0], (count, 1))
    if turns:
        order = "".join(axis for axis, _ in turns)
        turned = rotations(np.radians(np.stack([angles for _, angles in turns], axis=1)), order).as_quat(scalar_first=True)
        found = np.concatenate([turned[:, :1], from_file(turned[:, 1:])], axis=1)
    return unflipped(found)


def _places(path: Path, joint: _Joint, part: Floats, size: float) -> Floats:
    """(T, 3) of the root, (1, 3) of any other joint: its place against its parent, in the file's axes."""
    found = np.tile(joint.offset, (len(part), 1))
    moved = [n for n, name in enumerate(joint.channels) if name.endswith("position")]
    for n in moved:
        found[:, "XYZ".index(joint.channels[n][0])] = part[:, n]
    if joint.parent < 0:
        return found
    if moved and not part[:, moved].any():  # some writers leave the channels of a rigid joint at zero
        return joint.offset[None]
    if np.ptp(found, axis=0).max() > RIGID * max(size, 1e-9):
        raise UnusableFile(path, f"moves its joint '{joint.name}' away from its parent: only figures with rigid bones are read")
    return found.mean(axis=0, keepdims=True)
