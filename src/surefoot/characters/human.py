"""The human: one parametric figure that gives `human` and `human_wang`.

Lengths and masses scale with height and total mass from the table in `human_measures`; joint ranges, torque limits and gains
are in `human_joints`, the skin is in `human_looks`.
"""

from dataclasses import dataclass

from surefoot.characters.description import Character, ContactPoint, EndEffector, Joint, Link
from surefoot.characters.human_joints import joint
from surefoot.characters.human_looks import looks_of
from surefoot.characters.human_measures import (
    ANKLE_M,
    ELBOW,
    HAND,
    HAND_SHARE,
    HEAD_TOP_M,
    HIP_HALF_WIDTH_M,
    MASSES_KG,
    MODEL_HEIGHT_M,
    NECK,
    SHANK_M,
    SHOULDER,
    SOLES,
    THIGH_M,
    TOE,
    WAIST_M,
    WRIST,
)
from surefoot.characters.shapes import Shape, Tag, Vector, capsule, ellipsoid


@dataclass(frozen=True, kw_only=True, slots=True)
class HumanBody:
    """Measures of the figure; the defaults are at the model's height of 1.78 m."""

    name: str
    """Name in the roster."""
    about: str
    """One line for the list."""
    mass_kg: float
    """Total mass."""
    height_m: float
    """From the sole to the crown."""
    wrists: bool
    """Whether the hands are links of their own, with one DoF each."""


def human() -> Character:
    """70.4 kg and 34 DoF with the root (Coros et al. 2009, Section 5), 1.78 m."""
    return build_human(HumanBody(name="human", about="human of 34 DoF, 70.4 kg, 1.78 m", mass_kg=70.4, height_m=1.78, wrists=False))


def human_wang() -> Character:
    """30 internal DoF, 180 cm, 70 kg (Wang et al. 2010, Section 3.1): the same figure with wrists."""
    return build_human(
        HumanBody(
            name="human_wang",
            about="human with wrists, 30 internal DoF, 70 kg, 1.80 m",
            mass_kg=70.0,
            height_m=1.80,
            wrists=True,
        )
    )


def build_human(body: HumanBody) -> Character:
    """A human of any height, total mass, with or without wrists."""
    size = body.height_m / MODEL_HEIGHT_M
    kilograms = _masses(body)
    links = [
        _link("pelvis", None, (0, 0, 0), kilograms["pelvis"], None, size),
        _link("torso", "pelvis", (0, 0, WAIST_M), kilograms["torso"], joint("waist"), size),
        _link("head", "torso", NECK, kilograms["head"], joint("neck"), size),
    ]
    for side in ("left", "right"):
        links += _arm(side, kilograms, size, body.wrists)
    for side in ("left", "right"):
        links += _leg(side, kilograms, size)
    return Character(
        name=body.name,
        about=body.about,
        root="free",
        links=tuple(links),
        end_effectors=tuple(_foot(side, size) for side in ("left", "right")),
        standing_height_m=size * (ANKLE_M + SHANK_M + THIGH_M),
        height_m=body.height_m,
    )


def _masses(body: HumanBody) -> dict[str, float]:
    """The table scaled to the total, with hands taken out of the forearms where there are wrists."""
    total = sum(kg * (1 if name in ("pelvis", "torso", "head") else 2) for name, kg in MASSES_KG.items())
    kilograms = {name: kg * body.mass_kg / total for name, kg in MASSES_KG.items()}
    kilograms["hand"] = kilograms["forearm"] * HAND_SHARE
    if body.wrists:
        kilograms["forearm"] -= kilograms["hand"]
    return kilograms


def _arm(side: str, kilograms: dict[str, float], size: float, wrists: bool) -> list[Link]:
    links = [
        _link(f"{side}_upper_arm", "torso", SHOULDER, kilograms["upper_arm"], joint(f"{side}_shoulder"), size),
        _link(f"{side}_forearm", f"{side}_upper_arm", ELBOW, kilograms["forearm"], joint(f"{side}_elbow"), size, wrists),
    ]
    if wrists:
        hand = _link(f"{side}_hand", f"{side}_forearm", WRIST, kilograms["hand"], joint(f"{side}_wrist"), size)
        links.append(hand)
    return links


