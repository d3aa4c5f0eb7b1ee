"""The same character with ball joints in place of hinge triples.

A ball joint swings through any pose and is limited only by a cone; a hinge triple has a limit for each axis and locks when its
middle axis reaches a quarter turn. Which is better is measured, not decided here. A ball's DoF keep their names; their order
becomes roll, pitch, yaw, and its torques act about the axes of the child link.
"""

from dataclasses import replace

from surefoot.characters.description import Character, Joint

TRIPLE = 3


def with_balls(character: Character) -> Character:
    """Every joint of three axes becomes a ball; the others stay."""
    links = tuple(
        replace(link, joint=_ball(link.joint)) if link.joint is not None and len(link.joint.axes) == TRIPLE else link
        for link in character.links
    )
    return replace(character, name=f"{character.name}_with_balls", about=f"{character.about}, ball joints", links=links)


def _ball(joint: Joint) -> Joint:
    """The same numbers, in the order of the axes x, y, z."""
    order = [joint.axes.index(axis) for axis in "xyz"]
    return replace(
        joint,
        axes="xyz",
        ball=True,
        limits_rad=tuple(joint.limits_rad[i] for i in order),
        torque_limit_nm=tuple(joint.torque_limit_nm[i] for i in order),
        servo_stiffness_nm=tuple(joint.servo_stiffness_nm[i] for i in order),
        servo_damping_nms=tuple(joint.servo_damping_nms[i] for i in order),
        armature_kgm2=tuple(joint.armature_kgm2[i] for i in order),
        damping_nms=tuple(joint.damping_nms[i] for i in order),
        stiffness_nm=tuple(joint.stiffness_nm[i] for i in order),
    )
