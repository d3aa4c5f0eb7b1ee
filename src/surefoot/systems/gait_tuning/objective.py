"""The cost of a walk from what the meters measured: falls first, then speed, effort and looks.

Input and output are arrays over rows; nothing here simulates. Weights and their reasons are in `config`.
"""

from __future__ import annotations

import numpy as np

from surefoot.systems.gait_tuning.config import Weights


def _over(x: np.ndarray, limit: float) -> np.ndarray:
    return np.maximum(0.0, x - limit) ** 2


def _under(x: np.ndarray, limit: float) -> np.ndarray:
    return np.maximum(0.0, limit - x) ** 2


def walk_terms(report: dict[str, np.ndarray], speed_mps: np.ndarray, weights: Weights) -> dict[str, np.ndarray]:
    """Each term of the cost, (rows,)."""
    r, w = report, weights
    return {
        "speed": w.speed * (r["speed_mps"] - speed_mps) ** 2,
        "torque": w.torque * r["torque_share_2"],
        "power": w.power * r["power_w"],
        "head": w.head * r["head_spin_2"],
        "trunk": w.trunk * r["trunk_spin_2"],
        "sideways": w.sideways * r["sideways_mps2"],
        "vertical": w.vertical * r["vertical_mps2"],
        "turn": w.turn * r["turn_2"],
        "drift": w.drift * r["drift_most_m"] ** 2,
        "uneven": w.uneven * (r["uneven_step_s"] + 0.5 * r["uneven_step_m"] + r["uneven_knee"]),
        "step_time": w.step_time * (r["step_s"] - w.step_s - w.step_s_per_mps * (speed_mps - w.speed_mps)) ** 2,
        "pitch": w.pitch * (r["trunk_pitch_rad"] - 0.02) ** 2,
        "pitch_spread": w.pitch_spread * _over(r["trunk_pitch_sd_rad"], 0.02),
        "stance_knee": w.stance_knee * _over(r["stance_knee_rad"], 0.33),
        "strike_knee": w.strike_knee * _over(r["strike_knee_rad"], 0.12),
        "strike_pitch": w.strike_pitch * _over(r["strike_pitch_rad"], -0.22),
        "leave_pitch": w.leave_pitch * _under(r["leave_pitch_rad"], 0.35),
        "swing_knee": w.swing_knee * (_over(r["swing_knee_rad"], 1.10) + _under(r["swing_knee_rad"], 0.9)),
        "swing_hip": w.swing_hip * _over(r["swing_hip_rad"], 0.50),
        "clearance": w.clearance * _under(np.minimum(r["clearance_m"], r["least_clearance_m"] + 0.008), 0.03),
        "double": w.double * _under(r["double_support"], 0.16),
        "hard": w.hard * r["hard_landing"],
        "peak": w.peak * _over(r["peak_load_bw"], 1.7),
        "heel_first": w.heel_first * (1.0 - r["heel_first"]) + 40.0 * w.heel_first * _under(r["heel_lead_s"], 0.05),
        "slip": w.slip * np.maximum(0.0, r["slip_m"] - 0.012),
        "flight": w.flight * _under(r["flight"], 0.15),
        "gap": w.gap * _under(r["gap_m"], 0.12),
        "width": w.width * (_under(r["width_m"], 0.08) + _over(r["width_m"], 0.18)) * 10.0,
    }


def walk_cost(report: dict[str, np.ndarray], seconds: float, speed_mps: np.ndarray, looks: np.ndarray, weights: Weights) -> np.ndarray:
    """Cost of each row: terms of the walk, each bounded so that none can hide the others, and the price of a fall.

    looks (rows,): the share of all terms but speed that a row pays.
    """
    total = np.zeros(speed_mps.shape)
    for name, term in walk_terms(report, speed_mps, weights).items():
        if name == "speed":  # in full: a run that is tuned from a walk has a long way to go
            total += np.minimum(np.nan_to_num(term, nan=400.0, posinf=400.0), 400.0)
        else:
            total += looks * np.minimum(np.nan_to_num(term, nan=40.0, posinf=40.0), 40.0)
    early = 1.0 - np.minimum(1.0, report["seconds"] / seconds)
    fallen = report["fallen"] > 0
    return total + np.where(fallen, weights.fall + weights.early_fall * early, 0.0)
