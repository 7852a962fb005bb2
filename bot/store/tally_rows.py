"""What the moves of a finished game add up to, so that reports need not read them."""

from __future__ import annotations

from functools import cache
from typing import Any

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    Integer,
    and_,
    bindparam,
    case,
    cast,
    func,
    insert,
    select,
)
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.store.models import GameFiguresRow, GameRow, MoveRow
from bot.store.prepared import Prepared


async def add_tally(connection: AsyncConnection, game_id: int) -> None:
    """Sum up a game, in the transaction that ends it."""
    await _adding().change(connection, {"game": game_id})


@cache
def _adding() -> Prepared:
    """The statement that sums up a `game`, built once."""
    by_person = MoveRow.user_id.is_not(None)
    sums = (
        select(
            GameRow.id,
            func.count(MoveRow.number),
            total(case((by_person, 1), else_=0)),
            total(case((and_(by_person, MoveRow.hinted), 1), else_=0)),
            total(case((and_(~by_person, MoveRow.number.is_not(None)), 1), else_=0)),
            total(case((~by_person, MoveRow.nodes), else_=0)),
            total(case((~by_person, MoveRow.seconds), else_=0.0)),
        )
        .select_from(GameRow)
        .outerjoin(MoveRow, MoveRow.game_id == GameRow.id)
    )
    sums = sums.where(GameRow.id == bindparam("game")).group_by(GameRow.id)
    names = [column.name for column in GameFiguresRow.__table__.columns]
    return Prepared(insert(GameFiguresRow).from_select(names, sums))


def total(column: Any) -> ColumnElement[Any]:
    """The sum of a column, 0 over no rows."""
    summed = func.coalesce(func.sum(column), 0)
    # PostgreSQL's sums of large integers are decimals.
    return cast(summed, BigInteger) if isinstance(summed.type, Integer) else summed
