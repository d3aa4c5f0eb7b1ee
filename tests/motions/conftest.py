"""What the tests of motions share: simulated-looking positions of any character, and a clip of the human."""

from collections.abc import Callable

import mujoco
import numpy as np
import pytest

from surefoot.characters import Character, attach, character
from surefoot.motions import Clip, Skeleton, clip_of, skeleton_of

RATE_HZ = 60.0


def compiled(who: Character, prefix: str = "") -> mujoco.MjModel:
    """A model with this character in it."""
    spec = mujoco.MjSpec()
    attach(who, spec, prefix)
    return spec.compile()


def wandering(model: mujoco.MjModel, count: int = 90, seed: int = 0) -> np.ndarray:
    """(count, nq): smooth and wild motion of every degree of freedom; the root tumbles through every orientation."""
    generator = np.random.Generator(np.random.Philox(seed))
    qpos, velocity = model.qpos0.copy(), np.zeros(model.nv)
    found = np.empty((count, model.nq))
    for t in range(count):
        velocity = 0.95 * velocity + 0.4 * generator.standard_normal(model.nv)
        mujoco.mj_integratePos(model, qpos, velocity, 1.0 / RATE_HZ)
        found[t] = qpos
    return found


@pytest.fixture(scope="session")
def skeleton() -> Skeleton:
    """The human's."""
    return skeleton_of(character("human"))


@pytest.fixture(scope="session")
def clip() -> Clip:
    """A second and a half of the human, tumbling."""
    human = character("human")
    model = compiled(human)
    return clip_of(human, model, wandering(model), RATE_HZ, name="tumble")


@pytest.fixture(scope="session")
def model_of() -> Callable[..., mujoco.MjModel]:
    """`model_of(character, prefix)` compiles it."""
    return compiled


@pytest.fixture(scope="session")
def wander() -> Callable[..., np.ndarray]:
    """`wander(model, count, seed)` gives positions."""
    return wandering
