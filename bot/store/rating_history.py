"""How strong players are and have become: present ratings, their course, lists of the best.

Present ratings are as of a player's last rated game; `bot.rating` brings them up to now.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Select, and_, exists, func, or_, select

from bot.store import rating_rows
from bot.store.history import COUNTED
from bot.store.models import GameRow, PlayerRow, RatingChangeRow, RatingRow
from bot.store.records import Rating, RatingRecord
from bot.store.store import Store


@dataclass(frozen=True, slots=True)
class RatingPoint:
    """A player's rating right after one of their games."""

    at: float
    rating: Rating


async def rating_of(store: Store, user_id: int, ladder: str) -> RatingRecord | None:
    """A player's rating on a ladder; None before their first rated game there."""
    found = await store.fetch(rating_query(user_id).where(RatingRow.ladder == ladder))
    return rating_rows.record(found[0]) if found else None


async def ratings_of(store: Store, user_id: int) -> tuple[RatingRecord, ...]:
    """A player's ratings on all ladders that they have one on, by the ladder's name."""
    found = await store.fetch(rating_query(user_id))
    return tuple(rating_rows.record(row) for row in found)


async def course(store: Store, user_id: int, ladder: str) -> tuple[RatingPoint, ...]:
    """All of a player's ratings on a ladder in the order of their games."""
    return tuple(_point(row) for row in await store.fetch(course_query(user_id, ladder)))


async def best_win(store: Store, user_id: int, ladder: str) -> float | None:
    """The rating of the strongest opponent that a player has beaten in a rated game."""
    won = or_(
        and_(GameRow.winner == 1, GameRow.first_user == user_id),
        and_(GameRow.winner == 2, GameRow.second_user == user_id),
    )
    found = await store.fetch(
        select(func.max(RatingChangeRow.opponent).label("best"))
        .join(GameRow, GameRow.id == RatingChangeRow.game_id)
        .where(RatingChangeRow.user_id == user_id, RatingChangeRow.ladder == ladder, won)
    )
    return None if found[0].best is None else float(found[0].best)


async def leaderboard(
    store: Store,
    ladder: str,
    *,
    user_ids: Collection[int] | None = None,
    guild_id: int | None = None,
    limit: int = 10,
    offset: int = 0,
) -> tuple[RatingRecord, ...]:
    """The best players of a ladder, the strongest first; provisional ratings are among them.

    Who does not show their statistics is left out.

    Args:
        store: Where ratings are kept.
        ladder: Which game and size class.
        user_ids: If given, these players only.
        guild_id: If given, only those who have finished a game of any kind on that server.
        limit: How many at most.
        offset: How many of the strongest are left out before them.
    """
    statement = board_query(ladder, user_ids, guild_id).limit(limit).offset(offset)
    return tuple(rating_rows.record(row) for row in await store.fetch(statement))


async def count_rated(
    store: Store,
    ladder: str,
    *,
    user_ids: Collection[int] | None = None,
    guild_id: int | None = None,
) -> int:
    """How many players a whole leaderboard has; the arguments are those of `leaderboard`."""
    found = await store.fetch(count_query(ladder, user_ids, guild_id))
    return int(found[0].count)


def rating_query(user_id: int) -> Select[Any]:
    """The ratings of a player."""
    return select(RatingRow).where(RatingRow.user_id == user_id).order_by(RatingRow.ladder)


def course_query(user_id: int, ladder: str) -> Select[Any]:
    """What a player's games on a ladder changed, in their order."""
    return (
        select(RatingChangeRow)
        .where(RatingChangeRow.user_id == user_id, RatingChangeRow.ladder == ladder)
        # Games that end in the same instant follow each other as they were counted.
        .order_by(RatingChangeRow.at, RatingChangeRow.games_after)
    )


def board_query(ladder: str, user_ids: Collection[int] | None, guild_id: int | None) -> Select[Any]:
    """The ratings of a ladder, the best first."""
    # Both columns downwards, so that the index is read backwards and nothing is sorted.
    order = (RatingRow.value.desc(), RatingRow.user_id.desc())
    return select(RatingRow).where(_listed(ladder, user_ids, guild_id)).order_by(*order)


def count_query(ladder: str, user_ids: Collection[int] | None, guild_id: int | None) -> Select[Any]:
    """How many ratings a leaderboard has."""
    counted = select(func.count().label("count")).select_from(RatingRow)
    return counted.where(_listed(ladder, user_ids, guild_id))


def _listed(
    ladder: str, user_ids: Collection[int] | None, guild_id: int | None
) -> ColumnElement[bool]:
    shown = ~exists().where(PlayerRow.id == RatingRow.user_id, PlayerRow.private)
    wanted = and_(RatingRow.ladder == ladder, shown)
    if user_ids is not None:
        wanted = and_(wanted, RatingRow.user_id.in_(user_ids))
    if guild_id is not None:
        played = (
            _has_finished(guild_id, seat) for seat in (GameRow.first_user, GameRow.second_user)
        )
        wanted = and_(wanted, or_(*played))
    return wanted


def _has_finished(guild_id: int, seat: Any) -> ColumnElement[bool]:
    """Whether the rated player has finished a game on this server from one of the two seats."""
    return exists().where(
        GameRow.guild_id == guild_id, seat == RatingRow.user_id, GameRow.ending.in_(COUNTED)
    )


def _point(row: Any) -> RatingPoint:
    return RatingPoint(row.at, rating_rows.change_of(row).after)
