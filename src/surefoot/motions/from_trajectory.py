"""Simulated positions to a clip, by the model's own kinematics, so that hinge triples, balls and planar roots come out alike.

The clip's rotations on the character's skeleton give the positions of the model's bodies again. Where the positions come from
is `surefoot.physics`; where the clip goes is `bvh`.
"""

import mujoco
import numpy as np
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation

from surefoot.characters import Character
from surefoot.errors import UnknownName, WrongValue
from surefoot.motions.clip import Clip, unflipped


def clip_of(
    character: Character,
    model: mujoco.MjModel,
    qpos: NDArray[np.float64],
    rate_hz: float,
    *,
    prefix: str = "",
    name: str = "",
    loop: bool = False,
    source: str = "simulated by Surefoot",
    licence: str = "Apache-2.0",
) -> Clip:
    """The motion of one character of a model.

    Args:
      character: whose motion; its links are the model's bodies of that name.
      model: the compiled scene that the positions belong to.
      qpos: (T, nq): positions of the whole model.
      rate_hz: of the recorded positions.
      prefix: of the character in the scene.
      name: of the clip; by default the character's.
      loop: whether the end continues at the beginning.
      source: where it comes from.
      licence: under which it may be used.
    """
    positions = np.asarray(qpos, dtype=np.float64)
    if positions.ndim != 2 or positions.shape[1] != model.nq or not len(positions):
        raise WrongValue(f"a clip is made of positions of shape (T, {model.nq}), not {positions.shape}: give the recorded qpos of one row")
    if not np.isfinite(positions).all():
        first = int(np.argmin(np.isfinite(positions).all(axis=1)))
        raise WrongValue(f"the positions are not numbers from instant {first}: cut the motion there")
    bodies = _bodies(character, model, prefix)
    places, turns = _kinematics(model, positions, bodies)
    joints = [i for i, link in enumerate(character.links) if link.joint is not None and link.parent is not None]
    index = {link.name: i for i, link in enumerate(character.links)}
    relative = np.empty((len(positions), len(joints), 4))
    for n, i in enumerate(joints):
        parent = Rotation.from_quat(turns[:, index[str(character.links[i].parent)]], scalar_first=True)
        relative[:, n] = (parent.inv() * Rotation.from_quat(turns[:, i], scalar_first=True)).as_quat(scalar_first=True)
    return Clip(
        name=name or character.name,
        time_s=np.arange(len(positions)) / rate_hz,
        root_position_m=places,
        root_quaternion=unflipped(turns[:, 0]),
        joint_names=character.joint_names,
        joint_quaternions=unflipped(relative),
        loop=loop,
        source=source,
        licence=licence,
    )


def _bodies(character: Character, model: mujoco.MjModel, prefix: str) -> list[int]:
    found = []
    for link in character.link_names:
        body = mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_BODY, prefix + link)
        if body < 0:
            names = [model.body(i).name for i in range(1, model.nbody)]
            raise UnknownName("body", prefix + link, names, where=f"the scene, for character '{character.name}'")
        found.append(body)
    return found


def _kinematics(model: mujoco.MjModel, qpos: NDArray[np.float64], bodies: list[int]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Place (T, 3) of the first body and orientations (T, bodies, 4) of all."""
    data = mujoco.MjData(model)
    places, turns = np.empty((len(qpos), 3)), np.empty((len(qpos), len(bodies), 4))
    for k, pose in enumerate(qpos):
        data.qpos[:] = pose
        mujoco.mj_kinematics(model, data)
        places[k], turns[k] = data.xpos[bodies[0]], data.xquat[bodies]
    return places, turns
