"""The joints of the human, as a table: ranges, torque limits, customary gains.

Written for the left side; the right side is its mirror (roll and yaw change sign). Torque limits in Nm: hip 180 (pitch),
150 (roll), 90 (yaw), knee 200, ankle 160 and 50, toe 20, waist 200, 200, 120, shoulder 60, neck 30: near the largest
voluntary torques of an adult, and those the prototype walked with. Where the joints sit is in `human`.
"""

from dataclasses import dataclass

from surefoot.characters.description import Joint


@dataclass(frozen=True, kw_only=True, slots=True)
class Row:
    """One axis of one joint of the left side."""

    axis: str
    """x roll, y pitch, z yaw."""
    low_rad: float
    """Lowest angle."""
    high_rad: float
    """Highest angle."""
    torque_nm: float
    """Torque limit."""
    stiffness: float
    """Customary servo stiffness, Nm/rad."""
    damping: float
    """Customary servo damping, Nm s/rad: the prototype's, which had it in the joints."""


PASSIVE_DAMPING_NMS = 0.5
"""Damping of relaxed tissue, within what is measured at knee and elbow (0.1 to 1 Nm s/rad)."""
TOE_STIFFNESS_NM, TOE_DAMPING_NMS = 15.0, 1.0
"""The toe is a passive spring; from 5 to 60 Nm/rad made no difference to the walk."""
ARMATURE_KGM2, TOE_ARMATURE_KGM2 = 0.01, 0.003

TABLE: dict[str, tuple[Row, ...]] = {
    # Forward swing of a limb is negative pitch; abduction of the left side is positive roll; turning out is positive yaw.
    "waist": (
        Row(axis="y", low_rad=-0.5, high_rad=1.2, torque_nm=200, stiffness=300, damping=30),
        Row(axis="x", low_rad=-0.6, high_rad=0.6, torque_nm=200, stiffness=300, damping=30),
        Row(axis="z", low_rad=-0.9, high_rad=0.9, torque_nm=120, stiffness=300, damping=30),
    ),
    "neck": (
        Row(axis="y", low_rad=-1.0, high_rad=0.9, torque_nm=30, stiffness=25, damping=2),
        Row(axis="x", low_rad=-0.7, high_rad=0.7, torque_nm=30, stiffness=25, damping=2),
        Row(axis="z", low_rad=-1.3, high_rad=1.3, torque_nm=30, stiffness=25, damping=2),
    ),
    "shoulder": (
        Row(axis="y", low_rad=-3.0, high_rad=1.0, torque_nm=60, stiffness=95, damping=3),
        Row(axis="x", low_rad=-0.6, high_rad=2.8, torque_nm=60, stiffness=95, damping=3),
        Row(axis="z", low_rad=-1.4, high_rad=1.4, torque_nm=60, stiffness=95, damping=3),
    ),
    "elbow": (Row(axis="y", low_rad=-2.5, high_rad=0.03, torque_nm=60, stiffness=60, damping=1),),
    "wrist": (Row(axis="x", low_rad=-1.3, high_rad=1.1, torque_nm=15, stiffness=10, damping=0.2),),
    "hip": (
        Row(axis="y", low_rad=-2.1, high_rad=0.6, torque_nm=180, stiffness=300, damping=8),
        Row(axis="x", low_rad=-0.5, high_rad=0.8, torque_nm=150, stiffness=300, damping=8),
        Row(axis="z", low_rad=-0.7, high_rad=0.8, torque_nm=90, stiffness=300, damping=8),
    ),
    "knee": (Row(axis="y", low_rad=-0.03, high_rad=2.5, torque_nm=200, stiffness=190, damping=8),),
    "ankle": (
        Row(axis="y", low_rad=-0.6, high_rad=0.9, torque_nm=160, stiffness=230, damping=6),
        Row(axis="x", low_rad=-0.5, high_rad=0.4, torque_nm=50, stiffness=230, damping=6),
    ),
    "toe": (Row(axis="y", low_rad=-1.1, high_rad=0.6, torque_nm=20, stiffness=0, damping=0),),
}


def joint(name: str) -> Joint:
    """The joint `waist`, `left_knee`, `right_toe`, ..."""
    side, _, part = name.partition("_") if name.startswith(("left_", "right_")) else ("", "", name)
    rows = TABLE[part]
    toe = part == "toe"
    count = len(rows)
    return Joint(
        name=name,
        axes="".join(row.axis for row in rows),
        limits_rad=tuple(_range(row, side) for row in rows),
        torque_limit_nm=tuple(float(row.torque_nm) for row in rows),
        servo_stiffness_nm=tuple(float(row.stiffness) for row in rows),
        servo_damping_nms=tuple(float(row.damping) for row in rows),
        armature_kgm2=(TOE_ARMATURE_KGM2 if toe else ARMATURE_KGM2,) * count,
        damping_nms=(TOE_DAMPING_NMS if toe else PASSIVE_DAMPING_NMS,) * count,
        stiffness_nm=(TOE_STIFFNESS_NM if toe else 0.0,) * count,
    )


def _range(row: Row, side: str) -> tuple[float, float]:
    """Mirrored to the right, a range about x or z runs from minus its top to minus its bottom."""
    if side == "right" and row.axis != "y":
        return (-row.high_rad, -row.low_rad)
    return (row.low_rad, row.high_rad)
