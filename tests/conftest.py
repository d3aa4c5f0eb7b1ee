"""What every test may use: the command line run in this process, with what it printed."""

from collections.abc import Callable
from dataclasses import dataclass

import pytest

from surefoot.cli.main import main


@dataclass(frozen=True, kw_only=True, slots=True)
class Answer:
    """What one command line gave."""

    code: int
    """Exit code."""
    out: str
    """Standard output."""
    err: str
    """Standard error."""


@pytest.fixture
def surefoot(capsys: pytest.CaptureFixture[str]) -> Callable[..., Answer]:
    """`surefoot("show", "human")` runs that command line and gives its exit code and what it printed."""

    def run(*words: str) -> Answer:
        capsys.readouterr()
        try:
            code = main(list(words))
        except SystemExit as leaving:
            code = leaving.code if isinstance(leaving.code, int) else 0 if leaving.code is None else 1
        printed = capsys.readouterr()
        return Answer(code=code, out=printed.out, err=printed.err)

    return run
