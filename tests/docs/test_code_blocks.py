"""Whatever a page shows as code works: Python blocks run, `surefoot` lines parse, examples run.

The blocks of a page run one after another in one process and one namespace, as a reader would type them, in an empty folder.
`<!-- slow -->` on the line before a block moves its page's run to the slow tests.
"""

import re
import shlex
import subprocess
import sys
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

import pytest

from surefoot.cli.main import find_command
from surefoot.cli.parsing import parse

ROOT = Path(__file__).parents[2]
PAGES = [page for page in (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))) if page.is_file()]
EXAMPLES = sorted((ROOT / "examples").glob("*.py")) or [ROOT / "examples" / "my_law.py"]
FENCE = re.compile(r"^```(?P<language>\w+)[^\n]*\n(?P<code>.*?)^```", re.MULTILINE | re.DOTALL)
TIME_LIMIT_S = 120
MY_LAW_LINES = 40
"""`examples/my_law.py` is a controller as one typed function, pushed and filmed, in fewer lines than this."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Block:
    """One fenced block of a page."""

    language: str
    """As written after the fence."""
    code: str
    """What is in it."""
    line: int
    """Line of its first line of code in the page."""
    slow: bool
    """Whether the page says that it takes long."""


def blocks(text: str) -> list[Block]:
    """Every fenced block of a page."""
    return [
        Block(
            language=found["language"],
            code=found["code"],
            line=text[: found.start("code")].count("\n") + 1,
            slow=text[: found.start()].rstrip("\n").endswith("<!-- slow -->"),
        )
        for found in FENCE.finditer(text)
    ]


def python_of(page: Path) -> list[Block]:
    return [block for block in blocks(page.read_text()) if block.language == "python"]


def program(found: list[Block], page: str) -> str:
    """The blocks as one program whose tracebacks name the page and its lines."""
    pieces = []
    for block in found:
        placed = "\n" * (block.line - 1) + block.code
        pieces.append(f"exec(compile({placed!r}, {page!r}, 'exec'))")
    return "import matplotlib\nmatplotlib.use('Agg')\n" + "\n".join(pieces)


def run(words: list[str], folder: Path) -> None:
    """Run a program; a failure shows what it said."""
    ran = subprocess.run([sys.executable, *words], cwd=folder, capture_output=True, text=True, timeout=TIME_LIMIT_S, check=False)
    assert ran.returncode == 0, f"{ran.stdout[-2000:]}\n{ran.stderr[-4000:]}"


def pages(slow: bool) -> list[Path]:
    return [page for page in PAGES if (found := python_of(page)) and any(block.slow for block in found) == slow]


def label(path: Path) -> str:
    return str(path.relative_to(ROOT))


@pytest.mark.parametrize("page", pages(slow=False) or [ROOT / "README.md"], ids=label)
def test_python_blocks(page: Path, tmp_path: Path) -> None:
    assert python_of(page), f"{label(page)} has no python block"
    run(["-c", program(python_of(page), label(page))], tmp_path)


if pages(slow=True):

    @pytest.mark.slow
    @pytest.mark.parametrize("page", pages(slow=True), ids=label)
    def test_slow_python_blocks(page: Path, tmp_path: Path) -> None:
        run(["-c", program(python_of(page), label(page))], tmp_path)


@pytest.mark.parametrize("example", EXAMPLES, ids=label)
def test_example(example: Path, tmp_path: Path) -> None:
    run([str(example)], tmp_path)


@pytest.mark.parametrize("page", PAGES, ids=label)
def test_command_lines(page: Path) -> None:
    """Every line that starts with `surefoot` in a shell block, or stands so in the text, is one that the program takes."""
    text = page.read_text()
    lines = [
        line.removeprefix("$ ").strip()
        for block in blocks(text)
        if block.language in ("sh", "bash", "console")
        for line in block.code.splitlines()
    ]
    lines += re.findall(r"`(surefoot [^`]+)`", text)
    for line in lines:
        words = shlex.split(line, comments=True)
        if words[:1] != ["surefoot"] or any(word.isupper() and word.isalpha() for word in words) or "|" in words:
            continue
        command, rest = find_command(words[1:]) if words[1:2] not in (["--help"], ["--version"]) else (None, [])
        if command is not None and "--help" not in rest:
            options = import_module(f"surefoot.cli.{command.module}").Options
            assert isinstance(parse(options, rest, program=line, summary="", example=""), options)


def test_readme_shows_python_that_every_test_runs() -> None:
    assert ROOT / "README.md" in pages(slow=False), "the first words of the README must run in every test"


def test_my_law_is_short() -> None:
    lines = (ROOT / "examples" / "my_law.py").read_text().splitlines()
    assert len(lines) < MY_LAW_LINES


def test_blocks_are_found_and_their_failures_noticed(tmp_path: Path) -> None:
    text = "# Page\n\n```python\nx = 2\n```\n\nText.\n\n<!-- slow -->\n```python\nassert x == 3, 'x is two'\n```\n```sh\nls\n```\n"
    found = blocks(text)
    assert [(block.language, block.line, block.slow) for block in found] == [("python", 4, False), ("python", 11, True), ("sh", 14, False)]
    with pytest.raises(AssertionError, match=r'File "PAGE.md", line 11[\s\S]*x is two'):
        run(["-c", program(found[:2], "PAGE.md")], tmp_path)
    run(["-c", program(found[:1], "PAGE.md")], tmp_path)
