"""Clips to BVH files as animation programs expect them: Y up, facing +Z, left is +X, angles in degrees.

The world's (x forward, y left, z up) becomes BVH's (Z, X, Y). The root has no offset, so its position channels are its place
whether a program adds the offset or not. Lengths are in metres unless told otherwise (Blender's unit; many other programs take
centimetres). Files are read by `bvh_reader`.
"""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from surefoot.errors import UnknownName, WrongValue
from surefoot.files import written_whole
from surefoot.motions.clip import Clip
from surefoot.motions.euler import continuous_angles
from surefoot.motions.skeleton import Bone, Skeleton, forward

Floats = NDArray[np.float64]
UNITS_M = {"m": 1.0, "cm": 0.01}
"""Length of one unit of the file."""
ORDERS = ("ZXY", "ZYX", "XYZ", "XZY", "YXZ", "YZX")
ORDER = "ZXY"
"""Of rotation channels, outermost first: its middle axis is pitch, which reaches 90 degrees only in kicks and falls."""
TO_FILE = (1, 2, 0)
"""File axes X, Y, Z are the world's y, z, x: a rotation of the whole space, not a mirror."""
SMALLEST_TIP_M = 0.02
"""Programs draw no bone of length zero."""


def write_bvh(path: Path | str, skeleton: Skeleton, clip: Clip, *, unit: str = "m", order: str = ORDER) -> Path:
    """Write a clip on a skeleton; returns the path.

    Args:
      path: where it goes; the file appears whole or not at all.
      skeleton: `skeleton_of(character)`.
      clip: evenly spaced in time (`resampled` makes it so).
      unit: of lengths in the file, "m" or "cm".
      order: of the rotation channels of every joint, outermost first.
    """
    if unit not in UNITS_M:
        raise UnknownName("unit", unit, UNITS_M)
    if order.upper() not in ORDERS:
        raise UnknownName("order of channels", order, ORDERS)
    if Path(path).suffix.lower() != ".bvh":
        raise WrongValue(f"a BVH file's name ends in .bvh, not '{Path(path).name}': write '{Path(path).with_suffix('.bvh')}'")
    forward(skeleton, clip)  # refuses joints that the skeleton lacks
    lines = ["HIERARCHY", *_tree(skeleton, skeleton.bones[0], 0, UNITS_M[unit], order.upper())]
    lines += ["MOTION", f"Frames: {len(clip.time_s)}", f"Frame Time: {1.0 / clip.rate_hz:.8f}"]
    numbers = _numbers(skeleton, clip, UNITS_M[unit], order.upper())
    with written_whole(path) as unfinished, unfinished.open("w", encoding="ascii", newline="\n") as file:
        file.write("\n".join(lines) + "\n")
        np.savetxt(file, numbers, fmt="%.6f")
    return Path(path)


def to_file(vectors: Floats) -> Floats:
    """Vectors (..., 3) of the world in the file's axes."""
    return vectors[..., TO_FILE]


def quaternions_to_file(quaternions: Floats) -> Floats:
    """Quaternions (..., 4) in the file's axes: the axis of the rotation turns with the space."""
    return np.concatenate([quaternions[..., :1], to_file(quaternions[..., 1:])], axis=-1)


def _tree(skeleton: Skeleton, bone: Bone, depth: int, unit_m: float, order: str) -> Iterator[str]:
    tab = "\t" * depth
    turns = " ".join(f"{axis}rotation" for axis in order)
    yield f"{tab}{'JOINT' if depth else 'ROOT'} {bone.name}"
    yield f"{tab}{{"
    yield f"{tab}\tOFFSET {_words(bone.offset_m, unit_m)}"
    yield f"{tab}\tCHANNELS " + (f"3 {turns}" if depth else f"6 Xposition Yposition Zposition {turns}")
    children = skeleton.children(bone.name)
    for child in children:
        yield from _tree(skeleton, child, depth + 1, unit_m, order)
    if not children:
        tip = bone.tip_m if bone.tip_m is not None and np.linalg.norm(bone.tip_m) >= SMALLEST_TIP_M else (0.0, 0.0, SMALLEST_TIP_M)
        yield from (f"{tab}\tEnd Site", f"{tab}\t{{", f"{tab}\t\tOFFSET {_words(tip, unit_m)}", f"{tab}\t}}")
    yield f"{tab}}}"


def _words(vector_m: tuple[float, float, float], unit_m: float) -> str:
    return " ".join(f"{number:.6f}" for number in to_file(np.array(vector_m)) / unit_m)


def _numbers(skeleton: Skeleton, clip: Clip, unit_m: float, order: str) -> Floats:
    """(T, channels) in the order of the tree."""
    columns = [to_file(clip.root_position_m) / unit_m, _degrees(clip.root_quaternion, order)]
    for bone in skeleton.bones[1:]:
        moves = bone.name in clip.joint_names
        columns.append(_degrees(clip.joint(bone.name), order) if moves else np.zeros((len(clip.time_s), 3)))
    return np.round(np.concatenate(columns, axis=1), 6) + 0.0  # adding 0 makes -0 plain 0


def _degrees(quaternions: Floats, order: str) -> Floats:
    return np.degrees(continuous_angles(quaternions_to_file(quaternions), order))
