"""The ladders' tables in docs/agents.md, from their files: `python -m benchmarks.ladder_tables`.

Each table stands between two comments, of which the first names the ladder. A test compares the
document with the files, so the one cannot say what the other does not.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Mapping
from pathlib import Path

from engine.strength.ladder import ladder_files

DOCUMENT = Path(__file__).parents[1] / "docs" / "agents.md"
HEADS = ("rung", "Elo", "±", "depth", "noise", "blind", "overlook", "surely", "nodes", "knows")
HEADS += ("loss", "trimmed")
PLACE = re.compile(r"(<!-- ladder ([a-z0-9-]+) -->\n).*?(<!-- end of the ladder -->)", re.DOTALL)


def table_of(ladder: str) -> str:
    """How a ladder was measured, and its rungs, then its other agents in italics, as Markdown."""
    (file,) = (path for path in ladder_files() if path.stem == ladder)
    lines = file.read_text(encoding="utf-8").splitlines()
    told = [line.removeprefix("# ") for line in lines if line.startswith("#")]
    rows = csv.DictReader(line for line in lines if not line.startswith("#"))
    table = [HEADS, ("---", *["---:"] * (len(HEADS) - 1)), *map(_cells, rows)]
    return "\n".join(["```", *told, "```", "", *(f"| {' | '.join(row)} |" for row in table), ""])


def _cells(row: Mapping[str, str]) -> tuple[str, ...]:
    name = f"{row['number']} {row['level']}".strip() if row["number"] else f"*{row['level']}*"
    nodes = f"{int(row['nodes']):,}" if row["nodes"] else ""
    return (
        *(name, row["elo"], row["error"], row["depth"], row["noise"], row.get("blind") or ""),
        *(
            row["overlook"],
            row["surely"],
            nodes,
            row["knows"],
            _spread(row, "loss"),
            _spread(row, "trimmed"),
        ),
    )


def _spread(row: Mapping[str, str], what: str) -> str:
    mean, deviation = row[f"{what}_mean"], row[f"{what}_sd"]
    return f"{float(mean):.3f} ± {float(deviation):.3f}" if mean else ""


def with_tables(text: str) -> str:
    """A document with every table as the files have it."""
    return PLACE.sub(lambda place: f"{place[1]}{table_of(place[2])}{place[3]}", text)


def main() -> None:
    """Write the tables into the document."""
    DOCUMENT.write_text(with_tables(DOCUMENT.read_text(encoding="utf-8")), encoding="utf-8")
    names = ", ".join(sorted(path.stem for path in ladder_files()))
    print(f"{DOCUMENT.name} has the tables of {names}")


if __name__ == "__main__":
    main()
