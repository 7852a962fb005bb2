"""Copying everything from one database to another, in either direction."""

from __future__ import annotations

import asyncio
import signal
import sqlite3
import sys
from asyncio.subprocess import DEVNULL
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from shutil import copyfile
from typing import Any

import pytest
from sqlalchemy import Executable, func, insert, inspect, literal, select, text
from sqlalchemy.ext.asyncio import AsyncConnection, create_async_engine

from benchmarks.transfer_data import fill
from bot.store import NewGameRecord, SeatRecord, Store, Unfit
from bot.store.models import Base, GameRow, MoveRow
from bot.store.rating_models import RatingDueRow
from bot.store.transfer import Outcome, Step, TransferFailed, transfer
from bot.store.transfer.tables import is_transient
from tests.bot.databases import BLANK, Server

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGKILL")
ROOT = Path(__file__).parents[3]
MOVES = 150
KILLED = """
import asyncio, os, signal, sys
from bot.store.transfer import transfer

def tell(step):
    if step.what == "copying" and step.table == "moves" and 0 < step.done < step.rows:
        os.kill(os.getpid(), signal.SIGKILL)

asyncio.run(transfer(*sys.argv[1:], tell, batch=40))
"""


@pytest.fixture(scope="session")
def filled(tmp_path_factory: pytest.TempPathFactory, migrated: Path) -> Path:
    """A file with a few games."""
    file = copyfile(migrated, tmp_path_factory.mktemp("filled") / "filled.db")
    asyncio.run(_fill(at(file)))
    return file


@pytest.fixture
def source(database_kind: str, filled: Path, tmp_path: Path, request: Any) -> Iterator[str]:
    """The address of a database with a few games."""
    if database_kind == "postgres":
        with request.getfixturevalue("server").copy() as address:
            asyncio.run(_fill(address))
            yield address
    else:
        yield at(copyfile(filled, tmp_path / "source.db"))


@pytest.fixture
def target(database_kind: str, tmp_path: Path, request: Any) -> Iterator[str]:
    """The address of an empty database on the other engine."""
    if database_kind == "postgres":
        yield at(tmp_path / "target.db")
    else:
        with request.getfixturevalue("server").copy(BLANK) as address:
            yield address


@pytest.fixture
def given(filled: Path, tmp_path: Path) -> str:
    """The address of a file with a few games, where the engine makes no difference."""
    return at(copyfile(filled, tmp_path / "given.db"))


async def _fill(address: str) -> None:
    async with opened(address) as store:
        await fill(store, MOVES, played=4)


def at(file: Path) -> str:
    """The address of a file."""
    return f"sqlite+aiosqlite:///{file.as_posix()}"


@asynccontextmanager
async def opened(address: str) -> AsyncIterator[Store]:
    """A store, as a bot opens it."""
    store = Store(address)
    try:
        await store.open()
        yield store
    finally:
        await store.close()


@asynccontextmanager
async def connected(address: str) -> AsyncIterator[AsyncConnection]:
    """A transaction in a database, whatever it holds."""
    engine = create_async_engine(address)
    try:
        async with engine.begin() as connection:
            yield connection
    finally:
        await engine.dispose()


async def change(address: str, statement: str) -> None:
    """Change a database behind everybody's back."""
    async with connected(address) as connection:
        await connection.execute(text(statement))


async def found(address: str, question: Executable) -> list[Any]:
    """The first column of what a database answers."""
    async with connected(address) as connection:
        return list((await connection.execute(question)).scalars())


async def move_data(source: str, target: str, steps: list[Step] | None = None) -> Outcome:
    """Copy everything in small batches."""
    return await transfer(source, target, [].append if steps is None else steps.append, batch=40)


async def refused(source: str, target: str) -> str:
    """Why copying fails, in a line."""
    with pytest.raises(TransferFailed) as failed:
        await move_data(source, target)
    (line,) = failed.value.args
    assert "\n" not in line
    return str(line)


async def kill_half_way(source: str, target: str) -> None:
    """Have a process killed when some of the moves are there."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", KILLED, source, target, cwd=ROOT, stderr=DEVNULL
    )
    assert await asyncio.wait_for(process.wait(), 60) == -signal.SIGKILL


class _Cut(Exception):
    """The end of a copy, as if it had been killed."""


async def cut_short(source: str, target: str) -> None:
    """Copy some of the moves."""

    def tell(step: Step) -> None:
        if step.table == "moves" and step.done:
            raise _Cut

    with pytest.raises(_Cut):
        await transfer(source, target, tell, batch=40)


@pytest.mark.postgres
async def test_everything_arrives(source: str, target: str) -> None:
    """All tables have the same rows, and the bot goes on with them as with those it had."""
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
        opening = NewGameRecord("connect4", "6x7", 1, None, "en", *seats, False, 1.0)
        assert await after.games.add(opening) == last + 1


@pytest.mark.postgres
async def test_a_killed_copy_is_gone_on_with(source: str, target: str) -> None:
    """What is there stays; until the end no bot opens it; then all checksums are equal."""
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
    """It is named, and the target stays unfinished until it is right."""
    target = at(tmp_path / "target.db")
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
    """A move made between two runs, in a game that was copied before, is missed and said."""
    target = at(tmp_path / "target.db")
    await cut_short(given, target)
    await change(given, "DELETE FROM moves WHERE game_id = 1 AND number = 2")
    line = await refused(given, target)
    assert line.startswith("moves differs, first at game_id 1, number 2:")
    assert "changed meanwhile" in line


async def test_a_row_that_refers_to_one_that_came_later_is_found(
    given: str, tmp_path: Path
) -> None:
    """What was not copied because it was not there yet is missed before the checksums."""
    target = at(tmp_path / "target.db")
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


@pytest.mark.postgres
async def test_what_does_not_fit_is_said(given: str, server: Server) -> None:
    """SQLite takes any number where a server does not: the row's table is named."""
    await change(given, "UPDATE games SET winner = 5000000000 WHERE id = 2")
    with server.copy(BLANK) as target:
        line = await refused(given, target)
        assert "storing the first rows of games" in line
        assert "5000000000" in line
        assert "class" not in line


