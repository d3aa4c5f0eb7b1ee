"""The pd law: every joint a spring and damper towards a pose, torque = kp (target - q) - kd v.

Poses and gains are rows of the part's table, and a parameter names the row, so simulations of one batch hold different
poses. The law gives its springs and dampers to the integrator as such, which keeps it stable at large steps. A walk that
moves its targets is `simbicon`; the list of laws is `roster`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from surefoot.characters import Character
from surefoot.errors import WrongValue
from surefoot.physics.law import Part, Sight, law, names

P = names("pose")
"""Parameter: row of the table."""


@law(parameters=P._fields)
def pd(s: Sight, w: np.ndarray, table: np.ndarray, p: np.ndarray, m: np.ndarray, out: np.ndarray) -> float:
    """Joint PD towards a pose of the table (poses, 3 n): n targets in rad, n kp in Nm/rad, n kd in Nms/rad.

    A row that asks for a pose that the table lacks gets no number for an answer and is reported as diverged.
    """
    n = s.q.size
    known = 0.0 <= p[P.pose] < table.shape[0]  # false for NaN too
    pose = int(p[P.pose]) if known else 0
    for j in range(n):
        kp, kd = table[pose, n + j], table[pose, 2 * n + j]
        out[0, j] = kp * (table[pose, j] - s.q[j]) - kd * s.v[j] if known else math.nan
        out[1, j] = kp
        out[2, j] = kd
    return 0.0


def pd_of(
    character: Character,
    poses_rad: Sequence[Sequence[float]] | np.ndarray | None = None,
    *,
    stiffness_nm: np.ndarray | None = None,
    damping_nms: np.ndarray | None = None,
    index: int = 0,
    name: str = "pd",
    pose: int = 0,
) -> Part:
    """`pd` of a character, the scene's number `index`; without poses it stands, without gains it has its customary servos.

    Args:
      character: whose joints.
      poses_rad: (poses, n) or (n,) targets.
      stiffness_nm: (n,) or (poses, n), Nm/rad.
      damping_nms: (n,) or (poses, n), Nm s/rad.
      index: which character of the scene, counted from 0.
      name: of the part in the batch.
      pose: the row of poses that every simulation starts with.
    """
    n = character.dof_count
    targets = np.atleast_2d(np.zeros(n) if poses_rad is None else np.asarray(poses_rad, float))
    gains = [
        character.servo_stiffness_nm if stiffness_nm is None else np.asarray(stiffness_nm, float),
        character.servo_damping_nms if damping_nms is None else np.asarray(damping_nms, float),
    ]
    for kind, numbers in (("poses_rad", targets), ("stiffness_nm", gains[0]), ("damping_nms", gains[1])):
        if numbers.shape[-1:] != (n,) or numbers.shape[:-1] not in ((), (targets.shape[0],)):
            raise WrongValue(f"{kind} has the shape {numbers.shape}: character '{character.name}' has {n} degrees of freedom")
    rows = [targets, *(np.broadcast_to(gain, targets.shape) for gain in gains)]
    return pd.use(name=name, character=index, table=np.hstack(rows), pose=float(pose))
