"""A skeleton: a tree of bones with the places of their joints, and forward kinematics of a clip on it.

It is what an animation program needs of a character; masses, limits and shapes stay in `surefoot.characters`. In the rest pose
(all rotations 1) a bone's frame is parallel to the world: the figure stands upright, faces +x, and its arms hang.
"""

import dataclasses

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation

from surefoot.characters import Character
from surefoot.characters.solids import weigh
from surefoot.errors import SurefootError, UnknownName
from surefoot.motions.clip import Clip

Floats = NDArray[np.float64]
Vector = tuple[float, float, float]


@dataclasses.dataclass(frozen=True, kw_only=True, slots=True)
class Bone:
    """One bone and the joint at its beginning."""

    name: str
    """Name of the joint (`left_knee`); of the link for the root and for a link welded to its parent."""
    parent: str | None
    """Name of the parent bone; None for the root."""
    offset_m: Vector
    """From the parent's joint to this joint in the rest pose."""
    link: str
    """Name of the link, which is the body of the model."""
    tip_m: Vector | None = None
    """End of a bone without children, from its joint in the rest pose."""


@dataclasses.dataclass(frozen=True, kw_only=True, slots=True)
class Skeleton:
    """A tree of bones."""

    name: str
    """Whose it is."""
    bones: tuple[Bone, ...]
    """Parents before children, depth first; the root first."""

    def __post_init__(self) -> None:
        names = self.names
        if not self.bones or self.bones[0].parent is not None:
            raise SurefootError(f"skeleton '{self.name}' has no root: its first bone must have no parent")
        if len(set(names)) < len(names):
            raise SurefootError(f"skeleton '{self.name}' names a bone twice: {sorted({n for n in names if names.count(n) > 1})}")
        for place, bone in enumerate(self.bones[1:], start=1):
            if bone.parent not in names[:place]:
                raise UnknownName("parent", str(bone.parent), names[:place], where=f"skeleton '{self.name}', before '{bone.name}'")

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the bones, root first."""
        return tuple(bone.name for bone in self.bones)

    @property
    def parents(self) -> tuple[int, ...]:
        """Place of each bone's parent, -1 for the root."""
        names = self.names
        return tuple(-1 if bone.parent is None else names.index(bone.parent) for bone in self.bones)

    def children(self, name: str) -> tuple[Bone, ...]:
        """The bones that hang on one."""
        return tuple(bone for bone in self.bones if bone.parent == name)


def skeleton_of(character: Character) -> Skeleton:
    """The skeleton of a character; a bone without children ends as far beyond its middle of mass as its joint lies before it."""
    name_of = {link.name: link.joint.name if link.joint is not None else link.name for link in character.links}
    parents = {link.parent for link in character.links}
    bones = []
    for link in character.links:
        tip = None
        if link.name not in parents:
            x, y, z = (2.0 * float(c) for c in weigh(link.solid, link.mass_kg).middle_m)
            tip = (x, y, z)
        bones.append(
            Bone(
                name=name_of[link.name],
                parent=None if link.parent is None else name_of[link.parent],
                offset_m=(0.0, 0.0, 0.0) if link.parent is None else link.offset_m,
                link=link.name,
                tip_m=tip,
            )
        )
    return Skeleton(name=character.name, bones=tuple(bones))


def forward(skeleton: Skeleton, clip: Clip) -> tuple[Floats, Floats]:
    """Positions (T, bones, 3) and orientations (T, bones, 4) of all bones in the world; joints without rotations in the clip rest."""
    unknown = [name for name in clip.joint_names if name not in skeleton.names[1:]]
    if unknown:
        raise UnknownName("joint", unknown[0], skeleton.names[1:], where=f"skeleton '{skeleton.name}' for clip '{clip.name}'")
    count = len(clip.time_s)
    positions, turns = np.empty((count, len(skeleton.bones), 3)), []
    for place, (bone, parent) in enumerate(zip(skeleton.bones, skeleton.parents, strict=True)):
        if parent < 0:
            positions[:, place] = clip.root_position_m
            turns.append(Rotation.from_quat(clip.root_quaternion, scalar_first=True))
            continue
        positions[:, place] = positions[:, parent] + turns[parent].apply(np.array(bone.offset_m))
        moves = bone.name in clip.joint_names
        turns.append(turns[parent] * Rotation.from_quat(clip.joint(bone.name), scalar_first=True) if moves else turns[parent])
    return positions, np.stack([turn.as_quat(scalar_first=True) for turn in turns], axis=1)
