"""Which process settles a game that is over and due: whoever owns it, or takes it."""

from __future__ import annotations

from typing import Any

from sqlalchemy import ColumnElement, Select, or_, select, update
from sqlalchemy.orm import aliased

from bot.store.database import Database
from bot.store.models import GameRow
from bot.store.owner_rows import Owner, may_have
from bot.store.rating_models import RatingDueRow


async def claim(
    database: Database, table: Any, owner: Owner, limit: int, *ready: ColumnElement[bool]
) -> list[int]:
    """The due games of a table that are a process's to settle, in order; they are its own then."""
    some = claim_query(database, table, owner, *ready).limit(limit)
    async with database.writing() as connection:
        # What another process is just taking is that one's.
        locked = some.with_for_update(of=GameRow, skip_locked=True)
        found = (await connection.execute(locked)).all()
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


def is_first_of_its_people() -> ColumnElement[bool]:
    """Whether no earlier game of either player has yet to be rated."""
    earlier, game = aliased(RatingDueRow), aliased(GameRow)
    people = (GameRow.first_user, GameRow.second_user)
    before = (
        select(earlier.id)
        .join(game, game.id == earlier.game_id)
        .where(
            earlier.id < RatingDueRow.id,
            or_(game.first_user.in_(people), game.second_user.in_(people)),
        )
        .correlate(GameRow, RatingDueRow)
    )
    return ~before.exists()
