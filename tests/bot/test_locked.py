"""A bot online while another program locks its database."""

from __future__ import annotations

import asyncio
import sqlite3
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from shutil import copyfile

import pytest

from bot.i18n import say_in
from tests.bot.databases import address_of
from tests.bot.discord_server import DiscordServer
from tests.bot.run.processes import settings_for
from tests.bot.run.test_online import online_bot
from tests.bot.stand_in.hurry import expect_no_more_servers
from tests.bot.support.wire.tables import moves_on
from tests.builders import PATIENCE

DEFERRED = 6
"""The response type that defers an update of a button's message."""
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="files in use stay locked there")


@pytest.fixture
async def server() -> AsyncIterator[DiscordServer]:
    """A Discord to connect to."""
    async with DiscordServer() as server:
        yield server


@asynccontextmanager
async def locked(file: Path) -> AsyncIterator[None]:
    """Another program holds the lock during the block."""
    other = sqlite3.connect(file, PATIENCE, isolation_level=None, check_same_thread=False)
    # The bot may hold the lock, and needs this thread to release it.
    await asyncio.to_thread(other.execute, "BEGIN IMMEDIATE")
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


async def test_a_lock_is_waited_for_and_nothing_is_played_twice(
    server: DiscordServer, tmp_path: Path, migrated: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While the database is locked every request is acknowledged in time.

    Later each is done once.
    """
    file = Path(copyfile(migrated, tmp_path / "locked.db"))
    expect_no_more_servers(monkeypatch)
    async with online_bot(settings_for(server, address_of(file)), server):
        board = await server.start_game(size="6x7", level="easy")

        def is_turn(number: int) -> bool:
            controls = moves_on(server.messages[board["id"]])
            return bool(controls) and controls[0].number == number

        await server.until(lambda: is_turn(1))
        async with locked(file):
            typed = await server.command("drop", column=4)
            answer = await server.answer(typed)
            assert answer.payload["data"]["content"] == say_in("en")("late.wait")
            assert moves(file) == 0
        said = await server.until(lambda: server.sent("PATCH", f"/{typed}/messages/@original"))
        assert said[0].payload["content"].startswith("You played column 4.")
        await server.until(lambda: is_turn(3))

        shown = server.messages[board["id"]]
        async with locked(file):
            pressed = await server.press(shown, moves_on(shown)[1].custom_id)
            again = await server.press(shown, moves_on(shown)[1].custom_id)
            for press in (pressed, again):
                assert (await server.answer(press)).payload["type"] == DEFERRED
            assert moves(file) == 1
        await server.until(lambda: is_turn(5))
        assert moves(file) == 2
