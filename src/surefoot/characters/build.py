"""Put a character into a MuJoCo specification: bodies, joints, actuators, contact spheres, sites, touch sensors, skins.

Nothing here touches anything: all geoms have contype = conaffinity = 0, and the scene builder (`surefoot.physics.scene`)
makes contact pairs by tag. Actuators apply ctrl + bias within the torque limit; the engine writes stiffness and damping into
the bias at each step. What a character is stands in `description`.
"""

import mujoco
import numpy as np

from surefoot.characters.description import Character, ContactPoint, Joint, Link
from surefoot.characters.lofts import Skin, skin
from surefoot.characters.shapes import Shape
from surefoot.characters.solids import weigh

AXES = {"x": (1.0, 0.0, 0.0), "y": (0.0, 1.0, 0.0), "z": (0.0, 0.0, 1.0)}
GEOMS = {
    "sphere": mujoco.mjtGeom.mjGEOM_SPHERE,
    "capsule": mujoco.mjtGeom.mjGEOM_CAPSULE,
    "ellipsoid": mujoco.mjtGeom.mjGEOM_ELLIPSOID,
    "box": mujoco.mjtGeom.mjGEOM_BOX,
    "cylinder": mujoco.mjtGeom.mjGEOM_CYLINDER,
}
DRAWN, HIDDEN = 0, 3
"""Geom groups: MuJoCo draws 0 to 2 unless told otherwise."""
SITE_MARGIN = 1.2
"""A touch sensor counts contacts inside its site, so the site is a little larger than the sphere that touches."""
LIMIT_SOLREF = (0.02, 1.0)
"""Joint limits give way like ligaments: time constant in s, damping ratio; 0.02 is stable up to steps of 10 ms."""
INVISIBLE = (0.6, 0.6, 0.6, 0.25)
"""Colour of hidden geoms when somebody looks at their group."""


def attach(character: Character, spec: mujoco.MjSpec, prefix: str = "", *, looks: bool = True) -> None:
    """Add a character to a specification, standing at the origin, facing +x.

    Args:
      character: who.
      spec: the specification to add to.
      prefix: put before every name, so that one scene can hold several characters.
      looks: False leaves out what is only drawn; the physics is the same.
    """
    bodies: dict[str, mujoco.MjsBody] = {}
    for link in character.links:
        parent = spec.worldbody if link.parent is None else bodies[link.parent]
        height_m = character.standing_height_m if link.parent is None else 0.0
        x, y, z = link.offset_m
        body = parent.add_body(name=prefix + link.name, pos=(x, y, z + height_m))
        bodies[link.name] = body
        _give_mass(body, link)
        if link.parent is None:
            _add_root(body, character, prefix)
        elif link.joint is not None:
            _add_joint(body, link.joint, prefix, _angle_unit(spec))
        _add_shapes(spec, body, link, prefix, looks)
    for joint in character.joints:
        _add_actuators(spec, joint, prefix)
    for point in character.contact_points:
        _add_contact_point(spec, bodies[point.link], point, prefix)


def _give_mass(body: mujoco.MjsBody, link: Link) -> None:
    mass = weigh(link.solid, link.mass_kg)
    i = mass.inertia_kgm2
    body.explicitinertial = True
    body.mass = mass.mass_kg
    body.ipos = mass.middle_m
    body.fullinertia = (i[0, 0], i[1, 1], i[2, 2], i[0, 1], i[0, 2], i[1, 2])


def _add_root(body: mujoco.MjsBody, character: Character, prefix: str) -> None:
    if character.root == "free":
        body.add_freejoint(name=f"{prefix}root")
        return
    slides = (("root_x", "x", 0.0), ("root_z", "z", character.standing_height_m)) if character.root == "planar" else ()
    for name, axis, height_m in slides:
        body.add_joint(
            name=prefix + name,
            type=mujoco.mjtJoint.mjJNT_SLIDE,
            axis=AXES[axis],
            ref=height_m,  # so that root_z is the height of the root, as with a free root
        )
    body.add_joint(name=f"{prefix}root_pitch", type=mujoco.mjtJoint.mjJNT_HINGE, axis=AXES["y"])


def _add_joint(body: mujoco.MjsBody, joint: Joint, prefix: str, unit: float) -> None:
    if joint.ball:
        body.add_joint(
            name=prefix + joint.name,
            type=mujoco.mjtJoint.mjJNT_BALL,
            limited=True,
            range=(0.0, unit * max(abs(angle) for limit in joint.limits_rad for angle in limit)),
            armature=joint.armature_kgm2[0],
            damping=_polynomial(joint.damping_nms[0]),
            stiffness=_polynomial(joint.stiffness_nm[0]),
            solref_limit=LIMIT_SOLREF,
        )
        return
    for index, (name, axis) in enumerate(zip(joint.dof_names, joint.axes, strict=True)):
        body.add_joint(
            name=prefix + name,
            type=mujoco.mjtJoint.mjJNT_HINGE,
            axis=AXES[axis],
            limited=True,
            range=unit * np.array(joint.limits_rad[index]),
            armature=joint.armature_kgm2[index],
            damping=_polynomial(joint.damping_nms[index]),
            stiffness=_polynomial(joint.stiffness_nm[index]),
            solref_limit=LIMIT_SOLREF,
        )


