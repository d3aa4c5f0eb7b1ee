"""The list of laws."""

import pytest

from surefoot.controllers import roster
from surefoot.errors import SurefootError
from surefoot.physics.law import PartKind


def test_laws_have_names_and_say_what_they_do() -> None:
    assert {"pd", "simbicon"} <= set(roster.names())
    assert list(roster.names()) == sorted(roster.names())
    for name in roster.names():
        law = roster.law(name)
        assert isinstance(law, PartKind)
        assert (law.name, law.kind) == (name, "law")
        assert law.about.endswith((".", ")")) or len(law.about) > 20


def test_an_unknown_law_is_told() -> None:
    with pytest.raises(SurefootError, match=r"no law 'simbicom': did you mean 'simbicon'\?"):
        roster.law("simbicom")
