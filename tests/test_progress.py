"""The progress line: silent where nobody watches, shown late to those who do."""

import os
import pty
import subprocess
import sys

import pytest

from surefoot.progress import progress

CODE = """
import time
from surefoot.progress import progress
with progress("walking", 10.0, quiet={quiet}) as advance:
    for _ in range(10):
        time.sleep({pause})
        advance(1.0)
"""


def test_silent_without_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    with progress("walking", 2.0) as advance:
        advance(1.0)
    assert capsys.readouterr() == ("", "")


def watched(pause: float, quiet: bool) -> str:
    """What a terminal on standard error sees of ten pieces of work."""
    here, there = pty.openpty()
    environment = os.environ | {"TERM": "xterm", "COLUMNS": "80"}
    run = subprocess.Popen([sys.executable, "-c", CODE.format(pause=pause, quiet=quiet)], stderr=there, env=environment)
    os.close(there)
    seen = b""
    try:
        while piece := os.read(here, 4096):
            seen += piece
    except OSError:  # Linux tells the end of a terminal so
        pass
    os.close(here)
    assert run.wait() == 0, seen
    return seen.decode()


def test_long_work_shows_its_label_and_the_time_left() -> None:
    seen = watched(pause=0.3, quiet=False)
    assert "walking" in seen
    assert "0:00:01" in seen
    assert "left" in seen


@pytest.mark.parametrize(("pause", "quiet"), [(0.01, False), (0.25, True)])
def test_short_or_quiet_work_shows_nothing(pause: float, quiet: bool) -> None:
    assert watched(pause, quiet) == ""


def test_an_error_passes_through() -> None:
    with pytest.raises(ZeroDivisionError), progress("walking", 1.0):
        raise ZeroDivisionError
