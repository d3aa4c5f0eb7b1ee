"""Seeded streams: they depend on the root and on names, and on nothing else."""

import subprocess
import sys
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from surefoot.errors import WrongValue
from surefoot.seeding import SeedTree


def test_the_same_name_gives_the_same_stream() -> None:
    one, two = SeedTree(root=5).generator("pushes"), SeedTree(root=5).generator("pushes")
    assert np.array_equal(one.normal(size=100), two.normal(size=100))


def test_another_consumer_shifts_nothing() -> None:
    alone = SeedTree(root=5)
    expected = alone.child("search").generator("starts").normal(size=10)
    busy = SeedTree(root=5)
    for name in ("a", "b", "search", "starts"):
        busy.generator(name).normal(size=1000)
        busy.child("search").generator(name).normal(size=7)
        busy.key(name)
    assert np.array_equal(busy.child("search").generator("starts").normal(size=10), expected)


@given(st.integers(min_value=0, max_value=2**80), st.lists(st.text(max_size=8), min_size=2, max_size=6, unique=True))
def test_streams_of_different_names_differ(root: int, names: list[str]) -> None:
    seeds = SeedTree(root=root)
    for one, two in combinations(names, 2):
        assert seeds.key(one) != seeds.key(two)
        assert seeds.generator(one).integers(2**63) != seeds.generator(two).integers(2**63)
        assert seeds.child(one).key(two) != seeds.child(two).key(one)


def test_path_and_name_cannot_be_confused() -> None:
    seeds = SeedTree(root=0)
    keys = [seeds.key("ab"), seeds.child("a").key("b"), seeds.key("a/b"), seeds.child("ab").key(""), seeds.child("").key("ab")]
    assert len(set(keys)) == len(keys)


def test_roots_differ() -> None:
    assert len({SeedTree(root=root).key("x") for root in range(1000)}) == 1000


def test_a_key_is_not_the_start_of_the_generator_of_its_name() -> None:
    seeds = SeedTree(root=1)
    assert seeds.key("x") != seeds.generator("x").bit_generator.random_raw()
    assert seeds.key("x").dtype == np.uint64


def test_children_do_not_depend_on_their_number() -> None:
    seeds = SeedTree(root=3)
    assert seeds.children("trial", 2) == seeds.children("trial", 50)[:2]
    assert len({child.key("x") for child in seeds.children("trial", 50)}) == 50


def test_keys_are_the_same_on_every_machine() -> None:
    """Checked numbers: a change here changes every seeded result that anyone has kept."""
    assert int(SeedTree(root=3).key("a")) == 9620321494007837184
    assert int(SeedTree(root=3).child("a").key("b")) == 740268484971379269


def test_keys_do_not_depend_on_the_hash_seed_of_the_process() -> None:
    code = "from surefoot.seeding import SeedTree; print(SeedTree(root=3).child('a').key('b'))"
    for hash_seed in ("0", "77"):
        run = subprocess.run([sys.executable, "-c", code], env={"PYTHONHASHSEED": hash_seed}, capture_output=True, text=True, check=True)
        assert run.stdout.strip() == "740268484971379269"


@pytest.mark.parametrize("seed", [-1, True, 1.5, "7"])
def test_seeds_that_are_none_are_refused(seed: object) -> None:
    with pytest.raises(WrongValue, match="a seed is a whole number of at least 0"):
        SeedTree(root=seed)  # type: ignore[arg-type]
