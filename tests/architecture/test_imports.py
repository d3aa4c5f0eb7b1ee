"""Imports go down (the contracts of pyproject.toml), and importing anything is silent and without side effects."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import grimp
import pytest

ROOT = Path(__file__).parents[2]


def lint_imports(sources: Path) -> subprocess.CompletedProcess[str]:
    """Run import-linter with the contracts of pyproject.toml on a folder of sources."""
    command = [Path(sys.executable).parent / "lint-imports", "--no-cache", "--config", ROOT / "pyproject.toml"]
    environment = os.environ | {"PYTHONPATH": str(sources)}
    return subprocess.run(command, cwd=sources, env=environment, capture_output=True, text=True, check=False)


def test_imports_go_down() -> None:
    run = lint_imports(ROOT / "src")
    assert run.returncode == 0, run.stdout[-3000:]


@pytest.mark.parametrize(
    ("module", "line"),
    [("seeding", "import mujoco"), ("characters/description", "import torch"), ("errors", "import surefoot.characters.roster")],
)
def test_the_contracts_notice(module: str, line: str, tmp_path: Path) -> None:
    """A copy of the library with one forbidden import breaks a contract."""
    shutil.copytree(ROOT / "src" / "surefoot", tmp_path / "surefoot", ignore=shutil.ignore_patterns("__pycache__"))
    file = tmp_path / "surefoot" / f"{module}.py"
    file.write_text(f"{file.read_text()}\n{line}\n")
    run = lint_imports(tmp_path)
    assert run.returncode == 1, run.stdout[-3000:]
    assert "BROKEN" in run.stdout


def test_only_systems_learn() -> None:
    """Physics, controllers and tasks are what is learned with, never what learns."""
    graph = grimp.build_graph("surefoot", cache_dir=None)
    learners = [module for module in graph.modules if module.startswith("surefoot.learning")]
    importers = {importer for learner in learners for importer in graph.find_modules_that_directly_import(learner)}
    assert importers, "nothing imports surefoot.learning: this test looks at the wrong thing"
    assert [module for module in sorted(importers) if not module.startswith(("surefoot.systems.", "surefoot.learning"))] == []


IMPORT_ALL = """
import importlib, pkgutil, sys, traceback
import surefoot
failed = []
for found in pkgutil.walk_packages(surefoot.__path__, "surefoot."):
    if found.name.endswith("__main__"):
        continue
    try:
        importlib.import_module(found.name)
    except Exception:
        failed.append(found.name + ": " + traceback.format_exc(limit=-1))
sys.stderr.write("\\n".join(failed))
"""


def test_every_module_imports_in_silence(tmp_path: Path) -> None:
    """No module prints, writes into the working folder, or needs an extra to be imported."""
    run = subprocess.run(
        [sys.executable, "-W", "error::SyntaxWarning", "-c", IMPORT_ALL], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert (run.returncode, run.stdout, run.stderr) == (0, "", "")
    assert list(tmp_path.iterdir()) == []
