"""`list`, `show` and `character show`: everything that the library knows can be listed, shown and read by a program."""

import json
import sys
from pathlib import Path
from types import ModuleType

import imageio.v3
import pytest

from surefoot.characters import roster
from surefoot.cli.known import KINDS, Kind, everywhere, summary
from surefoot.errors import UnknownName
from surefoot.filming import gl

THINGS = [(kind.plural, name) for kind in KINDS for name in kind.names()]


def test_there_are_kinds_and_characters() -> None:
    assert [kind.plural for kind in KINDS] == ["characters", "gaits", "laws", "scenes", "experiments"]
    assert {"human", "human_wang", "biped2d"} <= {name for plural, name in THINGS if plural == "characters"}


def test_list_prints_every_name_with_a_line_about_it(surefoot) -> None:
    answer = surefoot("list")
    assert (answer.code, answer.err) == (0, "")
    for plural, name in THINGS:
        line = next(line for line in answer.out.splitlines() if line.split()[:1] == [name])
        assert len(line.split()) > 2, f"{plural[:-1]} {name} has nothing said about it"


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.plural)
def test_list_of_one_kind(kind: Kind, surefoot) -> None:
    answer = surefoot("list", "--kind", kind.plural, "--json")
    listed = json.loads(answer.out)
    assert list(listed) == [kind.plural]
    assert [thing["name"] for thing in listed[kind.plural]] == list(kind.names())


@pytest.mark.parametrize(("plural", "name"), THINGS)
def test_show(plural: str, name: str, surefoot) -> None:
    answer = surefoot("show", name)
    assert (answer.code, answer.err) == (0, "")
    assert f"{plural[:-1]} {name}" in answer.out
    data = json.loads(surefoot("show", name, "--json").out)
    assert plural[:-1] in {found["kind"] for found in data}
    assert all(found["fields"] for found in data)


@pytest.mark.parametrize("name", roster.names())
def test_character_show(name: str, surefoot) -> None:
    character = roster.character(name)
    page = surefoot("character", "show", name).out
    lines = {line.split()[0]: line for line in page.splitlines() if line.strip()}
    assert f"{character.mass_kg:.1f} kg" in page
    for link in character.links:
        assert f"{link.mass_kg:.3f} kg" in lines[link.name]
    for dof, torque, limits in zip(character.dof_names, character.torque_limits_nm, character.limits_rad, strict=True):
        assert f" {torque:.0f} " in lines[dof]
        assert f"{limits[0] * 57.29578:6.0f}" in lines[dof]
    for foot in character.end_effectors:
        assert f"{foot.name}: {foot.link}" in page
    assert max(map(len, page.splitlines())) <= 120


def test_human_counts_its_root(surefoot) -> None:
    assert "34 DoF = 28 + 6 of the free root" in surefoot("show", "human").out


def test_character_show_for_a_program(surefoot) -> None:
    data = json.loads(surefoot("character", "show", "human", "--json").out)
    assert data["dof_count"] == len(data["dof_names"]) == 28
    assert abs(sum(link["mass_kg"] for link in data["links"]) - data["mass_kg"]) < 1e-9


def test_character_show_draws_a_png(surefoot, tmp_path: Path) -> None:
    if gl.choose() is None:
        pytest.skip(f"nothing draws here: {gl.install_hint()}")
    picture = tmp_path / "pictures" / "human.png"
    answer = surefoot("character", "show", "human", "--png", str(picture))
    assert (answer.code, answer.err) == (0, "")
    assert answer.out.endswith(f"drawn into {picture}\n")
    pixels = imageio.v3.imread(picture)
    assert pixels.shape[2] == 3
    assert min(pixels.shape[:2]) >= 400
    assert pixels.std() > 10, "the picture is of one colour"


def test_character_show_without_anything_that_draws(surefoot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MUJOCO_GL", "disabled")
    picture = tmp_path / "human.png"
    answer = surefoot("character", "show", "human", "--png", str(picture))
    assert (answer.code, answer.out) == (2, "")
    assert answer.err.count("\n") == 1
    assert "draw" in answer.err
    assert list(tmp_path.iterdir()) == []


def test_show_finds_a_name_in_every_kind(monkeypatch: pytest.MonkeyPatch) -> None:
    """A name may be that of a gait and of a scene; both are shown."""
    for module in ("gaits_for_test", "scenes_for_test"):
        made = ModuleType(module)
        made.names = lambda: ("stroll",)  # type: ignore[attr-defined]
        monkeypatch.setitem(sys.modules, module, made)
    kinds = tuple(Kind(name=name, plural=f"{name}s", module=f"{name}s_for_test", getter=name) for name in ("gait", "scene"))
    monkeypatch.setattr(Kind, "is_here", lambda self: True)
    monkeypatch.setattr("surefoot.cli.known.KINDS", kinds)
    assert everywhere("stroll") == kinds
    with pytest.raises(UnknownName, match="did you mean 'stroll'"):
        everywhere("strol")


def test_a_kind_that_is_not_installed_has_no_names() -> None:
    assert Kind(name="x", plural="xs", module="surefoot.nowhere.xs", getter="x").names() == ()


def test_summary_comes_from_about_or_from_the_docstring() -> None:
    def law() -> None:
        """A servo to a pose.

        More.
        """

    assert summary(roster.character("biped2d")) == roster.character("biped2d").about
    assert summary(law) == "A servo to a pose."
    assert summary(3.0) == ""
