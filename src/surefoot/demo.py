"""The demo: a human walks, is pushed from eight sides within and beyond what it survives, and falls or keeps walking.

`run_demo` simulates, films, writes motion and table; what may be asked and what is answered is in `demo_options`, flags and
printing in `surefoot.cli.demo`. Whoever falls lets go: the walking law fades and the body settles on the ground.
"""

from __future__ import annotations

import dataclasses
import math
import time
from pathlib import Path

import numpy as np

from surefoot.characters import Character, character
from surefoot.controllers.gait import Gait, load_gait
from surefoot.controllers.pd import pd_of
from surefoot.controllers.starts import first_phase, perturbed_starts
from surefoot.demo_options import DIRECTIONS, DemoOptions, DemoReport, Direction, PushOutcome
from surefoot.errors import WrongValue
from surefoot.files import written_whole
from surefoot.filming import Note, Push, Shot, Take, contact_sheet, film, gl
from surefoot.motions import clip_of, skeleton_of, write_bvh
from surefoot.physics.batch import SimBatch
from surefoot.physics.disturbances import push_of
from surefoot.physics.events import fall_of
from surefoot.physics.scene import Scene, build_scene
from surefoot.seeding import SeedTree

TRIALS = 12
"""Perturbed starts for each direction and force."""
WITHIN_N, BEYOND_N = 100.0, 250.0
"""What the library's walk survives from every side, and what throws it over from most (results/gaits)."""
PUSHED_AT_S, PUSH_S, AFTER_S = 2.0, 0.4, 3.6
SHOWN_AFTER_S = 2.8
"""So long after a push the film goes on."""
RECORD_HZ = 60.0
FALL_SHOWN_S = 2.0
"""So much of a fall is simulated."""


@dataclasses.dataclass(frozen=True, kw_only=True, eq=False)
class Pushed:
    """All simulations of a demo."""

    scene: Scene
    """Where they all ran."""
    directions: tuple[Direction, ...]
    """Second axis of `stood`."""
    forces_n: tuple[float, ...]
    """First axis of `stood`."""
    stood: np.ndarray
    """(forces, directions, trials)"""
    motion: list[np.ndarray]
    """qpos (T, nq) of every simulation, in the order of `stood`."""
    fell_s: np.ndarray
    """When each one fell; NaN where it did not."""


def run_demo(options: DemoOptions) -> DemoReport:
    """Simulate, then write what can be written here: film, contact sheet, motion, table."""
    began = time.monotonic()
    who = character(options.character)
    gait = load_gait(options.gait if options.gait.endswith(".toml") else f"{options.character}/{options.gait}")
    pushed = simulate(who, gait, options)
    options.out.mkdir(parents=True, exist_ok=True)
    files = _pictures(pushed, options) if gl.choose() else []
    motion = options.out / "walk.bvh"
    write_bvh(motion, skeleton_of(who), clip_of(who, pushed.scene.model, pushed.motion[0], RECORD_HZ))
    outcomes = tuple(
        PushOutcome(direction=direction, push_n=force, trials=TRIALS, survived=int(pushed.stood[i, j].sum()))
        for i, force in enumerate(pushed.forces_n)
        for j, direction in enumerate(pushed.directions)
    )
    report = DemoReport(
        options=options,
        outcomes=outcomes,
        files=(*files, motion, options.out / "pushes.txt"),
        elapsed_s=time.monotonic() - began,
        not_drawn="" if files else gl.install_hint(),
    )
    with written_whole(options.out / "pushes.txt") as path:
        path.write_text(report.table() + "\n", encoding="utf-8")
    return dataclasses.replace(report, elapsed_s=time.monotonic() - began)


