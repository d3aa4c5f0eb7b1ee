"""Gaits: files that come back as they were, texts for torn ones, packing by name, roles and mirror."""

import dataclasses
import difflib
from pathlib import Path

import numpy as np
import pytest

from surefoot.characters import character
from surefoot.controllers import gait as gaits
from surefoot.controllers.gait import Gait, load_gait, read_gait, role_of, simbicon_wiring, write_gait
from surefoot.controllers.gait_table import CHANNEL, TRUNK, G, channel_first, row_width, trunk_first
from surefoot.controllers.simbicon import W, memory_size
from surefoot.errors import SurefootError
from surefoot.physics.batch import SimBatch
from surefoot.physics.scene import build_scene


@pytest.fixture
def walk() -> Gait:
    return load_gait("human/walk")


@pytest.fixture
def path(walk: Gait, tmp_path: Path) -> Path:
    """A gait file that may be spoiled."""
    write_gait(walk, tmp_path / "mine.toml")
    return tmp_path / "mine.toml"


def test_there_are_gaits() -> None:
    assert "human/walk" in gaits.names()
    assert list(gaits.names()) == sorted(gaits.names())


@pytest.mark.parametrize("name", gaits.names())
def test_a_gait_comes_back_as_it_was_written(name: str, tmp_path: Path) -> None:
    """To the six digits that a file keeps; the second writing is equal to the first, byte for byte."""
    gait = load_gait(name)
    write_gait(gait, tmp_path / "one.toml")
    again = read_gait(tmp_path / "one.toml")
    write_gait(again, tmp_path / "two.toml")
    assert (tmp_path / "one.toml").read_bytes() == (tmp_path / "two.toml").read_bytes()
    assert again.table() == pytest.approx(gait.table(), rel=1e-5)
    assert (again.name, again.character, again.description, again.command) == (gait.name, gait.character, gait.description, gait.command)
    assert again.start == pytest.approx(dict(gait.start), rel=1e-5)
    assert dict(again.slopes) == pytest.approx(dict(gait.slopes), rel=1e-5)


@pytest.mark.parametrize("name", gaits.names())
def test_a_gait_says_where_it_came_from_and_runs(name: str) -> None:
    gait = load_gait(name)
    assert name == f"{gait.character}/{gait.name}"
    assert gait.command and gait.description
    who = character(gait.character)
    part = gait.walk()
    assert part.table.shape == (2, row_width(who.dof_count, gait.knots))
    assert part.memory_size == memory_size(who.dof_count)
    assert part.values[part.kind.parameters.index("speed_mps")] == gait.scalars["speed_mps"]
    batch = SimBatch(build_scene(who), 1, [part])
    batch.advance(0.1)
    assert batch.running.all()


def test_quotes_and_newlines_survive_in_texts(walk: Gait, tmp_path: Path) -> None:
    command = 'python -m x --say "a\\b"\n --next\ttab'
    write_gait(dataclasses.replace(walk, command=command, description="ü — ½"), tmp_path / "odd.toml")
    again = read_gait(tmp_path / "odd.toml")
    assert (again.command, again.description) == (command, "ü — ½")


def test_one_number_is_one_line_of_a_diff(walk: Gait, tmp_path: Path) -> None:
    write_gait(walk, tmp_path / "a.toml")
    write_gait(walk.changed({"hip_kp": 123.0, "swing_knee_pitch.2": 0.5}), tmp_path / "b.toml")
    lines = difflib.unified_diff((tmp_path / "a.toml").read_text().splitlines(), (tmp_path / "b.toml").read_text().splitlines(), n=0)
    added = [line for line in lines if line.startswith("+") and not line.startswith("+++")]
    assert len(added) == 2
    assert added[0] == "+hip_kp = 123  # Nm/rad"
    assert added[1].startswith("+swing_knee_pitch = { kp = ")


def test_numbers_are_packed_where_the_law_looks_for_them(walk: Gait) -> None:
    """Each name of the layout, one by one, against a table filled by hand."""
    who, knots = character("human"), walk.knots
    table = dataclasses.replace(walk, slopes={}).changed({"slope:cv": 0.5, "slope:swing_knee_pitch.3": 0.25}).table()
    for i, name in enumerate(G._fields):
        assert table[0, i] == (knots if name == "knots" else walk.scalars[name])
    for i, name in enumerate(TRUNK):
        first = trunk_first(i, knots)
        assert table[0, first : first + knots].tolist() == list(walk.trunk[name])
    for i, dof in enumerate(who.dof_names):
        channel, first = walk.channels[role_of(dof)], channel_first(i, knots)
        assert table[0, first + CHANNEL.kp] == channel.kp
        assert table[0, first + CHANNEL.kd] == channel.kd
        assert table[0, first + len(CHANNEL) : first + len(CHANNEL) + knots].tolist() == list(channel.knots_rad)
    slopes = np.flatnonzero(table[1])
    right_knee = channel_first(who.dof_index("right_knee_pitch"), knots) + len(CHANNEL) + 3
    assert slopes.tolist() == [G.cv, right_knee]
    assert table[1, slopes].tolist() == [0.5, 0.25]


