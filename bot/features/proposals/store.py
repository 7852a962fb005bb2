"""Undo requests, draw offers and swaps of sides in the database."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlalchemy import (
    BigInteger,
    ForeignKey,
    Index,
    Select,
    String,
    delete,
    exists,
    or_,
    select,
    update,
)
from sqlalchemy.orm import Mapped, mapped_column

from bot.database.database import Database
from bot.database.errors import retry_on_conflict
from bot.database.statements import Base, change, lock
from bot.shards import Shards
from bot.store import people
from bot.store.games import MoveTaken
from bot.store.owners import in_shards
from bot.store.rows import GRACE, Transaction, is_running, other_event
from bot.store.tables import _IDS_ONCE, GameRow, _where


class _ProposalRow:
    """A proposal of one person of a game to the other; see `NewProposal`."""

    id: Mapped[int] = mapped_column(primary_key=True)
    game_id: Mapped[int] = mapped_column(ForeignKey("games.id"))
    message_id: Mapped[int | None] = mapped_column(BigInteger)
    asker: Mapped[int] = mapped_column(BigInteger)
    made: Mapped[int]
    undos: Mapped[int]
    asked_at: Mapped[float]
    answer: Mapped[str | None] = mapped_column(String(16))


class UndoRow(_ProposalRow, Base):
    """A person's request to take back the latest moves of a game between two people."""

    __tablename__ = "undos"
    __table_args__ = (
        Index("ix_undos_open", "game_id", **_where("answer IS NULL")),
        # Answered requests are looked up as well.
        Index("ix_undos_game", "game_id"),
        _IDS_ONCE,
    )

    remaining: Mapped[int]


class DrawRow(_ProposalRow, Base):
    """A person's offer of a draw in a game between two people."""

    __tablename__ = "draws"
    # Answered offers are looked up as well.
    __table_args__ = (Index("ix_draws_game", "game_id"), _IDS_ONCE)


TABLES = (UndoRow, DrawRow)


@dataclass(frozen=True, slots=True)
class NewProposal:
    """A proposal to take moves back, or of a draw."""

    game_id: int
    asker: int
    made: int
    """How many moves had been made in the game."""
    undos: int
    """How many times moves had been taken back in it."""
    asked_at: float
    remaining: int | None = None
    """How many moves an undo would leave; None for a draw."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """A stored proposal."""

    id: int
    request: NewProposal
    message_id: int | None
    answer: str | None
    """`accepted`, `declined` or `lapsed`; None while it is open."""


class ProposalRepository(people.Requests[NewProposal, Proposal]):
    """The proposals in one of TABLES, each answered once."""

    new, kept = NewProposal, Proposal

    def __init__(self, database: Database, table: Any) -> None:
        """Keep proposals in a table of `database`."""
        super().__init__(database)
        self.table = table

    async def open(
        self, game_id: int | None = None, *, shards: Shards | None = None
    ) -> list[Proposal]:
        """The unanswered proposals of one game or of all, oldest first; with `shards`, of these."""
        query = open_query(self.table, game_id)
        if shards is not None:
            here = (GameRow.id == self.table.game_id, in_shards(GameRow.guild_id, shards))
            query = query.where(exists().where(*here))
        return await self._fetch(query)

    async def latest(self, game_id: int, asker: int) -> Proposal | None:
        """The latest proposal that a person has made in a game, answered or not."""
        found = await self._fetch(latest_query(self.table, game_id, asker))
        return found[0] if found else None

    async def answered(self, game_id: int) -> list[Proposal]:
        """The proposals in a game that were accepted or declined."""
        return await self._fetch(answered_query(self.table, game_id))


def open_query(table: Any, game_id: int | None = None) -> Select[Any]:
    """The open proposals of one game or of all."""
    query = select(table).where(table.answer.is_(None)).order_by(table.id)
    return query if game_id is None else query.where(table.game_id == game_id)


def latest_query(table: Any, game_id: int, asker: int) -> Select[Any]:
    """The latest proposal that a person has made in a game."""
    query = select(table).where(table.game_id == game_id, table.asker == asker)
    return query.order_by(table.id.desc()).limit(1)


def answered_query(table: Any, game_id: int) -> Select[Any]:
    """The proposals in a game that were accepted or declined."""
    answers = ("accepted", "declined")
    return select(table).where(table.game_id == game_id, table.answer.in_(answers))


async def delete_proposals(connection: Transaction, user_id: int) -> None:
    """Delete a person's proposals, inside a caller's transaction."""
    seated = or_(GameRow.first_user == user_id, GameRow.second_user == user_id)
    theirs = select(GameRow.id).where(seated).scalar_subquery()
    for table in TABLES:
        proposed = delete(table).where(table.game_id.in_(theirs), table.asker == user_id)
        await connection.execute(proposed)


async def forget_messages(connection: Transaction, guild_id: int) -> None:
    """Forget which messages showed proposals in a server's finished games."""
    ended = (GameRow.guild_id == guild_id, GameRow.finished_at.is_not(None))
    theirs = select(GameRow.id).where(*ended).scalar_subquery()
    for table in TABLES:
        shown = update(table).where(table.game_id.in_(theirs))
        await connection.execute(shown.values(message_id=None))


@retry_on_conflict
async def swap_sides(
    database: Database,
    game_id: int,
    at: float,
    *,
    made: int,
    look_at: float | None,
    owner: str | None = None,
) -> None:
    """Let the two people of a game change places at a time; the moves stay where they are.

    Raises MoveTaken if the game has not `made` moves, has been swapped, or is not the `owner`'s.
    """
    seats = {"first_user": GameRow.second_user, "second_user": GameRow.first_user}
    clocks = {"swapped_at": at, "paused": 0.0, "look_at": look_at}
    shown = {**other_event(at), "show_at": at + GRACE}
    async with database.writing() as connection:
        await lock(connection, GameRow.id, (game_id,))
        present = is_running(game_id, moves=made, owner=owner)
        unswapped = update(GameRow).where(present, GameRow.pie, GameRow.swapped_at.is_(None))
        if not await change(connection, unswapped.values(**seats, **clocks, **shown)):
            raise MoveTaken
