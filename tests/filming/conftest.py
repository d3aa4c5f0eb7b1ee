"""What the tests of pictures share: a small walking figure that depends on no character, and whether this machine draws."""

import mujoco
import numpy as np
import pytest

from surefoot.filming import gl

MJCF = """
<mujoco>
 <worldbody>
  <geom name="ground_0" type="plane" size="0 0 1"/>
  <body name="pelvis" pos="0 0 0.95">
   <freejoint name="root"/>
   <geom type="capsule" fromto="0 -.07 0 0 .07 0" size=".1" rgba=".35 .4 .5 1"/>
   <body name="torso" pos="0 0 .1">
    <joint name="waist_yaw" axis="0 0 1"/>
    <geom type="capsule" fromto="0 0 .05 0 0 .35" size=".13" rgba=".35 .4 .5 1"/>
    <geom type="ellipsoid" pos="0 0 .62" size=".09 .075 .12" rgba=".85 .7 .6 1"/>
   </body>
   <body name="left_leg" pos="0 .09 -.02"><joint name="left_hip_pitch" axis="0 1 0"/>
    <geom type="capsule" fromto="0 0 0 0 0 -.86" size=".07" rgba=".2 .45 .75 1"/></body>
   <body name="right_leg" pos="0 -.09 -.02"><joint name="right_hip_pitch" axis="0 1 0"/>
    <geom type="capsule" fromto="0 0 0 0 0 -.86" size=".07" rgba=".2 .75 .45 1"/></body>
  </body>
 </worldbody>
</mujoco>
"""


@pytest.fixture
def spec() -> mujoco.MjSpec:
    """A figure with four bodies on a plane."""
    return mujoco.MjSpec.from_string(MJCF)


@pytest.fixture
def model(spec: mujoco.MjSpec) -> mujoco.MjModel:
    """The same, compiled."""
    return spec.compile()


@pytest.fixture
def walk(model: mujoco.MjModel) -> np.ndarray:
    """(51, nq): one second at 50 Hz and 1.3 m/s along x, with swinging legs."""
    time_s = np.arange(51) / 50.0
    phase = 2 * np.pi * time_s
    qpos = np.tile(model.qpos0, (len(time_s), 1))
    qpos[:, 0] = 1.3 * time_s
    qpos[:, 2] += 0.02 * np.cos(2 * phase)
    qpos[:, model.joint("left_hip_pitch").qposadr[0]] = 0.4 * np.sin(phase)
    qpos[:, model.joint("right_hip_pitch").qposadr[0]] = -0.4 * np.sin(phase)
    return qpos


@pytest.fixture
def drawing() -> str:
    """Which OpenGL draws here; the test is skipped, with what to install, where none does."""
    found = gl.choose()
    if found is None:
        pytest.skip(gl.install_hint())
    return found
