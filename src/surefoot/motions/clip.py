"""A clip: the pose of a figure over time, as rotations of its joints and the place of its root.

World and units are the house's: metres, z up, quaternions (w, x, y, z). A clip knows no body; where joints sit is in `skeleton`.
Readers bring faulty data (quaternions that are not of unit length, sign flips) into this form before they make a clip.
"""

import dataclasses

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation

from surefoot.errors import UnknownName, WrongValue

Floats = NDArray[np.float64]
UNIT_TOLERANCE = 1e-6
"""How far a quaternion's length may be from 1."""
EVEN_TOLERANCE = 1e-6
"""Part of a time step by which steps may differ and still count as equal."""


@dataclasses.dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Clip:
    """Motion of one figure."""

    name: str
    """What it is: `walk`."""
    time_s: Floats
    """(T,): instants, rising; usually evenly spaced from 0."""
    root_position_m: Floats
    """(T, 3): the root's frame in the world."""
    root_quaternion: Floats
    """(T, 4): the root's orientation in the world."""
    joint_names: tuple[str, ...]
    """Every joint but the root's; `left_knee` is the joint between thigh and shank."""
    joint_quaternions: Floats
    """(T, J, 4): rotation of each joint's child against its parent; all are 1 in the rest pose."""
    loop: bool = False
    """Whether the end continues at the beginning, shifted and turned by the way it made."""
    source: str = ""
    """Where it comes from: a file, a command, a person."""
    licence: str = ""
    """Under which terms it may be used; empty when unknown."""

    def __post_init__(self) -> None:
        count, joints = len(self.time_s), len(self.joint_names)
        for field, shape in {
            "time_s": (count,),
            "root_position_m": (count, 3),
            "root_quaternion": (count, 4),
            "joint_quaternions": (count, joints, 4),
        }.items():
            array = getattr(self, field)
            if array.shape != shape:
                raise WrongValue(f"clip '{self.name}' of {count} instants has {field} of shape {array.shape}: it must be {shape}")
            if not np.isfinite(array).all():
                raise WrongValue(f"clip '{self.name}' has numbers in {field} that are not finite: cut or repair it first")
        if not count:
            raise WrongValue(f"clip '{self.name}' is empty: it needs at least one instant")
        if (np.diff(self.time_s) <= 0.0).any():
            raise WrongValue(f"clip '{self.name}' goes back in time at instant {int(np.argmax(np.diff(self.time_s) <= 0.0)) + 1}")
        if len(set(self.joint_names)) < joints:
            raise WrongValue(
                f"clip '{self.name}' names a joint twice: {sorted({n for n in self.joint_names if self.joint_names.count(n) > 1})}"
            )
        for field in ("root_quaternion", "joint_quaternions"):
            length = np.linalg.norm(getattr(self, field), axis=-1)
            if length.size and np.abs(length - 1.0).max() > UNIT_TOLERANCE:
                raise WrongValue(
                    f"clip '{self.name}' has quaternions of length {length.flat[np.abs(length - 1.0).argmax()]:.3f}: normalise them"
                )

    @property
    def duration_s(self) -> float:
        """From the first to the last instant."""
        return float(self.time_s[-1] - self.time_s[0])

    @property
    def rate_hz(self) -> float:
        """Instants a second of an evenly spaced clip; 1 for a single pose."""
        if len(self.time_s) == 1:
            return 1.0
        steps = np.diff(self.time_s)
        even = self.duration_s / len(steps)
        if np.abs(steps - even).max() > max(EVEN_TOLERANCE * even, 1e-9):
            raise WrongValue(f"clip '{self.name}' is not evenly spaced in time: bring it to one rate with resampled(clip, rate_hz)")
        return 1.0 / even

    def joint(self, name: str) -> Floats:
        """(T, 4): rotations of one joint."""
        if name not in self.joint_names:
            raise UnknownName("joint", name, self.joint_names, where=f"clip '{self.name}'")
        return self.joint_quaternions[:, self.joint_names.index(name)]


def resampled(clip: Clip, rate_hz: float) -> Clip:
    """The same motion at evenly spaced instants, turned the short way between given ones."""
    if not 0.0 < rate_hz < 1e5:
        raise WrongValue(f"a rate of {rate_hz} Hz makes no clip: give instants a second, such as 30 or 60")
    count = max(1, round(clip.duration_s * rate_hz) + (1 if len(clip.time_s) > 1 else 0))
    time_s = clip.time_s[0] + np.arange(count, dtype=np.float64) / rate_hz
    after = np.clip(np.searchsorted(clip.time_s, time_s, side="right"), 1, max(1, len(clip.time_s) - 1))
    before, after = (after - 1, np.minimum(after, len(clip.time_s) - 1))
    step = np.where(after > before, clip.time_s[after] - clip.time_s[before], 1.0)
    part = np.clip((time_s - clip.time_s[before]) / step, 0.0, 1.0)
    position = clip.root_position_m
    return dataclasses.replace(
        clip,
        time_s=time_s,
        root_position_m=position[before] + part[:, None] * (position[after] - position[before]),
        root_quaternion=between(clip.root_quaternion[before], clip.root_quaternion[after], part),
        joint_quaternions=between(clip.joint_quaternions[before], clip.joint_quaternions[after], part[:, None]),
    )


def between(first: Floats, second: Floats, part: Floats) -> Floats:
    """Quaternions (..., 4) at a part (...) of the shortest turn from `first` to `second` (Shoemake 1985, slerp)."""
    if not first.size:
        return first.copy()
    start = Rotation.from_quat(first.reshape(-1, 4), scalar_first=True)
    turn = (start.inv() * Rotation.from_quat(second.reshape(-1, 4), scalar_first=True)).as_rotvec()
    share = np.broadcast_to(part, first.shape[:-1]).reshape(-1, 1)
    return (start * Rotation.from_rotvec(share * turn)).as_quat(scalar_first=True).reshape(first.shape)


def unflipped(quaternions: Floats) -> Floats:
    """Quaternions (T, ..., 4) with signs chosen so that each is nearest to the one before it; q and -q turn alike."""
    steps = np.sign(np.sum(quaternions[1:] * quaternions[:-1], axis=-1))
    signs = np.concatenate([np.ones((1, *quaternions.shape[1:-1])), np.cumprod(np.where(steps == 0.0, 1.0, steps), axis=0)])
    return quaternions * signs[..., None]
