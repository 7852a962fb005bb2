"""Finished games: which endings count, a person's latest games against `auto`, and whole games."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from sqlalchemy import BigInteger, ColumnElement, Select, and_, bindparam, func, or_, select

from bot.database.database import Database
from bot.database.statements import Prepared
from bot.store.records import THE_CHANNEL, Ending, GameRecord
from bot.store.rows import readable_records
from bot.store.tables import GameRow

_RESULTS = tuple(ending for ending in Ending if ending.has_result)
_NOT_PLAYED = tuple(ending for ending in Ending if not ending.counts)


def has_result() -> ColumnElement[bool]:
    """Whether a game has ended with a result."""
    return GameRow.ending.in_(_RESULTS)


@dataclass(frozen=True, slots=True)
class ResultRecord:
    """The result of one finished game from one player's point of view."""

    variant: str
    agent: str | None
    """The opponent, if it was an agent."""
    auto: bool
    won: bool | None
    """None for a draw."""


@dataclass(frozen=True, slots=True)
class Scope:
    """A selection of games of a family: a person's, a server's or all."""

    family: str
    user_id: int | None = None
    guild_id: int | None = None
    variants: tuple[str, ...] = ()
    """Only games of these variants; all if empty."""


class Results:
    """The repository of what a person has played, for choosing an opponent or a game."""

    def __init__(self, database: Database) -> None:
        """Read the games of `database`."""
        self._database = database

    async def against_auto(
        self, user_id: int, family: str, variants: Collection[str], *, most: int
    ) -> tuple[ResultRecord, ...]:
        """A player's latest `auto` games on any of these variants, newest first."""
        scope = Scope(family, user_id, variants=tuple(variants))
        rows = await self._database.fetch(results_query(scope).where(GameRow.auto).limit(most))
        return tuple(result_of(row, user_id) for row in rows)

    async def latest_family(self, user_id: int, among: Collection[str]) -> str | None:
        """The family of the game that a person began to play last; None if they have played none.

        Only games of the families `among` count.
        """
        # One query for each seat, since each has an index of its own.
        latest = [
            select(func.max(GameRow.id).label("id")).where(
                seat == user_id, GameRow.family.in_(among)
            )
            for seat in (GameRow.first_user, GameRow.second_user)
        ]
        ids = [row.id for query in latest for row in await self._database.fetch(query)]
        newest = max((one for one in ids if one is not None), default=None)
        if newest is None:
            return None
        found = await self._database.fetch(select(GameRow.family).where(GameRow.id == newest))
        return str(found[0].family) if found else None

    async def has_played_before(self, user_id: int, family: str, game_id: int) -> bool:
        """Whether a person has a game of a family that began before another and was not cancelled.

        Deleting the person's data forgets those games.
        """
        values = {"user": user_id, "family": family, "game": game_id}
        return bool(await self._database.fetch(_PLAYED_BEFORE, values))

    async def finished_by(self, user_id: int) -> list[GameRecord]:
        """All games that a person has finished, of every family, the oldest first."""
        return await self._readable(select(GameRow).where(_finished_by(user_id)))

    async def latest_finished(
        self, family: str, variants: Collection[str], limit: int
    ) -> list[GameRecord]:
        """The latest finished games of some variants, the newest first."""
        which = (GameRow.family == family, GameRow.variant.in_(variants))
        finished = select(GameRow).where(*which, GameRow.finished_at.is_not(None))
        return await self._readable(finished.order_by(GameRow.id.desc()).limit(limit))

    async def count_finished(self, user_id: int) -> int:
        """How many games a person has finished."""
        counted = select(func.count().label("games")).where(_finished_by(user_id))
        return int((await self._database.fetch(counted))[0].games)

    async def _readable(self, statement: Select[GameRow]) -> list[GameRecord]:
        async with self._database.reading() as connection:
            return await readable_records(connection, statement)


_PLAYED_BEFORE = Prepared(
    select(GameRow.id)
    .where(
        or_(
            GameRow.first_user == bindparam("user", type_=BigInteger),
            GameRow.second_user == bindparam("user", type_=BigInteger),
        ),
        GameRow.family == bindparam("family"),
        GameRow.id < bindparam("game"),
        or_(GameRow.ending.is_(None), GameRow.ending.not_in(_NOT_PLAYED)),
    )
    .limit(1)
)
"""Whether a `user` began a game of a `family` before another `game`."""


def results_query(scope: Scope) -> Select[Any]:
    """A person's results, newest first."""
    return (
        select(GameRow)
        .where(is_result_of(scope))
        .order_by(GameRow.finished_at.desc(), GameRow.id.desc())
    )


def result_of(row: Any, user_id: int) -> ResultRecord:
    """The result in a game's row from the point of view of one of its players."""
    is_first = row.first_user == user_id
    won = None if row.winner is None else row.winner == (1 if is_first else 2)
    agent = row.second_agent if is_first else row.first_agent
    return ResultRecord(row.variant, agent, row.auto, won)


def won_by(user_id: int | ColumnElement[int]) -> ColumnElement[bool]:
    """Whether a game was won by this person."""
    return or_(
        and_(GameRow.winner == 1, GameRow.first_user == user_id),
        and_(GameRow.winner == 2, GameRow.second_user == user_id),
    )


def is_result_of(scope: Scope) -> ColumnElement[bool]:
    """Games of a scope that count as results."""
    return and_(in_scope(scope), has_result())


def is_without_people() -> ColumnElement[bool]:
    """Whether a game has no person in a seat, but two agents, or an agent and a channel."""
    first, second = (
        or_(user.is_(None), user == THE_CHANNEL)
        for user in (GameRow.first_user, GameRow.second_user)
    )
    return and_(first, second)


def in_scope(scope: Scope) -> ColumnElement[bool]:
    """The games of a scope."""
    wanted = GameRow.family == scope.family
    # People's games that go on from a position say little about their strength.
    wanted = and_(wanted, or_(GameRow.opening == 0, GameRow.balanced, is_without_people()))
    if scope.user_id is not None:
        wanted = and_(seated(scope.user_id), wanted)
    if scope.guild_id is not None:
        wanted = and_(wanted, GameRow.guild_id == scope.guild_id)
    if scope.variants:
        wanted = and_(wanted, GameRow.variant.in_(scope.variants))
    return wanted


def seated(user_id: int) -> ColumnElement[bool]:
    """Whether a person plays in a game."""
    return or_(GameRow.first_user == user_id, GameRow.second_user == user_id)


def _finished_by(user_id: int) -> ColumnElement[bool]:
    return and_(seated(user_id), GameRow.finished_at.is_not(None))