def test_left_stands_and_right_swings() -> None:
    assert role_of("left_knee_pitch") == "stance_knee_pitch"
    assert role_of("right_hip_roll") == "swing_hip_roll"
    assert role_of("waist_yaw") == "waist_yaw"
    for name in ("human", "biped2d"):
        who = character(name)
        assert len({role_of(dof) for dof in who.dof_names}) == who.dof_count


@pytest.mark.parametrize(
    ("place", "column"),
    [("step_time_s", G.step_time_s), ("pelvis_pitch.2", len(G) + 6 + 2), ("torso_roll.5", len(G) + 35)],
)
def test_places_have_names(walk: Gait, place: str, column: int) -> None:
    assert walk.place(place) == column


@pytest.mark.parametrize("path", ["hip_kp", "torso_pitch.4", "stance_ankle_pitch.kp", "stance_ankle_pitch.kd", "swing_hip_pitch.0"])
def test_a_change_changes_one_number(walk: Gait, path: str) -> None:
    changed = walk.changed({path: 7.25}).table()
    assert np.flatnonzero(changed[0] != walk.table()[0]).tolist() == [walk.place(path)]
    assert changed[0, walk.place(path)] == 7.25
    sloped = walk.changed({f"slope:{path}": 7.25}).table()
    assert np.flatnonzero(sloped[1] != walk.table()[1]).tolist() == [walk.place(path)]
    assert (walk.table() != walk.changed({path: 7.25}).table()).sum() == 1, "the first gait is as it was"


@pytest.mark.parametrize(
    ("place", "text"),
    [
        ("hip_kpp", r"no number 'hip_kpp' in gait 'walk': did you mean 'hip_kp'\?"),
        ("swing_knee", r"no number 'swing_knee' in gait 'walk': did you mean 'swing_knee_pitch'\?"),
        ("left_knee_pitch.2", r"no number 'left_knee_pitch' in gait 'walk'"),
        ("swing_knee_pitch.6", r"no knot '6' in 'swing_knee_pitch' of gait 'walk': there are '0', .*'5', 'kp', 'kd'"),
        ("swing_knee_pitch.-1", r"no knot '-1' in 'swing_knee_pitch'"),
        ("swing_knee_pitch.ki", r"no knot 'ki' in 'swing_knee_pitch' of gait 'walk': there are '0', .*'kd'"),
        ("swing_knee_pitch", r"no knot '' in 'swing_knee_pitch'"),
        ("pelvis_yaw.6", r"no knot '6' in 'pelvis_yaw' of gait 'walk'"),
        ("pelvis_yaw.kp", r"no knot 'kp' in 'pelvis_yaw' of gait 'walk'"),
        ("hip_kp.1", r"no knot '1' in 'hip_kp' of gait 'walk': there are none"),
    ],
)
def test_places_that_are_not_there(walk: Gait, place: str, text: str) -> None:
    """A knot beyond the last would be the next joint's stiffness."""
    for ask in (walk.place, lambda path: walk.changed({path: 1.0}), lambda path: walk.changed({f"slope:{path}": 1.0})):
        with pytest.raises(SurefootError, match=text):
            ask(place)


def spoil(path: Path, old: str, new: str) -> Path:
    text = path.read_text()
    assert text.count(old) >= 1, old
    path.write_text(text.replace(old, new, 1))
    return path


