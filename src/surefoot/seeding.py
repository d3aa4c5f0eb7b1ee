"""Named random streams: one root seed a run, from which every consumer draws under its own name.

A stream depends on the root seed and on its names alone, never on who asked first, on how many others there are, on the clock or on
the number of threads; so adding a consumer shifts no other. NumPy's generators come from `generator`; compiled code, which
draws by counter inside the physics loop, takes `key`. The draws by counter themselves live in `surefoot.physics`.
"""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np

from surefoot.errors import WrongValue

WORDS_A_NAME: Final = 4
"""32-bit words that a name is hashed to: 128 bits, so that two names never meet by chance."""
GENERATOR_LEAF: Final = 0x67656E72
"""Last word of a generator's spawn key; with KEY_LEAF it keeps the generator and the key of one name apart."""
KEY_LEAF: Final = 0x6B657973
"""Last word of a compiled stream's spawn key."""


@dataclass(frozen=True, kw_only=True, slots=True)
class SeedTree:
    """A node of the tree of random streams.

    >>> seeds = SeedTree(root=7)
    >>> seeds.child("search").generator("starts").normal() == seeds.child("search").generator("starts").normal()
    True
    """

    root: int
    """The one seed of the run, as the user gave it: an integer of at least 0."""
    path: tuple[str, ...] = ()
    """Names from the root of the tree down to this node."""

    def __post_init__(self) -> None:
        if isinstance(self.root, bool) or not isinstance(self.root, int | np.integer) or self.root < 0:
            raise WrongValue(f"seed is {self.root!r}: a seed is a whole number of at least 0")

    def child(self, name: str) -> "SeedTree":
        """The node under `name`: hand it to a part, which names its own streams below it."""
        return SeedTree(root=self.root, path=(*self.path, name))

    def children(self, name: str, count: int) -> tuple["SeedTree", ...]:
        """`count` numbered nodes under `name`, one a trial; the first n are the same whatever the count."""
        return tuple(self.child(name).child(str(index)) for index in range(count))

    def generator(self, name: str) -> np.random.Generator:
        """A fresh generator at the start of the stream `name`: asking twice gives the same numbers twice."""
        return np.random.Generator(np.random.PCG64(self._sequence(name, GENERATOR_LEAF)))

    def key(self, name: str) -> np.uint64:
        """The key of the stream `name` for draws by counter in compiled code: a hash of (key, row, counter)."""
        return self._sequence(name, KEY_LEAF).generate_state(1, np.uint64)[0]

    def _sequence(self, name: str, leaf: int) -> np.random.SeedSequence:
        words = [word for part in (*self.path, name) for word in _words(part)]
        return np.random.SeedSequence(entropy=int(self.root), spawn_key=(*words, leaf))


def _words(name: str) -> Iterator[int]:
    """The 32-bit words of a name, equal on every machine and Python (unlike `hash`)."""
    digest = hashlib.blake2b(name.encode(), digest_size=4 * WORDS_A_NAME).digest()
    for start in range(0, len(digest), 4):
        yield int.from_bytes(digest[start : start + 4], "little")
