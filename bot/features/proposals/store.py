"""Offers of a draw.

Swaps of sides, by the pie rule.

Requests to take moves back.
"""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import (
    Index,
    Select,
    select,
    update,
)
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlalchemy.orm import Mapped

from bot.database.database import Database
from bot.database.errors import again
from bot.database.statements import Base, change, lock
from bot.store import people, rows
from bot.store import rows as game_rows
from bot.store.games import MoveTaken
from bot.store.people import Requests
from bot.store.tables import _IDS_ONCE, GameRow, _Request, _where


@dataclass(frozen=True, slots=True)
class DrawRecord:
    """A stored offer of a draw."""

    id: int
    request: NewDrawRecord
    message_id: int | None
    answer: str | None
    """`accepted`, `declined` or `lapsed`; None while it is open."""


class DrawRow(_Request, Base):
    """A person's offer of a draw in a game between two people."""

    __tablename__ = "draws"
    # Answered ones are looked up too.
    __table_args__ = (Index("ix_draws_game", "game_id"), _IDS_ONCE)


@dataclass(frozen=True, slots=True)
class NewDrawRecord:
    """A person's offer of a draw in a game between two people."""

    game_id: int
    asker: int
    made: int
    """How many moves had been made by then."""
    undos: int
    """How many times moves had been taken back before."""
    asked_at: float


class DrawOffers(Requests[NewDrawRecord, DrawRecord]):
    """Offers, each answered once; the game that an accepted one ends is ended first."""

    table, new, kept = DrawRow, NewDrawRecord, DrawRecord

    async def latest(self, game_id: int, asker: int) -> DrawRecord | None:
        """The latest offer that somebody has made in a game, whatever became of it."""
        found = await self._database.fetch(latest_query(game_id, asker))
        return self._record(found[0]) if found else None


def latest_query(game_id: int, asker: int) -> Select[DrawRow]:
    """The latest offer that somebody has made in a game."""
    theirs = select(DrawRow).where(DrawRow.game_id == game_id, DrawRow.asker == asker)
    return theirs.order_by(DrawRow.id.desc()).limit(1)


class UndoRow(_Request, Base):
    """A person's request to take back the latest moves of a game between two people."""

    __tablename__ = "undos"
    __table_args__ = (
        Index("ix_undos_open", "game_id", **_where("answer IS NULL")),
        _IDS_ONCE,
    )

    remaining: Mapped[int]
    """How many moves would remain."""


@dataclass(frozen=True, slots=True)
class NewUndoRecord:
    """A person's request to take back the latest moves of a game between two people."""

    game_id: int
    asker: int
    made: int
    """How many moves had been made by then."""
    remaining: int
    """How many would remain."""
    undos: int
    """How many times moves had been taken back before."""
    asked_at: float


@dataclass(frozen=True, slots=True)
class UndoRecord:
    """A stored request to take moves back."""

    id: int
    request: NewUndoRecord
    message_id: int | None
    answer: str | None
    """`accepted`, `declined` or `lapsed`; None while it is open."""


class Swaps:
    """Who sits where in a game, once its second player has chosen."""

    def __init__(self, database: Database) -> None:
        """Change the games of `database`."""
        self._database = database

    @again
    async def swap(
        self, game_id: int, at: float, *, made: int, look_at: float | None, owner: str | None = None
    ) -> None:
        """Let the two people of a game change places; the moves stay where they are.

        Args:
            game_id: Which game.
            at: When this happens.
            made: How many moves have been made in the game.
            look_at: When the clock next requires something, if it does.
            owner: The process that does this; it must be its game.

        Raises:
            MoveTaken: The game has moved on, has been swapped, or is another process's.
        """
        seats = {"first_user": GameRow.second_user, "second_user": GameRow.first_user}
        clocks = {"swapped_at": at, "paused": 0.0, "look_at": look_at}
        shown = {**rows.aside(at), "show_at": at + rows.GRACE}
        async with self._database.writing() as connection:
            await lock(connection, GameRow.id, (game_id,))
            present = game_rows.is_running(game_id, moves=made, owner=owner)
            unswapped = update(GameRow).where(present, GameRow.pie, GameRow.swapped_at.is_(None))
            if not await change(connection, unswapped.values(**seats, **clocks, **shown)):
                raise MoveTaken


class UndoAnswered(Exception):
    """The request is no longer open."""


class UndoRequests(people.Requests[NewUndoRecord, UndoRecord]):
    """Requests, each answered once; `Games.take_back` grants them."""

    table, new, kept = UndoRow, NewUndoRecord, UndoRecord


async def accept(connection: AsyncConnection, undo_id: int) -> None:
    """Grant a request; raises UndoAnswered if it is no longer open."""
    if not await people.record_answer(connection, UndoRow, undo_id, "accepted"):
        raise UndoAnswered
