"""The same game again, with the sides swapped."""

from __future__ import annotations

from bot.store import FORMER_PLAYER, SeatRecord
from bot.table.orders import AUTO, Order, agent, person
from bot.table.refusal import Refusal
from bot.table.seats import Seat
from bot.table.session import Session


def rematch_of(old: Session, channel_id: int, user_id: int, locale: str) -> Order:
    """The order for a rematch; refused for anybody but the players, if people played."""
    if old.people and user_id not in old.people:
        raise Refusal("rematch_not_yours", game=old.game.key)
    if FORMER_PLAYER in old.people:
        raise Refusal("rematch_former", game=old.game.key)
    first, second = old.seats
    return Order(
        channel_id=channel_id,
        guild_id=old.guild_id,
        user_id=user_id,
        locale=locale,
        game=old.game,
        first=_again(old, second),
        second=_again(old, first),
        clock=old.clock,
        vote_seconds=None if old.ballot is None else old.ballot.seconds,
        pie=old.pie,
    )


def _again(old: Session, seat: Seat) -> SeatRecord:
    if seat.user_id is not None:
        return person(seat.user_id)
    assert seat.agent_name is not None
    return agent(AUTO if old.auto else seat.agent_name)
