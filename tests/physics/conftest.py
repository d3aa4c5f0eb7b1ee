"""Scenes that the tests of the physics core share, compiled once, and batches with everything in them that could leak."""

from collections.abc import Callable

import numpy as np
import pytest

from surefoot.characters import Character, character
from surefoot.controllers.gait import load_gait
from surefoot.controllers.pd import pd_of
from surefoot.controllers.walk_report import walk_meters
from surefoot.physics.batch import SimBatch
from surefoot.physics.disturbances import delay_of, motor_noise_of, push_of
from surefoot.physics.events import clock, fall_of, foot_strike_of, tumble_of
from surefoot.physics.law import Part
from surefoot.physics.overrides import Override
from surefoot.physics.scene import Scene, build_scene

WALK = "human/walk"
"""Used as a law that runs: no test here asks whether it walks well."""


@pytest.fixture(scope="session")
def human() -> Character:
    return character("human")


@pytest.fixture(scope="session")
def scene(human: Character) -> Scene:
    return build_scene(human)


@pytest.fixture(scope="session")
def biped() -> Scene:
    return build_scene(character("biped2d"))


def everything(who: Character, time_step_s: float) -> list[Part]:
    """The walk with a part of every other kind."""
    return [
        load_gait(WALK).walk(),
        push_of(who, newtons=150.0, start_s=0.1, every_s=0.3, random=1.0),
        motor_noise_of(who, who.servo_stiffness_nm, beta=2.0),
        delay_of(who, 2 * time_step_s, time_step_s),
        *walk_meters(who, after_s=0.05),
        fall_of(who),
        tumble_of(who),
        foot_strike_of(who, refractory_s=0.1),
        clock.use(at_s=0.2),
    ]


def scatter(batch: SimBatch, seed: int = 0) -> None:
    """Starts in which every row differs: some stumble, some are thrown."""
    generator = np.random.default_rng(seed)
    batch.qpos[:, 7:] += 0.1 * generator.standard_normal((batch.rows, batch.model.nq - 7))
    batch.qvel[:] += generator.standard_normal((batch.rows, batch.model.nv))
    batch.qvel[::5] *= 4.0
    batch.qpos[::7, 2] -= 0.1  # feet in the ground, thrown up
    batch.parameter("fall", "height_m")[::3] = 0.98  # what counts as a fall comes soon
    batch.parameter("walk", "speed_mps")[:] = 0.5 + generator.random(batch.rows)


@pytest.fixture
def crowd(scene: Scene, human: Character) -> Callable[..., SimBatch]:
    """`crowd(rows, threads=2, chunk=7)`: scattered rows with noise, delay, pushes, meters, events and an override."""

    def make(rows: int = 70, **options: object) -> SimBatch:
        friction = Override(array="pair_friction", index=(0, 1))
        parts = everything(human, scene.time_step_s)
        batch = SimBatch(scene, rows, parts, endings=["fall"], overrides=[friction], seed=5, **options)  # type: ignore[arg-type]
        scatter(batch)
        batch.override("pair_friction")[:] = np.linspace(0.2, 1.0, rows)[:, None]
        return batch

    return make


@pytest.fixture
def held(scene: Scene, human: Character) -> Callable[..., SimBatch]:
    """`held(rows, *more_parts, **options)`: humans that hold the rest pose."""

    def make(rows: int, *more: Part, **options: object) -> SimBatch:
        return SimBatch(scene, rows, [pd_of(human), *more], **options)  # type: ignore[arg-type]

    return make