@pytest.mark.postgres
async def test_a_running_bot_is_found(source: str, target: str) -> None:
    """Nothing is copied from a database that a bot has open."""
    async with opened(source):
        assert "A running bot or another program has it open" in await refused(source, target)


async def test_a_file_is_kept_from_others_meanwhile(given: str, tmp_path: Path) -> None:
    """A bot that is started while its file is copied is kept out."""
    seen: list[bool] = []

    def look(step: Step) -> None:
        if not seen:
            file = given.removeprefix("sqlite+aiosqlite:///")
            seen.append(_is_locked(Path(file)))

    await transfer(given, at(tmp_path / "target.db"), look)
    assert seen == [True]


def _is_locked(file: Path) -> bool:
    connection = sqlite3.connect(file, timeout=0)
    try:
        connection.execute("SELECT * FROM games LIMIT 1").fetchall()
    except sqlite3.OperationalError as error:
        return "locked" in str(error)
    finally:
        connection.close()
    return False


async def test_the_same_database_is_refused(given: str) -> None:
    """A database is not copied to itself, whatever it is called."""
    assert "same database" in await refused(given, given)
    assert "same database" in await refused(given, given.replace("given.db", "./given.db"))


@pytest.mark.parametrize(
    ("statements", "reason"),
    [
        (["INSERT INTO notes VALUES ('health', 'written')"], "is not empty (notes)"),
        (["UPDATE alembic_version SET version_num = '9000'"], "newer version"),
        (["DROP TABLE games", "CREATE TABLE songs (id INTEGER)"], "another program"),
        (
            [
                "CREATE TABLE unfinished_transfer (source TEXT, revision TEXT)",
                "INSERT INTO unfinished_transfer VALUES ('/elsewhere.db', '0001')",
            ],
            "a transfer from /elsewhere.db",
        ),
    ],
    ids=["not empty", "newer", "another program's", "another transfer's"],
)
async def test_a_target_that_is_not_empty_is_refused(
    given: str, tmp_path: Path, migrated: Path, statements: list[str], reason: str
) -> None:
    """It stays as it is, to the byte."""
    file = copyfile(migrated, tmp_path / "target.db")
    for statement in statements:
        await change(at(file), statement)
    before = file.read_bytes()
    assert reason in await refused(given, at(file))
    assert file.read_bytes() == before


async def test_an_unfinished_target_of_another_version_is_refused(
    given: str, tmp_path: Path
) -> None:
    """Its tables may be others."""
    target = at(tmp_path / "target.db")
    await cut_short(given, target)
    await change(target, "UPDATE unfinished_transfer SET revision = '0001'")
    assert "another version of this program" in await refused(given, target)


@pytest.mark.parametrize(
    ("statement", "reason"),
    [
        ("UPDATE alembic_version SET version_num = '0001'", "Start this version of the bot"),
        ("UPDATE alembic_version SET version_num = '9000'", "newer version"),
        ("CREATE TABLE unfinished_transfer (source TEXT)", "unfinished target"),
    ],
    ids=["older", "newer", "unfinished"],
)
async def test_a_source_that_is_not_ready_is_refused(
    given: str, tmp_path: Path, statement: str, reason: str
) -> None:
    """It is told what to do, and no target is made."""
    await change(given, statement)
    assert reason in await refused(given, at(tmp_path / "target.db"))
    assert not (tmp_path / "target.db").exists()


async def test_a_source_that_is_none_is_refused(given: str, tmp_path: Path) -> None:
    """A missing file, an empty one, garbage and a folder."""
    for name, content in (("empty.db", b""), ("garbage.db", bytes(range(256)) * 40)):
        (tmp_path / name).write_bytes(content)
    reasons = {"missing.db": "no such file", "empty.db": "nothing to copy",
               "garbage.db": "not an SQLite database", ".": "a folder"}  # fmt: skip
    for name, reason in reasons.items():
        line = await refused(at(tmp_path / name), at(tmp_path / "target.db"))
        assert reason in line, name
    assert "folder" in await refused(given, at(tmp_path))


async def test_a_server_that_is_not_there_is_named(given: str) -> None:
    """Without the password."""
    line = await refused(given, "postgresql+asyncpg://me:secret@127.0.0.1:1/none")
    assert line.startswith("The target 127.0.0.1:1/none: ")
    assert "must be running" in line
    assert "secret" not in line


async def test_transient_columns_can_be_left_out() -> None:
    """What is not copied must be empty or have a value of the database's own."""
    for table in Base.metadata.sorted_tables:
        left = [one for one in table.columns if is_transient(one) and not is_transient(table)]
        assert all(one.nullable or one.server_default is not None for one in left), table.name
        assert not any(one.primary_key for one in left), table.name


async def test_nothing_of_the_transfer_is_left(given: str, tmp_path: Path) -> None:
    """In the end the target has the tables of any other database."""
    target = at(tmp_path / "target.db")
    await move_data(given, target)
    names = []
    for address in (given, target):
        async with connected(address) as connection:
            names.append(await connection.run_sync(lambda c: set(inspect(c).get_table_names())))
    assert names[0] == names[1]
