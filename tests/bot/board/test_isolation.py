"""A damaged item does not keep the bot from updating other messages."""

from __future__ import annotations

import asyncio
from typing import Any

from sqlalchemy import insert, text

from bot.board.convergence import AT_ONCE
from bot.sessions.people import OPEN_SECONDS
from bot.store.tables import MAX_ATTEMPTS, GameRow
from tests.bot.discord.stage import Stage

MORE_THAN_AT_ONCE = AT_ONCE + 1
"""More boards than are updated at the same time."""


async def run(venue: Any, statement: str, **values: Any) -> None:
    """Execute a statement that the bot itself would never run."""
    async with venue.services.store.database.writing() as connection:
        await connection.execute(text(statement), values)


async def test_damaged_games_do_not_keep_a_board_wrong(venue: Any) -> None:
    """Damaged games, however many, do not keep a sound game's board from being updated."""
    await venue.ana.slash(venue.channel, "connect4 start", size="5x4", level="easy")
    await venue.ana.slash(venue.channel, "connect4 drop", column=1)
    session = await venue.services.sessions.games.current(venue.channel.id)
    old = {
        "family": "connect4", "variant": "0x0", "channel_id": venue.other_channel.id,
        "guild_id": venue.env.guild.id, "locale": "en", "first_user": venue.ana.id,
        "second_agent": "easy", "auto": False, "started_at": 1.0, "finished_at": 2.0,
        "ending": "line", "winner": 1, "message_id": 1, "shown": -1, "state": 30, "show_at": 0.0,
    }  # fmt: skip
    convergence, boards = venue.app.convergence, venue.services.store.boards
    await convergence.note()
    async with venue.services.store.database.writing() as connection:
        await connection.execute(insert(GameRow), [old] * MORE_THAN_AT_ONCE)
    await run(venue, "UPDATE games SET shown = -1, show_at = 1 WHERE id = :id", id=session.id)
    edits = len(venue.edits())
    async with asyncio.timeout(60):
        while (await boards.of(session.id)).state < session.state:
            await convergence.sweep()
            await asyncio.sleep(0)
    assert len(venue.edits()) > edits


async def test_a_damaged_challenge_does_not_keep_others_open(venue: Any) -> None:
    """A damaged challenge does not keep other challenges from expiring."""
    offers = []
    for channel, actor in ((venue.channel, venue.ana), (venue.other_channel, venue.mod)):
        offered = await actor.slash(channel, "connect4 start", opponent=venue.bea, size="5x4")
        offers.append(offered.response)
    await run(venue, "UPDATE challenges SET family = 'chess' WHERE challenger = :id",
              id=venue.ana.id)  # fmt: skip
    await venue.let_pass(OPEN_SECONDS + 60)
    (good,) = [m for m in venue.other_channel.history() if m.id == offers[-1].id]
    assert "The challenge expired" in good.content
    again = await venue.ana.slash(venue.channel, "connect4 start", opponent=venue.bea)
    assert again.response.components, "its challenger can make another one"


async def test_the_board_of_an_unratable_game_has_a_note(venue: Any) -> None:
    """Nothing is said of a pending rating; after the last attempt the board says that it failed."""
    stage, ratings = Stage(venue, "connect4", venue.channel), venue.services.ratings
    await stage.pair(4)
    await run(venue, "INSERT INTO ratings (user_id, ladder, value, deviation, volatility, games,"
              " updated_at) VALUES (:id, 'connect4-classic', 1000, 60, 0, 20, 0)",
              id=venue.ana.id)  # fmt: skip
    await stage.resign(venue.bea)
    await ratings._queue.drained(60)
    assert stage.board().content == "**Ana wins**: Bea resigned."
    # A process has noted what a board shows long before the last attempt.
    await venue.app.convergence.note()
    for _ in range(MAX_ATTEMPTS):
        await run(venue, "UPDATE ratings_due SET next_attempt_at = 0")
        await ratings._queue.drained(60)
    await venue.let_pass(5.0)
    assert "I couldn't work out the ratings" in stage.board().content
