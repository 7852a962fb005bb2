"""Tables that no model declares, such as those of a removed feature."""

from __future__ import annotations

from pathlib import Path
from shutil import copyfile

import pytest
from sqlalchemy import (
    BigInteger,
    Column,
    ForeignKey,
    Integer,
    MetaData,
    Table,
    insert,
    select,
)

from bot.database.schema import read_tables, referring_columns, undeclared_tables
from bot.store.records import Ending, EndRecord, GameSetup, SeatRecord
from bot.store.rows import delete_games, delete_undeclared
from bot.store.store import Store
from bot.store.tables import GameRow
from tests.bot.database.transferring import connected, found, move_data, refused
from tests.bot.databases import address_of

ANA, BEA = 5_550_001, 5_550_002
REMOVED = MetaData()
for name in ("games", "players"):
    Table(name, REMOVED, Column("id", Integer, primary_key=True))
ROUNDS = Table(
    "rounds",
    REMOVED,
    Column("id", Integer, primary_key=True),
    Column("game_id", ForeignKey("games.id"), nullable=False),
)
ENTRIES = Table(
    "entries",
    REMOVED,
    Column("round_id", ForeignKey("rounds.id"), primary_key=True),
    Column("entrant", BigInteger, ForeignKey("players.id"), primary_key=True),
    Column("asker", BigInteger),
)
TABLES = [ENTRIES, ROUNDS]


@pytest.fixture
async def games(store: Store) -> list[int]:
    """Two games of Ana and Bea, with a round each, in which both take part."""
    async with store.database.writing() as connection:
        await connection.run_sync(REMOVED.create_all, TABLES)
    seats = SeatRecord(ANA, None), SeatRecord(BEA, None)
    made = []
    for channel in (1, 2):
        opening = GameSetup("connect4", "5x4", channel, None, "en", *seats)
        made.append(await store.games.add(opening, 0.0))
        await store.games.finish(made[-1], EndRecord(Ending.LINE, 1, 1.0), counts=True)
    async with store.database.writing() as connection:
        for number, game_id in enumerate(made, 1):
            await connection.execute(insert(ROUNDS).values(id=number, game_id=game_id))
            entries = [{"round_id": number, "entrant": one, "asker": BEA} for one in (ANA, BEA)]
            await connection.execute(insert(ENTRIES), entries)
    return made


async def rows(store: Store) -> list[list[tuple[int, ...]]]:
    """The rows of the tables."""
    found = [await store.database.fetch(select(one).order_by(*one.primary_key)) for one in TABLES]
    return [[tuple(row) for row in of_one] for of_one in found]


async def test_undeclared_tables_are_read_from_the_database(store: Store, games: list[int]) -> None:
    """Undeclared tables are read from the database and ordered by their references."""
    async with store.database.reading() as connection:
        undeclared = [one.name for one in await undeclared_tables(connection)]
        referring = [str(one) for one in await referring_columns(connection, "games")]
        tables = (await connection.run_sync(read_tables)).tables.keys()
    assert undeclared.index("entries") < undeclared.index("rounds")
    assert "games" not in undeclared
    assert {"rounds.game_id", "moves.game_id", "ratings_due.game_id"} <= {*referring}
    assert "entries.round_id" not in referring
    assert {"games", "rounds", "entries"} <= tables
    assert "alembic_version" not in tables


async def test_rows_that_refer_to_deleted_ones_go_first(store: Store, games: list[int]) -> None:
    """Rows that refer to deleted rows, also indirectly, are deleted first.

    Those of other games stay.
    """
    async with store.database.writing() as connection:
        await delete_games(connection, GameRow.id == games[0])
    assert await rows(store) == [[(2, ANA, BEA), (2, BEA, BEA)], [(2, games[1])]]
    assert await store.games.find(games[0]) is None
    assert await store.games.find(games[1]) is not None


async def test_a_person_is_deleted_from_undeclared_tables(store: Store, games: list[int]) -> None:
    """A person's rows are deleted from undeclared tables.

    They are found by references to players and by the names of columns.
    """
    async with store.database.writing() as connection:
        await delete_undeclared(connection, ANA)
    kept = [(1, games[0]), (2, games[1])]
    assert await rows(store) == [[(1, BEA, BEA), (2, BEA, BEA)], kept]
    async with store.database.writing() as connection:
        await delete_undeclared(connection, BEA)
    assert await rows(store) == [[], kept]


async def test_a_transfer_copies_undeclared_tables(
    given: str, migrated: Path, tmp_path: Path
) -> None:
    """A transfer copies undeclared tables.

    A target that lacks them is refused, and nothing is lost.
    """
    target = address_of(copyfile(migrated, tmp_path / "target.db"))
    async with connected(given) as connection:
        await connection.run_sync(REMOVED.create_all, TABLES)
        await connection.execute(insert(ROUNDS).values(id=7, game_id=1))
    assert "has tables that the target" in await refused(given, target)
    async with connected(target) as connection:
        await connection.run_sync(REMOVED.create_all, TABLES)
    outcome = await move_data(given, target)
    assert {one.table: one.rows for one in outcome.sums}["rounds"] == 1
    assert await found(target, select(ROUNDS.c.game_id)) == [1]
