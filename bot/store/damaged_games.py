"""Running games that could not be read: ending them, and copies of their rows for the operator."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import count
from typing import Any

from sqlalchemy import ForeignKey, String, Text, delete, select, update
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlalchemy.orm import Mapped, mapped_column

from bot.database.database import Database
from bot.database.errors import retry_on_conflict
from bot.database.schema import referring_columns
from bot.database.statements import Base, add, change, lock
from bot.store.owners import Owner, may_own
from bot.store.records import FORMER_PLAYER, THE_CHANNEL, Ending, GameRecord
from bot.store.rows import GAMES, NOTHING, OVER, PEOPLE, is_running, records
from bot.store.tables import GameRow, HintRow, MoveRow, PlayerRow

PLACES = frozenset({"guild_id", "channel_id", "message_id", "ping_id"})
"""The columns with the place of a game, which can identify people: copies leave them out."""

LONGEST_REASON = 500


class DamagedGameRow(Base):
    """The copy of a game that was ended because it could not be read."""

    __tablename__ = "damaged_games"

    game_id: Mapped[int] = mapped_column(
        ForeignKey("games.id"), primary_key=True, autoincrement=False
    )
    at: Mapped[float]
    """When it was ended."""
    reason: Mapped[str] = mapped_column(String(LONGEST_REASON))
    """The kind of damage."""
    version: Mapped[str] = mapped_column(String(64))
    """The version of the program that could not read it."""
    rows: Mapped[str] = mapped_column(Text)
    """Its rows as JSON, a list per table, with seat numbers for people and without places."""


@dataclass(frozen=True, slots=True)
class DamagedGame:
    """A game that was ended because it could not be read."""

    id: int
    channel_id: int
    family: str
    variant: str
    reason: str


@dataclass(frozen=True, slots=True)
class Notice:
    """The place where the players of such a game are informed."""

    game_id: int
    guild_id: int | None
    channel_id: int
    message_id: int | None
    locale: str
    at: float
    """When it was ended."""
    family: str
    """The game's key as it is stored, which may not exist."""


class DamagedGames:
    """Games that cannot be read."""

    def __init__(self, database: Database) -> None:
        """Keep them in `database`."""
        self._database = database

    @retry_on_conflict
    async def close(
        self,
        game_id: int,
        damage: Callable[[GameRecord], str | None],
        at: float,
        version: str,
        owner: Owner | None = None,
    ) -> DamagedGame | None:
        """End a running game that cannot be read, without a result, and keep a copy of its rows.

        Its moves and hints, which made it unreadable, are deleted and kept only in the copy. Its
        channel is then free, and its board is due to show the notice.

        Args:
            game_id: Which game.
            damage: Returns what is wrong with a game; None for an undamaged game.
            at: When this happens.
            version: The version of this program.
            owner: The process that must own the game, unless it has no owner; None for any.

        Returns:
            The game; None, with nothing changed, if it is over, can be read after all, or is
            another process's.
        """
        async with self._database.writing() as connection:
            await lock(connection, GameRow.id, (game_id,))
            mine = select(GameRow).where(is_running(game_id), may_own(owner, self._database))
            # Read again under the lock: another process may have changed or closed it meanwhile.
            readable = await records(connection, mine)
            reason = damage(readable[0]) if readable else None
            if reason is None:
                return None
            row = dict((await connection.execute(mine)).one()._mapping)
            rows = await _rows(connection, game_id)
            copied = {
                "game_id": game_id,
                "at": at,
                "reason": reason[:LONGEST_REASON],
                "version": version,
                "rows": json.dumps(_without_people(rows, row), default=repr),
            }
            await add(connection, DamagedGameRow, copied)
            seats = await _lost_seats(connection, rows, row)
            for table in (MoveRow, HintRow):
                await connection.execute(delete(table).where(table.game_id == game_id))
            ended = update(GameRow).where(GameRow.id == game_id)
            await change(connection, ended.values(**_ended(row, at), **seats))
            return DamagedGame(game_id, row["channel_id"], row["family"], row["variant"], reason)

    async def ending_of_latest(self, channel_id: int) -> str | None:
        """How the latest game of a channel ended; None if it has not, or if there is none."""
        latest = select(GameRow.ending).where(GameRow.channel_id == channel_id)
        found = await self._database.fetch(latest.order_by(GameRow.id.desc()).limit(1))
        return found[0].ending if found else None

    async def notice(self, game_id: int) -> Notice | None:
        """The notice for a game that could not be continued; None for other endings."""
        closed = select(GameRow).where(GameRow.id == game_id, GameRow.ending == Ending.UNREADABLE)
        for row in await self._database.fetch(closed):
            return Notice(
                row.id,
                row.guild_id,
                row.channel_id,
                row.message_id,
                row.locale,
                row.finished_at,
                row.family,
            )
        return None

    async def note_informed(self, game_id: int, message_id: int | None = None) -> None:
        """Note that the players of a game have been informed, in a new message if one is given."""
        message = {} if message_id is None else {"message_id": message_id}
        informed = update(GameRow).where(GameRow.id == game_id)
        await self._database.change(informed.values(shown=GameRow.state, **message))

    async def forget(self, before: float) -> int:
        """Delete the copies of games that were ended before a time; returns how many."""
        return await self._database.change(delete(DamagedGameRow).where(DamagedGameRow.at < before))