def simulate(who: Character, gait: Gait, options: DemoOptions) -> Pushed:
    """Walk from perturbed starts and push; the same starts for every direction and force."""
    sides: tuple[Direction, ...] = DIRECTIONS if who.root == "free" else ("forward", "back")
    if options.direction is not None and options.direction not in sides:
        raise WrongValue(f"character '{who.name}' moves in a plane: push it {' or '.join(sides)}, not {options.direction}")
    directions = (options.direction,) if options.direction else sides
    forces = (options.push_n,) if options.push_n is not None else (WITHIN_N, BEYOND_N)
    scene = build_scene(who, touching=frozenset({"foot", "body", "hand"}))
    shape = (len(forces), len(directions), TRIALS)
    rows = math.prod(shape)
    limp = pd_of(who, stiffness_nm=0.02 * who.servo_stiffness_nm, damping_nms=0.2 * who.servo_damping_nms, name="limp")
    parts = [gait.walk(first_phase=first_phase(gait)), limp, push_of(who, start_s=PUSHED_AT_S, duration_s=PUSH_S), fall_of(who)]
    batch = SimBatch(scene, rows, parts, endings=["fall"], seed=options.seed)
    seeds = SeedTree(root=options.seed).child("demo")
    starts = perturbed_starts(scene, gait, TRIALS, seeds.generator("starts"), angle_rad=0.03, spin_radps=0.15, speed_mps=0.1)
    copies = rows // TRIALS
    batch.reset(qpos=np.tile(starts[0], (copies, 1)), qvel=np.tile(starts[1], (copies, 1)))
    angles = np.array([math.radians(45.0 * DIRECTIONS.index(direction)) for direction in directions])
    batch.parameter("push", "newtons")[:] = np.broadcast_to(np.array(forces)[:, None, None], shape).ravel()
    batch.parameter("push", "angle_rad")[:] = np.broadcast_to(angles[None, :, None], shape).ravel()
    batch.weight("limp")[:] = 0.0
    walking = batch.advance(PUSHED_AT_S + PUSH_S + AFTER_S, record_hz=RECORD_HZ)
    assert walking is not None
    fallen = ~batch.running
    fell_s = np.where(fallen, batch.time_s, np.nan)
    batch.resume(fallen)
    batch.parameter("fall", "height_m")[fallen] = -10.0  # who lies, feet up perhaps, cannot fall once more
    batch.weight("walk")[fallen], batch.weight("limp")[fallen] = 0.0, 1.0
    falling = batch.advance(FALL_SHOWN_S, record_hz=RECORD_HZ)
    assert falling is not None
    motion = [
        np.concatenate([walking.row(row), falling.row(row)])[: walking.qpos.shape[1]] if fallen[row] else walking.row(row)
        for row in range(rows)
    ]
    return Pushed(
        scene=scene, directions=directions, forces_n=forces, stood=~fallen.reshape(shape), motion=motion, fell_s=fell_s.reshape(shape)
    )


def _takes(pushed: Pushed, force: int) -> list[Take]:
    """One take for each direction: of its trials, one that ended as most of them did."""
    takes = []
    for j, direction in enumerate(pushed.directions):
        stood = pushed.stood[force, j]
        trial = int(np.flatnonzero(stood == (stood.mean() >= 0.5))[0])
        index = int(np.ravel_multi_index((force, j, trial), pushed.stood.shape))
        angle = math.radians(45.0 * DIRECTIONS.index(direction))
        newtons = pushed.forces_n[force]
        arrow = Push(
            time_s=PUSHED_AT_S,
            duration_s=PUSH_S,
            force_n=(newtons * math.cos(angle), newtons * math.sin(angle), 0.0),
            body="torso",
        )
        fell = float(pushed.fell_s[force, j, trial])
        notes = () if math.isnan(fell) else (Note(time_s=fell, text="falls"),)
        caption = f"{direction}, {newtons:g} N: {int(stood.sum())} of {stood.size} stand"
        takes.append(Take(qpos=pushed.motion[index], rate_hz=RECORD_HZ, caption=caption, pushes=(arrow,), notes=notes))
    return takes


def _pictures(pushed: Pushed, options: DemoOptions) -> list[Path]:
    """Film and contact sheet: the walk alone, then every direction in a pane of its own, within and beyond."""
    spec, takes = pushed.scene.spec, [_takes(pushed, i) for i in range(len(pushed.forces_n))]
    walk = dataclasses.replace(takes[0][0], pushes=(), notes=(), caption="")
    shots = []
    if len(pushed.directions) > 1:
        shots.append(
            Shot(takes=(walk,), view=options.camera, speed=options.slow, end_s=PUSHED_AT_S, title=f"{options.character}, {options.gait}")
        )
    for several in takes:
        shots.append(
            Shot(
                takes=tuple(several),
                view=options.camera,
                layout="grid" if len(several) > 1 else "together",
                speed=options.slow,
                start_s=PUSHED_AT_S - 0.5,
                end_s=PUSHED_AT_S + PUSH_S + SHOWN_AFTER_S,
                columns=4 if len(several) > 1 else None,
            )
        )
    movie = film(spec, shots, options.out / "demo.mp4")
    pushed_one = takes[0][pushed.directions.index("left") if "left" in pushed.directions else 0]
    instants = np.concatenate([np.linspace(0.8, 1.8, 4), PUSHED_AT_S + np.array([0.2, 0.45, 0.8, 1.6])])
    sheet = contact_sheet(spec, pushed_one, options.out / "contact-sheet.png", times_s=instants.tolist())
    return [movie.path, sheet]
