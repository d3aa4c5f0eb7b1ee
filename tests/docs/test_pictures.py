"""Every picture that a page shows, and every file that it links to, is there."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
LINK = re.compile(r"\]\((?!https?:)(?P<path>[^)#]+)")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    missing = [found["path"] for found in LINK.finditer(page.read_text()) if not (page.parent / found["path"]).exists()]
    assert not missing


def test_the_readme_shows_a_picture() -> None:
    assert re.search(r"!\[[^\]]+\]\(docs/images/[\w-]+\.png\)", (ROOT / "README.md").read_text())
