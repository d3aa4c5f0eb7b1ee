"""Where walks begin: a state on the gait's cycle, kept in the gait file by name, and normal noise about it.

Tuning, measuring and demos start from here. The gait itself is in `gait`, the law that walks it in `simbicon`.
"""

from __future__ import annotations

import numpy as np

from surefoot.characters import character
from surefoot.controllers.gait import Gait
from surefoot.errors import SurefootError
from surefoot.physics.batch import SimBatch
from surefoot.physics.scene import Scene, build_scene

ROOT_NAMES = {
    "free": (
        ("root_x", "root_y", "root_z", "root_qw", "root_qx", "root_qy", "root_qz"),
        ("root_vx", "root_vy", "root_vz", "root_wx", "root_wy", "root_wz"),
    ),
    "planar": (("root_x", "root_z", "root_pitch"), ("root_vx", "root_vz", "root_pitch_rate")),
}
"""Names of the root's positions and velocities in the `start` section of a gait file."""


def start_names(scene: Scene) -> tuple[list[str], list[str]]:
    """Names of positions and velocities of the first character, in the model's order."""
    who = scene.slices[0].character
    positions, velocities = ROOT_NAMES[who.root]
    return [*positions, *who.dof_names], [*velocities, *(f"{name}_rate" for name in who.dof_names)]


def first_phase(gait: Gait) -> float:
    """Phase at which a walk starts: 0 from a start on the cycle, else mid-step from standing."""
    return 0.0 if gait.start else 0.4


def nominal_start(scene: Scene, gait: Gait) -> tuple[np.ndarray, np.ndarray]:
    """The gait's own start, or standing where it has none: positions (nq,), velocities (nv,)."""
    qpos, qvel = scene.standing()
    part = scene.slices[0]
    names_q, names_v = start_names(scene)
    for name, value in gait.start.items():
        if name in names_q:
            qpos[part.root_qpos + names_q.index(name)] = value
        elif name in names_v:
            qvel[part.root_dof + names_v.index(name)] = value
        else:
            raise SurefootError(f"start of gait '{gait.name}' names '{name}', which character '{part.character.name}' does not have")
    return qpos, qvel


def perturbed_starts(
    scene: Scene, gait: Gait, rows: int, generator: np.random.Generator, *, angle_rad: float, spin_radps: float, speed_mps: float
) -> tuple[np.ndarray, np.ndarray]:
    """Positions (rows, nq) and velocities (rows, nv): normal noise on every joint angle, joint rate and the root's velocity."""
    part, model = scene.slices[0], scene.model
    qpos, qvel = nominal_start(scene, gait)
    noise = generator.normal(size=(rows, model.nq + model.nv))
    positions, velocities = np.tile(qpos, (rows, 1)), np.tile(qvel, (rows, 1))
    angles = slice(part.qpos, part.qpos + part.character.dof_count)
    rates = slice(part.dof, part.dof + part.character.dof_count)
    positions[:, angles] += angle_rad * noise[:, angles]
    velocities[:, rates] += spin_radps * noise[:, model.nq :][:, rates]
    flat = 3 if part.character.root == "free" else 2
    velocities[:, part.root_dof : part.root_dof + flat] += speed_mps * noise[:, model.nq : model.nq + flat]
    return positions, velocities


def captured_start(gait: Gait, settle_s: float = 6.0, time_step_s: float = 1 / 240) -> dict[str, float]:
    """A state on the cycle, at the instant the left foot takes over, brought to the origin and to heading 0."""
    scene = build_scene(character(gait.character), time_step_s=time_step_s)
    batch = SimBatch(scene, 1, [gait.walk(first_phase=first_phase(gait))], threads=1)
    qpos, qvel = nominal_start(scene, gait)
    batch.reset(qpos=qpos, qvel=qvel)
    batch.advance(settle_s)
    for _ in range(int(3.0 / time_step_s)):
        before = batch.qpos[0].copy(), batch.qvel[0].copy()
        batch.advance(time_step_s)
        if batch.recalled("walk", "since_s")[0] < 1.5 * time_step_s and batch.recalled("walk", "side")[0] > 0:
            break
    else:
        raise SurefootError(f"gait '{gait.name}' takes no step on the left foot within 3 s: it does not walk")
    names_q, names_v = start_names(scene)
    positions = dict(zip(names_q, before[0].tolist(), strict=True))
    velocities = dict(zip(names_v, before[1].tolist(), strict=True))
    if scene.slices[0].character.root == "free":
        _turn_to_front(positions, velocities)
    return positions | {"root_x": 0.0} | velocities


def _turn_to_front(positions: dict[str, float], velocities: dict[str, float]) -> None:
    """Rotate a free root about the vertical so that it heads along x, at y = 0."""
    w, x, y, z = (positions[f"root_q{k}"] for k in "wxyz")
    yaw = np.arctan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z))
    c, s = np.cos(yaw / 2), -np.sin(yaw / 2)
    turned = (c * w - s * z, c * x - s * y, c * y + s * x, c * z + s * w)
    positions.update(zip(("root_qw", "root_qx", "root_qy", "root_qz"), map(float, turned), strict=True))
    vx, vy = velocities["root_vx"], velocities["root_vy"]
    velocities["root_vx"] = float(np.cos(yaw) * vx + np.sin(yaw) * vy)
    velocities["root_vy"] = float(np.cos(yaw) * vy - np.sin(yaw) * vx)
    positions["root_y"] = 0.0
