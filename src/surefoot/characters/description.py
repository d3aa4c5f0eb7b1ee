"""What a character is, as frozen data: links, joints, contact points, end effectors; nothing is compiled here.

Everything that depends on the order of the degrees of freedom (DoF) is derived from the links: names, limits, torque limits.
The order is MuJoCo's, depth first. How a description enters a model is in `build`; the swap of left and right is in
`mirror`; the characters themselves are in modules of their own, listed by `roster`.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from surefoot.characters.mirror import Mirror, mirror_dofs
from surefoot.characters.shapes import Shape, Vector
from surefoot.errors import SurefootError, nearest

AXIS_WORDS = {"x": "roll", "y": "pitch", "z": "yaw"}
"""A rotation is named after its axis, right-handed on both sides of the body."""
Role = Literal["heel", "ball", "toe", "top"]
Root = Literal["free", "planar", "pivot"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Joint:
    """One to three hinges in one place, or a ball; tuples hold one number for each axis."""

    name: str
    """Same word as in its DoF: `left_knee`."""
    axes: str
    """Outermost hinge first: "y", "yx", "yxz"; a ball is "xyz", the axes of the child link."""
    limits_rad: tuple[tuple[float, float], ...]
    """Lowest and highest angle about each axis; a ball takes the largest as the half angle of its cone."""
    torque_limit_nm: tuple[float, ...]
    """Largest torque of the muscle or motor, either way."""
    servo_stiffness_nm: tuple[float, ...]
    """Customary gain of a PD servo in Nm/rad: a start for controllers, which may set their own."""
    servo_damping_nms: tuple[float, ...]
    """Customary damping of a PD servo in Nm s/rad."""
    armature_kgm2: tuple[float, ...]
    """Inertia added on the diagonal of the joint; it keeps light links stable at big steps."""
    damping_nms: tuple[float, ...]
    """Passive damping in the joint, always there, outside of the torque limit."""
    stiffness_nm: tuple[float, ...]
    """Passive spring in the joint towards angle 0."""
    ball: bool = False
    """Whether three axes are one ball joint (quaternion) instead of three hinges."""

    def __post_init__(self) -> None:
        per_axis = {
            "limits_rad": self.limits_rad,
            "torque_limit_nm": self.torque_limit_nm,
            "servo_stiffness_nm": self.servo_stiffness_nm,
            "servo_damping_nms": self.servo_damping_nms,
            "armature_kgm2": self.armature_kgm2,
            "damping_nms": self.damping_nms,
            "stiffness_nm": self.stiffness_nm,
        }
        if not self.axes or set(self.axes) - set(AXIS_WORDS) or len(set(self.axes)) != len(self.axes):
            raise SurefootError(f"joint '{self.name}' has axes '{self.axes}': write each of x, y, z at most once, as in 'yxz'")
        if self.ball and self.axes != "xyz":
            raise SurefootError(f"joint '{self.name}' is a ball with axes '{self.axes}': a ball has the axes 'xyz'")
        for field, numbers in per_axis.items():
            if len(numbers) != len(self.axes):
                raise SurefootError(f"joint '{self.name}' has {len(self.axes)} axes and {len(numbers)} of {field}: give one for each axis")

    @property
    def dof_names(self) -> tuple[str, ...]:
        """`left_hip_pitch`, `left_hip_roll`, `left_hip_yaw` in the order of the axes."""
        return tuple(f"{self.name}_{AXIS_WORDS[axis]}" for axis in self.axes)


@dataclass(frozen=True, kw_only=True, slots=True)
class Link:
    """One rigid body and the joint that hangs it on its parent."""

    name: str
    """`left_thigh`."""
    parent: str | None
    """Name of the parent link; None for the root."""
    offset_m: Vector
    """From the parent's joint to this link's joint in the rest pose: upright, facing +x, arms hanging; the root has zeros."""
    mass_kg: float
    """Mass of the link."""
    solid: Shape
    """The uniform solid over which the mass is spread; it neither touches nor is drawn."""
    joint: Joint | None
    """Joint to the parent; None for the root, whose joint the character names, and for a link welded to its parent."""
    shapes: tuple[Shape, ...] = ()
    """What touches (body, foot, hand) and what is drawn (looks)."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ContactPoint:
    """A sphere that may touch the ground, with a touch sensor of its own."""

    name: str
    """`left_heel_outer`: names the geom, the site and the sensor."""
    link: str
    """The link that carries it."""
    position_m: Vector
    """Middle of the sphere in the frame of the link."""
    radius_m: float
    """Radius of the sphere."""
    role: Role
    """Where it sits: under heel, ball or toe, or on top of the toe."""


