"""From an order to the record of a new game: which agent `auto` stands for, and the clock."""

from __future__ import annotations

from bot.rating.difficulty import current_rung
from bot.store import NewGameRecord, SeatRecord, Store, TimeControl
from bot.table.orders import AUTO, Order
from bot.table.refusal import Refusal
from engine.core.game import Player
from engine.strength.roster import agents_for


async def new_game(
    store: Store, order: Order, usual: TimeControl | None, at: float
) -> NewGameRecord:
    """The record of a new game, with the `usual` time control unless the order names one.

    Refused if there is no agent of a given name.
    """
    return NewGameRecord(
        family=order.game.key,
        variant=order.game.variant,
        channel_id=order.channel_id,
        guild_id=order.guild_id,
        locale=order.locale,
        first=await _seated(store, order, Player.FIRST, at),
        second=await _seated(store, order, Player.SECOND, at),
        auto=AUTO in (order.first.agent, order.second.agent),
        started_at=at,
        started_by=order.user_id,
        clock=order.clock or usual,
        vote_seconds=order.vote_seconds,
        pie=order.pie,
    )


def first_vote_until(opening: NewGameRecord) -> float | None:
    """When the vote ends with which a game begins: that on who wins, if two agents play it."""
    is_watched = opening.first.user_id is None and opening.second.user_id is None
    if not is_watched or opening.vote_seconds is None:
        return None
    return opening.started_at + opening.vote_seconds


async def _seated(store: Store, order: Order, side: Player, at: float) -> SeatRecord:
    wanted, opposite = (order.first, order.second)[:: 1 if side is Player.FIRST else -1]
    if wanted.agent is None:
        return wanted
    name = known_agent(order.game.key, wanted.agent)
    if name == AUTO:
        # Who watches two agents has no seat.
        seat = side.other if opposite.user_id == order.user_id else None
        name = (await current_rung(store, order.user_id, order.game, at, seat)).name
    return SeatRecord(None, name)


def known_agent(family: str, text: str) -> str:
    """The name of an agent of a game from how people write it; refused where it is nobody's."""
    name = text.strip().lower()
    if name not in (AUTO, *agents_for(family)):
        raise Refusal("no_such_agent", agent=text)
    return name
