"""Votes on a channel's moves, and on who wins a game: each person has one in each vote."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlalchemy import ColumnElement, Select, and_, delete, func, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.database.database import Database
from bot.database.errors import again
from bot.database.statements import change, lock, put
from bot.store.games import MoveTaken
from bot.store.people import enter
from bot.store.records import GivenVote, VoteRecord
from bot.store.rows import Transaction, aside, is_running
from bot.store.tables import GameRow, VoteRow


class Votes:
    """All votes; each change of one is a change of its game, and shown there."""

    def __init__(self, database: Database) -> None:
        """Keep votes in `database`."""
        self._database = database

    @again
    async def cast(
        self,
        game_id: int,
        vote: VoteRecord,
        *,
        made: int,
        until: float,
        look_at: float | None,
        owner: str | None = None,
    ) -> None:
        """Store a vote in place of the one that this person gave before.

        Args:
            game_id: Which game.
            vote: The vote.
            made: How many moves have been made in the game.
            until: When the vote ends, unless that is stored already.
            look_at: When the clock next requires something.
            owner: The process that does this; it must be its game.

        Raises:
            MoveTaken: The game has moved on, or is another process's.
        """
        ends = func.coalesce(GameRow.vote_until, until)
        async with self._database.writing() as connection:
            await _change(
                connection, game_id, made, owner, vote.at, vote_until=ends, look_at=look_at
            )
            await enter(connection, (vote.user_id,), vote.at)
            whose = {"game_id": game_id, "number": vote.number, "user_id": vote.user_id}
            await put(connection, VoteRow, whose, {"choice": vote.choice, "at": vote.at})

    @again
    async def withdraw(
        self,
        game_id: int,
        vote: VoteRecord,
        *,
        made: int,
        at: float,
        until: float | None,
        look_at: float | None,
        owner: str | None = None,
    ) -> None:
        """Delete a vote in a game that is running; `until` is when the vote ends, if it still does.

        Raises MoveTaken if the game has moved on, or is another process's.
        """
        async with self._database.writing() as connection:
            await _change(connection, game_id, made, owner, at, vote_until=until, look_at=look_at)
            await connection.execute(delete(VoteRow).where(_is(game_id, vote)))

    @again
    async def close(
        self,
        game_id: int,
        at: float,
        *,
        made: int,
        paused: float,
        look_at: float | None,
        owner: str | None = None,
    ) -> None:
        """End a vote that brings no move; what has `paused` since the latest event is no time.

        Raises MoveTaken if the game has moved on, or is another process's.
        """
        closed = {"vote_until": None, "paused": paused, "look_at": look_at}
        async with self._database.writing() as connection:
            await _change(connection, game_id, made, owner, at, **closed)

    async def of(self, user_id: int) -> list[GivenVote]:
        """All votes of a person, the oldest first."""
        rows = await self._database.fetch(given_query(user_id))
        return [
            GivenVote(
                row.game_id,
                row.family,
                row.channel_id,
                row.finished_at is None,
                VoteRecord(row.number, user_id, row.choice, row.at),
            )
            for row in rows
        ]


async def count_votes(transaction: Transaction, user_id: int) -> Mapping[str, int]:
    """How many votes of a person are stored, by the key of the text that says so."""
    counted = select(func.count()).select_from(VoteRow).where(VoteRow.user_id == user_id)
    return {"stored.votes": int((await transaction.execute(counted)).scalar_one())}


def given_query(user_id: int) -> Select[*tuple[Any, ...]]:
    """The votes of a person, with what is known of their games."""
    columns = (VoteRow.game_id, VoteRow.number, VoteRow.choice, VoteRow.at)
    game = (GameRow.family, GameRow.channel_id, GameRow.finished_at)
    joined = select(*columns, *game).join(GameRow, GameRow.id == VoteRow.game_id)
    return joined.where(VoteRow.user_id == user_id).order_by(VoteRow.at, VoteRow.game_id)


async def _change(
    connection: AsyncConnection,
    game_id: int,
    made: int,
    owner: str | None,
    at: float,
    **values: Any,
) -> None:
    """Change a game beside its moves; raises MoveTaken if it has moved on."""
    await lock(connection, GameRow.id, (game_id,))
    present = is_running(game_id, moves=made, owner=owner)
    values |= aside(at)
    if not await change(connection, update(GameRow).where(present).values(**values)):
        raise MoveTaken


def _is(game_id: int, vote: VoteRecord) -> ColumnElement[bool]:
    return and_(
        VoteRow.game_id == game_id,
        VoteRow.number == vote.number,
        VoteRow.user_id == vote.user_id,
    )
