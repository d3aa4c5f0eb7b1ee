"""Tables of docs/walking.md from results/gaits/*.json: bars of each gait, pushes from eight sides, speeds and turns.

`python benchmarks/walk_page.py` rewrites what stands between `<!-- table KIND GAIT -->` and `<!-- end -->`; nothing there is
typed. The measuring is `surefoot.systems.gait_tuning.measure`; the page of choices has its own, `choice_page`.
"""

from __future__ import annotations

import json
import pathlib
import re
from typing import Any

from choice_page import grid
from surefoot.files import written_whole

ROOT = pathlib.Path(__file__).parents[1]
PAGE, RESULTS = ROOT / "docs" / "walking.md", ROOT / "results" / "gaits"
MARK = re.compile(r"<!-- table (?P<kind>\w+) (?P<gait>[\w-]+) -->.*?<!-- end -->", re.DOTALL)


def measured(gait: str) -> dict[str, Any]:
    """The results file of a gait."""
    return json.loads((RESULTS / f"{gait}.json").read_text(encoding="utf-8"))


def verdict(row: dict[str, Any]) -> str:
    """Whether the bar is met, in a word."""
    return "" if row["holds"] is None else "yes" if row["holds"] else "**no**"


def bars(gait: str) -> str:
    """Every number that has a bar."""
    found = measured(gait)
    lines = [
        [
            row["name"],
            f"{row['value']:.3g}",
            f"{row['low']:.3g} to {row['high']:.3g}" if row["low"] is not None else "",
            row["bar"],
            verdict(row),
            str(row["count"]),
        ]
        for row in found["rows"]
        if row["bar"] is not None
    ]
    return (
        grid(["measured", "value", "95 % interval", "bar", "met", "trials"], lines) + f"\n\n`{found['command']}`, {found['wall_s']:.0f} s."
    )


def pushes(gait: str) -> str:
    """Survivors of each force from each side."""
    rows = {row["name"]: row for row in measured(gait)["rows"]}
    names = [name.split(".", 2) for name in rows if name.startswith("push_success.")]
    forces = sorted({float(force) for _, _, force in names})
    lines = [
        [direction, *(f"{rows[f'push_success.{direction}.{force:g}']['value']:.2f}" for force in forces)]
        for direction in dict.fromkeys(direction for _, direction, _ in names)
    ]
    return grid(["pushed to", *(f"{force:g} N" for force in forces)], lines)


TABLES = {"bars": bars, "pushes": pushes}


def filled(text: str) -> str:
    """The page with every table as the results have it."""

    def new(found: re.Match[str]) -> str:
        opening = found[0][: found[0].index("-->") + 3]
        return f"{opening}\n{TABLES[found['kind']](found['gait'])}\n<!-- end -->"

    return MARK.sub(new, text)


if __name__ == "__main__":
    page = filled(PAGE.read_text(encoding="utf-8"))
    with written_whole(PAGE) as part:
        part.write_text(page, encoding="utf-8")
