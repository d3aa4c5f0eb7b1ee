"""Tables of docs/choices.md from the rows of results/choices.json; the text between them is written by hand.

A table stands between `<!-- table NAME -->` and `<!-- end -->`, a number in the text between `<!-- value ROW FORMAT -->` and
`<!-- end -->`; both are replaced when the command runs, so that no number on the page is typed. Rows come from `choice_rows`.
"""

from __future__ import annotations

import pathlib
import re
from collections.abc import Callable, Mapping, Sequence

from choice_cheap import scenes_of
from choice_joints import GAIN_SETS, HERTZ, INTEGRATORS, WAYS
from choice_laws import HOLD_HERTZ, HOLD_WAYS, WALK_HERTZ, WALK_WAYS
from choice_rows import Row, Study
from choice_step import FORCES_N, hertz
from choice_swings import SWINGS
from surefoot.characters import character
from surefoot.files import written_whole
from surefoot.physics.scene import TIME_STEPS_S

Rows = Mapping[str, Row]
MARK = re.compile(r"<!-- (?P<kind>table|value) (?P<name>[\w.]+)(?: (?P<form>\S+))? -->(?P<old>.*?)<!-- end -->", re.DOTALL)
NOTHING = "–"


def number(rows: Rows, name: str, form: str, times: float = 1.0) -> str:
    """A row's value alone."""
    row = rows.get(name)
    return NOTHING if row is None or row.value is None else f"{times * row.value:{form}}"


def spread(rows: Rows, name: str, form: str, times: float = 1.0) -> str:
    """A row's value with its interval."""
    row = rows.get(name)
    if row is None or row.value is None or row.low is None or row.high is None:
        return number(rows, name, form, times)
    return f"{times * row.value:{form}} ({times * row.low:{form}} to {times * row.high:{form}})"


def grid(head: Sequence[str], lines: Sequence[Sequence[str]]) -> str:
    """A Markdown table, first column to the left, the others to the right."""
    rule = ["---", *["---:"] * (len(head) - 1)]
    return "\n".join("| " + " | ".join(line) + " |" for line in (head, rule, *lines))


def step_walk(rows: Rows) -> str:
    """Study (a): the walk at each step."""
    head = ["integrator, step", "stood", "speed m/s", "step s", "peak load, body weights", "cost of transport", "cycle off by °"]
    head += [f"stood {force:g} N" for force in FORCES_N]
    lines = []
    for integrator in INTEGRATORS:
        for step in TIME_STEPS_S:
            at = f"step.{integrator}.{hertz(step)}"
            line = [f"{integrator}, 1/{hertz(step)}", spread(rows, f"{at}.stood", ".2f"), spread(rows, f"{at}.speed_mps", ".3f")]
            line += [number(rows, f"{at}.step_s", ".3f"), spread(rows, f"{at}.peak_load_bw", ".2f")]
            line += [spread(rows, f"{at}.cost_of_transport", ".3f"), number(rows, f"{at}.cycle_difference_deg", ".2f")]
            lines.append(line + [spread(rows, f"{at}.push_{force:g}", ".2f") for force in FORCES_N])
    return grid(head, lines)


def step_time(rows: Rows) -> str:
    """Study (a): what a step costs, and what does not depend on the walk."""
    head = ["integrator, step", "µs a step", "steps/s, one core", "simulated s/s, one core", "time, default = 1"]
    head += ["limp energy made in 2 s, %", "stiffest hold Nm/rad", "and with light damping"]
    lines = []
    for integrator in INTEGRATORS:
        for step in TIME_STEPS_S:
            at = f"step.{integrator}.{hertz(step)}"
            row = rows.get(f"{at}.step_us")
            a_second = NOTHING if row is None or not row.value else f"{1e6 / row.value:,.0f}"
            line = [f"{integrator}, 1/{hertz(step)}", number(rows, f"{at}.step_us", ".1f"), a_second]
            line += [number(rows, f"{at}.simulated_s_per_s", ".0f"), spread(rows, f"{at}.time_ratio", ".2f")]
            line += [spread(rows, f"{at}.limp_energy_drift", ".2f", 100.0), number(rows, f"{at}.stiffest_hold_nm", ",.0f")]
            lines.append([*line, number(rows, f"{at}.stiffest_light_hold_nm", ",.0f")])
    return grid(head, lines)


def joint_swings(rows: Rows) -> str:
    """Study (b): how each way tracks each swing at 1/240 s under implicitfast."""
    head = ["swing", "way", "error rms rad", "error most rad", "limb speed rad/s", "DoF rate rad/s", "DoF torque Nm"]
    fields = ("error_rms_rad", "error_max_rad", "speed_max_radps", "rate_max_radps", "torque_max_nm")
    forms = (".3f", ".2f", ".1f", ".1f", ".0f")
    lines = []
    for swing in SWINGS:
        for way in WAYS:
            at = f"joints.{swing}.{way}.implicitfast.240"
            lines.append([swing, way.replace("_", " "), *(number(rows, f"{at}.{f}", form) for f, form in zip(fields, forms, strict=True))])
    return grid(head, lines)


