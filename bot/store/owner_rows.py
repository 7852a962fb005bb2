"""Whose a game is, as conditions for queries."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, and_, false, func, literal_column, or_, select, true
from sqlalchemy.orm import aliased

from bot.shards import Shards
from bot.store.database import Database
from bot.store.models import GameRow
from bot.store.process_models import ProcessRow


@dataclass(frozen=True, slots=True)
class Owner:
    """A process, as one that looks after games."""

    id: str
    shards: Shards | None = None
    """The shards whose games it takes where nobody has them; None for all."""
    takes: bool = True
    """Whether it takes any; one that drains does not."""


def in_shards(guild_id: Any, shards: Shards | None) -> ColumnElement[bool]:
    """Whether a server, or with an empty column what is in private, belongs to these shards."""
    if shards is None:
        return true()
    shard = func.coalesce(guild_id.bitwise_rshift(literal_column("22")), 0) % shards.count
    return shard.in_(sorted(shards.ids))


def may_have(owner: Owner | None, database: Database) -> ColumnElement[bool]:
    """Whether a game is this process's to look after: its own, or nobody's in its shards.

    A game whose owner has said nothing for too long, or hands its games over, is nobody's. With
    None every game is.
    """
    if owner is None:
        return true()
    if not owner.takes:
        return GameRow.owner == owner.id
    nobodys = and_(in_shards(GameRow.guild_id, owner.shards), ~is_kept(database))
    return or_(GameRow.owner == owner.id, nobodys)


def is_kept(database: Database) -> ColumnElement[bool]:
    """Whether a game's owner is at work, and means to keep it."""
    # An alias: the query may have the table of processes for another purpose.
    process = aliased(ProcessRow)
    owner = select(process.id).where(
        process.id == GameRow.owner, process.until > database.now, process.draining == false()
    )
    return owner.correlate(GameRow).exists()
