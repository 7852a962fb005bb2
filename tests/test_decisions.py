"""The records in docs/decisions and their index."""

from __future__ import annotations

import re
from pathlib import Path

FOLDER = Path(__file__).parents[1] / "docs" / "decisions"
RECORDS = sorted(FOLDER.glob("[0-9]*.md"))
FORM = re.compile(
    r"# (\d{4})\. [^\n]+\n\n\d{4}-\d\d-\d\d\. (.+?)\.\n\n"
    r"(?!\*\*)(?:[^\n]+\n)+\n\*\*Decision:\*\* (?:[^\n]+\n)+\n(?!\*\*)(?:[^\n]+\n)+",
    re.DOTALL,
)
MAX_WORDS = 80
"""Of a record below its title."""
LINK = re.compile(r"\[(\d{4})\]\((\d{4}-[^)]+)\)")


def statuses() -> dict[str, str]:
    """The status of each record by its number; fails if a record has another form."""
    found = {}
    for path in RECORDS:
        form = FORM.fullmatch(path.read_text(encoding="utf-8"))
        assert form, path.name
        assert form[1] == path.name[:4]
        found[form[1]] = " ".join(form[2].split())
    return found


def test_every_record_has_the_same_form() -> None:
    """Numbers are consecutive; date, status, context, decision and consequence are short."""
    assert list(statuses()) == [f"{n + 1:04}" for n in range(len(RECORDS))]
    for path in RECORDS:
        text = path.read_text(encoding="utf-8")
        assert len(text.partition("\n")[2].split()) <= MAX_WORDS, path.name


def test_the_index_lists_every_record() -> None:
    """Every record is linked once by subject, and those not simply accepted with their status."""
    index = (FOLDER / "README.md").read_text(encoding="utf-8")
    subjects, _, others = index.partition("## By subject")[2].partition("## Other than accepted")
    assert sorted(LINK.findall(subjects)) == [(path.name[:4], path.name) for path in RECORDS]
    listed = dict(re.findall(r"^- \[(\d{4})\]\([^)]+\): (.+)$", others, re.MULTILINE))
    assert listed == {n: status for n, status in statuses().items() if status != "Accepted"}
