"""Every law, meter, event and disturbance: the compiled batch and the plain Python twin do the same, step after step.

The twin takes the row over before each step, so rounding does not grow and the tolerance can be tight.
"""

import dataclasses
import importlib
import inspect
import sys
from collections.abc import Callable

import numpy as np
import pytest
from numba.core.dispatcher import Dispatcher

from surefoot.characters import Character, character
from surefoot.controllers import gait as gaits
from surefoot.controllers import roster
from surefoot.controllers.pd import pd_of
from surefoot.controllers.walk_report import walk_meters
from surefoot.geometry import rotations
from surefoot.physics import features
from surefoot.physics.batch import SimBatch
from surefoot.physics.disturbances import delay_of, motor_noise_of, push, push_of
from surefoot.physics.events import clock, fall_of, foot_strike_of, tumble_of
from surefoot.physics.law import Part, PartKind, Sight, meter
from surefoot.physics.overrides import Override
from surefoot.physics.scene import Placement, Scene, build_scene

STEPS = 50
TOLERANCE = 1e-10
MODULES = ("disturbances", "meters", "events")


@meter(memory=("x", "y", "z"), momentum=True)
def spin_sum(s: Sight, w: np.ndarray, table: np.ndarray, p: np.ndarray, m: np.ndarray, out: np.ndarray) -> float:
    """Sum of angular momentum: makes the engine compute it."""
    for k in range(3):
        m[k] += s.momentum[k]
    return 0.0


def registered() -> dict[str, PartKind]:
    """Every part of the library."""
    found = {f"controllers.{name}": roster.law(name) for name in roster.names()}
    for name in MODULES:
        module = importlib.import_module(f"surefoot.physics.{name}")
        found |= {f"{name}.{part.name}": part for _, part in inspect.getmembers(module, lambda x: isinstance(x, PartKind))}
    return found


def others(who: Character, dt: float) -> list[Part]:
    """All meters, events and disturbances, all of them active."""
    return [
        push_of(who, newtons=120.0, start_s=0.02, duration_s=0.1, every_s=0.12, random=1.0),
        motor_noise_of(who, who.servo_stiffness_nm, beta=1.5),
        delay_of(who, 3 * dt, dt),
        *walk_meters(who, after_s=0.03),
        fall_of(who, share=0.97),
        tumble_of(who, lean=0.98),
        foot_strike_of(who, refractory_s=0.01),
        clock.use(at_s=0.1),
        spin_sum.use(),
    ]


def law_of(name: str, who: Character) -> Part | None:
    """The law of that name for a character, if one is there."""
    if name == "pd":
        generator = np.random.default_rng(1)
        low, high = 0.3 * who.limits_rad.T
        return pd_of(who, generator.uniform(low, high, (3, who.dof_count)))
    assert name == "simbicon", f"say here how to use the law '{name}'"
    known = [gait for gait in gaits.names() if gait.startswith(who.name + "/")]
    if not known:
        return None
    tables = [gaits.load_gait(gait).table() for gait in known]
    return gaits.load_gait(known[0]).walk(table=np.vstack([tables[0], *tables]))


CASES = [(law, name) for law in roster.names() for name in ("biped2d", "human", "human_wang") if law_of(law, character(name))]


def scattered(scene: Scene, parts: list[Part], rows: int) -> SimBatch:
    batch = SimBatch(scene, rows, parts, overrides=[Override(array="gravity"), Override(array="body_mass", index=(2,))], seed=9)
    generator = np.random.default_rng(4)
    first = scene.slices[0]
    batch.qpos[:, first.qpos :] += 0.1 * generator.standard_normal((rows, batch.model.nq - first.qpos))
    batch.qvel[:] += 0.5 * generator.standard_normal(batch.qvel.shape)
    batch.override("gravity")[1] = [-1.5, 0.0, -9.7]
    batch.override("body_mass")[-1] *= 1.2
    return batch


def compare(batch: SimBatch, twin: Callable, watched: str = "") -> bool:
    """Step batch and twins together, until an event where one is named; whether it happened."""
    happened = False
    twins = [twin(batch, row) for row in range(batch.rows)]
    for step in range(STEPS):
        for each in twins:
            each.load()
        if watched:
            fired = batch.advance_until(watched, batch.scene.time_step_s)
        else:
            batch.advance(batch.scene.time_step_s)
            fired = np.zeros(batch.rows, bool)
        for row, each in enumerate(twins):
            each.step(watched)
            worst = each.difference()
            assert all(size < TOLERANCE for size in worst.values()), f"step {step}, row {row}: {worst}"
            assert each.fired == fired[row], f"step {step}, row {row}: {watched}"
            happened |= each.fired
        assert batch.running.all()
    return happened


