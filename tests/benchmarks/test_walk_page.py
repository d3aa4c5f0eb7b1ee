"""The page on walking shows what results/gaits holds, and nothing that was typed."""

import walk_page


def test_tables_of_the_walking_page_are_those_of_the_results() -> None:
    text = walk_page.PAGE.read_text(encoding="utf-8")
    assert len(walk_page.MARK.findall(text)) >= 3
    assert walk_page.filled(text) == text, "run: python benchmarks/walk_page.py"


def test_a_bar_that_falls_short_is_said() -> None:
    assert walk_page.verdict({"holds": False}) == "**no**"
    assert walk_page.verdict({"holds": True}) == "yes"
    assert walk_page.verdict({"holds": None}) == ""
