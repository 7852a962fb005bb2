"""Which games are to be judged that rate nobody, in the transaction that ends them."""

from __future__ import annotations

from functools import cache

from sqlalchemy import ColumnElement, and_, bindparam, exists, insert, or_, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.store.history_queries import COUNTED
from bot.store.league_models import LeagueDueRow
from bot.store.models import GameRow, HintRow
from bot.store.prepared import Prepared


async def note_due(connection: AsyncConnection, game_id: int) -> None:
    """Note that a game is due if it has a result, and was watched or played with hints."""
    await _noting().change(connection, {"game": game_id})


@cache
def _noting() -> Prepared:
    """The statement that notes that a `game` is due if it is, built once."""
    due = select(GameRow.id).where(
        GameRow.id == bindparam("game"),
        GameRow.ending.in_(COUNTED),
        or_(_is_watched(), _has_hints()),
    )
    return Prepared(insert(LeagueDueRow).from_select(["game_id"], due))


def _is_watched() -> ColumnElement[bool]:
    return and_(GameRow.first_user.is_(None), GameRow.second_user.is_(None))


def _has_hints() -> ColumnElement[bool]:
    """Whether somebody had hints, and nothing else that tells them what comes.

    Whoever took moves back, or sat on both sides, had that.
    """
    alone = and_(GameRow.first_user.is_not(None), GameRow.first_user == GameRow.second_user)
    hinted = exists().where(HintRow.game_id == GameRow.id)
    return and_(hinted, GameRow.undos == 0, or_(alone.is_(None), ~alone))
