"""The records in docs/decisions and their index."""

from __future__ import annotations

import re
from pathlib import Path

FOLDER = Path(__file__).parents[1] / "docs" / "decisions"
RECORDS = sorted(FOLDER.glob("[0-9]*.md"))
FORM = re.compile(
    r"# (\d{4})\. ([^\n]+)\n\n(\d{4}-\d\d-\d\d)\. (.+?)\.\n\n"
    r"\*\*Context:\*\* .+?\n\n\*\*Decision:\*\* .+?\n\n\*\*Consequence:\*\* .+?\n",
    re.DOTALL,
)
MOST_WORDS = 90
"""Of a record below its title."""


def test_every_record_has_the_same_form() -> None:
    """Numbers are consecutive; date, status, context, decision and consequence are short."""
    assert [path.name[:4] for path in RECORDS] == [f"{n + 1:04}" for n in range(len(RECORDS))]
    for path in RECORDS:
        text = path.read_text(encoding="utf-8")
        found = FORM.fullmatch(text)
        assert found, path.name
        assert found[1] == path.name[:4]
        assert len(text.partition("\n")[2].split()) <= MOST_WORDS, path.name


def test_the_index_lists_every_record() -> None:
    """Each row has a record's number, its title as a link, its status and its date."""
    rows = []
    for path in RECORDS:
        found = FORM.fullmatch(path.read_text(encoding="utf-8"))
        assert found, path.name
        number, title, date, status = found.groups()
        rows.append(f"| {number} | [{title}]({path.name}) | {' '.join(status.split())} | {date} |")
    index = (FOLDER / "README.md").read_text(encoding="utf-8")
    assert [line for line in index.splitlines() if line.startswith("| 0")] == rows
