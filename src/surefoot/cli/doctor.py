"""`surefoot doctor`: in one screen, what is installed, what draws, where caches lie, and what is missing with its remedy.

It only looks and never mends. Which GL draws is found by `surefoot.filming.gl`; the extras are those of pyproject.toml.
"""

import os
import platform
import sys
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Final

from surefoot import __version__
from surefoot.cli.mistakes import EXTRAS
from surefoot.cli.plain_data import print_json

CORE: Final = (
    *("mujoco", "numba", "llvmlite", "numpy", "scipy", "cma", "mink", "daqp"),
    *("tyro", "imageio", "pillow", "imageio-ffmpeg", "rich", "matplotlib", "trimesh"),
)
"""Distributions that everything needs, in the order of pyproject.toml."""
OPTIONAL: Final = {"torch": "torch", "onnx": "onnx", "onnxruntime": "onnxruntime", "ray": "ray"} | {
    "gymnasium": "gymnasium",
    "usd-core": "pxr",
    "pygltflib": "pygltflib",
    "viser": "viser",
}
"""Distributions of the extras, and the module each is imported as."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Options:
    """Flags of `surefoot doctor`."""

    json: bool = False
    """Print JSON for a program to read."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Examination:
    """What the doctor found."""

    surefoot: str
    """Version."""
    python: str
    """Version of Python."""
    system: str
    """Operating system and processor type."""
    cores: int
    """Cores that this process may use."""
    memory_gb: float
    """Memory of the machine; 0 where the system does not tell."""
    gl: str | None
    """Which OpenGL draws without a display, such as `egl`; None when none does."""
    compiled_laws: str | None
    """Folder where numba keeps compiled laws between processes; None where the physics cannot be loaded."""
    compiled_laws_writable: bool
    """Whether it can be written; otherwise every process compiles anew."""
    core: dict[str, str | None]
    """Version of each library of the core, None for one that is missing."""
    extras: dict[str, str | None]
    """Version of each library of the extras."""
    missing: tuple[tuple[str, str], ...]
    """What is missing and the command that mends it."""


def run(options: Options) -> None:
    """Print what is there and what is missing."""
    found = examine()
    if options.json:
        print_json(found)
    else:
        print("\n".join(screen(found)))


def examine() -> Examination:
    """Look at this installation and this machine."""
    core = {name: installed(name) for name in CORE}
    extras = {name: installed(name) for name in OPTIONAL}
    gl, gl_remedy = drawing()
    cache, cached = compiled_laws() or (None, False)
    missing = [(f"library {name}", f"{sys.executable} -m pip install {name}") for name, found in core.items() if found is None]
    if gl is None:
        missing.append(("an OpenGL that draws without a display", gl_remedy))
    if cache is not None and not cached:
        missing.append((f"a cache for compiled laws ({cache} cannot be written)", "export SUREFOOT_CACHE=FOLDER"))
    return Examination(
        surefoot=__version__,
        python=platform.python_version(),
        system=f"{platform.system()} {platform.machine()}",
        cores=len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1,
        memory_gb=round(memory_bytes() / 1e9, 1),
        gl=gl,
        compiled_laws=None if cache is None else str(cache),
        compiled_laws_writable=cached,
        core=core,
        extras=extras,
        missing=tuple(missing),
    )


def installed(name: str) -> str | None:
    """Version of an installed distribution, or None."""
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def memory_bytes() -> int:
    """Memory of the machine, 0 where the system does not tell."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (ValueError, OSError, AttributeError):
        return 0


def drawing() -> tuple[str | None, str]:
    """Which GL draws, and what to do when none does."""
    try:
        from surefoot.filming import gl  # on demand: it starts a child process to try
    except ImportError as error:  # the doctor must be able to see a patient who lacks mujoco
        return None, f"{sys.executable} -m pip install {error.name}"
    return gl.choose(), gl.install_hint()


def compiled_laws() -> tuple[Path, bool] | None:
    """Where compiled laws are kept between processes, and whether they can; None where the physics cannot be loaded."""
    try:
        from surefoot.physics.addresses import cache_root  # on demand: it loads numba and mujoco
    except ImportError:
        return None
    return cache_root(), writable(cache_root())


def writable(folder: Path) -> bool:
    """Whether files can be made in a folder, or the folder itself where it does not exist yet."""
    there = next((place for place in (folder, *folder.parents) if place.exists()), Path("/"))
    return there.is_dir() and os.access(there, os.W_OK | os.X_OK)


def screen(found: Examination) -> list[str]:
    """The examination as at most 40 lines of at most 100 characters (longer only where a path is)."""
    kept = "writable" if found.compiled_laws_writable else "NOT writable"
    cache = f"{found.compiled_laws} ({kept})" if found.compiled_laws else "cannot be told: the physics does not load"
    lines = [
        f"surefoot     {found.surefoot}, Python {found.python}, {found.system}",
        f"machine      {found.cores} cores, {found.memory_gb:.1f} GB of memory",
        f"draws with   {found.gl or 'nothing: films and pictures are left out'}",
        f"compiled     {cache}",
        "",
        *_columns("core", found.core),
        "",
        *_columns("extras", found.extras),
        "",
    ]
    absent = [name for name, seen in found.extras.items() if seen is None]
    if absent:
        names = sorted({EXTRAS[OPTIONAL[name]] for name in absent})
        lines.append(f"optional     pip install 'surefoot[NAME]' with NAME one of {', '.join(names)}")
    if not found.missing:
        return [*lines, "missing      nothing"]
    for what, remedy in found.missing:
        lines += [f"missing      {what}", f"  mend it    {remedy}"]
    return lines


def _columns(title: str, versions: dict[str, str | None]) -> list[str]:
    """Names and versions, three to a line."""
    cells = [f"{name} {seen or '-'}" for name, seen in versions.items()]
    rows = [cells[start : start + 3] for start in range(0, len(cells), 3)]
    return [f"{title if not number else '':<13}" + "".join(f"{cell:<26}" for cell in row).rstrip() for number, row in enumerate(rows)]