def joint_steps(rows: Rows) -> str:
    """Study (b): steps and integrators."""
    head = ["way", "integrator", *(f"cartwheel error rms, 1/{rate}" for rate in HERTZ)]
    head += ["coarsest stable", "at ten times the gains", "at a tenth of the damping", "time of a step, hinges = 1"]
    lines = []
    for way in WAYS:
        for integrator in INTEGRATORS:
            line = [way.replace("_", " "), integrator]
            line += [number(rows, f"joints.cartwheel.{way}.{integrator}.{rate}.error_rms_rad", ".3f") for rate in HERTZ]
            for gains in GAIN_SETS:
                rate = number(rows, f"joints.coarsest_stable_hz.{way}.{integrator}.{gains}", ".0f")
                line.append(rate if rate == NOTHING else f"1/{rate} s")
            lines.append([*line, spread(rows, f"joints.time_ratio.{way}.{integrator}", ".2f")])
    return grid(head, lines)


def law_holds(rows: Rows, kind: str) -> str:
    """Study (c): the stiffest hold that settles."""
    lines = [
        [way, integrator, *(number(rows, f"laws.hold.{way}.{integrator}.{kind}.{rate}", ",g") for rate in HOLD_HERTZ)]
        for way in HOLD_WAYS
        if kind == "limited" or way != "secant"
        for integrator in INTEGRATORS
    ]
    return grid(["way", "integrator", *(f"1/{rate}" for rate in HOLD_HERTZ)], lines)


def law_walk(rows: Rows) -> str:
    """Study (c): the walk under each way."""
    head = ["way", "integrator", *(f"stood, 1/{rate}" for rate in WALK_HERTZ)]
    head += ["stood 150 N, 1/240", "speed m/s, 1/240", "cost of transport, 1/240"]
    lines = []
    for way, integrator in WALK_WAYS:
        at = f"laws.walk.{way}.{integrator}"
        line = [way, integrator, *(spread(rows, f"{at}.{rate}.stood", ".2f") for rate in WALK_HERTZ)]
        line += [spread(rows, f"{at}.240.push_150", ".2f"), number(rows, f"{at}.240.speed_mps", ".3f")]
        lines.append([*line, number(rows, f"{at}.240.cost_of_transport", ".3f")])
    return grid(head, lines)


def law_exact(rows: Rows) -> str:
    """Study (c): errors of a saturated swing, and of a blend."""
    lines = []
    for way in ("law", "secant", "joints"):
        errors = [spread(rows, f"laws.saturated_error_rad.{way}.{integrator}.240", ".4f") for integrator in INTEGRATORS]
        lines.append([f"saturated swing at 1/240 s, {way}, error rms rad", *errors])
    gaps = [number(rows, f"laws.blend_difference_rad.{integrator}", ".1g") for integrator in INTEGRATORS]
    return grid(["", *INTEGRATORS], [*lines, ["blend of two PDs less the PD of blended gains, most rad", *gaps]])


def cheap(rows: Rows) -> str:
    """Study (d): every variant."""
    head = ["variant", "time, default = 1", "stood", "speed m/s", "step s", "peak load, body weights", "slip mm", "stood 150 N"]
    lines = []
    for name in scenes_of(character("human")):
        at = f"cheap.{name}"
        line = [name.replace("_", " "), spread(rows, f"{at}.time_ratio", ".2f"), spread(rows, f"{at}.stood", ".2f")]
        line += [spread(rows, f"{at}.speed_mps", ".3f"), number(rows, f"{at}.step_s", ".3f"), spread(rows, f"{at}.peak_load_bw", ".2f")]
        lines.append([*line, number(rows, f"{at}.slip_m", ".0f", 1000.0), spread(rows, f"{at}.push_150", ".2f")])
    return grid(head, lines)


def sources(studies: Mapping[str, Study]) -> str:
    """Which command made what, with which gait."""
    return grid(
        ["command", "gait", "size", "wall time s"],
        [[f"`{study.command}`", study.gait, study.size, f"{study.wall_s:.0f}"] for study in studies.values()],
    )


TABLES: dict[str, Callable[[Rows], str]] = {
    "step_walk": step_walk,
    "step_time": step_time,
    "joint_swings": joint_swings,
    "joint_steps": joint_steps,
    "law_holds_unlimited": lambda rows: law_holds(rows, "unlimited"),
    "law_holds_light": lambda rows: law_holds(rows, "light"),
    "law_holds_limited": lambda rows: law_holds(rows, "limited"),
    "law_walk": law_walk,
    "law_exact": law_exact,
    "cheap": cheap,
}


def filled(text: str, studies: Mapping[str, Study]) -> str:
    """The page with every table and every number as the results have it."""
    rows = {row.name: row for study in studies.values() for row in study.rows}
    tables = {**TABLES, "sources": lambda _: sources(studies)}

    def new(found: re.Match[str]) -> str:
        opening = found[0][: found.start("old") - found.start()]
        if found["kind"] == "table":
            return f"{opening}\n{tables[found['name']](rows)}\n<!-- end -->"
        return f"{opening}{number(rows, found['name'], found['form'] or 'g')}<!-- end -->"

    return MARK.sub(new, text)


def refresh(page: pathlib.Path, studies: Mapping[str, Study]) -> None:
    """Bring the page up to date, in place."""
    text = filled(page.read_text(encoding="utf-8"), studies)
    with written_whole(page) as part:
        part.write_text(text, encoding="utf-8")
