"""The measured choices: each study runs in small, the page shows what the results say, and what they rest on is sound."""

import dataclasses
from pathlib import Path

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import choice_cheap
import choice_joints
import choice_laws
import choice_page
import choice_rows
import choice_walks
import choices
from choice_holds import explicit, secant
from choice_swings import SWINGS, hinge_angles, orientations
from surefoot.characters import character
from surefoot.controllers.gait import Gait, load_gait
from surefoot.physics.law import Sight
from surefoot.physics.scene import build_scene

ROOT = Path(__file__).parents[2]
RESULTS, PAGE = ROOT / "results" / "choices.json", ROOT / "docs" / "choices.md"


@pytest.fixture(scope="module")
def gait() -> Gait:
    return load_gait("human/walk")


@pytest.mark.parametrize("name", choices.STUDIES)
def test_study_runs_in_small(name: str, gait: Gait) -> None:
    rows, _ = choice_rows.timed(lambda: choices.STUDIES[name](gait, choice_walks.SMOKE))
    assert len(rows) > 20
    for row in rows:
        assert row.name.startswith(f"{name}."), row
        assert row.value is not None or row.count == 0 or name in ("step", "joints"), row
        if row.low is not None and row.value is not None:
            assert row.high is not None
            assert row.low <= row.value + 1e-9 and row.value <= row.high + 1e-9, row


def test_results_are_kept_by_study_and_the_mistyped_one_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "choices.json"
    row = choice_rows.share("laws.x", 3, 4)
    study = choice_rows.Study(name="laws", command="c", gait="g 0", size="full", wall_s=1.0, rows=(row,))
    choice_rows.save(out, {"laws": study})
    assert choice_rows.load(out) == {"laws": study}
    assert choices.main(["--only", "stepp", "--out", str(out)]) == 2
    assert "did you mean 'step'" in capsys.readouterr().err
    assert choice_rows.load(out) == {"laws": study}


def test_measured_studies_are_left_out_on_resume(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []
    monkeypatch.setitem(choices.STUDIES, "laws", lambda gait, size: calls.append(size) or [choice_rows.single("laws.x", 1.0)])
    for _ in range(2):
        assert choices.main(["--only", "laws", "--size", "smoke", "--resume", "--out", str(tmp_path / "c.json")]) == 0
    assert len(calls) == 1


def test_page_shows_the_results() -> None:
    text, studies = PAGE.read_text(encoding="utf-8"), choice_rows.load(RESULTS)
    assert studies, "results/choices.json is missing"
    assert choice_page.filled(text, studies) == text, "python benchmarks/choices.py --only brings docs/choices.md up to date"
    shown = {found["name"] for found in choice_page.MARK.finditer(text) if found["kind"] == "table"}
    assert shown == {*choice_page.TABLES, "sources"}


def test_page_notices_a_changed_number() -> None:
    row = choice_rows.single("laws.x", 2.0)
    study = choice_rows.Study(name="laws", command="c", gait="", size="full", wall_s=1.0, rows=(row,))
    text = "It is <!-- value laws.x .1f -->1.0<!-- end -->, and <!-- value laws.y .1f -->1.0<!-- end -->."
    assert choice_page.filled(text, {"laws": study}) == text.replace("1.0", "2.0", 1).replace("1.0", "–", 1)


@pytest.mark.parametrize("swing", SWINGS)
def test_hinge_angles_follow_the_swing(swing: str) -> None:
    for path in orientations(swing, np.arange(0.0, 2.0, 1 / 240)):
        angles = hinge_angles(path)
        assert (Rotation.from_euler("YXZ", angles).inv() * path).magnitude().max() < 1e-6
    left, right = orientations(swing, np.array([0.9]))[2:]
    assert np.allclose(left.as_rotvec() * [-1, 1, -1], right.as_rotvec())


def test_both_joint_types_carry_the_same_bodies() -> None:
    hinges, balls = (choice_joints.tracker(way, "implicitfast", 1 / 240).model for way in ("hinges_by_angle", "ball_servo"))
    assert np.array_equal(hinges.body_mass, balls.body_mass)
    assert np.array_equal(hinges.body_inertia, balls.body_inertia)
    assert balls.nq > hinges.nq and balls.nv == hinges.nv


def test_ball_servo_is_the_torque_it_is_said_to_be() -> None:
    """Under implicitfast the servo and a torque of kp log(error) with implicit damping are the same law."""
    found = [choice_joints.track(choice_joints.tracker(way, "implicitfast", 1 / 120), "reach") for way in ("ball_servo", "ball_torque")]
    assert np.allclose(dataclasses.astuple(found[0]), dataclasses.astuple(found[1]), atol=1e-6)


def test_pairs_and_masks_find_the_same_contacts(gait: Gait) -> None:
    who, size = character("human"), dataclasses.replace(choice_walks.SMOKE, seconds=4.5)
    ends = []
    for scene in (build_scene(who), choice_cheap.by_masks(build_scene(who), everything=False)):
        way = choice_walks.Way(name="x", scene=scene, parts=(choice_walks.walk_of(gait, who),))
        batch = choice_walks.batch_of(way, gait, size.starts, "masks")
        batch.advance(0.5)
        ends.append(batch.qpos.copy())
    assert np.allclose(ends[0], ends[1], atol=1e-9)


def test_points_are_left_out_of_both_feet() -> None:
    who = choice_cheap.without_points(character("human"), ("toe_top",))
    assert [len(foot.points) for foot in who.end_effectors] == [7, 7]
    assert build_scene(who).model.npair == 14


def test_secant_scales_torque_and_slopes_and_explicit_drops_the_slopes() -> None:
    out = np.array([[10.0, -40.0], [100.0, 200.0], [1.0, 2.0]])
    nothing = np.zeros(0)
    sight = Sight(*[nothing] * len(Sight._fields))._replace(q=np.zeros(2))
    secant.python(sight, nothing, np.array([[20.0, 20.0]]), nothing, nothing, out)
    assert np.allclose(out, [[10.0, -20.0], [100.0, 100.0], [1.0, 1.0]])
    assert abs(out[0, 1]) < 20.0
    explicit.python(sight, nothing, nothing, nothing, nothing, out)
    assert np.allclose(out, [[10.0, -20.0], [0.0, 0.0], [0.0, 0.0]])


def test_a_blend_of_two_pds_is_a_pd() -> None:
    for row in choice_laws.blend_rows():
        assert row.value is not None and row.value < 1e-12


def test_damping_in_the_joints_takes_the_place_of_the_laws(gait: Gait) -> None:
    way = choice_laws.way_of("x", gait, "joints", "implicitfast", 1 / 240)
    who, part = way.character, way.scene.slices[0]
    added = way.overrides["dof_damping"][part.dof :] - way.scene.model.dof_damping[part.dof :]
    knee = 0.5 * (gait.channels["stance_knee_pitch"].kd + gait.channels["swing_knee_pitch"].kd)
    assert added[who.dof_index("left_knee_pitch")] == pytest.approx(knee)
    assert added[who.dof_index("right_knee_pitch")] == pytest.approx(knee)
    assert added[who.dof_index("waist_yaw")] == pytest.approx(gait.channels["waist_yaw"].kd)
