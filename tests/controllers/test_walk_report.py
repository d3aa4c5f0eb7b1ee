"""Meters and their report against what a recording of the same simulation says."""

import numpy as np
import pytest

from surefoot.characters import character
from surefoot.controllers.gait import load_gait
from surefoot.controllers.pd import pd_of
from surefoot.controllers.walk_report import walk_meters, walk_report
from surefoot.physics.batch import SimBatch
from surefoot.physics.events import fall_of
from surefoot.physics.scene import build_scene
from surefoot.physics.trajectory import Trajectory

AFTER_S, SECONDS = 0.1, 1.2


@pytest.fixture(scope="module")
def measured() -> tuple[SimBatch, Trajectory]:
    human = character("human")
    batch = SimBatch(build_scene(human), 3, [load_gait("human/walk").walk(), *walk_meters(human, after_s=AFTER_S)])
    batch.qvel[:, 0] += [0.3, 0.8, 1.3]
    path = batch.advance(SECONDS, record_hz=240, channels=("qpos", "qvel", "actuator_force", "sensordata", "subtree_com"))
    assert path is not None
    assert batch.running.all()
    return batch, path


def after(path: Trajectory, channel: str) -> np.ndarray:
    return path.channels[channel][:, round(AFTER_S * 240) :]


def test_effort_is_what_torques_and_rates_say(measured: tuple[SimBatch, Trajectory]) -> None:
    batch, path = measured
    report = walk_report(batch)
    torque, rate = after(path, "actuator_force"), after(path, "qvel")[:, :, 6:]
    limits = character("human").torque_limits_nm
    assert report["torque_2_nm2"] == pytest.approx((torque**2).sum(axis=2).mean(axis=1))
    assert report["torque_share_2"] == pytest.approx(((torque / limits) ** 2).sum(axis=2).mean(axis=1))
    assert report["power_w"] == pytest.approx(np.abs(torque * rate).sum(axis=2).mean(axis=1))
    memory = batch.memory("effort")
    assert memory[:, 4] == pytest.approx(np.maximum(0, torque * rate).sum(axis=(1, 2)) / 240)
    assert memory[:, 0] == pytest.approx(SECONDS - AFTER_S)


def test_loads_double_support_and_flight(measured: tuple[SimBatch, Trajectory]) -> None:
    batch, path = measured
    report = walk_report(batch)
    loads = after(path, "sensordata")
    human = character("human")
    roles = np.array([point.role for point in human.contact_points])
    sides = np.array([point.name.startswith("left") for point in human.contact_points])
    down = np.stack([(loads * (sides & (roles != "top"))).sum(axis=2), (loads * (~sides & (roles != "top"))).sum(axis=2)]) > 30.0
    assert report["double_support"] == pytest.approx(down.all(axis=0).mean(axis=1))
    assert report["flight"] == pytest.approx((~down).all(axis=0).mean(axis=1))
    assert report["peak_load_bw"] == pytest.approx(loads[..., roles != "top"].sum(axis=2).max(axis=1) / (human.mass_kg * 9.81))


def test_speed_and_height_are_those_of_the_centre_of_mass(measured: tuple[SimBatch, Trajectory]) -> None:
    batch, path = measured
    report = walk_report(batch)
    com = after(path, "subtree_com").reshape(3, -1, batch.model.nbody, 3)[:, :, 1]
    gone = com[:, -1] - com[:, 0]
    assert report["speed_mps"] == pytest.approx(gone[:, 0] / (SECONDS - AFTER_S - 1 / 240), abs=0.01)
    assert report["drift_m"] == pytest.approx(np.abs(gone[:, 1]), abs=0.01)
    assert report["com_height_m"] == pytest.approx(com[:, :, 2].mean(axis=1), abs=1e-9)
    assert report["com_height_sd_m"] == pytest.approx(com[:, :, 2].std(axis=1), abs=1e-6)


