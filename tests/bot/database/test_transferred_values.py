"""Values that engines store in different ways stay equal when they are copied."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from shutil import copyfile
from typing import Any

import pytest
from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    Column,
    DateTime,
    Double,
    ForeignKey,
    Integer,
    MetaData,
    String,
    Table,
    func,
    insert,
    null,
    select,
    update,
)
from sqlalchemy.dialects.postgresql import dialect
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from bot.database.postgres import POSTGRES
from bot.database.transfer import transfer
from bot.database.transfer_tables import copied_tables
from tests.bot.databases import Server, address_of

NOON = datetime(2026, 7, 1, 12, 0, 0, 250, tzinfo=timezone(timedelta(hours=2)))
LATER = MetaData()
"""Tables as they may be added one day; a column and a table are for running processes."""
VALUES = Table(
    "values",
    LATER,
    Column("word", String(16), primary_key=True),
    Column("number", BigInteger, primary_key=True, autoincrement=False),
    Column("yes", Boolean),
    Column("real", Double),
    Column("told", JSON),
    Column("moment", DateTime(timezone=True)),
    Column("local", DateTime),
    Column("holder", String(8), info={"transient": True}),
)
LEASES = Table("leases", LATER, Column("name", String(8), primary_key=True),
               info={"transient": True})  # fmt: skip
CHILDREN = Table("children", LATER, Column("id", Integer, primary_key=True),
                 Column("parent", ForeignKey("parents.id")))  # fmt: skip
PARENTS = Table("parents", LATER, Column("id", BigInteger, primary_key=True))
ROWS: list[dict[str, Any]] = [
    {"yes": True, "real": 0.1 + 0.2, "told": {"b": [1, 2.5], "a": None}},
    {"yes": False, "real": -0.0, "told": [], "moment": NOON},
    {"yes": None, "real": 5e-324, "told": None, "local": NOON.replace(tzinfo=None)},
    {"yes": True, "real": 1.7976931348623157e308, "told": 1e16, "moment": NOON.astimezone(UTC)},
    {"yes": False, "real": float("inf"), "told": "«ñ»\n'", "moment": None},
]
WORDS = ("Z", "a", "É", "_b", "B-1", "b", "aa", "ab", "\U0001f600", "￿")
"""In the order of many languages other than in that of their bytes."""


@pytest.fixture
def empty(database_kind: str, tmp_path: Path, migrated: Path, server: Server) -> Iterator[str]:
    """An empty database of the other engine."""
    if database_kind == "sqlite":
        with server.copy() as address:
            yield address
    else:
        yield address_of(copyfile(migrated, tmp_path / "empty.db"))


@pytest.fixture
async def engines(address: str, empty: str) -> AsyncIterator[list[AsyncEngine]]:
    """Both databases, with the tables."""
    made = [create_async_engine(one) for one in (address, empty)]
    for engine in made:
        async with engine.begin() as connection:
            await connection.run_sync(LATER.create_all)
    yield made
    for engine in made:
        await engine.dispose()


def test_a_server_orders_texts_by_their_bytes() -> None:
    """The server compares texts by bytes in every locale."""
    (table,) = (one for one in copied_tables(LATER) if one.name == "values")
    for statement in (table.rows(POSTGRES, ("a", 7)), table.last(POSTGRES)):
        sql = str(statement.compile(dialect=dialect()))
        order = sql.partition("ORDER BY ")[2]
        assert 'word COLLATE "C"' in order
        assert sql.count(".word") - 1 == sql.count('COLLATE "C"')


@pytest.mark.parametrize("declared", [LATER, MetaData()], ids=["declared", "undeclared"])
@pytest.mark.postgres
async def test_values_stay_equal(
    engines: list[AsyncEngine], address: str, empty: str, declared: MetaData
) -> None:
    """Booleans, numbers, JSON and timestamps stay equal, in batches that end between any two rows.

    That holds for tables that no model declares, too, such as those of a removed feature. Only
    models mark columns that belong to running processes.
    """
    places = ((word, number) for word in WORDS for number in (-(2**62), 7))
    rows = [
        {**dict.fromkeys(VALUES.columns.keys()), **ROWS[at % len(ROWS)], "holder": "me",
         "word": word, "number": number}
        for at, (word, number) in enumerate(places)
    ]  # fmt: skip
    if address.startswith("sqlite"):
        # SQLite stores no time zone: its values are in UTC.
        rows = [{**row, "moment": row["moment"] and row["moment"].astimezone(UTC)} for row in rows]
    async with engines[0].begin() as connection:
        await connection.execute(insert(VALUES), rows)
        # A missing value, which is not JSON's null.
        blank = update(VALUES).where(VALUES.c.real == ROWS[2]["real"]).values(told=null())
        await connection.execute(blank)
        await connection.execute(insert(PARENTS), [{"id": 3}])
        await connection.execute(insert(CHILDREN), [{"id": 41, "parent": 3}])
        await connection.execute(insert(LEASES), [{"name": "bot"}])
    for engine in engines:
        await engine.dispose()
    outcome = await transfer(address, empty, lambda _: None, declared, batch=3)
    leases = {} if declared is LATER else {"leases": 1}
    assert {one.table: one.rows for one in outcome.sums if one.rows} == {
        "parents": 1, "values": len(rows), "children": 1, **leases,
    }  # fmt: skip
    async with engines[1].begin() as connection:
        found = {(one.word, one.number): one for one in await connection.execute(select(VALUES))}
        assert len((await connection.execute(select(LEASES))).all()) == len(leases)
        added = await connection.execute(insert(CHILDREN).values(parent=3))
        assert added.inserted_primary_key == (42,)
        counting = select(func.count()).where(VALUES.c.told.is_(null()))
        assert await connection.scalar(counting) == len(WORDS) * 2 // len(ROWS)
    for row in rows:
        one = found[row["word"], row["number"]]
        assert (one.yes, one.real, one.told) == (row["yes"], row["real"], row["told"])
        assert one.local == row["local"]
        assert one.holder == (None if declared is LATER else "me")
        moment = one.moment and one.moment.replace(tzinfo=one.moment.tzinfo or UTC)
        assert moment == row["moment"]
