"""The ladders' tables in the documents."""

from __future__ import annotations

from benchmarks.ladder_tables import DOCUMENT, PLACE, table_of, with_tables
from engine.strength.ladder import ladder_files


def test_the_document_says_what_the_ladders_files_say() -> None:
    """Every ladder has a table in the document, with the figures of its file."""
    text = DOCUMENT.read_text(encoding="utf-8")
    assert {place[2] for place in PLACE.finditer(text)} == {path.stem for path in ladder_files()}
    assert with_tables(text) == text, "run python -m benchmarks.ladder_tables"


def test_a_table_is_replaced_and_nothing_else() -> None:
    """What stands between a ladder's two comments goes; all around it stays."""
    text = "before\n<!-- ladder gato -->\nold\n<!-- end of the ladder -->\nafter <!-- x -->\n"
    found = with_tables(text)
    assert found.startswith("before\n<!-- ladder gato -->\n```\npython -m engine tournament")
    assert found.endswith("|\n<!-- end of the ladder -->\nafter <!-- x -->\n")
    assert "old" not in found
    assert table_of("gato") in found
