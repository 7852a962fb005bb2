"""Lost games without Discord, for tests of statistics about them."""

from __future__ import annotations

from typing import Any

from bot.store.records import person
from tests.bot.builders import HERE, new_game

SERVER = 9


async def lose(
    services: Any,
    user_id: int,
    *,
    moves: int = 4,
    size: str = "5x4",
    at: tuple[int, int] = (HERE, SERVER),
) -> None:
    """Play this many moves of Connect 4 against the weakest level, resign, and have it rated."""
    sessions, (channel, server) = services.sessions, at
    seat = {"first": person(user_id), "started_by": user_id}
    await sessions.start(new_game(channel, variant=size, guild_id=server, **seat))
    for _ in range(moves // 2):
        session = await sessions.games.current(channel)
        label = session.game.label(session.position.legal_moves()[0])
        await sessions.play(channel, user_id, label)
        await sessions.reply(channel)
    await sessions.resign(channel, user_id)
    assert await services.ratings.settled(user_id, 60)


async def lose_in(venue: Any, actor: Any, games: int = 1, size: str = "6x7") -> None:
    """Let a person lose some games in the venue's channel."""
    for _ in range(games):
        at = (venue.channel.id, venue.env.guild.id)
        await lose(venue.services, actor.id, size=size, at=at)
