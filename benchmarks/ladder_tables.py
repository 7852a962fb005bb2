"""The pages `docs/ladders/*.md`, from CSV files: `python -m benchmarks.ladder_tables`.

A page has the rungs of one ladder with the commands that measured them, from the ladder's own file,
and a section for each file `docs/ladders/LADDER-*.csv`. The first comment line of such a file is
the section's title; other comment lines are commands or remarks.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from engine.strength.ladder import ladder_files

FOLDER = Path(__file__).parents[1] / "docs" / "ladders"
HEADS = (
    *(
        "rung",
        "Elo",
        "±",
        "depth",
        "noise",
        "blind",
        "timid",
        "overlook",
        "surely",
        "nodes",
        "knows",
    ),
    *("loss", "trimmed"),
)
SECTIONS = ("pairs", "overlooked", "students", "cross", "cross-weak", "cross-strong")
"""The endings of the files, in the order of the sections."""

INTRODUCTION = (
    "Written by `python -m benchmarks.ladder_tables`. [Agents](../agents.md) explains the columns.",
    "Student agents are in italics.",
)


def page_of(ladder: str) -> str:
    """The page of one ladder, as Markdown."""
    (file,) = (path for path in ladder_files() if path.stem == ladder)
    comments, rows = _read(file)
    lines = [f"# Ladder `{ladder}`", "", *INTRODUCTION, "", "```", *comments, "```", ""]
    lines += _table([HEADS, *map(_rung, rows)])
    for section in SECTIONS:
        path = FOLDER / f"{ladder}-{section}.csv"
        if path.exists():
            lines += ["", *_section(path)]
    return "\n".join(lines) + "\n"


def _read(file: Path) -> tuple[list[str], list[dict[str, str]]]:
    """The comments and the rows of a CSV file."""
    lines = file.read_text(encoding="utf-8").splitlines()
    comments = [line.removeprefix("# ") for line in lines if line.startswith("#")]
    return comments, list(csv.DictReader(line for line in lines if not line.startswith("#")))


def _section(file: Path) -> Iterator[str]:
    """A file's title, remarks and table."""
    (title, *remarks), rows = _read(file)
    yield from (f"## {title}", "")
    for remark in remarks:
        yield from ("```", remark, "```", "") if remark.startswith("python ") else (remark, "")
    yield from _table([tuple(rows[0]), *(_cells(row) for row in rows)])


def _cells(row: Mapping[str, str]) -> tuple[str, ...]:
    return tuple(_grouped(cell) if head == "nodes" else cell for head, cell in row.items())


def _table(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    yield f"| {' | '.join(rows[0])} |"
    yield f"| --- |{' ---: |' * (len(rows[0]) - 1)}"
    yield from (f"| {' | '.join(row)} |" for row in rows[1:])


def _rung(row: Mapping[str, str]) -> tuple[str, ...]:
    name = f"{row['number']} {row['level']}".strip() if row["number"] else f"*{row['level']}*"
    return (
        *(name, row["elo"], row["error"], row["depth"], row["noise"], row.get("blind") or ""),
        row.get("timid") or "",
        *(row["overlook"], row["surely"], _grouped(row["nodes"]), row["knows"]),
        *(_spread(row, "loss"), _spread(row, "trimmed")),
    )


def _grouped(cell: str) -> str:
    """A count with separators between thousands."""
    return f"{int(cell):,}" if cell else ""


def _spread(row: Mapping[str, str], what: str) -> str:
    mean, deviation = row[f"{what}_mean"], row[f"{what}_sd"]
    return f"{float(mean):.3f} ± {float(deviation):.3f}" if mean else ""


def main() -> None:
    """Write the page of every ladder."""
    for path in ladder_files():
        (FOLDER / f"{path.stem}.md").write_text(page_of(path.stem), encoding="utf-8")
        print(f"docs/ladders/{path.stem}.md")


if __name__ == "__main__":
    main()