@pytest.mark.parametrize(("law", "name"), CASES)
def test_batch_and_twin_do_the_same(law: str, name: str, twin: Callable) -> None:
    """Three rows: as it is, on a slope by gravity, with a heavier trunk; parameters and weights differ too."""
    who = character(name)
    scene = build_scene(who)
    part = law_of(law, who)
    assert part is not None
    batch = scattered(scene, [part, *others(who, scene.time_step_s)], 3)
    batch.weight(part.name)[:] = [1.0, 0.8, 1.0]
    if law == "pd":
        batch.parameter("pd", "pose")[:] = [0, 1, 2]
    else:
        batch.parameter("walk", "gait")[:] = np.minimum([0, 1, 2], part.table.shape[0] // 2 - 1)
        batch.parameter("walk", "first_side")[:] = [1, -1, 1]
        batch.parameter("walk", "first_phase")[:] = [0.0, 0.5, 0.8]
        batch.parameter("walk", "heading_rad")[:] = [0.0, 0.5, -2.0] if who.root == "free" else 0.0
        batch.parameter("walk", "speed_mps")[:] += [0.0, 0.3, -0.4]
    before = batch.arrays.memory.copy()
    compare(batch, twin)
    for each in batch.parts:
        if each.memory_size and each.name != "fall":
            lo, hi = batch._table.m[batch._index[each.name]]
            assert (batch.arrays.memory[:, lo:hi] != before[:, lo:hi]).any(), f"{each.name} did nothing in this test"


def test_two_characters_and_their_twin_do_the_same(twin: Callable) -> None:
    human = character("human")
    scene = build_scene([Placement(character=human), Placement(character=human, prefix="b_", position_m=(0.5, 0.2), heading_rad=2.0)])
    walk, hold = law_of("simbicon", human), pd_of(human, index=1)
    assert walk is not None
    parts: list[Part] = [walk, hold]
    for i in range(2):
        torso = human.link_names.index("torso")
        parts.append(push.use(name=f"push{i}", character=i, wiring=[torso], newtons=200.0, start_s=0.0, duration_s=0.1, random=1.0))
        noise = motor_noise_of(human, human.servo_stiffness_nm, 1.0)
        parts.append(noise.kind.use(name=f"noise{i}", character=i, table=noise.table, beta=1.0))
        parts.append(spin_sum.use(name=f"spin{i}", character=i))
    compare(scattered(scene, parts, 3), twin)


def test_every_part_of_the_library_is_compared(twin: Callable) -> None:
    human = character("human")
    compared = {part.kind.name for part in others(human, 0.01)} | set(roster.names())
    missing = {name for name in registered() if name.partition(".")[2] not in compared}
    assert not missing, f"no twin test runs {sorted(missing)}"
    assert len(registered()) >= 12


@pytest.mark.parametrize("event", ["fall", "tumble", "foot_strike", "clock"])
def test_events_happen_at_the_same_step(event: str, twin: Callable) -> None:
    """And they do happen: events that never did would compare nothing."""
    human = character("human")
    scene = build_scene(human)
    batch = scattered(scene, [pd_of(human), *others(human, scene.time_step_s)], 2)
    batch.qpos[:, 2] += 0.01
    batch.parameter("fall", "height_m")[0] = 1.03
    assert compare(batch, twin, event)


def test_the_twin_is_plain_python(twin: Callable) -> None:
    """While a twin steps, no module of the library holds a compiled function; afterwards all do again."""
    human = character("human")
    seen = []

    def spy(s, w, table, p, m, out) -> float:
        seen.extend(
            word
            for name, module in sys.modules.items()
            if name.startswith("surefoot.")
            for word, value in vars(module).items()
            if isinstance(value, Dispatcher)
        )
        seen.append("called")
        return 0.0

    part = pd_of(human)
    batch = SimBatch(build_scene(human), 1, [part])
    each = twin(batch, 0)
    plain = dataclasses.replace(part, kind=dataclasses.replace(part.kind, python=spy))
    batch.parts = (plain,)
    each.step()
    assert seen == ["called"]
    assert isinstance(rotations.pitch_of, Dispatcher)
    assert isinstance(features.heading_frame, Dispatcher)


def test_a_flipped_sign_is_noticed(twin: Callable) -> None:
    """The comparison can fail: a twin with another law of the same shape differs at the first step."""
    human = character("human")
    part = pd_of(human, np.full(28, 0.1))
    batch = SimBatch(build_scene(human), 1, [part])
    each = twin(batch, 0)
    batch.advance(batch.scene.time_step_s)
    part.table[:, :28] *= -1.0
    each.step()
    assert each.difference()["torques"] > 1e-3
