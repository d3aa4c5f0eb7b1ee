"""The planar biped of seven links that SIMBICON first walked with.

Masses and lengths from Yin, Loken and van de Panne 2007, "SIMBICON: simple biped locomotion control" (torso
70 kg, 0.48 m; thighs 5 kg, 0.45 m; shanks 4 kg, 0.45 m; feet 1 kg, 0.2 m). What the paper does not print is ours: the torque
limits, the place of the ankle in the foot, and the looks.
"""

from surefoot.characters.description import Character, ContactPoint, EndEffector, Joint, Link, Role
from surefoot.characters.shapes import FORWARD, Colour, between, capsule, loft, ring

TORSO_M, THIGH_M, SHANK_M, FOOT_M = 0.48, 0.45, 0.45, 0.20
ANKLE_M = 0.06
"""Height of the ankle over the sole."""
HALF_WIDTH_M = 0.10
"""The legs stand apart only for the eye: the figure moves in its plane."""
TRUNK: Colour = (0.90, 0.89, 0.86, 1.0)
VISOR: Colour = (0.14, 0.16, 0.20, 1.0)
SOLE: Colour = (0.93, 0.92, 0.90, 1.0)
STRONG: dict[str, Colour] = {"left": (0.83, 0.36, 0.24, 1.0), "right": (0.15, 0.43, 0.56, 1.0)}
SOFT: dict[str, Colour] = {"left": (0.93, 0.60, 0.45, 1.0), "right": (0.42, 0.66, 0.75, 1.0)}
BODY_SKIN = (
    ring(-0.040, 0.070, 0.110, 0, 0, 2.4, 0.8),
    ring(0.030, 0.092, 0.150, 0, 0, 2.4),
    ring(0.120, 0.092, 0.140, 0, 0, 2.4),
    ring(0.260, 0.122, 0.175, 0.008, 0, 2.4),
    ring(0.350, 0.122, 0.170, 0.010, 0, 2.3),
    ring(0.415, 0.098, 0.132, 0.008, 0, 2.1, 0.66),
)
VISOR_SKIN = (
    ring(0.320, 0.064, 0.118, 0.074, 0, 2.6, 0.4),
    ring(0.360, 0.068, 0.130, 0.074, 0, 2.6),
    ring(0.400, 0.064, 0.112, 0.062, 0, 2.6, 0.4),
)
THIGH_SKIN = (
    ring(0.0, 0.082, 0.070, bulge=0.8),
    ring(0.4, 0.074, 0.066, 0.006),
    ring(0.85, 0.056, 0.052, 0.003),
    ring(1.0, 0.055, 0.051),
)
SHANK_SKIN = (
    ring(0.0, 0.047, 0.044),
    ring(0.25, 0.054, 0.049, -0.010),
    ring(0.6, 0.044, 0.040, -0.005),
    ring(1.0, 0.034, 0.031),
)
SHOE_SKIN = (  # lies along x: depth is vertical, the shift is downward
    ring(-0.035, 0.032, 0.030, 0.016, 0, 2.4, 0.6),
    ring(0.000, 0.046, 0.038, 0.002, 0, 2.4),
    ring(0.060, 0.030, 0.043, 0.018, 0, 2.4),
    ring(0.115, 0.019, 0.040, 0.028, 0, 2.4, 1.0),
)
SOLE_SKIN = (
    ring(-0.040, 0.008, 0.032, 0.052, 0, 3.0),
    ring(0.020, 0.008, 0.040, 0.052, 0, 3.0),
    ring(0.080, 0.008, 0.045, 0.052, 0, 3.0),
    ring(0.122, 0.008, 0.040, 0.052, 0, 2.6, 1.6),
)


