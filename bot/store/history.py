"""What a player has done so far: results, tallies and totals over finished games."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from sqlalchemy import ColumnElement, Select, Subquery, and_, case, func, or_, select

from bot.store.figure_rows import total
from bot.store.models import GameFiguresRow, GameRow, HintRow
from bot.store.records import LevelTally, PlayerSummary, ResultRecord
from bot.store.store import Store

COUNTED = ("line", "stuck", "draw", "resigned", "time")
"""The endings that count as results; a game that a moderator stopped does not."""


async def recent_results(
    store: Store, user_id: int, family: str, *, variant: str | None = None, most: int
) -> tuple[ResultRecord, ...]:
    """The player's latest finished games, the newest first, of one variant or of all."""
    statement = _finished(user_id, family).order_by(GameRow.finished_at.desc(), GameRow.id.desc())
    if variant is not None:
        statement = statement.where(GameRow.variant == variant)
    return tuple(_result(row, user_id) for row in await store.fetch(statement.limit(most)))


async def last_auto(
    store: Store, user_id: int, family: str, variants: Collection[str]
) -> str | None:
    """The agent of the player's latest finished game that `auto` chose, on these variants."""
    found = await store.fetch(
        _finished(user_id, family)
        .where(GameRow.auto, GameRow.variant.in_(variants))
        .order_by(GameRow.finished_at.desc(), GameRow.id.desc())
        .limit(1)
    )
    return _result(found[0], user_id).agent if found else None


async def summary(store: Store, user_id: int, family: str, *, recent: int = 10) -> PlayerSummary:
    """The player's whole history at one game, with the latest `recent` results."""
    opponent, won = _opponent(user_id), _won(user_id)
    games = _finished(user_id, family).subquery()
    tallies = await store.fetch(
        select(
            opponent.label("agent"),
            func.count().label("games"),
            func.sum(case((won, 1), else_=0)).label("wins"),
            func.sum(case((GameRow.winner.is_(None), 1), else_=0)).label("draws"),
        )
        .where(_is_finished_game_of(user_id, family))
        .group_by(opponent)
    )
    hints = await store.fetch(_count_of(HintRow, games, user_id))
    sums = await store.fetch(
        select(
            total(GameFiguresRow.moves).label("moves"),
            total(games.c.finished_at - games.c.started_at).label("seconds"),
        ).join(games, games.c.id == GameFiguresRow.game_id)
    )
    return PlayerSummary(
        tallies=tuple(_tally(row) for row in tallies),
        recent=await recent_results(store, user_id, family, most=recent),
        moves=sums[0].moves,
        seconds=sums[0].seconds,
        hints=hints[0].count,
    )


def streak(results: tuple[ResultRecord, ...]) -> tuple[bool | None, int]:
    """The latest result and how many of the latest games share it; (None, 0) without games."""
    if not results:
        return None, 0
    length = 0
    for result in results:
        if result.won != results[0].won:
            break
        length += 1
    return results[0].won, length


def _count_of(table: type[HintRow], games: Subquery, user_id: int) -> Select[int]:
    """How many of a table's rows in these games are this player's."""
    statement = select(func.count().label("count")).select_from(table)
    return statement.join(games, games.c.id == table.game_id).where(table.user_id == user_id)


def _is_finished_game_of(user_id: int, family: str) -> ColumnElement[bool]:
    seated = or_(GameRow.first_user == user_id, GameRow.second_user == user_id)
    return and_(seated, GameRow.family == family, GameRow.ending.in_(COUNTED))


def _finished(user_id: int, family: str) -> Select[Any]:
    return select(GameRow).where(_is_finished_game_of(user_id, family))


def _opponent(user_id: int) -> ColumnElement[str | None]:
    return case((GameRow.first_user == user_id, GameRow.second_agent), else_=GameRow.first_agent)


def _won(user_id: int) -> ColumnElement[bool]:
    return or_(
        and_(GameRow.winner == 1, GameRow.first_user == user_id),
        and_(GameRow.winner == 2, GameRow.second_user == user_id),
    )


def _result(row: Any, user_id: int) -> ResultRecord:
    side = 1 if row.first_user == user_id else 2
    agent = row.second_agent if side == 1 else row.first_agent
    won = None if row.winner is None else row.winner == side
    return ResultRecord(row.variant, agent, row.auto, won)


def _tally(row: Any) -> LevelTally:
    losses = row.games - row.wins - row.draws
    return LevelTally(row.agent, row.games, row.wins, row.draws, losses)