def test_strikes_are_counted_and_timed(measured: tuple[SimBatch, Trajectory]) -> None:
    batch, path = measured
    loads = path.channels["sensordata"]
    human = character("human")
    feet = [np.array([p.role != "top" and p.name.startswith(side) for p in human.contact_points]) for side in ("left", "right")]
    report = walk_report(batch)
    for row in range(3):
        strikes = []
        for foot in feet:
            load, on, since = loads[row][:, foot].sum(axis=1), False, 0
            for step, force in enumerate(load):
                if step < round(AFTER_S * 240):
                    on, since = force > 30, 0
                    continue
                since += 1
                if not on and force > 30:
                    if since / 240 > 0.08:
                        strikes.append(step)
                    on, since = True, 0
                elif on and force < 5:
                    on, since = False, 0
        assert report["steps"][row] == len(strikes)
        if strikes:
            ends = [round(AFTER_S * 240) - 1, *sorted(strikes)]
            assert report["step_s"][row] == pytest.approx(np.diff(ends).mean() / 240)
    assert report["steps"].sum() > 0, "somebody is to take a step"


def test_standing_is_double_support_under_body_weight() -> None:
    human = character("human")
    batch = SimBatch(build_scene(human), 1, [pd_of(human), *walk_meters(human, after_s=0.3), fall_of(human)], endings=["fall"])
    batch.advance(0.6)
    report = walk_report(batch)
    assert report["double_support"][0] == 1.0
    assert report["flight"][0] == 0.0
    assert report["steps"][0] == 0
    assert report["peak_load_bw"][0] == pytest.approx(1.0, abs=0.1)
    assert abs(report["trunk_pitch_rad"][0]) < 0.1
    assert report["seconds"][0] == pytest.approx(0.6)
    assert report["fallen"][0] == 0.0
    assert np.isnan(report["step_s"][0]), "no step, no step time"


def test_a_row_that_ended_is_fallen() -> None:
    human = character("human")
    batch = SimBatch(build_scene(human), 2, [pd_of(human), *walk_meters(human, after_s=0.0), fall_of(human)], endings=["fall"])
    batch.parameter("fall", "height_m")[1] = 9.0
    batch.advance(0.1)
    assert walk_report(batch)["fallen"].tolist() == [0.0, 1.0]
    assert walk_report(batch)["seconds"] == pytest.approx([0.1, 1 / 240])


def test_headings_are_measured_against_the_wanted_one() -> None:
    """Walking towards heading 2: speed is along it, and the turn is the rest."""
    human = character("human")
    batch = SimBatch(build_scene(human), 2, [pd_of(human), *walk_meters(human, after_s=0.0)])
    yaw = 2.0
    batch.qpos[:, 3:7] = [np.cos(yaw / 2), 0, 0, np.sin(yaw / 2)]
    batch.qpos[:, 2] += 1.0
    batch.qvel[:, :2] = [np.cos(yaw), np.sin(yaw)]
    batch.parameter("posture", "heading_rad")[:] = [yaw, yaw - 0.1]
    batch.advance(0.1)
    report = walk_report(batch)
    assert report["speed_mps"] == pytest.approx([1.0, np.cos(0.1)], abs=1e-3)
    assert report["drift_m"] == pytest.approx([0.0, 0.1 * np.sin(0.1)], abs=1e-3)
    assert report["turn_rad"] == pytest.approx([0.0, 0.1], abs=1e-3)


def test_measuring_from_the_first_step_is_measuring_from_the_second() -> None:
    """Nothing is left unset when there is no time before: clearance, width and gap are as if one step had been waited for."""
    human = character("human")
    reports = []
    for after_s in (0.0, 1 / 240):
        batch = SimBatch(build_scene(human), 2, [load_gait("human/walk").walk(), *walk_meters(human, after_s=after_s)])
        batch.qvel[:, 0] += [0.8, 1.3]
        batch.advance(1.2)
        reports.append(walk_report(batch))
    assert reports[0]["steps"].sum() > 0
    for name in ("steps", "width_m", "clearance_m", "least_clearance_m", "slip_m", "strike_knee_rad", "swing_knee_rad"):
        assert reports[0][name] == pytest.approx(reports[1][name], rel=1e-9, nan_ok=True), name