def biped2d() -> Character:
    """Torso, two thighs, shanks and feet: 90 kg, 6 internal DoF, a planar root at the hips."""
    torso_solid = capsule((0, 0, 0.08), (0, 0, TORSO_M - 0.08), 0.08)
    torso = Link(
        name="torso",
        parent=None,
        offset_m=(0, 0, 0),
        mass_kg=70.0,
        solid=torso_solid,
        joint=None,
        shapes=(
            capsule((0, 0, 0.08), (0, 0, TORSO_M - 0.08), 0.08),
            loft(BODY_SKIN, colour=TRUNK),
            loft(VISOR_SKIN, colour=VISOR),
        ),
    )
    links = [torso]
    for side, sign in (("left", 1.0), ("right", -1.0)):
        links += _leg(side, sign)
    return Character(
        name="biped2d",
        about="the planar SIMBICON biped: 7 links, 90 kg",
        root="planar",
        links=tuple(links),
        end_effectors=tuple(_foot(side) for side in STRONG),
        standing_height_m=THIGH_M + SHANK_M + ANKLE_M,
        height_m=THIGH_M + SHANK_M + ANKLE_M + TORSO_M,
    )


def _leg(side: str, sign: float) -> list[Link]:
    thigh = capsule((0, 0, 0), (0, 0, -THIGH_M), 0.05)
    shank = capsule((0, 0, 0), (0, 0, -SHANK_M), 0.04)
    heel_m = -0.3 * FOOT_M
    foot = capsule((heel_m + 0.03, 0, 0.03 - ANKLE_M), (heel_m + FOOT_M - 0.03, 0, 0.03 - ANKLE_M), 0.03)
    return [
        Link(
            name=f"{side}_thigh",
            parent="torso",
            offset_m=(0, sign * HALF_WIDTH_M, 0),
            mass_kg=5.0,
            solid=thigh,
            joint=_hinge(f"{side}_hip", (-2.0, 1.2), 250.0, 300.0, 30.0),
            shapes=(thigh, loft(between(THIGH_SKIN, (0, 0, -THIGH_M)), colour=STRONG[side])),
        ),
        Link(
            name=f"{side}_shank",
            parent=f"{side}_thigh",
            offset_m=(0, 0, -THIGH_M),
            mass_kg=4.0,
            solid=shank,
            joint=_hinge(f"{side}_knee", (-0.02, 2.5), 250.0, 300.0, 30.0),
            shapes=(shank, loft(between(SHANK_SKIN, (0, 0, -SHANK_M)), colour=SOFT[side])),
        ),
        Link(
            name=f"{side}_foot",
            parent=f"{side}_shank",
            offset_m=(0, 0, -SHANK_M),
            mass_kg=1.0,
            solid=foot,
            joint=_hinge(f"{side}_ankle", (-0.8, 1.0), 200.0, 200.0, 15.0),
            shapes=(
                foot,
                loft(SHOE_SKIN, rotation=FORWARD, colour=STRONG[side]),
                loft(SOLE_SKIN, rotation=FORWARD, colour=SOLE),
            ),
        ),
    ]


def _hinge(name: str, limits_rad: tuple[float, float], torque_nm: float, stiffness: float, damping: float) -> Joint:
    """Gains start from the 300 and 30 of SIMBICON's planar walker; our ankle is softer."""
    return Joint(
        name=name,
        axes="y",
        limits_rad=(limits_rad,),
        torque_limit_nm=(torque_nm,),
        servo_stiffness_nm=(stiffness,),
        servo_damping_nms=(damping,),
        armature_kgm2=(0.01,),
        damping_nms=(0.5,),
        stiffness_nm=(0.0,),
    )


def _foot(side: str) -> EndEffector:
    heel_m = -0.3 * FOOT_M
    places: tuple[tuple[Role, float], ...] = (("heel", heel_m + 0.02), ("ball", heel_m + FOOT_M - 0.02))
    points = tuple(
        ContactPoint(name=f"{side}_{role}", link=f"{side}_foot", position_m=(x, 0.0, 0.02 - ANKLE_M), radius_m=0.02, role=role)
        for role, x in places
    )
    return EndEffector(name=f"{side}_foot", link=f"{side}_foot", toe_link=None, points=points)