@pytest.mark.parametrize(
    ("old", "new", "text"),
    [
        ("hip_kp =", "hip_kpp =", r"no scalar 'hip_kpp' in gait file 'mine.toml': did you mean 'hip_kp'\?"),
        ("pelvis_yaw =", "pelvis_jaw =", r"no trunk curve 'pelvis_jaw' in gait file 'mine.toml': did you mean 'pelvis_yaw'\?"),
        ("swing_knee_pitch =", "swing_knee_bend =", r"no channel 'swing_knee_bend' in gait file 'mine.toml'"),
        ("hip_kp = ", "# hip_kp = ", r"lacks the scalar 'hip_kp'"),
        ('character = "human"', 'character = "hunam"', r"no character 'hunam': did you mean 'human'\?"),
        ('character = "human"', 'character = "biped2d"', r"no channel '.*' in gait file 'mine.toml'"),
        ('name = "walk"', "", r"lacks or misspells a field of a gait"),
        ("[scalars]", "[scalers]", r"lacks or misspells a field of a gait"),
        ("[scalars]", "scalars = 3\n[more]", r"lacks or misspells a field of a gait"),
        ("contact_n = 30", 'contact_n = "thirty"', r"lacks or misspells a field of a gait"),
        ("contact_n = 30", "contact_n = 30 40", r"is not a gait file"),
        ("[slopes]", '[slopes]\n"hip_kpp" = 1.0', r"no number 'hip_kpp' in gait 'walk': did you mean 'hip_kp'\?"),
        ("[slopes]", '[slopes]\n"swing_knee_pitch.9" = 1.0', r"no knot '9' in 'swing_knee_pitch'"),
    ],
)
def test_texts_for_spoilt_files(path: Path, old: str, new: str, text: str) -> None:
    with pytest.raises(SurefootError, match=text):
        read_gait(spoil(path, old, new))


def test_a_curve_of_another_length_is_told(walk: Gait, path: Path) -> None:
    line = next(line for line in path.read_text().splitlines() if line.startswith("pelvis_yaw"))
    spoil(path, line, "pelvis_yaw = [0.0, 0.0, 0.0, 0.0]")
    with pytest.raises(SurefootError, match=r"has curves of \[4, 6\] knots: all need the same number, at least 4"):
        read_gait(path)


def test_files_that_are_not_there_or_torn(tmp_path: Path, path: Path) -> None:
    with pytest.raises(SurefootError, match=r"file '.*nothing.toml' does not exist; did you mean '.*mine.toml'"):
        load_gait(str(tmp_path / "nothing.toml"))
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    with pytest.raises(SurefootError, match=r"mine\.toml"):
        load_gait(str(path))
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(SurefootError, match=r"mine.toml' is not a gait file"):
        load_gait(str(path))


def test_an_unknown_gait_is_told() -> None:
    with pytest.raises(SurefootError, match=r"no gait 'human/wlak': did you mean 'human/walk'\? Or give the path of a gait file"):
        load_gait("human/wlak")


def test_the_wiring_finds_bodies_and_joints_by_name() -> None:
    who = character("human")
    wiring = simbicon_wiring(who)
    assert len(wiring) == len(W) + 2 * who.dof_count
    for field, link in (("torso", "torso"), ("head", "head"), ("left_thigh", "left_thigh"), ("right_foot", "right_foot")):
        assert wiring[W._fields.index(field)] == who.link_names.index(link)
    for field, dof in (("left_hip", "left_hip_pitch"), ("right_ankle", "right_ankle_pitch"), ("waist", "waist_pitch")):
        assert wiring[W._fields.index(field)] == who.dof_index(dof)
    assert wiring[len(W) :][: who.dof_count] == who.mirror.permutation.tolist()
    leg = who.link_names[wiring[W.left_leg_first] : wiring[W.left_leg_last]]
    assert leg == ("left_thigh", "left_shank", "left_foot", "left_toes")
    points = who.contact_points[wiring[W.right_point_first] : wiring[W.right_point_last]]
    assert {point.link for point in points} == {"right_foot", "right_toes"}


def test_the_wiring_of_a_planar_biped_lacks_what_it_lacks() -> None:
    wiring = simbicon_wiring(character("biped2d"))
    for field in ("head", "waist", "neck", "left_shoulder", "right_elbow"):
        assert wiring[W._fields.index(field)] == -1
    assert (wiring[W.hip_count], wiring[W.ankle_count]) == (1, 1)


def test_rows_choose_gaits_by_parameter(walk: Gait) -> None:
    """Two gaits in one table: each row walks as it would alone."""
    other = walk.changed({"step_time_s": 0.4, "swing_knee_pitch.2": 1.3})
    scene = build_scene(character("human"))
    both = SimBatch(scene, 2, [walk.walk(table=np.vstack([walk.table(), other.table()]))])
    both.parameter("walk", "gait")[:] = [0, 1]
    both.advance(0.3)
    for row, gait in enumerate((walk, other)):
        alone = SimBatch(scene, 1, [gait.walk()])
        alone.advance(0.3)
        assert alone.arrays.state[0].tobytes() == both.arrays.state[row].tobytes()
    assert (both.qpos[0] != both.qpos[1]).any()
