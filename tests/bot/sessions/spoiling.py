"""Games with damaged rows beside intact ones."""

from __future__ import annotations

from typing import Any

from sqlalchemy import text

from bot.feature import Services
from bot.game.session import Session
from bot.store.records import GameSetup, TimeControl, person

ANA, BEA, CLEO, DAN = 1, 2, 3, 4
BAD, GOOD = 100, 200
"""The channel and server of the damaged game, and those of the one that is well."""
NO_MOVE = "UPDATE moves SET move = '99' WHERE game_id = :id AND number = 1"


async def play(
    services: Services, channel_id: int, one: int, other: int, poison: str | None = None
) -> int:
    """Play a game that one person wins; `poison` changes the stored game before the last move."""
    order = GameSetup("connect4", "5x4", channel_id, 9, "en", person(one), person(other), one)
    session = await services.sessions.start(order)
    for number, move in enumerate("1212121"):
        if number == 6 and poison is not None:
            await run(services, poison, id=session.id)
        mover = session.mover.user_id
        assert mover is not None
        session = await services.sessions.play(channel_id, mover, move)
    return session.id


async def corrupt(services: Services, game_id: int, move: str) -> None:
    """Replace a stored game's first move."""
    moves = "UPDATE moves SET move = :move WHERE game_id = :id AND number = 1"
    await run(services, moves, move=move, id=game_id)


async def run(services: Services, statement: str, **values: Any) -> None:
    """Run a statement that the bot itself would never run."""
    async with services.store.database.writing() as connection:
        await connection.execute(text(statement), values)


async def retry(services: Services, table: str = "ratings_due") -> None:
    """Let the time until the next attempt pass, and attempt it."""
    await run(services, f"UPDATE {table} SET next_attempt_at = 0")  # noqa: S608  # two names
    await services.ratings._queue.drained(60)


async def begin(services: Services, *seats: Any, clock: TimeControl | None = None) -> list[Session]:
    """Begin two games between the same players, in two channels of two servers."""
    begun = []
    for channel in (BAD, GOOD):
        order = GameSetup("connect4", "5x4", channel, channel, "en", *seats, ANA, clock=clock)
        begun.append(await services.sessions.start(order))
    return begun


async def damage(services: Services, game_id: int, change: str = "variant = '0x0'") -> None:
    """Damage the row of a game and drop it from memory, as after a restart."""
    async with services.store.database.writing() as connection:
        await connection.execute(text(f"UPDATE games SET {change} WHERE id = {game_id}"))  # noqa: S608
    services.sessions.games.forget()