async def _rows(connection: AsyncConnection, game_id: int) -> dict[str, list[dict[str, Any]]]:
    """All rows of a game, by table."""
    columns = [GAMES.columns.id, *await referring_columns(connection, GAMES.name)]
    rows: dict[str, list[dict[str, Any]]] = {}
    for column in columns:
        found = await connection.execute(select(column.table).where(column == game_id))
        rows[column.table.name] = [dict(row) for row in found.mappings()]
    return rows


def _without_people(
    rows: Mapping[str, list[dict[str, Any]]], game: Mapping[str, Any]
) -> dict[str, list[dict[str, Any]]]:
    """Rows with numbers in place of people, those of their seats first, and without places."""
    numbers: dict[Any, Any] = {None: None, THE_CHANNEL: "channel", FORMER_PLAYER: "former player"}
    for number, seat in enumerate(("first_user", "second_user"), 1):
        numbers.setdefault(game[seat], number)
    others = count(3)

    def of(name: str, value: Any) -> Any:
        if name not in PEOPLE:
            return value
        if value not in numbers:
            numbers[value] = next(others)
        return numbers[value]

    return {
        table: [
            {name: of(name, value) for name, value in row.items() if name not in PLACES}
            for row in found
        ]
        for table, found in rows.items()
        if found
    }


async def _lost_seats(
    connection: AsyncConnection, rows: Mapping[str, list[dict[str, Any]]], game: Mapping[str, Any]
) -> dict[str, int]:
    """The people for empty seats, found from the moves and hints.

    Those are deleted, and each player must still find the game as long as anything of it is kept.
    """
    known = {game["first_user"], game["second_user"], None, THE_CHANNEL, FORMER_PLAYER}
    named = [(row["player"], row["user_id"]) for row in rows["moves"]]
    named += [(0, row["user_id"]) for row in rows["hints"]] + [(0, game["started_by"])]
    seats = {}
    for side, name in enumerate(("first", "second"), 1):
        if game[f"{name}_user"] is not None or game[f"{name}_agent"] is not None:
            continue
        # People who moved on that side come first.
        for _, user_id in sorted(named, key=lambda one: one[0] != side):
            if user_id not in known and await _is_player(connection, user_id):
                known.add(user_id)
                seats[f"{name}_user"] = user_id
                break
    return seats


async def _is_player(connection: AsyncConnection, user_id: int) -> bool:
    found = await connection.execute(select(PlayerRow.id).where(PlayerRow.id == user_id))
    return found.first() is not None


def _ended(game: Mapping[str, Any], at: float) -> dict[str, Any]:
    """The columns of a game that is ended in this way, independent of their contents."""
    state = game["state"] if isinstance(game["state"], int) else 0
    return {
        "finished_at": at,
        "ending": Ending.UNREADABLE,
        "winner": None,
        "look_at": None,
        "vote_until": None,
        "state": max(0, state) + OVER,
        "shown": NOTHING,
        "show_at": at,
    }