def _leg(side: str, kilograms: dict[str, float], size: float) -> list[Link]:
    return [
        _link(f"{side}_thigh", "pelvis", (0, HIP_HALF_WIDTH_M, 0), kilograms["thigh"], joint(f"{side}_hip"), size),
        _link(f"{side}_shank", f"{side}_thigh", (0, 0, -THIGH_M), kilograms["shank"], joint(f"{side}_knee"), size),
        _link(f"{side}_foot", f"{side}_shank", (0, 0, -SHANK_M), kilograms["foot"], joint(f"{side}_ankle"), size),
        _link(f"{side}_toes", f"{side}_foot", TOE, kilograms["toes"], joint(f"{side}_toe"), size),
    ]


def _link(
    name: str, parent: str | None, offset_m: Vector, mass_kg: float, to_parent: Joint | None, size: float, wrists: bool = False
) -> Link:
    """A link with offsets given for the left side, at the model's height."""
    side, _, part = name.partition("_") if name.startswith(("left_", "right_")) else ("middle", "", name)
    outward = -1.0 if side == "right" else 1.0
    solid, touching = _solid(part, outward, size, wrists)
    x, y, z = offset_m
    return Link(
        name=name,
        parent=parent,
        offset_m=(size * x, size * outward * y, size * z),
        mass_kg=mass_kg,
        solid=solid,
        joint=to_parent,
        shapes=(*touching, *looks_of(part, side, size, wrists)),
    )


def _solid(part: str, outward: float, size: float, wrists: bool) -> tuple[Shape, tuple[Shape, ...]]:
    """The solid that weighs, and the solids that touch other bodies: mostly the same."""

    def at(x: float, y: float, z: float) -> Vector:
        return (size * x, size * outward * y, size * z)

    def bar(start: Vector, end: Vector, radius: float, tag: Tag = "body") -> Shape:
        return capsule(at(*start), at(*end), size * radius, tag=tag)

    if part == "pelvis":
        weighs = ellipsoid(at(-0.01, 0, 0.04), (size * 0.11, size * 0.16, size * 0.11))
        return weighs, (bar((-0.01, -0.07, 0.03), (-0.01, 0.07, 0.03), 0.095),)
    if part == "torso":
        weighs = ellipsoid(at(0.005, 0, 0.19), (size * 0.12, size * 0.165, size * 0.25))
        return weighs, (
            bar((0.0, -0.05, 0.06), (0.0, 0.05, 0.06), 0.10),
            bar((0.005, -0.075, 0.25), (0.005, 0.075, 0.25), 0.115),
        )
    if part == "head":
        weighs = ellipsoid(at(0.02, 0, 0.14), (size * 0.095, size * 0.078, size * 0.125))
        return weighs, (bar((0.015, 0, 0.12), (0.022, 0, HEAD_TOP_M - 0.09), 0.085),)
    if part == "toes":
        weighs = bar((0.005, -0.022, -0.008), (0.04, 0.02, -0.008), 0.018)
        return weighs, ()
    if part == "foot":
        weighs = bar((-0.035, 0, -0.045), (0.105, 0.003, -0.050), 0.034)
        return weighs, ()
    ends: dict[str, tuple[Vector, float]] = {
        "upper_arm": (ELBOW, 0.042),
        "forearm": (WRIST if wrists else (WRIST[0] + HAND[0], WRIST[1] + HAND[1], WRIST[2] + HAND[2]), 0.034),
        "hand": (HAND, 0.026),
        "thigh": ((0, 0, -THIGH_M), 0.070),
        "shank": ((0, 0, -SHANK_M), 0.048),
    }
    end, radius = ends[part]
    weighs = bar((0, 0, 0), end, radius, "hand" if part == "hand" or (part == "forearm" and not wrists) else "body")
    return weighs, (weighs,)


def _foot(side: str, size: float) -> EndEffector:
    outward = -1.0 if side == "right" else 1.0
    points = tuple(
        ContactPoint(
            name=f"{side}_{name}",
            link=f"{side}_{on}",
            position_m=(size * x, size * outward * y, size * z),
            radius_m=size * radius,
            role=role,
        )
        for name, on, role, (x, y, z), radius in SOLES
    )
    return EndEffector(name=f"{side}_foot", link=f"{side}_foot", toe_link=f"{side}_toes", points=points)
