"""The built wheel holds the whole library, data files included, and nothing else."""

import re
import subprocess
import sys
import zipfile
from pathlib import Path

from surefoot import __version__

ROOT = Path(__file__).parents[2]


def test_wheel_holds_every_file(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(tmp_path)]
    built = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stderr
    (wheel,) = tmp_path.glob("*.whl")
    held = set(zipfile.ZipFile(wheel).namelist())
    here = {
        path.relative_to(ROOT / "src").as_posix()
        for path in (ROOT / "src" / "surefoot").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts and path.suffix not in {".nbi", ".nbc"}
    }
    assert {name for name in held if not name.startswith("surefoot-")} == here
    assert any(not name.endswith(".py") for name in here), "no data file is part of the library any more: is that so?"
    entry = zipfile.ZipFile(wheel).read(f"surefoot-{__version__}.dist-info/entry_points.txt").decode()
    assert "surefoot = surefoot.cli.main:main" in entry


def test_changelog_knows_the_version_or_what_is_coming() -> None:
    headings = re.findall(r"^## (.+)$", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert headings
    assert headings[0] == "Unreleased" or headings[0].startswith(__version__)
