"""Answers to players while the database cannot store their moves."""

from __future__ import annotations

import asyncio
import resource
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bot.database.errors import Unavailable, Unconfirmed
from bot.discord.gateway import NOT_CLAIMED
from bot.i18n import LANGUAGES, say_in
from tests.bot.databases import file_of

pytestmark = pytest.mark.sqlite


async def pair(venue: Any) -> None:
    """Begin a game between Ana and Bea, Ana first."""
    offered = await venue.ana.slash(venue.channel, "connect4 start", opponent=venue.bea)
    await venue.bea.click(offered.response, label="Accept")


async def moves(venue: Any) -> list[str]:
    """The stored moves."""
    connection = sqlite3.connect(database_of(venue))
    found = connection.execute("SELECT move FROM moves ORDER BY number").fetchall()
    connection.close()
    return [move for (move,) in found]


def database_of(venue: Any) -> Path:
    """The file of the venue's database."""
    return file_of(venue.services.settings.database_url)


@contextmanager
def locked(venue: Any, seconds: float | None = None) -> Iterator[None]:
    """Lock the database from another connection for this time, or until the block ends."""
    other = sqlite3.connect(database_of(venue), isolation_level=None, check_same_thread=False)
    other.execute("BEGIN IMMEDIATE")
    loop = asyncio.get_running_loop()
    timer = seconds and loop.run_in_executor(None, _release, other, seconds)
    try:
        yield
    finally:
        if not timer:
            other.rollback()
            other.close()


def _release(other: sqlite3.Connection, seconds: float) -> None:
    time.sleep(seconds)
    other.rollback()
    other.close()


def words(result: Any) -> list[str]:
    """The text of all private answers to a person."""
    said = [result.response, *result.followups]
    assert all(message.ephemeral for message in said if message is not None)
    return [message.content for message in said if message is not None]


async def drop(venue: Any, way: str) -> Any:
    """Let Ana play column 4 by `command` or `button`; returns the answer."""
    if way == "command":
        return await venue.ana.slash(venue.channel, "connect4 drop", column=4)
    return await venue.ana.click(venue.board(), label="4")


async def test_a_short_lock_is_not_noticed(venue: Any) -> None:
    """A move during a lock of one second is played and confirmed as usual."""
    await pair(venue)
    with locked(venue, 1.0):
        played = await venue.ana.slash(venue.channel, "connect4 drop", column=4)
    assert words(played) == ["You played column 4."]
    assert await moves(venue) == ["4"]


@pytest.mark.parametrize("way", ["command", "button"])
async def test_a_permanent_lock_is_reported_once(venue: Any, way: str) -> None:
    """After a lasting lock the player learns once that nothing was saved.

    The move is not played.
    """
    await pair(venue)
    venue.services.store.database.patience = 2.5
    with locked(venue):
        answer = await drop(venue, way)
    assert words(answer) == [say_in("en")("refusal.store_busy")]
    assert await moves(venue) == []
    played = await venue.ana.slash(venue.channel, "connect4 drop", column=5)
    assert words(played) == ["You played column 5."]
    assert await moves(venue) == ["5"]


async def refuses(venue: Any, reason: str) -> None:
    """Require this refusal in every language, by command and by button."""
    for language in LANGUAGES:
        venue.speak(language)
        said = say_in(language)(f"refusal.store_{reason}")
        answer = await venue.ana.slash(venue.channel, "connect4 drop", column=4)
        assert words(answer) == [said]
        answer = await venue.ana.click(venue.board(), label="4")
        assert words(answer) == [said]
    venue.speak("en-US")


async def test_a_full_disk_is_reported(venue: Any) -> None:
    """On a full disk a move is refused; once there is space, the same move is accepted."""
    await pair(venue)
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    most = database_of(venue).with_name("test.db-wal").stat().st_size
    resource.setrlimit(resource.RLIMIT_FSIZE, (most, before[1]))
    try:
        await refuses(venue, "full")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    played = await venue.ana.slash(venue.channel, "connect4 drop", column=4)
    assert words(played) == ["You played column 4."]
    assert await moves(venue) == ["4"]


async def test_a_missing_file_is_reported(venue: Any) -> None:
    """Moves are refused while the database file is missing; once it is back, the game continues."""
    await pair(venue)
    file = database_of(venue)
    file.rename(file.with_name("away.db"))
    await refuses(venue, "gone")
    file.write_bytes(b"garbage" * 100)
    await venue.services.store.database.check()
    await refuses(venue, "broken")
    file.with_name("away.db").replace(file)
    assert await venue.services.store.database.check() is None
    played = await venue.ana.slash(venue.channel, "connect4 drop", column=4)
    assert words(played) == ["You played column 4."]
    assert await moves(venue) == ["4"]


async def test_a_board_is_shown_without_the_database(venue: Any) -> None:
    """A board leaves out what only the database knows while its file is missing."""
    await venue.ana.slash(venue.channel, "connect4 start", level="easy")
    session = await venue.services.sessions.games.current(venue.channel.id)
    assert session is not None
    file = database_of(venue)
    file.rename(file.with_name("away.db"))
    assert await venue.services.store.database.check() is not None
    unknown = replace(session, id=session.id + 1)
    board = await venue.app.core.messages.message(unknown, say_in("en"))
    assert "Cuatro" in board.content
    file.with_name("away.db").replace(file)
    assert await venue.services.store.database.check() is None


@pytest.mark.parametrize("trouble", [Unavailable("gone", "no answer"), Unconfirmed("no answer")])
async def test_unclaimed_interactions_are_answered_and_not_done(
    venue: Any, trouble: Unavailable
) -> None:
    """An interaction that could not be claimed is answered but not handled."""
    await pair(venue)
    received = venue.env.bot._connection.parse_interaction_create

    def unclaimed(data: Any) -> None:
        token = NOT_CLAIMED.set(trouble)
        received(data)
        NOT_CLAIMED.reset(token)

    venue.env.bot._connection.parsers["INTERACTION_CREATE"] = unclaimed
    answer = await venue.ana.slash(venue.channel, "connect4 drop", column=4)
    assert words(answer) == [say_in("en")(f"refusal.store_{trouble.reason}")]
    assert await moves(venue) == []


def test_an_unconfirmed_change_is_neither_claimed_nor_denied() -> None:
    """If a commit's outcome is unknown, the text confirms nothing and refers to the board."""
    assert say_in("en")("refusal.store_unconfirmed") == (
        "I couldn't confirm that yet. The board will show whether it counted."
    )
    assert say_in("es")("refusal.store_unconfirmed") == (
        "Aún no pude confirmarlo. El tablero mostrará si contó."
    )
