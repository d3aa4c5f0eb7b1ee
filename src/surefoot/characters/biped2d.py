"""The planar biped of seven links that SIMBICON first walked with.

Masses and lengths from Yin, Loken and van de Panne 2007, "SIMBICON: simple biped locomotion control", Section 4 (torso
70 kg, 0.48 m; thighs 5 kg, 0.45 m; shanks 4 kg, 0.45 m; feet 1 kg, 0.2 m). What the paper does not print is ours: the torque
limits, the place of the ankle in the foot, and the looks.
"""

from surefoot.characters.description import Character, ContactPoint, EndEffector, Joint, Link
from surefoot.characters.shapes import capsule, ellipsoid, sphere

TORSO_M, THIGH_M, SHANK_M, FOOT_M = 0.48, 0.45, 0.45, 0.20
ANKLE_M = 0.06
"""Height of the ankle over the sole."""
HALF_WIDTH_M = 0.10
"""The legs stand apart only for the eye: the figure moves in its plane."""
TRUNK = (0.86, 0.84, 0.80, 1.0)
SIDES = {"left": (0.87, 0.44, 0.30, 1.0), "right": (0.22, 0.52, 0.62, 1.0)}


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
            ellipsoid((0, 0, 0.05), (0.10, 0.15, 0.10), tag="looks", colour=TRUNK),
            ellipsoid((0, 0, 0.30), (0.12, 0.18, 0.24), tag="looks", colour=TRUNK),
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
        end_effectors=tuple(_foot(side, sign) for side, sign in (("left", 1.0), ("right", -1.0))),
        standing_height_m=THIGH_M + SHANK_M + ANKLE_M,
        height_m=THIGH_M + SHANK_M + ANKLE_M + TORSO_M,
    )


def _leg(side: str, sign: float) -> list[Link]:
    colour = SIDES[side]
    thigh = capsule((0, 0, 0), (0, 0, -THIGH_M), 0.05)
    shank = capsule((0, 0, 0), (0, 0, -SHANK_M), 0.04)
    heel_m = -0.3 * FOOT_M
    foot = capsule((heel_m + 0.03, 0, 0.03 - ANKLE_M), (heel_m + FOOT_M - 0.03, 0, 0.03 - ANKLE_M), 0.03, tag="foot")
    return [
        Link(
            name=f"{side}_thigh",
            parent="torso",
            offset_m=(0, sign * HALF_WIDTH_M, 0),
            mass_kg=5.0,
            solid=thigh,
            joint=_hinge(f"{side}_hip", (-2.0, 1.2), 250.0, 300.0, 30.0),
            shapes=(thigh, capsule((0, 0, 0), (0, 0, -THIGH_M), 0.06, tag="looks", colour=colour)),
        ),
        Link(
            name=f"{side}_shank",
            parent=f"{side}_thigh",
            offset_m=(0, 0, -THIGH_M),
            mass_kg=4.0,
            solid=shank,
            joint=_hinge(f"{side}_knee", (0.0, 2.5), 250.0, 300.0, 30.0),
            shapes=(shank, sphere((0, 0, 0), 0.055, tag="looks", colour=colour)),
        ),
        Link(
            name=f"{side}_foot",
            parent=f"{side}_shank",
            offset_m=(0, 0, -SHANK_M),
            mass_kg=1.0,
            solid=foot,
            joint=_hinge(f"{side}_ankle", (-0.8, 1.0), 200.0, 200.0, 15.0),
            shapes=(foot,),
        ),
    ]


def _hinge(name: str, limits_rad: tuple[float, float], torque_nm: float, stiffness: float, damping: float) -> Joint:
    """Gains are those of Yin et al. 2007: 300 and 30 at every joint; the ankle of ours is softer."""
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


def _foot(side: str, sign: float) -> EndEffector:
    heel_m = -0.3 * FOOT_M
    points = tuple(
        ContactPoint(
            name=f"{side}_{role}", link=f"{side}_foot", position_m=(x, 0.0, 0.02 - ANKLE_M), radius_m=0.02, role=role
        )
        for role, x in (("heel", heel_m + 0.02), ("ball", heel_m + FOOT_M - 0.02))
    )
    return EndEffector(name=f"{side}_foot", link=f"{side}_foot", toe_link=None, points=points)
