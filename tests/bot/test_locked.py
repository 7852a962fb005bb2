"""The real process while another program locks its database."""

from __future__ import annotations

import sqlite3
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from bot.i18n import say_in
from tests.bot.discord_server import CHANNEL, DiscordServer, Json
from tests.bot.run.test_main import TIMEOUT, addresses, cuatro

DEFERRED = 6
"""The response type that defers an update of a button's message."""
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="files in use stay locked there")


@pytest.fixture
async def server() -> AsyncIterator[DiscordServer]:
    """A Discord to connect to."""
    async with DiscordServer() as server:
        yield server


@contextmanager
def locked(file: Path) -> Iterator[None]:
    """Another program holds the lock during the block."""
    other = sqlite3.connect(file, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    try:
        yield
    finally:
        other.rollback()
        other.close()


def moves(file: Path) -> int:
    """The number of moves that people have made."""
    connection = sqlite3.connect(file)
    (made,) = connection.execute("SELECT COUNT(*) FROM moves WHERE user_id > 0").fetchone()
    connection.close()
    return int(made)


def buttons(server: DiscordServer) -> list[Json]:
    """The first row of the newest board; empty while there is none.

    On a busy machine the answer to `start` may say at first that it takes a moment.
    """
    boards = [message for message in server.board.in_channel(CHANNEL) if message["components"]]
    return boards[-1]["components"][0]["components"] if boards else []


def is_turn(server: DiscordServer, number: int) -> bool:
    """Whether the board's buttons can be pressed and make this move."""
    row = buttons(server)
    return bool(row) and not row[0].get("disabled") and f":{number}:" in row[0]["custom_id"]


async def test_a_lock_is_waited_for_and_nothing_is_played_twice(
    server: DiscordServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While the database is locked every request is acknowledged in time.

    Later each is done once.
    """
    file = tmp_path / "locked.db"
    monkeypatch.setenv("CUATRO_HEALTH_PORT", "0")
    url = f"sqlite+aiosqlite:///{file.as_posix()}"
    async with cuatro(**addresses(server), DATABASE_URL=url):
        await server.until(lambda: server.bots, TIMEOUT)
        start = await server.command("start", size="6x7", level="easy", locale="en-US")
        await server.answer(start, TIMEOUT)
        await server.until(lambda: is_turn(server, 1), TIMEOUT)

        with locked(file):
            typed = await server.command("drop", column=4)
            answer = await server.answer(typed, TIMEOUT)
            assert answer.payload["data"]["content"] == say_in("en")("late.wait")
            assert moves(file) == 0
        said = await server.until(lambda: server.sent("PATCH", f"/{typed}/messages/@original"))
        assert said[0].payload["content"].startswith("You played 4.")
        await server.until(lambda: is_turn(server, 3), TIMEOUT)

        (shown,) = (m for m in server.board.in_channel(CHANNEL) if m["components"])
        with locked(file):
            pressed = await server.press(shown, buttons(server)[1]["custom_id"])
            again = await server.press(shown, buttons(server)[1]["custom_id"])
            for press in (pressed, again):
                assert (await server.answer(press, TIMEOUT)).payload["type"] == DEFERRED
            assert moves(file) == 1
        await server.until(lambda: is_turn(server, 5), TIMEOUT)
        assert moves(file) == 2
