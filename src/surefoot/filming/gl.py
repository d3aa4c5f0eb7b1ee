"""Which OpenGL draws on this machine, found by trying, and what to install where none does.

MuJoCo reads MUJOCO_GL when it is imported and has no fallback of its own, and a driver that fails may take the process with
it; so each candidate draws a small picture in a child process. Pictures are drawn in child processes too (`studio`), with the
answer in their environment: it does not matter whether, or with what, this process has imported mujoco.
"""

import contextlib
import json
import os
import platform
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

from surefoot.errors import NotAvailable

DISABLED = ("disable", "disabled", "off", "false", "0")
"""Values of MUJOCO_GL by which MuJoCo is told not to draw; then nothing is tried, and films are skipped."""
PROBE_TIMEOUT_S = 60.0
"""A driver that compiles its shaders for the first time on a busy core takes seconds, not a minute."""
PROBE = """
import mujoco
model = mujoco.MjModel.from_xml_string('<mujoco><worldbody><geom size=".3" rgba="1 0 0 1"/></worldbody></mujoco>')
data = mujoco.MjData(model)
mujoco.mj_forward(model, data)
with mujoco.Renderer(model, 48, 64) as renderer:
    renderer.update_scene(data)
    picture = renderer.render()
print('drawn' if picture.max() > 60 and picture.min() < 20 else 'blank')
"""


def choose(*, refresh: bool = False, probe: Callable[[str], bool] | None = None) -> str | None:
    """The value of MUJOCO_GL with which this machine draws, or None when nothing draws.

    A good answer is kept in the cache folder for this machine; "nothing draws" is never kept, so installing the package is
    enough. When mujoco is not imported yet, MUJOCO_GL is set, so that a later `mujoco.Renderer` of the caller works as well.

    Args:
      refresh: try again although an answer is kept.
      probe: tells whether a candidate draws; by default a child process that draws a picture with it.
    """
    asked = os.environ.get("MUJOCO_GL", "").lower().strip()
    if asked in DISABLED and asked:
        return None
    kept = None if refresh or probe else _kept()
    found = kept if kept and asked in ("", kept) else next(filter(probe or draws, candidates(asked)), None)
    if found and not probe and not asked and found != kept:  # what was asked for once is not this machine's answer
        _keep(found)
    if found and "mujoco" not in sys.modules:
        os.environ["MUJOCO_GL"] = found
    return found


def candidates(asked: str = "") -> tuple[str, ...]:
    """What is worth trying here, best first; a value that the user set in MUJOCO_GL comes before all others."""
    by_system = {"Darwin": ("cgl", "glfw"), "Windows": ("wgl",)}
    usual = by_system.get(platform.system(), ("egl", "osmesa"))
    if platform.system() == "Linux" and (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        usual = (*usual, "glfw")
    return (asked, *(name for name in usual if name != asked)) if asked else usual


def draws(candidate: str) -> bool:
    """Whether a child process draws a red ball with this value of MUJOCO_GL."""
    try:
        done = subprocess.run(
            [sys.executable, "-c", PROBE],
            env=environment(candidate),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=PROBE_TIMEOUT_S,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.stdout.strip() == b"drawn"


def environment(choice: str, base: Mapping[str, str] | None = None) -> dict[str, str]:
    """The environment of a child process that draws with `choice`.

    PYOPENGL_PLATFORM is dropped: importing mujoco sets it for its own choice, and another choice then refuses to load.
    """
    variables = dict(os.environ if base is None else base)
    variables.pop("PYOPENGL_PLATFORM", None)
    variables["MUJOCO_GL"] = choice
    return variables


def install_hint() -> str:
    """One line that says how to make drawing possible here."""
    if os.environ.get("MUJOCO_GL", "").lower().strip() in DISABLED:
        return "no film was drawn, because MUJOCO_GL says 'disable': unset it"
    if platform.system() != "Linux":
        return "no OpenGL was found that draws without a window, so no film was drawn: run it where a display is open"
    return (
        "no software OpenGL was found, so no film was drawn: apt-get install libegl1 libgl1-mesa-dri (Debian, Ubuntu), "
        "or libosmesa6; then run it again"
    )


def required() -> str:
    """The answer of `choose`, or an error that says what to install."""
    found = choose()
    if found is None:
        raise NotAvailable(install_hint())
    return found


def forget() -> None:
    """Drop the kept answer, because it turned out wrong: the next `choose` tries again."""
    with contextlib.suppress(OSError):  # in a folder that cannot be written nothing was kept
        _file().unlink(missing_ok=True)


def cache_folder() -> Path:
    """Where answers about this machine are kept: XDG_CACHE_HOME, or the customary place of the system."""
    if given := os.environ.get("XDG_CACHE_HOME"):
        return Path(given) / "surefoot"
    home = Path.home()
    if platform.system() == "Darwin":
        return home / "Library" / "Caches" / "surefoot"
    if platform.system() == "Windows":
        return Path(os.environ.get("LOCALAPPDATA", home / "AppData" / "Local")) / "surefoot" / "cache"
    return home / ".cache" / "surefoot"


def _file() -> Path:
    # a home folder may be shared by machines with different drivers, hence the node's name
    return cache_folder() / f"gl-{platform.node() or 'machine'}.json"


def _kept() -> str | None:
    try:
        kept = json.loads(_file().read_text(encoding="utf-8"))
        return kept["choice"] if kept["python"] == sys.executable and isinstance(kept["choice"], str) else None
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _keep(choice: str) -> None:
    try:
        _file().parent.mkdir(parents=True, exist_ok=True)
        _file().write_text(json.dumps({"choice": choice, "python": sys.executable}), encoding="utf-8")
    except OSError:
        pass  # a read-only home costs half a second at each start and nothing else
