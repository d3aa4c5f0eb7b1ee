"""House rules that can be counted: sizes, names, docstrings, documented fields."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCES = sorted((ROOT / "src").rglob("*.py"))
MODULE_LINES = 400
FUNCTION_LINES = 60
LAW_LINES = 90
LAW_FOLDERS = {"laws"}
NAMED_AFTER_NOTHING = {"utils", "util", "common", "helpers", "helper", "misc", "core", "base"}
SENTENCE_END = re.compile(r"[.!?](?=\s|$)")
FUNCTIONS = ast.FunctionDef | ast.AsyncFunctionDef


def name(path: Path) -> str:
    return str(path.relative_to(ROOT))


def long_functions(path: Path, text: str) -> Iterator[str]:
    """Functions of more lines than allowed; laws, which cannot be cut up for nothing, may be longer."""
    limit = LAW_LINES if LAW_FOLDERS & {path.stem, path.parent.name} else FUNCTION_LINES
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, FUNCTIONS) and (node.end_lineno or 0) - node.lineno + 1 > limit:
            yield f"{node.name} (line {node.lineno}) has {(node.end_lineno or 0) - node.lineno + 1} lines, at most {limit}"


def sentences(docstring: str) -> int:
    return len(SENTENCE_END.findall(docstring))


def loose_dataclasses(text: str) -> Iterator[str]:
    """Public dataclasses that are not frozen, or have public fields without a string under them."""
    for node in ast.walk(ast.parse(text)):
        if not isinstance(node, ast.ClassDef) or node.name.startswith("_"):
            continue
        marks = [mark for mark in node.decorator_list if "dataclass" in ast.unparse(mark)]
        if not marks:
            continue
        if not all("frozen=True" in ast.unparse(mark) for mark in marks):
            yield f"{node.name} (line {node.lineno}) is not frozen"
        for field, after in zip(node.body, [*node.body[1:], None], strict=True):
            if not isinstance(field, ast.AnnAssign) or not isinstance(field.target, ast.Name) or field.target.id.startswith("_"):
                continue
            if not (isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant) and isinstance(after.value.value, str)):
                yield f"{node.name}.{field.target.id} (line {field.lineno}) has no string under it"


@pytest.mark.parametrize("path", SOURCES, ids=name)
def test_module(path: Path) -> None:
    """One test a module: its size, its name, its docstring, its functions and its dataclasses."""
    text = path.read_text()
    faults = [*long_functions(path, text), *loose_dataclasses(text)]
    lines = text.count("\n")
    if lines > MODULE_LINES:
        faults.append(f"{lines} lines, at most {MODULE_LINES}")
    if NAMED_AFTER_NOTHING & {path.stem, *path.relative_to(ROOT).parts}:
        faults.append("is named after nothing: name it after what it is")
    told = sentences(ast.get_docstring(ast.parse(text)) or "")
    public = not path.stem.startswith("_") or path.stem in ("__init__", "__main__")
    if public and told < 2:
        faults.append(f"its docstring has {told} sentences: say in two to six what lives here, what does not, where its neighbour is")
    assert not faults, f"{name(path)}: " + "; ".join(faults)


def test_every_folder_of_modules_is_a_package() -> None:
    """Without __init__.py the import contracts would not look into it, and the wheel might leave it out."""
    folders = {path.parent for path in SOURCES if path.parent.name != "src"}
    assert folders
    assert not [name(folder) for folder in sorted(folders) if not (folder / "__init__.py").is_file()]


def test_the_checks_notice() -> None:
    """Each check above finds what it is for."""
    long = "def f():\n" + "    x = 1\n" * FUNCTION_LINES
    assert list(long_functions(Path("a/b.py"), long))
    assert not list(long_functions(Path("a/b.py"), long.replace("    x = 1\n", "", 1)))
    assert not list(long_functions(Path("controllers/laws/simbicon.py"), long))
    assert sentences("One sentence, 2.5 m long.") == 1
    assert sentences("Two. Of them.\n") == 2
    assert list(loose_dataclasses('@dataclass\nclass A:\n    x: int\n    """X."""'))
    assert list(loose_dataclasses("@dataclass(frozen=True)\nclass A:\n    x: int\n    y: int"))
    assert not list(loose_dataclasses('@dataclass(frozen=True)\nclass A:\n    x: int\n    """X."""'))
