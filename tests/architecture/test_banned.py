"""What no module may do: draw from global or clock-seeded random numbers, pickle, name a machine, use what is not declared."""

import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

from surefoot.cli.mistakes import EXTRAS

ROOT = Path(__file__).parents[2]
SOURCES = sorted((ROOT / "src").rglob("*.py"))
PROGRAMS = sorted(
    path for folder in ("src", "benchmarks", "examples", "tests") for path in (ROOT / folder).rglob("*.py") if path != Path(__file__)
)
TEXTS = sorted(
    path
    for path in (*PROGRAMS, *(ROOT / "docs").rglob("*.md"), *(ROOT / "results").rglob("*"), *ROOT.glob("*"), *ROOT.glob(".ci/*"))
    if path.is_file() and path.suffix in {".py", ".md", ".toml", ".txt", ".json", ".csv", ".sh", ""}
)
MACHINE = re.compile(r"(?<![\w.])/(?:work|farm|root|home/\w+)/[\w.]+")
PICKLES = {"pickle", "cPickle", "dill", "cloudpickle", "joblib", "shelve", "marshal"}
BETWEEN_PROCESSES = {"src/surefoot/filming/studio.py", "src/surefoot/filming/paint_worker.py"}
"""May pickle: a model goes through a pipe to a child that this process started; nothing is kept and nothing foreign is read."""
UNSEEDED = {"default_rng", "SeedSequence", "PCG64", "Philox", "RandomState", "MT19937", "SFC64"}
CLOCKS = {"time", "time_ns", "perf_counter", "perf_counter_ns", "monotonic", "now", "urandom", "getpid", "uuid4"}
NUMPY_RANDOM = re.compile(r"^(?:np|numpy)\.random\.(\w+)$")
NEW_STYLE = {"Generator", "BitGenerator", "SeedSequence", "PCG64", "PCG64DXSM", "Philox", "SFC64", "MT19937", "default_rng"}


def name(path: Path) -> str:
    return str(path.relative_to(ROOT))


def imported(tree: ast.AST) -> Iterator[str]:
    """Top-level names of the modules that a module imports."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            yield node.module.partition(".")[0]


def banned(text: str) -> Iterator[str]:
    """What is wrong with a module, one sentence each."""
    tree = ast.parse(text)
    for module in imported(tree):
        if module in PICKLES:
            yield f"imports {module}: results are npz and JSON"
        if module == "random":
            yield "imports random: use surefoot.seeding"
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            yield from _banned_call(node)


def _banned_call(call: ast.Call) -> Iterator[str]:
    called = ast.unparse(call.func)
    last = called.rpartition(".")[2]
    legacy = NUMPY_RANDOM.match(called)
    if legacy and legacy.group(1) not in NEW_STYLE:
        yield f"line {call.lineno}: {called} uses NumPy's global generator: use surefoot.seeding"
    if last in UNSEEDED and (not call.args and not any(word.arg in {"seed", "entropy", "key"} for word in call.keywords)):
        yield f"line {call.lineno}: {called}() is seeded by the machine: use surefoot.seeding"
    if last in UNSEEDED or "seed" in last.lower():
        inside = [ast.unparse(node.func) for part in (*call.args, *call.keywords) for node in ast.walk(part) if isinstance(node, ast.Call)]
        if any(each.rpartition(".")[2] in CLOCKS for each in inside):
            yield f"line {call.lineno}: {called} takes its seed from the clock or the machine"
    if any(word.arg == "allow_pickle" and ast.unparse(word.value) != "False" for word in call.keywords):
        yield f"line {call.lineno}: {called} allows pickles"


@pytest.mark.parametrize("path", PROGRAMS, ids=name)
def test_nothing_banned(path: Path) -> None:
    faults = [fault for fault in banned(path.read_text()) if not (name(path) in BETWEEN_PROCESSES and "imports pickle" in fault)]
    assert not faults, f"{name(path)}: " + "; ".join(faults)


@pytest.mark.parametrize("path", TEXTS, ids=name)
def test_no_path_of_a_machine(path: Path) -> None:
    if path != Path(__file__):
        found = MACHINE.search(path.read_text(errors="replace"))
        assert found is None, f"{name(path)} names {found}"


def test_every_library_is_declared() -> None:
    """Whatever `src` imports is in pyproject.toml; otherwise the wheel breaks in an empty environment."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    core = {_distribution(line) for line in project["dependencies"]}
    extras = {extra: {_distribution(line) for line in lines} for extra, lines in project["optional-dependencies"].items()}
    owners = packages_distributions()
    undeclared: set[str] = set()
    used: set[str] = set()
    for path in SOURCES:
        for module in imported(ast.parse(path.read_text())):
            if module in sys.stdlib_module_names or module == "surefoot":
                continue
            distributions = {_distribution(each) for each in owners.get(module, [])}
            used |= distributions
            if not distributions & core and module not in EXTRAS:
                undeclared.add(f"{module} ({name(path)})")
    assert not undeclared
    assert set(EXTRAS.values()) <= set(extras), "the command line names an extra that pyproject.toml lacks"
    assert {"mujoco", "numpy"} <= used


def _distribution(line: str) -> str:
    return re.split(r"[<>=!~\[; ]", line.strip())[0].lower().replace("_", "-")


@pytest.mark.parametrize(
    "text",
    [
        "import pickle",
        "from random import choice",
        "np.random.seed(3)",
        "np.random.normal(size=3)",
        "np.random.default_rng()",
        "default_rng(time.time_ns())",
        "SeedTree(root=int(time.time()))",
        "np.load('a.npz', allow_pickle=True)",
    ],
)
def test_the_checks_notice(text: str) -> None:
    assert list(banned(text))


@pytest.mark.parametrize("text", ["np.random.default_rng(3)", "np.random.Generator(bits)", "np.load('a.npz')", "t = time.perf_counter()"])
def test_the_checks_let_good_code_through(text: str) -> None:
    assert not list(banned(text))
