"""Draws pictures in child processes, several at once, and hands the frames back in order.

Child processes because a driver may crash, because MUJOCO_GL must be set before mujoco is imported, and because software
OpenGL draws a frame mostly on one core. Frame k is drawn by process k modulo their number and read in turn, so at most one
frame a process waits in memory.
"""

import os
import pickle
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence

import mujoco
import numpy as np
from numpy.typing import NDArray

from surefoot.errors import NotAvailable
from surefoot.filming import gl
from surefoot.filming.picture import Picture

PROCESSES_AT_MOST = 4
"""More did not pay: encoding and reading the frames take their share."""


def default_processes() -> int:
    """As many as there are cores for this process, up to PROCESSES_AT_MOST."""
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, min(usable, PROCESSES_AT_MOST))


def paint(model: mujoco.MjModel, pictures: Sequence[Picture], *, processes: int | None = None) -> Iterator[NDArray[np.uint8]]:
    """(height, width, 3) pixels of each picture, in order; all pictures must have one size."""
    choice = gl.required()
    count = max(1, min(processes or default_processes(), (len(pictures) + 7) // 8))
    width = max(picture.width for picture in pictures)
    height = max(picture.height for picture in pictures)
    with tempfile.TemporaryFile() as complaints:
        painters = [_start(choice, model, pictures[k::count], width, height, count, complaints) for k in range(count)]
        try:
            for k in range(len(pictures)):
                yield _read(painters[k % count], pictures[k], complaints)
        finally:
            for painter in painters:
                painter.kill()
                painter.wait()
                if painter.stdout:
                    painter.stdout.close()


def _start(
    choice: str,
    model: mujoco.MjModel,
    pictures: Sequence[Picture],
    width: int,
    height: int,
    count: int,
    complaints: object,
) -> subprocess.Popen[bytes]:
    variables = gl.environment(choice)
    variables["PYTHONPATH"] = os.pathsep.join(path for path in sys.path if path)
    if count > 1:
        variables.setdefault("LP_NUM_THREADS", "0")  # llvmpipe: one process a core instead of threads that share it
    painter = subprocess.Popen(
        [sys.executable, "-m", "surefoot.filming.paint_worker"],
        env=variables,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=complaints,  # type: ignore[arg-type]
    )
    assert painter.stdin is not None
    try:
        painter.stdin.write(pickle.dumps((model, width, height, list(pictures))))
        painter.stdin.close()
    except BrokenPipeError:
        pass  # it ended already; reading from it tells why
    return painter


def _read(painter: subprocess.Popen[bytes], picture: Picture, complaints: object) -> NDArray[np.uint8]:
    assert painter.stdout is not None
    size = picture.height * picture.width * 3
    raw = painter.stdout.read(size)
    if len(raw) < size:
        gl.forget()
        complaints.seek(0)  # type: ignore[attr-defined]
        lines = complaints.read().decode(errors="replace").strip().splitlines()  # type: ignore[attr-defined]
        reason = lines[-1] if lines else f"the drawing process ended with code {painter.wait()}"
        raise NotAvailable(f"drawing failed: {reason}; `surefoot doctor` tells which OpenGL draws here")
    return np.frombuffer(raw, dtype=np.uint8).reshape(picture.height, picture.width, 3)
