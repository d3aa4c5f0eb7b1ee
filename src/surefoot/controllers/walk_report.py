"""What the meters say about a walk: sums of a batch turned into means with names and units, one number for each row.

Read by objectives, claims and tables. The meters themselves are compiled (`surefoot.physics.meters`).
"""

from __future__ import annotations

import numpy as np

from surefoot.physics.batch import SimBatch
from surefoot.physics.law import Part
from surefoot.physics.meters import FOOT, E, F, S, effort_of, footing_of, posture_of


def walk_meters(batch_character, after_s: float = 2.0, heading_rad: float = 0.0) -> list[Part]:
    """The three meters of a walk."""
    return [
        effort_of(batch_character, after_s=after_s),
        footing_of(batch_character, after_s=after_s),
        posture_of(batch_character, after_s=after_s, heading_rad=heading_rad),
    ]


def walk_report(batch: SimBatch) -> dict[str, np.ndarray]:
    """Named means (rows,) from the meters `effort`, `footing` and `posture` of a batch; NaN where nothing was measured."""
    with np.errstate(divide="ignore", invalid="ignore"):
        report = _posture(batch.memory("posture"))
        report |= _effort(batch.memory("effort"), batch.scene.slices[0].character.mass_kg, report["speed_mps"])
        report |= _footing(batch.memory("footing"), batch.scene.slices[0].character.mass_kg)
    report["seconds"] = batch.time_s.copy()
    report["fallen"] = (~batch.running).astype(float)
    return report


def _posture(m: np.ndarray) -> dict[str, np.ndarray]:
    t = m[:, S.time_s]

    def mean(i: int) -> np.ndarray:
        return m[:, i] / t

    def spread(i: int) -> np.ndarray:
        return np.sqrt(np.maximum(0.0, mean(i + 1) - mean(i) ** 2))

    arm_leg = mean(S.arm_leg) / np.sqrt(np.maximum(1e-12, mean(S.leg_2) * np.maximum(1e-12, spread(S.arm) ** 2)))
    return {
        "speed_mps": mean(S.forward_m),
        "drift_m": np.abs(m[:, S.drift_m]),
        "drift_most_m": m[:, S.drift_most_m],
        "sideways_mps2": mean(S.sideways_2),
        "vertical_mps2": mean(S.vertical_2),
        "trunk_pitch_rad": mean(S.pitch),
        "trunk_pitch_sd_rad": spread(S.pitch),
        "trunk_roll_sd_rad": spread(S.roll),
        "pelvis_list_sd_rad": spread(S.pelvis_roll),
        "twist_sd_rad": spread(S.twist),
        "turn_rad": mean(S.turn),
        "turn_2": mean(S.turn_2),
        "pelvis_turn_sd_rad": spread(S.turn),
        "twist_against_turn": mean(S.twist_turn) / np.maximum(1e-9, spread(S.twist) * spread(S.turn)),
        "head_spin_2": mean(S.head_spin_2),
        "trunk_spin_2": mean(S.trunk_spin_2),
        "arm_swing_sd_rad": spread(S.arm),
        "arm_with_leg": arm_leg,
        "com_height_m": mean(S.com_height),
        "com_height_sd_m": spread(S.com_height),
    }


def _effort(m: np.ndarray, mass_kg: float, speed: np.ndarray) -> dict[str, np.ndarray]:
    t = m[:, E.time_s]
    return {
        "torque_share_2": m[:, E.torque_share_2] / t,
        "torque_2_nm2": m[:, E.torque_2] / t,
        "power_w": m[:, E.power_w] / t,
        "cost_of_transport": m[:, E.power_w] / t / (mass_kg * 9.81 * np.maximum(0.05, np.abs(speed))),
    }


def _footing(m: np.ndarray, mass_kg: float) -> dict[str, np.ndarray]:
    t = m[:, F.time_s]
    feet = m[:, len(F) :].reshape(m.shape[0], -1, len(FOOT))
    strikes = feet[:, :, FOOT.strikes]
    total, leaves = strikes.sum(axis=1), feet[:, :, FOOT.leaves].sum(axis=1)

    def per_foot(i: int) -> np.ndarray:
        return feet[:, :, i] / strikes

    def mean(i: int) -> np.ndarray:
        return feet[:, :, i].sum(axis=1) / total

    def uneven(i: int) -> np.ndarray:
        """Difference between feet as a share of their mean."""
        each = per_foot(i)
        return np.abs(each[:, 0] - each[:, -1]) / np.maximum(1e-6, np.abs(each.mean(axis=1)))

    return {
        "steps": total,
        "step_s": mean(FOOT.step_s),
        "step_m": mean(FOOT.length_m),
        "width_m": mean(FOOT.width_m),
        "uneven_step_s": uneven(FOOT.step_s),
        "uneven_step_m": uneven(FOOT.length_m),
        "uneven_knee": uneven(FOOT.swing_knee_sum),
        "double_support": m[:, F.double_s] / t,
        "flight": m[:, F.flight_s] / t,
        "peak_load_bw": m[:, F.peak_load_n] / (mass_kg * 9.81),
        "hard_landing": m[:, F.hard_n2s] / t,
        "heel_first": mean(FOOT.heel_first),
        "heel_lead_s": mean(FOOT.heel_lead_s),
        "clearance_m": mean(FOOT.clearance_m),
        "least_clearance_m": feet[:, :, FOOT.least_clearance_m].min(axis=1),
        "gap_m": mean(FOOT.gap_sum_m),
        "slip_m": feet[:, :, FOOT.slip_sum_m].sum(axis=1) / leaves,
        "slip_most_m": feet[:, :, FOOT.slip_most_m].max(axis=1),
        "strike_pitch_rad": mean(FOOT.strike_pitch),
        "leave_pitch_rad": mean(FOOT.leave_pitch),
        "strike_knee_rad": mean(FOOT.strike_knee),
        "stance_knee_rad": feet[:, :, FOOT.stance_knee_sum].sum(axis=1) / leaves,
        "swing_knee_rad": mean(FOOT.swing_knee_sum),
        "swing_hip_rad": mean(FOOT.hip_most_sum),
    }
