"""The real process while another program locks its database."""

from __future__ import annotations

import sqlite3
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from bot.i18n import say_in
from tests.bot.discord_server import DiscordServer, Json
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


def buttons(board: Json) -> list[Json]:
    """The first row of a board."""
    row: list[Json] = board["components"][0]["components"]
    return row


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
        board = server.message_of(start)
        await server.until(lambda: not buttons(server.messages[board["id"]])[0].get("disabled"))

        with locked(file):
            typed = await server.command("drop", column=4)
            answer = await server.answer(typed, TIMEOUT)
            assert answer.payload["data"]["content"] == say_in("en")("late.wait")
            assert moves(file) == 0
        said = await server.until(lambda: server.sent("PATCH", f"/{typed}/messages/@original"))
        assert said[0].payload["content"].startswith("You played 4.")
        await server.until(
            lambda: ":3:" in buttons(server.messages[board["id"]])[0]["custom_id"], TIMEOUT
        )

        shown = server.messages[board["id"]]
        with locked(file):
            pressed = await server.press(shown, buttons(shown)[1]["custom_id"])
            again = await server.press(shown, buttons(shown)[1]["custom_id"])
            for press in (pressed, again):
                assert (await server.answer(press, TIMEOUT)).payload["type"] == DEFERRED
            assert moves(file) == 1
        await server.until(
            lambda: ":5:" in buttons(server.messages[board["id"]])[0]["custom_id"], TIMEOUT
        )
        assert moves(file) == 2
