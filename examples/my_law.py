"""A controller of your own: one typed function, run on 16 simulations at the physics rate, pushed and filmed.

The law holds every joint at 0 with a spring and a damper, and leans against a fall with the ankles.
Run it with `python examples/my_law.py`; the film is runs/my_law.mp4.
"""

import numpy as np

from surefoot.characters import character
from surefoot.filming import Push, Take, film, gl
from surefoot.physics.batch import SimBatch
from surefoot.physics.disturbances import push_of
from surefoot.physics.law import Sight, law
from surefoot.physics.scene import build_scene


@law(parameters=("kp", "kd", "ankle"), kp=300.0, kd=30.0, ankle=800.0)
def stand(s: Sight, w: np.ndarray, table: np.ndarray, p: np.ndarray, m: np.ndarray, out: np.ndarray) -> float:
    """Spring and damper at every joint; ankle torque against the drift of the centre of mass from the middle of the feet."""
    for j in range(s.q.size):
        out[0, j] = -p[0] * s.q[j] - p[1] * s.v[j]
        out[1, j], out[2, j] = p[0], p[1]  # stiffness and damping: the integrator stays stable at 4 ms
    ahead = 0.0
    for k in range(3):
        ahead += s.forward[k] * (s.com[k] + 0.3 * s.com_velocity[k] - 0.5 * (s.anchor[w[0], k] + s.anchor[w[1], k]))
    for j in w:
        out[0, j] += p[2] * (ahead - 0.05)
    return 0.0


human = character("human")
scene = build_scene(human)
ankles = [human.dof_index("left_ankle_pitch"), human.dof_index("right_ankle_pitch")]
batch = SimBatch(scene, 16, [stand.use(wiring=ankles), push_of(human, newtons=40.0, duration_s=0.2)])
motion = batch.advance(3.0, record_hz=60)
print(f"{batch.running.sum()} of 16 stand; pelvis at {batch.qpos[:, 2].mean():.2f} m")
if gl.choose():
    shown = Push(time_s=1.0, duration_s=0.2, force_n=(40.0, 0.0, 0.0), body="torso")
    film(scene.spec, Take(qpos=motion.row(0), rate_hz=60, caption="my law", pushes=(shown,)), "runs/my_law.mp4", view="side")
