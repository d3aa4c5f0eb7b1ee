"""Gait tuning end to end at smoke size: the cost prefers what it should, a run resumes to the same bits, a gait is measured."""

import dataclasses
import pathlib

import numpy as np
import pytest

from surefoot.controllers.gait import load_gait, read_gait
from surefoot.errors import SurefootError
from surefoot.systems.gait_tuning.config import SETS, Tuning, Weights
from surefoot.systems.gait_tuning.measure import Measurement, measure
from surefoot.systems.gait_tuning.objective import walk_cost, walk_terms
from surefoot.systems.gait_tuning.tune import fitting, tune

GOOD = {
    "speed_mps": 1.25, "torque_share_2": 0.4, "power_w": 300.0, "head_spin_2": 0.05, "trunk_spin_2": 0.03, "sideways_mps2": 0.004,
    "vertical_mps2": 0.015, "turn_2": 0.001, "drift_most_m": 0.05, "uneven_step_s": 0.0, "uneven_step_m": 0.0, "uneven_knee": 0.0,
    "step_s": 0.53, "trunk_pitch_rad": 0.02, "trunk_pitch_sd_rad": 0.01, "stance_knee_rad": 0.3, "strike_knee_rad": 0.1,
    "strike_pitch_rad": -0.3, "leave_pitch_rad": 0.5, "swing_knee_rad": 1.0, "swing_hip_rad": 0.4, "clearance_m": 0.04,
    "least_clearance_m": 0.035, "double_support": 0.2, "hard_landing": 0.0, "peak_load_bw": 1.5, "heel_first": 1.0, "heel_lead_s": 0.06,
    "slip_m": 0.01, "width_m": 0.12, "flight": 0.0, "gap_m": 0.14, "seconds": 10.0, "fallen": 0.0,
}  # fmt: skip
"""A walk that an animator would show."""
WORSE = {
    "speed_mps": 0.8, "power_w": 900.0, "trunk_pitch_rad": 0.2, "trunk_pitch_sd_rad": 0.1, "stance_knee_rad": 0.8, "strike_knee_rad": 0.6,
    "strike_pitch_rad": 0.1, "leave_pitch_rad": 0.0, "swing_knee_rad": 0.3, "clearance_m": 0.005, "double_support": 0.02,
    "peak_load_bw": 3.4, "heel_first": 0.0, "slip_m": 0.1, "step_s": 0.3, "uneven_step_s": 0.4, "width_m": 0.4, "gap_m": 0.02,
    "drift_most_m": 1.0,
}  # fmt: skip


def cost(**changes: float) -> float:
    report = {name: np.array([changes.get(name, value)]) for name, value in GOOD.items()}
    return float(walk_cost(report, 10.0, np.array([1.25]), np.ones(1), Weights())[0])


@pytest.mark.parametrize("name", sorted(WORSE))
def test_each_fault_costs_more_than_the_walk_without_it(name: str) -> None:
    assert cost(**{name: WORSE[name]}) > cost() + 1.0


def test_falling_costs_more_than_any_ugliness_and_early_falls_most() -> None:
    ugliest = max(cost(**{name: value}) for name, value in WORSE.items())
    assert cost(fallen=1.0, seconds=9.9) > ugliest
    assert cost(fallen=1.0, seconds=1.0) > cost(fallen=1.0, seconds=9.0)


def test_unmeasured_terms_are_charged_not_skipped() -> None:
    assert cost(step_s=float("nan")) > cost() + 30.0


def test_every_weight_belongs_to_a_term() -> None:
    report = {name: np.array([value]) for name, value in GOOD.items()}
    terms = set(walk_terms(report, np.array([1.25]), Weights()))
    weights = {field.name for field in dataclasses.fields(Weights)} - {"speed_mps", "step_s", "step_s_per_mps", "fall", "early_fall"}
    assert terms == weights


@pytest.mark.parametrize("name", sorted(SETS))
def test_every_knob_names_a_place_in_the_gait_it_fits(name: str) -> None:
    for which in ("human/walk", "biped2d/walk"):
        gait = load_gait(which)
        knobs = fitting(gait, name)
        assert len(knobs) > 20
        for knob in knobs:
            for path in knob.paths:
                gait.place(path.removeprefix("slope:"))


def smoke(folder: pathlib.Path, iterations: int) -> Tuning:
    return Tuning(out=str(folder), iterations=iterations, population=6, starts=2, seconds=1.0, time_step_s=1 / 240, threads=1)


def test_a_run_that_was_cut_off_ends_with_the_same_bits(tmp_path: pathlib.Path) -> None:
    whole = tune(smoke(tmp_path / "whole" / "walk", 4), command="test")
    tune(smoke(tmp_path / "cut" / "walk", 2), command="test")
    resumed = tune(smoke(tmp_path / "cut" / "walk", 4), command="test")
    assert resumed == whole
    assert (tmp_path / "cut" / "walk" / "gait.toml").read_text() == (tmp_path / "whole" / "walk" / "gait.toml").read_text()
    assert read_gait(tmp_path / "cut" / "walk" / "gait.toml").command == "test"


def test_an_unknown_set_of_knobs_is_told() -> None:
    with pytest.raises(SurefootError, match="did you mean 'speeds'"):
        fitting(load_gait("human/walk"), "speed")


def test_measuring_gives_rows_with_counts_and_intervals() -> None:
    rows = measure(
        Measurement(
            gait="human/walk", trials=1, seconds=6.0, push_newtons=(50.0, 400.0), speeds_mps=(1.2,), parts=("walk", "push", "speed")
        )
    )
    by_name = {row.name: row for row in rows}
    assert by_name["no_fall"].count == 1
    assert {"push_f50_n.left", "push_success.forward.400", "speed_1.2.survived", "peak_load_bw"} <= set(by_name)
    assert all(row.low is None or row.low <= row.value <= (row.high or row.value) + 1e-9 for row in rows if np.isfinite(row.value))
    assert by_name["push_success.left.50"].value >= by_name["push_success.left.400"].value
