"""A slope is a slope: ground turned by an angle, or gravity turned the other way, give the same motion in the turned frame.

Gravity is a model override, the turned ground another scene; laws and meters see up as minus gravity in both. Rounding
differs from the first step on (other numbers for the same vectors), and contacts multiply it; the tolerance of 1e-6 m and rad
after 0.5 s is far above that and far below what a wrong frame in a law does.
"""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from surefoot.characters import Character, character
from surefoot.controllers import gait as gaits
from surefoot.controllers.gait import load_gait
from surefoot.controllers.pd import pd_of
from surefoot.controllers.walk_report import walk_meters
from surefoot.physics.batch import SimBatch
from surefoot.physics.disturbances import push_of
from surefoot.physics.events import fall_of, foot_strike_of, tumble_of
from surefoot.physics.law import Part
from surefoot.physics.meters import FOOT, F, S
from surefoot.physics.overrides import Override
from surefoot.physics.scene import build_scene
from surefoot.terrain import Slope

SECONDS, TOLERANCE = 0.5, 1e-6
WHO = ["biped2d", "human", "human_wang"]
LAWS = [("pd", name) for name in WHO] + [(gait, gait.partition("/")[0]) for gait in gaits.names()]


def parts_of(law: str, who: Character) -> list[Part]:
    part = pd_of(who, np.full(who.dof_count, 0.1)) if law == "pd" else load_gait(law).walk(first_phase=0.3)
    pushed = push_of(who, newtons=100.0, angle_rad=0.0 if who.root == "planar" else 0.7, start_s=0.1, duration_s=0.2)
    return [part, pushed, *walk_meters(who, after_s=0.05), fall_of(who), tumble_of(who), foot_strike_of(who)]


def turned(who: Character, qpos: np.ndarray, qvel: np.ndarray, climb_rad: float) -> tuple[np.ndarray, np.ndarray]:
    """The same state in the world in which the ground is turned: the root's place, orientation and velocity about y."""
    qpos, qvel = qpos.copy(), qvel.copy()
    slope = Rotation.from_euler("y", -climb_rad)
    for i in range(len(qpos)):
        if who.root == "free":
            qpos[i, :3], qvel[i, :3] = slope.apply(qpos[i, :3]), slope.apply(qvel[i, :3])
            orientation = slope * Rotation.from_quat(qpos[i, [4, 5, 6, 3]])
            qpos[i, 3:7] = np.roll(orientation.as_quat(), 1)
        else:
            for array in (qpos, qvel):
                array[i, :2] = slope.apply([array[i, 0], 0.0, array[i, 1]])[[0, 2]]
            qpos[i, 2] -= climb_rad
    return qpos, qvel


def same_up_to_sign(quaternions: np.ndarray) -> np.ndarray:
    return quaternions * np.sign(quaternions[:, :1])


@pytest.mark.parametrize("climb_rad", [0.12, -0.2])
@pytest.mark.parametrize(("law", "name"), LAWS)
def test_by_gravity_and_by_geometry_it_is_the_same_slope(law: str, name: str, climb_rad: float) -> None:
    who = character(name)
    level, sloped = build_scene(who), build_scene(who, ground=Slope(climb_rad=climb_rad))
    gravity = SimBatch(level, 3, parts_of(law, who), overrides=[Override(array="gravity")])
    geometry = SimBatch(sloped, 3, parts_of(law, who))
    gravity.override("gravity")[:] = Rotation.from_euler("y", climb_rad).apply([0.0, 0.0, -9.81])
    generator = np.random.default_rng(0)
    first = level.slices[0]
    gravity.qpos[:, first.qpos :] += 0.05 * generator.standard_normal((3, who.dof_count))
    gravity.qvel[:] += 0.3 * generator.standard_normal(gravity.qvel.shape)
    geometry.qpos[:], geometry.qvel[:] = turned(who, gravity.qpos, gravity.qvel, climb_rad)
    for batch in (gravity, geometry):
        batch.advance(SECONDS)
        assert batch.running.all()
    assert gravity.arrays.sensors.any(axis=1).any(), "they are to touch the ground"
    qpos, qvel = turned(who, gravity.qpos, gravity.qvel, climb_rad)
    found = geometry.qpos.copy()
    if who.root == "free":
        qpos[:, 3:7], found[:, 3:7] = same_up_to_sign(qpos[:, 3:7]), same_up_to_sign(found[:, 3:7])
    assert found == pytest.approx(qpos, abs=TOLERANCE)
    assert geometry.qvel == pytest.approx(qvel, abs=100 * TOLERANCE)
    assert geometry.memory("effort") == pytest.approx(gravity.memory("effort"), rel=1e-4, abs=1e-6)
    for meter, fields in (("footing", [*F._fields, *FOOT._fields, *FOOT._fields]), ("posture", S._fields)):
        kept = [i for i, field in enumerate(fields) if field not in ("x", "y", "z", "slip_x", "slip_y", "slip_z")]
        kept = [i for i in kept if "spin" not in fields[i] or who.root == "free"]
        assert geometry.memory(meter)[:, kept] == pytest.approx(gravity.memory(meter)[:, kept], rel=1e-4, abs=1e-4), meter


def test_gravity_that_is_not_turned_is_noticed() -> None:
    who = character("human")
    batch = SimBatch(build_scene(who), 2, [pd_of(who)], overrides=[Override(array="gravity")])
    batch.override("gravity")[1] = Rotation.from_euler("y", 0.12).apply([0.0, 0.0, -9.81])
    batch.advance(SECONDS)
    assert np.abs(batch.qpos[0] - batch.qpos[1]).max() > 100 * TOLERANCE
