"""Messages that tell people of their turns, and who wants none."""

from __future__ import annotations

from sqlalchemy import select, update

from bot.store.models import GameRow, PlayerRow
from bot.store.store import Store, add_players


async def wants_pings(store: Store, user_id: int) -> bool:
    """Whether somebody wants to be told of their turns; everybody does until they say no."""
    found = await store.fetch(select(PlayerRow.pings).where(PlayerRow.id == user_id))
    return bool(found[0].pings) if found else True


async def set_pings(store: Store, user_id: int, wanted: bool, at: float) -> None:
    """Note whether somebody wants to be told of their turns."""
    async with store.transaction() as connection:
        await add_players(connection, (user_id,), at)
        await connection.execute(
            update(PlayerRow).where(PlayerRow.id == user_id).values(pings=wanted)
        )


async def ping_of(store: Store, game_id: int) -> int | None:
    """Which message told somebody of their turn in a game last, if it is still there."""
    found = await store.fetch(select(GameRow.ping_id).where(GameRow.id == game_id))
    return found[0].ping_id if found else None


async def set_ping(store: Store, game_id: int, message_id: int | None) -> None:
    """Note which message told somebody of their turn in a game; None for none."""
    async with store.transaction() as connection:
        await connection.execute(
            update(GameRow).where(GameRow.id == game_id).values(ping_id=message_id)
        )
