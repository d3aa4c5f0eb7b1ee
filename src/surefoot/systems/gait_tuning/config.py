"""Which numbers of a gait are tuned, in which units, and what a good walk costs.

The weights are ours, found by looking at films (docs/walking.md). The search is in `tune`, the cost in `objective`.
"""

from __future__ import annotations

import dataclasses


@dataclasses.dataclass(frozen=True, kw_only=True, slots=True)
class Knob:
    """One tuned number; several places may share it."""

    paths: tuple[str, ...]
    """Places in the gait ('swing_knee_pitch.2')."""
    scale: float
    """A change of this size is worth trying first."""
    least: float = -1e9
    most: float = 1e9


def curve(name: str, scale: float, knots: int = 6) -> list[Knob]:
    """One knob for each knot."""
    return [Knob(paths=(f"{name}.{i}",), scale=scale) for i in range(knots)]


def level(name: str, scale: float, knots: int = 6, least: float = -1e9, most: float = 1e9) -> Knob:
    """One knob for a whole constant curve."""
    return Knob(paths=tuple(f"{name}.{i}" for i in range(knots)), scale=scale, least=least, most=most)


def number(name: str, scale: float, least: float = -1e9, most: float = 1e9) -> Knob:
    """One knob for one number."""
    return Knob(paths=(name,), scale=scale, least=least, most=most)


WALK_KNOBS = (
    *curve("swing_hip_pitch", 0.08),
    *curve("swing_knee_pitch", 0.10),
    *curve("swing_ankle_pitch", 0.12),
    *curve("stance_knee_pitch", 0.06),
    *curve("stance_ankle_pitch", 0.06),
    *curve("pelvis_roll", 0.02),
    level("pelvis_pitch", 0.03),
    level("torso_pitch", 0.03),
    number("step_time_s", 0.03, least=0.2),
    number("cd", 0.1),
    number("cv", 0.1),
    number("cdy", 0.15),
    number("cvy", 0.1),
    number("rest_dy_m", 0.02),
    number("hip_roll_rad", 0.03),
    number("ankle_cv", 15.0),
    number("ankle_cdy", 60.0),
    number("ankle_cvy", 20.0),
    number("corridor_inside_m", 0.02),
    number("corridor_outside_m", 0.03),
    number("hurry_per_m", 2.0, least=0.0),
    number("cross_rad", 0.08, least=0.0),
    number("inner_rad", 0.03, least=-0.05),
    number("blend_s", 0.02, least=0.02),
    number("ramp_s", 0.02, least=0.005),
    number("earliest_phase", 0.05, least=0.4, most=0.95),
    number("pelvis_kp", 200.0, least=100.0),
    number("pelvis_kd", 10.0, least=2.0),
    number("torso_kp", 120.0, least=60.0),
    number("torso_kd", 15.0, least=2.0),
    number("hip_kp", 80.0, least=50.0),
    number("hip_kd", 8.0, least=1.0),
    number("foot_kp", 10.0, least=5.0),
    number("push_off_kp", 60.0, least=10.0),
    number("stance_knee_pitch.kp", 60.0, least=30.0),
    number("swing_knee_pitch.kp", 30.0, least=15.0),
    number("stance_ankle_pitch.kp", 60.0, least=20.0),
    number("stance_knee_pitch.kd", 3.0, least=1.0),
    number("stance_ankle_pitch.kd", 2.0, least=0.5),
)
"""A walk of `human`."""

SPEED_KNOBS = (
    *(number(f"slope:swing_hip_pitch.{i}", 0.06) for i in range(6)),
    *(number(f"slope:stance_ankle_pitch.{i}", 0.05) for i in range(6)),
    *(number(f"slope:swing_knee_pitch.{i}", 0.06) for i in range(1, 5)),
    *(number(f"slope:stance_knee_pitch.{i}", 0.04) for i in range(6)),
    number("slope:step_time_s", 0.05),
    number("slope:cv", 0.08),
    Knob(paths=tuple(f"slope:pelvis_pitch.{i}" for i in range(6)), scale=0.03),
    Knob(paths=tuple(f"slope:torso_pitch.{i}" for i in range(6)), scale=0.03),
)
"""How a walk changes with the wanted speed."""

SETS = {"walk": WALK_KNOBS, "speeds": (*WALK_KNOBS, *SPEED_KNOBS)}
"""Knobs by name; those that a character lacks (rolls of a planar biped) are left out."""


@dataclasses.dataclass(frozen=True, kw_only=True, slots=True)
class Weights:
    """Cost of a walk; each term is zero when the walk is as wanted."""

    speed_mps: float = 1.25
    """Wanted mean speed."""
    step_s: float = 0.53
    """Wanted step time (recipe: a step-time target changed the look most)."""
    step_s_per_mps: float = -0.15
    """Its change with speed: people take 0.6 s at 0.8 m/s and 0.48 s at 1.6 m/s."""
    speed: float = 200.0
    fall: float = 60.0
    early_fall: float = 150.0
    torque: float = 1.2
    power: float = 0.006
    head: float = 1.0
    trunk: float = 2.0
    sideways: float = 20.0
    vertical: float = 10.0
    turn: float = 20.0
    drift: float = 2.0
    uneven: float = 15.0
    step_time: float = 600.0
    pitch: float = 400.0
    pitch_spread: float = 1500.0
    stance_knee: float = 80.0
    """Mid-stance knee above 0.35 rad: a crouch."""
    strike_knee: float = 150.0
    strike_pitch: float = 60.0
    leave_pitch: float = 30.0
    swing_knee: float = 60.0
    swing_hip: float = 300.0
    clearance: float = 6000.0
    double: float = 400.0
    hard: float = 100.0
    peak: float = 20.0
    heel_first: float = 15.0
    slip: float = 1500.0
    width: float = 200.0


@dataclasses.dataclass(frozen=True, kw_only=True, slots=True)
class Tuning:
    """One run of the search."""

    gait: str = "human/walk"
    """Gait to start from: a name of the library or a file."""
    out: str = "runs/tune-walk"
    knobs: str = "walk"
    """Which numbers are tuned: a name in SETS."""
    iterations: int = 200
    population: int = 20
    starts: int = 6
    """Perturbed starts a candidate; the same for all candidates of an iteration, new each iteration."""
    seconds: float = 10.0
    sigma: float = 0.5
    """First step size, in units of the knobs' scales."""
    seed: int = 1
    recapture: bool = False
    """Begin from a state on the gait's own cycle, captured anew."""
    threads: int = 0
    """0: all cores."""
    time_step_s: float = 1 / 240
    start_angle_rad: float = 0.03
    start_speed_mps: float = 0.1
    start_spin_radps: float = 0.15
    push_n: float = 0.0
    """Disturbed starts (every second one): pushes of 0.6 to 1.2 times this for 0.4 s every 4 s, random direction."""
    heading_rad: float = 0.0
    """Disturbed starts: a heading change at half time, up to this either way."""
    disturbed_looks: float = 0.25
    """Share of the looks that a disturbed start pays for: while it recovers it may look as it likes."""
    speed_range_mps: tuple[float, float] = (0.0, 0.0)
    """Starts ask for speeds from this much below to this much above the wanted one."""
    weights: Weights = dataclasses.field(default_factory=Weights)
