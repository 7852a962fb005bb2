"""Wide tables, turned on their side."""

from __future__ import annotations

from renderers import Table
from renderers.blocks.table import SMALL_TABLE
from renderers.blocks.turned_table import turned
from renderers.paint.text import ELLIPSIS


def test_rows_become_columns() -> None:
    """A table that fits becomes one table, with the names of its rows as headers."""
    table = Table(("Level", "Games", "Won"), (("easy", "3", "50%"), ("hard", "4", "0%")))
    assert turned(table, SMALL_TABLE) == (
        Table(("Level", "easy", "hard"), (("Games", "3", "4"), ("Won", "50%", "0%"))),
    )


def test_too_many_columns_are_shared_between_tables() -> None:
    """All rows are there in order, shared out evenly, and every table has the first column."""
    table = Table(("Level", "Nodes"), tuple((f"level {n}", "12,345") for n in range(11)))
    tables = turned(table, SMALL_TABLE)
    assert len(tables) > 1
    assert [name for part in tables for name in part.headers[1:]] == [row[0] for row in table.rows]
    assert all(part.rows[0][0] == "Nodes" for part in tables)
    sizes = [len(part.headers) for part in tables]
    assert max(sizes[:-1]) == min(sizes[:-1]) >= sizes[-1]


def test_a_long_name_does_not_push_numbers_away() -> None:
    """A long name is cut above its column, so that the next column stays beside it."""
    (table,) = turned(Table(("", "a"), (("x" * 99, "1"), ("easy", "2"))), SMALL_TABLE)
    assert table.headers[1].endswith(ELLIPSIS)
    assert table.headers[2] == "easy"


def test_a_table_without_rows_becomes_none() -> None:
    """There is nothing to turn."""
    assert turned(Table(("Level", "Games"), ()), SMALL_TABLE) == ()
    assert turned(Table((), ((), ())), SMALL_TABLE) == ()
