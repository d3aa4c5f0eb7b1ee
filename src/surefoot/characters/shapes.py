"""The shapes that a character is made of: solids that touch, solids that carry mass, and skins that are only looked at.

A Shape is data in the frame of its link (x forward, y left, z up, in the rest pose). The functions here make one from the
measures that a person would name: `capsule(start, end, radius)`. What a solid weighs is in `solids`; how a shape becomes a
MuJoCo geom is in `build`; the skin of a `loft` is computed in `lofts`.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import cos, sin, sqrt
from typing import Literal

Vector = tuple[float, float, float]
Quaternion = tuple[float, float, float, float]
Colour = tuple[float, float, float, float]
Tag = Literal["body", "foot", "hand", "looks"]
Kind = Literal["sphere", "capsule", "ellipsoid", "box", "cylinder", "loft"]

UPRIGHT: Quaternion = (1.0, 0.0, 0.0, 0.0)
FORWARD: Quaternion = (sqrt(0.5), 0.0, sqrt(0.5), 0.0)
"""Lays a loft along x: its z axis points forward and its x axis down."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Section:
    """One ring of a loft: a rounded rectangle between ellipse and box, level in the frame of the shape."""

    height_m: float
    """Where the ring lies along the z axis of the shape."""
    half_depth_m: float
    """Half of its size along x."""
    half_width_m: float
    """Half of its size along y."""
    shift_m: tuple[float, float] = (0.0, 0.0)
    """Its middle in x and y."""
    squareness: float = 2.0
    """Exponent of the superellipse: 2 is an ellipse, 4 nearly a box with round corners."""
    bulge: float = 1.0
    """At an end of the loft: height of the round cap as a part of the ring's smaller half size; 1 is a half ball."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Shape:
    """One solid or skin on a link, in the frame of that link."""

    kind: Kind
    """What it is; sizes follow MuJoCo: radius; radius and half length; half axes; half sides; loft: its sections."""
    size_m: tuple[float, ...] = ()
    """Sizes of the solid, as its kind says; empty for a loft."""
    position_m: Vector = (0.0, 0.0, 0.0)
    """Its middle."""
    rotation: Quaternion = UPRIGHT
    """From the frame of the shape to that of the link; capsules and cylinders lie along z."""
    tag: Tag = "body"
    """What it may touch: the scene builder pairs tags; `looks` touches nothing and weighs nothing."""
    colour: Colour | None = None
    """Red, green, blue, opacity; None for a solid that is not drawn because a skin covers it."""
    sections: tuple[Section, ...] = ()
    """The rings of a loft from one end to the other; a skin closes both ends."""


def sphere(middle_m: Vector, radius_m: float, *, tag: Tag = "body", colour: Colour | None = None) -> Shape:
    """A ball."""
    return Shape(kind="sphere", size_m=(radius_m,), position_m=middle_m, tag=tag, colour=colour)


def capsule(start_m: Vector, end_m: Vector, radius_m: float, *, tag: Tag = "body", colour: Colour | None = None) -> Shape:
    """A round bar from start to end with half a ball beyond each."""
    middle, half_m, rotation = _along(start_m, end_m)
    return Shape(kind="capsule", size_m=(radius_m, half_m), position_m=middle, rotation=rotation, tag=tag, colour=colour)


def ellipsoid(middle_m: Vector, half_axes_m: Vector, *, pitch_rad: float = 0.0, tag: Tag = "body", colour: Colour | None = None) -> Shape:
    """An ellipsoid with half axes along x, y, z, then turned about y."""
    return Shape(kind="ellipsoid", size_m=half_axes_m, position_m=middle_m, rotation=pitched(pitch_rad), tag=tag, colour=colour)


def box(middle_m: Vector, half_sides_m: Vector, *, pitch_rad: float = 0.0, tag: Tag = "body", colour: Colour | None = None) -> Shape:
    """A box with half sides along x, y, z, then turned about y."""
    return Shape(kind="box", size_m=half_sides_m, position_m=middle_m, rotation=pitched(pitch_rad), tag=tag, colour=colour)


def loft(
    sections: Sequence[Section],
    *,
    position_m: Vector = (0.0, 0.0, 0.0),
    rotation: Quaternion = UPRIGHT,
    colour: Colour,
) -> Shape:
    """A smooth skin through rings: for the eye only."""
    return Shape(kind="loft", position_m=position_m, rotation=rotation, tag="looks", colour=colour, sections=tuple(sections))


def ring(
    height_m: float,
    half_depth_m: float,
    half_width_m: float,
    x_m: float = 0.0,
    y_m: float = 0.0,
    squareness: float = 2.0,
    bulge: float = 1.0,
) -> Section:
    """A section in one short line, for tables of them."""
    return Section(
        height_m=height_m,
        half_depth_m=half_depth_m,
        half_width_m=half_width_m,
        shift_m=(x_m, y_m),
        squareness=squareness,
        bulge=bulge,
    )


def between(rings: Sequence[Section], end_m: Vector) -> tuple[Section, ...]:
    """Rings whose heights are fractions of the way from the origin to an end, moved onto that line: a limb to the next joint."""
    x, y, z = end_m
    return tuple(
        replace(
            section,
            height_m=section.height_m * z,
            shift_m=(section.shift_m[0] + section.height_m * x, section.shift_m[1] + section.height_m * y),
        )
        for section in rings
    )


def pitched(angle_rad: float) -> Quaternion:
    """The rotation by an angle about y."""
    return (cos(angle_rad / 2), 0.0, sin(angle_rad / 2), 0.0)


def mirrored(shape: Shape, colour: Colour | None) -> Shape:
    """The same shape on the other side of the body (y -> -y), in the colour of that side."""
    x, y, z = shape.position_m
    w, i, j, k = shape.rotation
    sections = tuple(replace(s, shift_m=(s.shift_m[0], -s.shift_m[1])) for s in shape.sections)
    return replace(shape, position_m=(x, -y, z), rotation=(w, -i, j, -k), colour=colour, sections=sections)


def scaled(shape: Shape, size: float) -> Shape:
    """The same shape, larger or smaller about the origin of its link."""
    x, y, z = shape.position_m
    sections = tuple(
        replace(
            s,
            height_m=size * s.height_m,
            half_depth_m=size * s.half_depth_m,
            half_width_m=size * s.half_width_m,
            shift_m=(size * s.shift_m[0], size * s.shift_m[1]),
        )
        for s in shape.sections
    )
    sizes = tuple(size * length for length in shape.size_m)
    return replace(shape, size_m=sizes, position_m=(size * x, size * y, size * z), sections=sections)


def _along(start_m: Vector, end_m: Vector) -> tuple[Vector, float, Quaternion]:
    """Middle, half length, and the shortest rotation that takes z to the direction from start to end."""
    x, y, z = (e - s for s, e in zip(start_m, end_m, strict=True))
    length = sqrt(x * x + y * y + z * z)
    middle = (start_m[0] + x / 2, start_m[1] + y / 2, start_m[2] + z / 2)
    if length == 0.0:
        return middle, 0.0, UPRIGHT
    w = 1.0 + z / length
    if w < 1e-12:  # straight down: any half turn about a level axis will do
        return middle, length / 2, (0.0, 1.0, 0.0, 0.0)
    i, j = -y / length, x / length
    norm = sqrt(w * w + i * i + j * j)
    return middle, length / 2, (w / norm, i / norm, j / norm, 0.0)