@dataclass(frozen=True, kw_only=True, slots=True)
class EndEffector:
    """A foot (or hand, or paw): what stands on the ground."""

    name: str
    """`left_foot`."""
    link: str
    """The link whose joint is the ankle."""
    toe_link: str | None
    """The link beyond it, when there is one."""
    points: tuple[ContactPoint, ...]
    """Its contact points; their order is that of the sensors."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Character:
    """A body to control: a tree of links on a free or planar root."""

    name: str
    """Its name in the roster."""
    about: str
    """One line for `surefoot character list`."""
    root: Root
    """Free: 7 positions and 6 velocities; planar: x, z and pitch; pivot: pitch alone, about a bar."""
    links: tuple[Link, ...]
    """Parents before children, depth first; the root link first."""
    end_effectors: tuple[EndEffector, ...]
    """Feet, left before right."""
    standing_height_m: float
    """Height of the root link's frame when the character stands with all joints at 0: every sole point then touches z = 0."""
    height_m: float
    """From the ground to the top of the head."""

    def __post_init__(self) -> None:
        _check_tree(self)

    @property
    def joints(self) -> tuple[Joint, ...]:
        """All joints but the root's."""
        return tuple(link.joint for link in self.links if link.joint is not None)

    @property
    def link_names(self) -> tuple[str, ...]:
        """Names of the links, root first."""
        return tuple(link.name for link in self.links)

    @property
    def joint_names(self) -> tuple[str, ...]:
        """Names of the joints, without the root's."""
        return tuple(joint.name for joint in self.joints)

    @property
    def dof_names(self) -> tuple[str, ...]:
        """Names of the internal DoF, in the order of the actuators."""
        return tuple(name for joint in self.joints for name in joint.dof_names)

    @property
    def dof_count(self) -> int:
        """Number of internal DoF, without the root's."""
        return len(self.dof_names)

    @property
    def root_dof_count(self) -> int:
        """Velocities of the root: 6 when free, 3 when planar, 1 on a pivot."""
        return {"free": 6, "planar": 3, "pivot": 1}[self.root]

    @property
    def mass_kg(self) -> float:
        """Total mass."""
        return sum(link.mass_kg for link in self.links)

    @property
    def contact_points(self) -> tuple[ContactPoint, ...]:
        """The points of all end effectors, in the order of the touch sensors."""
        return tuple(point for foot in self.end_effectors for point in foot.points)

    @property
    def torque_limits_nm(self) -> NDArray[np.float64]:
        """(dof_count,): largest torque of each internal DoF."""
        return _per_dof(self, lambda joint: joint.torque_limit_nm)

    @property
    def servo_stiffness_nm(self) -> NDArray[np.float64]:
        """(dof_count,): customary stiffness of a PD servo, Nm/rad."""
        return _per_dof(self, lambda joint: joint.servo_stiffness_nm)

    @property
    def servo_damping_nms(self) -> NDArray[np.float64]:
        """(dof_count,): customary damping of a PD servo, Nm s/rad."""
        return _per_dof(self, lambda joint: joint.servo_damping_nms)

    @property
    def limits_rad(self) -> NDArray[np.float64]:
        """(dof_count, 2): lowest and highest angle of each internal DoF."""
        return np.array([limit for joint in self.joints for limit in joint.limits_rad], dtype=np.float64).reshape(-1, 2)

    @property
    def mirror(self) -> Mirror:
        """Swap of left and right over the internal DoF."""
        return mirror_dofs(self)

    def dof_index(self, name: str) -> int:
        """Place of an internal DoF among the internal ones, which is also the place of its actuator."""
        return _place(self, "degree of freedom", name, self.dof_names)

    def joint(self, name: str) -> Joint:
        """The joint of that name."""
        return self.joints[_place(self, "joint", name, self.joint_names)]

    def link(self, name: str) -> Link:
        """The link of that name."""
        return self.links[_place(self, "link", name, self.link_names)]

    def end_effector(self, name: str) -> EndEffector:
        """The end effector of that name."""
        return self.end_effectors[_place(self, "end effector", name, tuple(foot.name for foot in self.end_effectors))]


def _place(character: Character, kind: str, name: str, existing: tuple[str, ...]) -> int:
    if name not in existing:
        raise SurefootError(f"no {kind} '{name}' in character '{character.name}': {nearest(name, existing)}")
    return existing.index(name)


def _per_dof(character: Character, read: Callable[[Joint], tuple[float, ...]]) -> NDArray[np.float64]:
    return np.array([number for joint in character.joints for number in read(joint)], dtype=np.float64)


def _check_tree(character: Character) -> None:
    """Refuse a list of links that MuJoCo would put in another order, and points on links that do not exist."""
    who = f"character '{character.name}'"
    if not character.links or character.links[0].parent is not None:
        raise SurefootError(f"{who} has no root: its first link must have no parent")
    names = character.link_names
    if len(set(names)) != len(names):
        raise SurefootError(f"{who} names a link twice: {', '.join(sorted({n for n in names if names.count(n) > 1}))}")
    branch = [names[0]]
    for link in character.links[1:]:
        if link.parent not in names:
            raise SurefootError(f"no link '{link.parent}' in {who}: {nearest(str(link.parent), names)}")
        while branch and branch[-1] != link.parent:
            branch.pop()
        if not branch:
            raise SurefootError(f"link '{link.name}' of {who} is out of order: list each branch to its end before the next")
        branch.append(link.name)
    for foot in character.end_effectors:
        for on in (foot.link, *(point.link for point in foot.points)):
            if on not in names:
                raise SurefootError(f"no link '{on}' in {who}: {nearest(on, names)}")
