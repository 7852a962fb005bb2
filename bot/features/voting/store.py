"""Votes on a channel's moves, and on who wins a game: each person has one in each vote."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlalchemy import Select, and_, delete, func, select, update

from bot.database.database import Database
from bot.database.errors import retry_on_conflict
from bot.database.statements import change, lock, put
from bot.store.games import MoveTaken
from bot.store.people import add_people
from bot.store.records import GivenVote, VoteRecord
from bot.store.rows import Transaction, is_running, other_event
from bot.store.tables import GameRow, VoteRow


class Votes:
    """The repository of votes; a change of a vote also changes the state of its game."""

    def __init__(self, database: Database) -> None:
        """Keep votes in `database`."""
        self._database = database

    @retry_on_conflict
    async def change(
        self,
        game_id: int,
        at: float,
        *,
        made: int,
        until: float | None,
        look_at: float | None,
        owner: str | None = None,
        cast: VoteRecord | None = None,
        withdrawn: VoteRecord | None = None,
        paused: float | None = None,
    ) -> None:
        """Change the votes in a running game.

        Args:
            game_id: Which game.
            at: When this happens.
            made: How many moves have been made in the game.
            until: The new end of the vote; with `cast`, only if the vote has no end yet.
            look_at: When the game is next due.
            owner: The process that does this; it must own the game.
            cast: A vote to store in place of the one that its voter gave before.
            withdrawn: A vote to delete.
            paused: The seconds since the latest event that do not count against clocks.

        Raises:
            MoveTaken: The game has moved on, or is another process's.
        """
        ends = until if cast is None else func.coalesce(GameRow.vote_until, until)
        columns = {"vote_until": ends, "look_at": look_at, **other_event(at)}
        if paused is not None:
            columns["paused"] = paused
        async with self._database.writing() as connection:
            await lock(connection, GameRow.id, (game_id,))
            present = is_running(game_id, moves=made, owner=owner)
            if not await change(connection, update(GameRow).where(present).values(**columns)):
                raise MoveTaken
            if cast is not None:
                await add_people(connection, (cast.user_id,), at)
                whose = {"game_id": game_id, "number": cast.number, "user_id": cast.user_id}
                await put(connection, VoteRow, whose, {"choice": cast.choice, "at": cast.at})
            if withdrawn is not None:
                given = and_(
                    VoteRow.game_id == game_id,
                    VoteRow.number == withdrawn.number,
                    VoteRow.user_id == withdrawn.user_id,
                )
                await connection.execute(delete(VoteRow).where(given))

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
    """The votes of a person, with columns of their games."""
    columns = (VoteRow.game_id, VoteRow.number, VoteRow.choice, VoteRow.at)
    game = (GameRow.family, GameRow.channel_id, GameRow.finished_at)
    joined = select(*columns, *game).join(GameRow, GameRow.id == VoteRow.game_id)
    return joined.where(VoteRow.user_id == user_id).order_by(VoteRow.at, VoteRow.game_id)
