"""`python benchmarks/choices.py`: the choices that everything later hangs on, measured: step, joints, laws, cheap.

Writes results/choices.json, one study at a time, and brings the tables of docs/choices.md up to date from it. Each study is a module:
`choice_step` (time step and integrator), `choice_joints` (ball or hinges), `choice_laws` (what a law returns), `choice_cheap` (contact
and solver settings). `--only` measures some anew, `--resume` leaves out those already measured with this gait.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib.resources
import pathlib
import shlex
import sys
from collections.abc import Callable

from choice_cheap import cheap_study
from choice_joints import joints_study
from choice_laws import laws_study
from choice_page import refresh
from choice_rows import Row, Study, load, save, timed
from choice_step import step_study
from choice_walks import DRAFT, SMOKE, Size
from surefoot.controllers.gait import Gait, load_gait
from surefoot.errors import SurefootError, UnknownName

STUDIES: dict[str, Callable[[Gait, Size], list[Row]]] = {
    "step": step_study,
    "joints": lambda _, size: joints_study(size),
    "laws": laws_study,
    "cheap": cheap_study,
}
WALKLESS = {"joints"}
"""Studies in which nothing walks: they stay measured when the gait changes."""
FULL: dict[str, Size] = {
    "step": Size(name="full", starts=16, push_trials=8),
    "joints": Size(name="full"),
    "laws": Size(name="full", starts=24, push_trials=8),
    "cheap": Size(name="full", starts=24, push_trials=16),
}


def label_of(gait: str) -> str:
    """Name of a gait with the first digits of its file's hash, so that results tell whose they are; of a path only the last part."""
    gaits = pathlib.Path(str(importlib.resources.files("surefoot.controllers"))) / "gaits"
    path = pathlib.Path(gait) if gait.endswith(".toml") else gaits / f"{gait}.toml"
    digest = hashlib.sha256(path.read_bytes()).hexdigest()[:12]
    return f"{path.name if gait.endswith('.toml') else gait} {digest}"


def size_of(study: str, size: str) -> Size:
    """How much a study simulates."""
    return {"smoke": SMOKE, "draft": DRAFT, "full": FULL[study]}[size]


def measure(names: list[str], gait_name: str, how_much: str, out: pathlib.Path, resume: bool) -> None:
    """Measure studies one after another; each is written as soon as it is done."""
    gait = load_gait(gait_name)
    for name in names:
        size, studies = size_of(name, how_much), load(out)
        label = "" if name in WALKLESS else label_of(gait_name)
        old = studies.get(name)
        if resume and old is not None and (old.gait, old.size) == (label, size.name):
            print(f"{name}: already measured{' with ' * bool(label)}{label}", flush=True)
            continue
        rows, seconds = timed(lambda name=name, size=size: STUDIES[name](gait, size))
        words = ["python", "benchmarks/choices.py", *(["--gait", label.split()[0]] if label else []), "--only", name]
        studies[name] = Study(
            name=name,
            command=shlex.join(words + ["--size", how_much] * (how_much != "full")),
            gait=label,
            size=size.name,
            wall_s=round(seconds, 1),
            rows=tuple(rows),
        )
        save(out, {key: studies[key] for key in STUDIES if key in studies})
        print(f"{name}: {len(rows)} rows in {seconds:.0f} s", flush=True)


def main(words: list[str] | None = None) -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--gait", default="human/walk", help="a gait of the library, or a file")
    parser.add_argument("--only", nargs="*", default=list(STUDIES), help="studies to measure; with none, only the page is refreshed")
    parser.add_argument(
        "--size", choices=("full", "draft", "smoke"), default="full", help="smoke only shows that everything works, results and page stay"
    )
    parser.add_argument("--resume", action="store_true", help="leave out what is already measured with this gait")
    parser.add_argument("--out", default="")
    parser.add_argument("--page", default="docs/choices.md")
    asked = parser.parse_args(words)
    out = pathlib.Path(asked.out or ("runs/choices-smoke.json" if asked.size == "smoke" else "results/choices.json"))
    try:
        for name in asked.only:
            if name not in STUDIES:
                raise UnknownName("study", name, list(STUDIES))
        measure(asked.only, asked.gait, asked.size, out, asked.resume)
        if asked.size != "smoke":
            refresh(pathlib.Path(asked.page), load(out))
    except SurefootError as mistake:
        print(mistake, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
