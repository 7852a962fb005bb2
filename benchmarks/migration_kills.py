"""Whether a database stays whole when its migration is killed, again and again.

    python -m benchmarks.migration_kills

Games are stored as an early version did. The migration to the newest revision is begun and killed a
little later each time, then run to its end: every game and move must be there, and no more.
"""

from __future__ import annotations

import argparse
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from alembic import command
from sqlalchemy import create_engine, text

from bot.database.schema import config_for, newest

GAMES, KILLS, MOVES = 20_000, 12, 12
EARLY = "0003"

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


def make(file: Path, games: int) -> None:
    """Store finished games as an early version did."""
    engine = create_engine(f"sqlite:///{file.as_posix()}")
    ids = range(1, games + 1)
    with engine.begin() as connection:
        command.upgrade(config_for(connection), EARLY)
        connection.execute(text("INSERT INTO players (id, joined_at) VALUES (10, 1.0)"))
        connection.execute(text(GAME), [{"id": game} for game in ids])
        moves = [{"id": game, "number": n} for game in ids for n in range(1, MOVES + 1)]
        connection.execute(text(MOVE), moves)
    engine.dispose()


def migrate(file: Path, seconds: float | None = None) -> bool:
    """Open the database in a process that is killed after so long; whether it came to its end."""
    url = f"sqlite+aiosqlite:///{file.as_posix()}"
    child = subprocess.Popen([sys.executable, "-c", OPEN, url])
    try:
        return child.wait(seconds) == 0
    except subprocess.TimeoutExpired:
        child.send_signal(signal.SIGKILL)
        child.wait()
        return False


def state(file: Path) -> tuple[str, int, int, list[tuple[str]]]:
    """The revision, the games, the moves and what SQLite says of the whole."""
    connection = sqlite3.connect(file)
    revision = connection.execute("SELECT version_num FROM alembic_version").fetchone()[0]
    games = connection.execute("SELECT COUNT(*) FROM games").fetchone()[0]
    moves = connection.execute("SELECT COUNT(*) FROM moves").fetchone()[0]
    said = connection.execute("PRAGMA integrity_check").fetchall()
    connection.close()
    return revision, games, moves, said


def kill_again_and_again(folder: Path, games: int, kills: int) -> int:
    """Kill migrations; returns how many were really cut short. Raises AssertionError."""
    file, whole = folder / "killed.db", (games, games * MOVES, [("ok",)])
    make(file, games)
    pristine = file.read_bytes()
    began = time.monotonic()
    assert migrate(file), "a migration that nobody kills comes to its end"
    took, cut = time.monotonic() - began, 0
    file.write_bytes(pristine)
    for kill in range(1, kills + 1):
        ended = migrate(file, took * kill / (kills + 1))
        revision, *rest = state(file)
        assert tuple(rest) == whole, (kill, rest)
        assert revision in (EARLY, newest()), revision
        cut += not ended
        if revision != EARLY:
            file.write_bytes(pristine)
    assert migrate(file)
    assert state(file) == (newest(), *whole)
    return cut


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=GAMES)
    parser.add_argument("--kills", type=int, default=KILLS)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        cut = kill_again_and_again(Path(folder), options.games, options.kills)
    print(f"{cut} of {options.kills} migrations of {options.games} games were cut short: all whole")


if __name__ == "__main__":
    main()
