"""Copying all rows from one database to another, in either direction."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from sqlalchemy import func, insert, inspect, literal, select, text

from bot.database.errors import Unfit
from bot.database.statements import Base
from bot.database.transfer import Step, TransferFailed, transfer
from bot.database.transfer_tables import is_transient
from bot.store.records import GameSetup, SeatRecord
from bot.store.tables import GameRow, MoveRow, RatingDueRow
from tests.bot.database.transferring import (
    MOVES,
    change,
    connected,
    cut_short,
    found,
    kill_half_way,
    move_data,
    opened,
    refused,
)
from tests.bot.databases import BLANK, Server, address_of

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGKILL")


@pytest.mark.postgres
async def test_everything_arrives(source: str, target: str) -> None:
    """A transfer copies all rows of all tables, and the bot continues with them."""
    outcome = await move_data(source, target)
    assert not outcome.resumed
    tables = [one for one in Base.metadata.sorted_tables if not is_transient(one)]
    assert [one.table for one in outcome.sums] == [one.name for one in tables]
    for one, table in zip(outcome.sums, tables, strict=True):
        counting = select(func.count()).select_from(table)
        assert [one.rows] == await found(source, counting) == await found(target, counting)
    assert sum(one.rows > 0 for one in outcome.sums) >= 12
    async with opened(source) as before, opened(target) as after:
        for game_id in (1, 3):
            game = await after.games.find(game_id)
            assert game == await before.games.find(game_id)
            assert game is not None
            assert game.moves
        last = max(await found(target, text("SELECT id FROM games")))
        seats = SeatRecord(7, None), SeatRecord(None, "easy")
        opening = GameSetup("connect4", "6x7", 1, None, "en", *seats)
        assert await after.games.add(opening, 1.0) == last + 1


@pytest.mark.postgres
async def test_a_killed_copy_can_be_continued(source: str, target: str) -> None:
    """A killed transfer can be continued, and in the end all checksums match.

    No bot opens the target before that.
    """
    await kill_half_way(source, target)
    (there,) = await found(target, select(func.count()).select_from(MoveRow))
    assert 0 < there < MOVES
    with pytest.raises(Unfit, match="migrate-data"):
        async with opened(target):
            pass
    steps: list[Step] = []
    outcome = await move_data(source, target, steps)
    assert outcome.resumed
    assert next(one.done for one in steps if one.table == "moves") == there
    moves = next(one for one in outcome.sums if one.table == "moves")
    assert moves.rows >= MOVES
    async with opened(target) as store:
        assert await store.games.find(1) is not None
    assert "is not empty (challenges, draws" in await refused(source, target)


async def test_a_wrong_row_in_the_target_is_found(given: str, tmp_path: Path) -> None:
    """A wrong row in the target is named, and the target stays unfinished until it is corrected."""
    target = address_of(tmp_path / "target.db")
    await cut_short(given, target)
    await change(target, "UPDATE moves SET seconds = seconds + 1 WHERE game_id = 1 AND number = 7")
    line = await refused(given, target)
    assert line.startswith("moves differs, first at game_id 1, number 7:")
    with pytest.raises(Unfit):
        async with opened(target):
            pass
    await change(target, "DELETE FROM moves")
    assert (await move_data(given, target)).resumed


async def test_a_source_that_was_changed_meanwhile_is_found(given: str, tmp_path: Path) -> None:
    """A transfer detects that a move it had copied was deleted from the source between two runs."""
    target = address_of(tmp_path / "target.db")
    await cut_short(given, target)
    await change(given, "DELETE FROM moves WHERE game_id = 1 AND number = 2")
    line = await refused(given, target)
    assert line.startswith("moves differs, first at game_id 1, number 2:")
    assert "changed meanwhile" in line


async def test_a_row_that_refers_to_one_that_came_later_is_found(
    given: str, tmp_path: Path
) -> None:
    """A row that was skipped because its parent did not exist yet is detected."""
    target = address_of(tmp_path / "target.db")
    await cut_short(given, target)
    async with opened(given) as store, store.database.writing() as connection:
        columns = [one for one in GameRow.__table__.columns if one.name != "id"]
        copied = select(literal(0), *columns).where(GameRow.id == 2)
        names = ["id", *(one.name for one in columns)]
        await connection.execute(insert(GameRow).from_select(names, copied))
        await connection.execute(insert(RatingDueRow).values(id=900, game_id=0))
    line = await refused(given, target)
    assert "of ratings_due: FOREIGN KEY constraint failed" in line
    assert "changed meanwhile" in line


async def test_transient_columns_can_be_left_out() -> None:
    """Columns marked transient are not copied and must be nullable or have a default."""
    for table in Base.metadata.sorted_tables:
        left = [one for one in table.columns if is_transient(one) and not is_transient(table)]
        assert all(one.nullable or one.server_default is not None for one in left), table.name
        assert not any(one.primary_key for one in left), table.name


async def test_nothing_of_the_transfer_is_left(given: str, tmp_path: Path) -> None:
    """A finished target has the same tables as any other database."""
    target = address_of(tmp_path / "target.db")
    await move_data(given, target)
    names = []
    for address in (given, target):
        async with connected(address) as connection:
            names.append(await connection.run_sync(lambda c: set(inspect(c).get_table_names())))
    assert names[0] == names[1]


@pytest.mark.postgres
async def test_a_copy_can_be_continued_after_a_lost_connection(given: str, server: Server) -> None:
    """A server that restarts during a transfer interrupts it; the transfer can be continued."""
    cut = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname LIKE 'test%'"

    def tell(step: Step) -> None:
        if step.table == "moves" and step.done == 80:
            server.run(cut)

    with server.copy(BLANK) as target:
        with pytest.raises(TransferFailed, match="must be running") as failed:
            await transfer(given, target, tell, batch=40)
        assert str(failed.value).startswith("The target ")
        assert "\n" not in str(failed.value)
        assert (await move_data(given, target)).resumed
