"""Lengths, masses and contact points of the human at 1.78 m: the table behind `human` and `human_looks`.

Thigh, shank, hip width and the masses are those with which a prototype of this library walked; heights of shoulder, neck and
ankle and the lengths of arm and foot are near the fractions of body height in Winter, "Biomechanics and Motor Control of Human
Movement", 4th ed., Fig. 4.1. Frames sit in the joints; x forward, y to the left, z up; the frame of the pelvis lies midway
between the hips. Offsets are those of the left side.
"""

from surefoot.characters.description import Role
from surefoot.characters.shapes import Vector

MODEL_HEIGHT_M = 1.78
"""Height of the figure to which the lengths below belong."""
MASSES_KG = {
    "pelvis": 10.0,
    "torso": 24.9,
    "head": 5.7,
    "upper_arm": 1.96,
    "forearm": 1.54,
    "thigh": 7.0,
    "shank": 3.26,
    "foot": 0.85,
    "toes": 0.17,
}
"""Masses of the prototype; the totals asked for are reached by scaling all of them alike."""
HAND_SHARE = 0.27
"""Part of the forearm's mass that goes to a hand with a wrist of its own (Winter, Table 4.1: 0.006 of 0.022)."""

HIP_HALF_WIDTH_M = 0.09
THIGH_M, SHANK_M = 0.436, 0.438
ANKLE_M = 0.078
"""Height of the ankle over the sole."""
WAIST_M = 0.155
"""Waist (between the 4th and 5th lumbar vertebra) over the hips."""
NECK: Vector = (-0.005, 0.0, 0.395)
"""From waist to the base of the neck."""
SHOULDER: Vector = (-0.005, 0.188, 0.332)
ELBOW: Vector = (0.0, 0.028, -0.300)
WRIST: Vector = (0.012, 0.018, -0.262)
HAND: Vector = (0.006, -0.004, -0.120)
"""From the wrist to the middle knuckles."""
TOE: Vector = (0.128, 0.004, -0.054)
"""From the ankle to the joint between foot and toes."""
HEAD_TOP_M = MODEL_HEIGHT_M - (ANKLE_M + SHANK_M + THIGH_M + WAIST_M + NECK[2])
"""Crown over the base of the neck."""
SOLES: tuple[tuple[str, str, Role, Vector, float], ...] = (
    # name, link, role, (forward, outward, up) from the frame of the link, radius
    ("heel_inner", "foot", "heel", (-0.038, -0.022, 0.025 - ANKLE_M), 0.025),
    ("heel_outer", "foot", "heel", (-0.038, 0.022, 0.025 - ANKLE_M), 0.025),
    ("ball_inner", "foot", "ball", (0.112, -0.030, 0.020 - ANKLE_M), 0.020),
    ("ball_outer", "foot", "ball", (0.100, 0.042, 0.020 - ANKLE_M), 0.020),
    ("toe_inner", "toes", "toe", (0.058, -0.030, 0.015 - ANKLE_M - TOE[2]), 0.015),
    ("toe_middle", "toes", "toe", (0.053, 0.000, 0.015 - ANKLE_M - TOE[2]), 0.015),
    ("toe_outer", "toes", "toe", (0.036, 0.030, 0.015 - ANKLE_M - TOE[2]), 0.015),
    ("toe_top", "toes", "top", (0.050, 0.000, 0.036 - ANKLE_M - TOE[2]), 0.015),
)
"""Four points under the foot, three under the toes, one on top of the toes."""
