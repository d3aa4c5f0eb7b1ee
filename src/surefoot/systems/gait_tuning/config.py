"""Which numbers of a gait are tuned, in which units, and what a good walk costs.

The weights are ours, found by looking at films (docs/walking.md). The search is in `tune`, the cost in `objective`.
"""

from __future__ import annotations

import dataclasses

from surefoot.errors import UnknownName


@dataclasses.dataclass(frozen=True, kw_only=True, slots=True)
class Knob:
    """One tuned number; several places may share it."""

    paths: tuple[str, ...]
    """Places in the gait ('swing_knee_pitch.2')."""
    scale: float
    """A change of this size is worth trying first."""
    least: float = -1e9
    """No value below."""
    most: float = 1e9
    """No value above."""


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
    number("cv_far", 0.15),
    number("cvy_far", 0.15),
    number("rest_dy_m", 0.02),
    number("hip_roll_rad", 0.03),
    number("ankle_cv", 15.0),
    number("ankle_cdy", 60.0),
    number("ankle_cvy", 20.0),
    number("corridor_inside_m", 0.02),
    number("corridor_outside_m", 0.03),
    number("hurry_per_m", 2.0, least=0.0),
    number("hurry_most", 0.4, least=1.0),
    number("full_load_n", 60.0, least=20.0),
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
    """Squared error of the mean speed, (m/s)^2."""
    fall: float = 60.0
    """Falling at all."""
    early_fall: float = 150.0
    """Falling at once; less the later."""
    torque: float = 1.2
    """Sum over DoF of the mean (torque / limit)^2."""
    power: float = 0.006
    """Mean sum of |torque x rate|, W."""
    head: float = 1.0
    """Mean squared angular velocity of the head."""
    trunk: float = 2.0
    """The same of the torso."""
    sideways: float = 20.0
    """Mean squared sideways speed."""
    vertical: float = 10.0
    """Mean squared vertical speed."""
    turn: float = 20.0
    """Mean squared heading error."""
    drift: float = 2.0
    """Squared greatest distance from the straight path, m^2."""
    uneven: float = 15.0
    """Left against right: step time, half of step length, swing knee."""
    step_time: float = 600.0
    """Squared error of the step time."""
    pitch: float = 2000.0
    """Squared mean trunk pitch from 0.02 rad."""
    pitch_spread: float = 1500.0
    """Trunk pitch that varies by more than 0.02 rad."""
    stance_knee: float = 80.0
    """Mid-stance knee above 0.35 rad: a crouch."""
    strike_knee: float = 150.0
    """Knee at landing above 0.12 rad."""
    strike_pitch: float = 60.0
    """Foot at landing with its toes less than 0.22 rad up."""
    leave_pitch: float = 30.0
    """Heel less than 0.35 rad up when the other foot lands."""
    swing_knee: float = 60.0
    """Greatest swing knee out of 0.9 to 1.1 rad."""
    swing_hip: float = 300.0
    """Greatest thigh flexion above 0.5 rad."""
    clearance: float = 6000.0
    """Swing foot passes lower than 3 cm."""
    double: float = 400.0
    """Less than 16 % double support."""
    hard: float = 100.0
    """Ground force above 1.3 body weights, squared, mean over time."""
    peak: float = 20.0
    """Greatest ground force above 1.7 body weights."""
    heel_first: float = 15.0
    """Steps whose heel does not come 20 ms before the ball, and a lead under 50 ms."""
    slip: float = 1500.0
    """Sole moves more than 12 mm over the ground in a stance."""
    width: float = 200.0
    """Feet closer than 8 cm or wider than 18 cm apart."""
    gap: float = 4000.0
    """Swing ankle or knee passes the other one closer than 12 cm: legs would go through each other."""
    flight: float = 0.0
    """Less than 15 % of the time in the air: a run that does not fly."""

    @classmethod
    def of(cls, style: str) -> Weights:
        """The weights of a style of moving."""
        if style not in STYLES:
            raise UnknownName("style", style, STYLES)
        return STYLES[style]


NO_STRIDE = {"heel_first": 0.0, "strike_pitch": 0.0, "leave_pitch": 0.0, "swing_hip": 0.0}
"""Terms that belong to a walking stride and not to steps on the spot or a run."""
STYLES: dict[str, Weights] = {
    "walk": Weights(),
    "planar-walk": Weights(width=0.0, gap=0.0, speed_mps=1.1, step_s=0.45),
    "planar-run": Weights(
        **NO_STRIDE, width=0.0, gap=0.0, speed_mps=2.5, step_s=0.34, double=0.0, strike_knee=0.0, stance_knee=0.0, swing_knee=0.0,
        vertical=0.0, peak=0.0, hard=1.0, flight=600.0, power=0.002,
    ),
    "in-place": Weights(**NO_STRIDE, speed_mps=0.0, step_s=0.5, step_s_per_mps=0.0, swing_knee=20.0, double=200.0),
}  # fmt: skip
"""What a good walk, run or march costs."""


@dataclasses.dataclass(frozen=True, kw_only=True, slots=True)
class Tuning:
    """One run of the search."""

    gait: str = "human/walk"
    """Gait to start from: a name of the library or a file."""
    out: str = "runs/tune-walk"
    """Folder of the run; a run that was cut off goes on there."""
    knobs: str = "walk"
    """Which numbers are tuned: a name in SETS."""
    iterations: int = 200
    """Of the search, in all."""
    population: int = 20
    """Candidates in an iteration."""
    starts: int = 6
    """Perturbed starts a candidate; the same for all candidates of an iteration, new each iteration."""
    seconds: float = 10.0
    """Simulated time of a start."""
    sigma: float = 0.5
    """First step size, in units of the knobs' scales."""
    seed: int = 1
    """Root of all random numbers."""
    recapture: bool = False
    """Begin from a state on the gait's own cycle, captured anew."""
    threads: int = 0
    """0: all cores."""
    time_step_s: float = 1 / 240
    """Physics step."""
    start_angle_rad: float = 0.03
    """Deviation of every joint angle at the start."""
    start_speed_mps: float = 0.1
    """Deviation of the root's velocity."""
    start_spin_radps: float = 0.15
    """Deviation of every joint rate."""
    push_n: float = 0.0
    """Disturbed starts (every second one): pushes of 0.6 to 1.2 times this for 0.4 s every 4 s, random direction."""
    heading_rad: float = 0.0
    """Disturbed starts: a heading change at half time, up to this either way."""
    disturbed_looks: float = 0.25
    """Share of the looks that a disturbed start pays for: while it recovers it may look as it likes."""
    calm: int = 0
    """Starts that are left undisturbed; 0: every second one."""
    speed_range_mps: tuple[float, float] = (0.0, 0.0)
    """Starts ask for speeds from this much below to this much above the wanted one."""
    style: str = ""
    """A style in STYLES, instead of `weights`."""
    description: str = ""
    """One line for the gait file."""
    weights: Weights = dataclasses.field(default_factory=Weights)
    """What a good walk costs."""
