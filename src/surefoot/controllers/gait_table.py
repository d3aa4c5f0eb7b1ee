"""Where each number of a gait lies in the row of numbers that the compiled law reads.

The layout only: `gaits` reads and writes gaits as files with names and units and packs them into this layout;
`simbicon` reads it inside the physics loop. A gait takes two rows of the table: the numbers at its design speed, and their
change for each m/s of wanted speed.
"""

from __future__ import annotations

from surefoot.physics.law import names

G = names(
    "speed_mps",  # design speed
    "step_time_s",
    "earliest_phase",  # a landing before this phase is a stumble, not a step
    "contact_n",  # swing-foot load that ends a step
    "change_by_time",  # 1: the step ends at phase 1, in the air too
    "held",  # 1: knots are held states, as in SIMBICON; 0: splines
    "knots",
    "blend_s",  # targets move from their values at the change of stance to the curves within this time
    "ramp_s",  # the swing thigh's world torque fades in within this time
    "full_load_n",  # stance-hip torque is scaled by stance load / this, at most 1
    "turn_rate_radps",
    "leg_m",  # pendulum length of the extrapolated centre of mass
    "corridor_inside_m",  # extrapolated centre of mass beyond this, towards the stance side: hurry
    "corridor_outside_m",  # and below this, away from it
    "hurry_per_m",
    "hurry_most",
    "inner_rad",  # how far inwards the swing thigh may roll
    "cross_rad",  # and how much further when the body falls over its stance foot
    "pelvis_kp",
    "pelvis_kd",
    "torso_kp",
    "torso_kd",
    "head_kp",
    "head_kd",
    "hip_kp",  # swing thigh in the world
    "hip_kd",
    "foot_kp",  # swing foot in the world, in the air
    "push_off_kp",  # and while it still bears load
    "foot_kd",
    "cd",  # swing thigh pitch for each m of centre of mass before the stance ankle
    "cv",  # and for each m/s above the wanted speed
    "cdy",  # the same to the side
    "cvy",
    "far_mps",  # a speed further than this from what is wanted, forwards or sideways, is no swaying but a push
    "cv_far",  # swing thigh pitch for each m/s beyond it
    "cvy_far",  # swing thigh roll for each m/s beyond it
    "rest_dy_m",  # usual distance of the centre of mass inside the stance ankle
    "hip_roll_rad",  # outward roll of the swing thigh
    "ankle_cv",  # stance-ankle pitch for each m/s above the wanted speed
    "ankle_cdy",  # stance-ankle roll for each m sideways of rest_dy_m
    "ankle_cvy",
    "arm_swing",  # shoulder pitch for each rad of the opposite thigh's pitch
    "elbow_swing",
)
"""Head of the row: scalars."""

TRUNK = ("pelvis_yaw", "pelvis_pitch", "pelvis_roll", "torso_yaw", "torso_pitch", "torso_roll")
"""World curves after the head, `knots` numbers each; for left stance, mirrored for right."""

CHANNEL = names("kp", "kd")
"""Before the knots of each DoF's channel: stiffness in Nm/rad and damping in Nms/rad."""


def row_width(dof: int, knots: int) -> int:
    """Numbers in a row of the table."""
    return len(G) + len(TRUNK) * knots + dof * (len(CHANNEL) + knots)


def trunk_first(index: int, knots: int) -> int:
    """First knot of a trunk curve."""
    return len(G) + index * knots


def channel_first(dof: int, knots: int) -> int:
    """First number (kp) of a DoF's channel; its knots follow kp and kd."""
    return len(G) + len(TRUNK) * knots + dof * (len(CHANNEL) + knots)
