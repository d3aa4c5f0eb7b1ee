"""Turns what went wrong into one sentence on standard error and an exit code.

A user's mistake (SurefootError, or a file operation that failed for a reason the user can mend) has exit code 2 and no traceback.
A fault of the program keeps its traceback and has exit code 1. The sentences themselves are written where the mistake is noticed.
"""

import os
import sys
from collections.abc import Callable
from typing import Final

from surefoot.errors import NotAvailable, SurefootError
from surefoot.files import file_mistake

DONE: Final = 0
USER_MISTAKE: Final = 2
STOPPED: Final = 130
"""128 + SIGINT, as shells have it."""

EXTRAS: Final = {
    "torch": "deep",
    "onnx": "deep",
    "onnxruntime": "onnx",
    "ray": "ray",
    "gymnasium": "gym",
    "pxr": "usd",
    "pygltflib": "gltf",
    "viser": "viewer",
}
"""Modules that come with an extra, and the extra they come with (pyproject.toml)."""


def told_in_one_sentence(work: Callable[[], None]) -> int:
    """Do the work; return the exit code, having said what went wrong if it was a mistake of the user."""
    try:
        work()
        sys.stdout.flush()  # here, so that a full disk behind standard output is noticed while it can still be told
        return DONE
    except SurefootError as error:
        return _say(error)
    except BrokenPipeError:
        _drop_standard_output()
        return DONE
    except OSError as error:
        mistake = file_mistake(error)
        if mistake is None:
            raise
        _drop_standard_output()
        return _say(mistake)
    except ModuleNotFoundError as error:
        extra = EXTRAS.get((error.name or "").partition(".")[0])
        if extra is None:
            raise
        return _say(NotAvailable(f"'{error.name}' is not installed: pip install 'surefoot[{extra}]'"))
    except KeyboardInterrupt:
        print("surefoot: stopped", file=sys.stderr)
        return STOPPED


def _say(error: SurefootError) -> int:
    print(f"surefoot: {error}", file=sys.stderr)
    return USER_MISTAKE


def _drop_standard_output() -> None:
    """Send what is still buffered for standard output nowhere, or Python complains about it again when it ends."""
    if sys.stdout is sys.__stdout__ and sys.stdout is not None:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