def _angle_unit(spec: mujoco.MjSpec) -> float:
    """What a radian is called in this specification: its compiler reads degrees unless told otherwise."""
    return 180 / np.pi if spec.compiler.degree else 1.0


def _polynomial(linear: float) -> tuple[float, float, float]:
    """MuJoCo 4 takes springs and dampers as polynomials; ours are linear."""
    return (linear, 0.0, 0.0)


def _add_actuators(spec: mujoco.MjSpec, joint: Joint, prefix: str) -> None:
    """Torque = ctrl + bias, clipped; bias = b0 + b1 angle + b2 velocity starts at zero and is the engine's to write."""
    for index, (name, axis) in enumerate(zip(joint.dof_names, joint.axes, strict=True)):
        limit_nm = joint.torque_limit_nm[index]
        spec.add_actuator(
            name=prefix + name,
            target=prefix + (joint.name if joint.ball else name),
            trntype=mujoco.mjtTrn.mjTRN_JOINT,
            gear=(*(AXES[axis] if joint.ball else AXES["x"]), 0.0, 0.0, 0.0),
            gaintype=mujoco.mjtGain.mjGAIN_FIXED,
            gainprm=_padded(1.0),
            biastype=mujoco.mjtBias.mjBIAS_AFFINE,
            biasprm=_padded(0.0),
            forcelimited=True,
            forcerange=(-limit_nm, limit_nm),
            ctrllimited=False,
        )


def _padded(first: float) -> np.ndarray:
    numbers = np.zeros(mujoco.mjNGAIN)
    numbers[0] = first
    return numbers


def _add_shapes(spec: mujoco.MjSpec, body: mujoco.MjsBody, link: Link, prefix: str, looks: bool) -> None:
    for index, shape in enumerate(link.shapes):
        if shape.tag == "looks" and not looks:
            continue
        name = f"{prefix}{link.name}_{index}"
        if shape.kind == "loft":
            _add_skin(spec, body, name, shape)
        else:
            body.add_geom(
                name=name,
                type=GEOMS[shape.kind],
                size=_three(shape.size_m),
                pos=shape.position_m,
                quat=shape.rotation,
                **_untouched(shape),
            )


def _add_skin(spec: mujoco.MjSpec, body: mujoco.MjsBody, name: str, shape: Shape) -> None:
    surface: Skin = skin(shape)
    spec.add_mesh(
        name=name,
        uservert=surface.vertices_m.ravel(),
        userface=surface.faces.ravel(),
        inertia=mujoco.mjtMeshInertia.mjMESH_INERTIA_SHELL,  # defined for any skin; the geom weighs nothing anyway
        smoothnormal=True,
    )
    body.add_geom(
        name=name,
        type=mujoco.mjtGeom.mjGEOM_MESH,
        meshname=name,
        pos=shape.position_m,
        quat=shape.rotation,
        **_untouched(shape),
    )


def _untouched(shape: Shape) -> dict:
    """What every geom of a character has in common: it weighs nothing and touches nothing by itself."""
    drawn = shape.colour is not None
    return {
        "mass": 0.0,
        "contype": 0,
        "conaffinity": 0,
        "group": DRAWN if drawn else HIDDEN,
        "rgba": shape.colour if drawn else INVISIBLE,
    }


def _three(sizes: tuple[float, ...]) -> tuple[float, ...]:
    return (*sizes, 0.0, 0.0)[:3]


def _add_contact_point(spec: mujoco.MjSpec, body: mujoco.MjsBody, point: ContactPoint, prefix: str) -> None:
    name = prefix + point.name
    body.add_geom(
        name=name,
        type=mujoco.mjtGeom.mjGEOM_SPHERE,
        size=(point.radius_m, 0.0, 0.0),
        pos=point.position_m,
        mass=0.0,
        contype=0,
        conaffinity=0,
        group=HIDDEN,
        rgba=INVISIBLE,
    )
    body.add_site(
        name=name,
        type=mujoco.mjtGeom.mjGEOM_SPHERE,
        size=(point.radius_m * SITE_MARGIN, 0.0, 0.0),
        pos=point.position_m,
        group=HIDDEN,
    )
    spec.add_sensor(name=name, type=mujoco.mjtSensor.mjSENS_TOUCH, objtype=mujoco.mjtObj.mjOBJ_SITE, objname=name)
