"""Migrations of an SQLite file that are killed a little later each time."""

from __future__ import annotations

import signal
import sqlite3
import sys
import time
from pathlib import Path

from alembic import command
from sqlalchemy import create_engine, text

from bot.database.schema import config_for, newest
from tests.bot.databases import address_of
from tests.children import PATIENCE, Child

MOVES = 12
START_REVISION = "0003"

OPEN = """
import asyncio, sys
from bot.store.store import Store

async def main(url):
    store = Store(url)
    await store.open()
    await store.close()

asyncio.run(main(sys.argv[1]))
"""
GAME = """
INSERT INTO games (id, family, variant, channel_id, locale, first_user, second_agent, auto,
                   started_at, finished_at, ending, winner)
VALUES (:id, 'connect4', '6x7', :id, 'en', 10, 'easy', 1, 1.0, 2.0, 'line', 1)
"""
MOVE = """
INSERT INTO moves (game_id, number, player, user_id, move, hinted, at, seconds)
VALUES (:id, :number, 1, 10, '4', 0, 1.5, 0.5)
"""


def _make(file: Path, games: int) -> None:
    """Store finished games at an early revision."""
    engine = create_engine(f"sqlite:///{file.as_posix()}")
    ids = range(1, games + 1)
    with engine.begin() as connection:
        command.upgrade(config_for(connection), START_REVISION)
        connection.execute(text("INSERT INTO players (id, joined_at) VALUES (10, 1.0)"))
        connection.execute(text(GAME), [{"id": game} for game in ids])
        moves = [{"id": game, "number": n} for game in ids for n in range(1, MOVES + 1)]
        connection.execute(text(MOVE), moves)
    engine.dispose()


def _migrate(file: Path, seconds: float = PATIENCE) -> bool:
    """Migrate in a process that is killed after `seconds`; returns whether it finished."""
    url = address_of(file)
    with Child(sys.executable, "-c", OPEN, url, stop=signal.SIGKILL) as child:
        return child.has_ended(seconds) and child.wait().status == 0


def _state(file: Path) -> tuple[str, int, int, list[tuple[str]]]:
    """The revision, the numbers of games and moves, and the result of the integrity check."""
    connection = sqlite3.connect(file)
    revision = connection.execute("SELECT version_num FROM alembic_version").fetchone()[0]
    games = connection.execute("SELECT COUNT(*) FROM games").fetchone()[0]
    moves = connection.execute("SELECT COUNT(*) FROM moves").fetchone()[0]
    said = connection.execute("PRAGMA integrity_check").fetchall()
    connection.close()
    return revision, games, moves, said


def kill_migrations(folder: Path, games: int, kills: int) -> int:
    """Kill `kills` migrations; returns how many were interrupted. Raises AssertionError on a loss.

    Games are stored as an early version did. After each kill every game and move must be there.
    """
    file, whole = folder / "killed.db", (games, games * MOVES, [("ok",)])
    _make(file, games)
    pristine = file.read_bytes()
    began = time.monotonic()
    assert _migrate(file), "an undisturbed migration finishes"
    took, cut = time.monotonic() - began, 0
    file.write_bytes(pristine)
    for kill in range(1, kills + 1):
        ended = _migrate(file, took * kill / (kills + 1))
        revision, *rest = _state(file)
        assert tuple(rest) == whole, (kill, rest)
        assert revision in (START_REVISION, newest()), revision
        cut += not ended
        if revision != START_REVISION:
            file.write_bytes(pristine)
    assert _migrate(file)
    assert _state(file) == (newest(), *whole)
    return cut
