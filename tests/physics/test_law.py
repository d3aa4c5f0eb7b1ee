"""Declaring parts: parameters, memory, wiring, tables, and what is said about a misspelt one."""

import numpy as np
import pytest

from surefoot.errors import SurefootError
from surefoot.physics import Sight
from surefoot.physics.law import SIGHT_TYPE, event, law, meter, names


@law(parameters=("stiffness", "damping"), memory=("count",), stiffness=3.0)
def spring(s: Sight, w: np.ndarray, table: np.ndarray, p: np.ndarray, m: np.ndarray, out: np.ndarray) -> float:
    """A spring in every joint.

    More about it.
    """
    m[0] += 1.0
    for j in range(s.q.size):
        out[0, j] = -p[0] * s.q[j]
        out[1, j] = p[0]
    return 0.0


def test_a_declared_part_says_what_it_is() -> None:
    assert (spring.name, spring.kind) == ("spring", "law")
    assert spring.parameters == ("stiffness", "damping")
    assert spring.about == "A spring in every joint."
    assert spring.address > 0
    assert spring.address == spring.address


def test_use_fills_parameters_from_the_call_the_defaults_and_zero() -> None:
    part = spring.use()
    assert part.values.tolist() == [3.0, 0.0]
    assert spring.use(damping=2.0, stiffness=1.0).values.tolist() == [1.0, 2.0]
    assert (part.name, part.character, part.memory_size) == ("spring", 0, 1)
    assert part.table.shape == (1, 1)
    assert part.wiring.dtype == np.int64
    other = spring.use(name="second", character=1, wiring=[3, 4], table=np.ones((2, 3)), memory_size=7)
    assert (other.name, other.character, other.memory_size) == ("second", 1, 7)
    assert other.wiring.tolist() == [3, 4]


def test_two_uses_share_nothing() -> None:
    one, two = spring.use(), spring.use()
    one.values[0] = 9.0
    assert two.values[0] == 3.0


def test_a_misspelt_parameter_is_told() -> None:
    with pytest.raises(SurefootError, match=r"no parameter 'stifness' in law 'spring': did you mean 'stiffness'\?"):
        spring.use(stifness=1.0)


@pytest.mark.parametrize(("declare", "kind"), [(law, "law"), (meter, "meter"), (event, "event")])
def test_kinds(declare, kind: str) -> None:
    assert declare()(spring.python).kind == kind


def test_names_are_positions() -> None:
    p = names("speed", "gait")
    assert (p.speed, p.gait, p._fields, len(p)) == (0, 1, ("speed", "gait"), 2)


def test_the_type_of_a_sight_has_all_its_fields() -> None:
    assert SIGHT_TYPE.fields == Sight._fields
