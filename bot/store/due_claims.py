"""Finished games that are due: who may settle which, and when one that failed is retried.

A game whose settlement fails is retried after FIRST_RETRY seconds, then after twice as long each
time. After MAX_ATTEMPTS failures it is parked: tried once every PARKED_RETRY seconds and at every
start of a process, and no other game waits for it any more.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, cast

from sqlalchemy import (
    ColumnElement,
    Integer,
    Select,
    String,
    bindparam,
    case,
    func,
    or_,
    select,
    update,
)
from sqlalchemy.orm import aliased

from bot.store import board_rows
from bot.store.database import Database
from bot.store.models import GameRow
from bot.store.owner_rows import Owner, may_have
from bot.store.prepared import PreparedSet
from bot.store.rating_models import MAX_ATTEMPTS, RatingDueRow

FIRST_RETRY = 5.0
"""Seconds until a game that could not be settled is retried, doubled with every failure."""
PARKED_RETRY = 86_400.0
"""Seconds between two attempts at a parked game."""


@dataclass(frozen=True, slots=True)
class Unsettled:
    """How many due games have failed."""

    failing: int = 0
    """Those that are retried soon."""
    parked: int = 0
    """Those that have failed MAX_ATTEMPTS times or more."""


async def claim(
    database: Database,
    table: Any,
    statements: PreparedSet,
    owner: Owner,
    limit: int,
    *ready: ColumnElement[bool],
) -> list[int]:
    """The due games of a table that a process is to settle now, in order; it owns them then."""

    def some() -> Select[int, str | None]:
        due = claim_query(database, table, of_any(owner), is_ready(database, table), *ready)
        # What another process is just taking is that one's.
        at_most = due.limit(bindparam("most", type_=Integer))
        return at_most.with_for_update(of=GameRow, skip_locked=True)

    locked = statements.get(("claim", owner.takes), some)
    async with database.writing() as connection:
        found = await locked.rows(connection, {"process": owner.id, "most": limit})
        others = [row.id for row in found if row.owner != owner.id]
        if others:
            taken = update(GameRow).where(GameRow.id.in_(others))
            await connection.execute(taken.values(owner=owner.id))
        return [row.id for row in found]


def claim_query(
    database: Database, table: Any, owner: Owner, *ready: ColumnElement[bool]
) -> Select[int, str | None]:
    """The due games that a process may settle, whatever shards they are from, and whose they are.

    Were only those of its shards, games that come after one which nobody serves would never be due.
    """
    anywhere = Owner(owner.id, None, owner.takes)
    due = select(GameRow.id, GameRow.owner).join(table, table.game_id == GameRow.id)
    return due.where(may_have(anywhere, database), *ready).order_by(table.id)


def of_any(owner: Owner) -> Owner:
    """Any `process`, whose id is bound, that takes games of all shards if this owner does."""
    return Owner(cast("str", bindparam("process", type_=String)), None, owner.takes)


def is_ready(database: Database, table: Any) -> ColumnElement[bool]:
    """Whether a due game need not wait for its next attempt."""
    ready: ColumnElement[bool] = table.next_attempt_at <= database.now
    return ready


def is_first_of_its_people(*, failed: bool = False) -> ColumnElement[bool]:
    """Whether no earlier game of either player has yet to be rated, parked ones aside.

    With `failed`, only earlier games whose rating has failed count: enough where one process rates
    all games in order.
    """
    earlier, game = aliased(RatingDueRow), aliased(GameRow)
    people = (GameRow.first_user, GameRow.second_user)
    before = (
        select(earlier.id)
        .join(game, game.id == earlier.game_id)
        .where(
            earlier.id < RatingDueRow.id,
            earlier.attempts < MAX_ATTEMPTS,
            or_(game.first_user.in_(people), game.second_user.in_(people)),
        )
        .correlate(GameRow, RatingDueRow)
    )
    if failed:
        before = before.where(earlier.attempts > 0)
    return ~before.exists()


async def put_off(database: Database, table: Any, game_id: int) -> int:
    """Note that settling a game has failed, and when it is retried; returns how often it has.

    The board of a game that is parked is shown again, as it says that a rating is pending.
    """
    is_game = table.game_id == game_id
    # A table, as not every SQLite has a function for powers.
    pauses = {n: FIRST_RETRY * 2**n for n in range(MAX_ATTEMPTS - 1)}
    pause = case(pauses, value=table.attempts, else_=PARKED_RETRY)
    async with database.writing() as connection:
        failed = update(table).where(is_game)
        later = {"attempts": table.attempts + 1, "next_attempt_at": database.now + pause}
        await connection.execute(failed.values(later))
        attempts = (await connection.execute(select(table.attempts).where(is_game))).scalar()
        if attempts == MAX_ATTEMPTS:
            has_board = (GameRow.id == game_id) & GameRow.message_id.is_not(None)
            await connection.execute(
                update(GameRow).where(has_board).values(board_rows.unshown(0.0))
            )
        return attempts or 0


async def retry_parked(database: Database, table: Any) -> None:
    """Make parked games due at once, as at a start: what made them fail may have been mended.

    They remain parked, so nothing waits for them.
    """
    parked = update(table).where(table.attempts >= MAX_ATTEMPTS)
    await database.change(parked.values(next_attempt_at=0.0))


async def unsettled(database: Database, table: Any) -> Unsettled:
    """How many due games have failed."""
    parked = func.coalesce(func.sum(case((table.attempts >= MAX_ATTEMPTS, 1), else_=0)), 0)
    counted = select(func.count().label("failed"), parked.label("parked"))
    (row,) = await database.fetch(counted.where(table.attempts > 0))
    return Unsettled(int(row.failed) - int(row.parked), int(row.parked))


async def next_attempt(
    database: Database, table: Any, statements: PreparedSet, owner: Owner
) -> float | None:
    """Seconds until a game that has failed is retried, of those that a process may settle."""

    def waiting() -> Select[float]:
        left = (table.next_attempt_at - database.now).label("left")
        games = select(left).join(GameRow, GameRow.id == table.game_id)
        games = games.where(may_have(of_any(owner), database), ~is_ready(database, table))
        return games.order_by(table.next_attempt_at).limit(1)

    statement = statements.get(("next", owner.takes), waiting)
    found = await database.fetch(statement, {"process": owner.id})
    return max(0.0, float(found[0].left)) if found else None
