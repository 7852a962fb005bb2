"""Matches in the database: which games belong to one, and until when the next one can begin.

A game's row says to which match it belongs. A match has a row of its own from the end of its first
game on. Who begins the next game changes that row under a condition, in the transaction that stores
the game, so of several presses exactly one begins it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from sqlalchemy import ColumnElement, ForeignKey, Index, Select, func, or_, select, update
from sqlalchemy.orm import Mapped, mapped_column

from bot.database.database import Database
from bot.database.errors import retry_on_conflict
from bot.database.statements import Base, add_missing, change
from bot.shards import Shards
from bot.store.owners import in_shards
from bot.store.people import RequestAnswered
from bot.store.records import Ending
from bot.store.rows import Step, Transaction, other_event
from bot.store.tables import GameRow

WAIT = 30 * 60.0
"""Seconds after a game within which the next one of its match has to begin."""


class MatchRow(Base):
    """A match whose first game is over."""

    __tablename__ = "matches"
    # Those that end unless they are continued, by when that is.
    __table_args__ = (Index("ix_matches_waiting", "waits_until"),)

    id: Mapped[int] = mapped_column(ForeignKey("games.id"), primary_key=True, autoincrement=False)
    """Its first game."""
    waits_until: Mapped[float | None]
    """Until when the next game can begin; empty while one is played, and once the match is over."""
    ended_at: Mapped[float | None]


@dataclass(frozen=True)
class MatchGame:
    """A game of a match."""

    id: int
    first: int
    second: int
    """Who sits there, a former player included."""
    is_over: bool
    ending: Ending | None
    winner: int | None


@dataclass(frozen=True)
class Match:
    """A match: its games, oldest first, and whether it goes on."""

    id: int
    length: int
    """How many games were agreed on."""
    games: tuple[MatchGame, ...]
    waits_until: float | None
    ended_at: float | None

    @property
    def latest(self) -> MatchGame:
        """Its latest game."""
        return self.games[-1]

    @property
    def played(self) -> int:
        """How many of its games are over."""
        return sum(game.is_over for game in self.games)

    def number_of(self, game_id: int) -> int:
        """The number of one of its games, counted from 1."""
        return next(n for n, game in enumerate(self.games, 1) if game.id == game_id)

    @cached_property
    def points(self) -> Mapping[int, float]:
        """What each of the two has: 1 for a win, a half for a draw, nothing without a result."""
        found = {self.games[0].first: 0.0, self.games[0].second: 0.0}
        for game in self.games:
            if game.winner is not None:
                found[(game.first, game.second)[game.winner - 1]] += 1.0
            elif game.ending is not None and game.ending.has_result:
                found = {user_id: points + 0.5 for user_id, points in found.items()}
        return found

    @property
    def lead(self) -> float:
        """By how many points one of the two is ahead."""
        first, second = self.points.values()
        return abs(first - second)

    @property
    def is_decided(self) -> bool:
        """Whether all games are over, or those that are left cannot make up for the lead."""
        left = self.length - self.played
        return left <= 0 or self.lead > left


class MatchStore:
    """The repository of matches."""

    def __init__(self, database: Database) -> None:
        """Keep matches in `database`."""
        self._database = database

    async def find(self, id: int) -> Match | None:
        """A match by its first game; None if there is none."""
        async with self._database.reading() as connection:
            return await _read(connection, id)

    def going_on(self, id: int, after: int, at: float) -> Step:
        """The step that begins the next game; raises RequestAnswered if it has begun, or too late.

        It belongs to the transaction that stores that game. The board of the game `after` which it
        comes is shown again, since it says that the match waits.
        """

        async def go_on(connection: Transaction) -> None:
            waiting = update(MatchRow).where(MatchRow.id == id, MatchRow.waits_until > at)
            if not await change(connection, waiting.values(waits_until=None)):
                raise RequestAnswered
            before = update(GameRow).where(GameRow.id == after)
            await connection.execute(before.values(other_event(at)))

        return go_on

    async def due(self, now: float, shards: Shards | None) -> list[int]:
        """The matches on these shards that were not continued in time."""
        return [row.id for row in await self._database.fetch(due_query(now, shards))]

    @retry_on_conflict
    async def end(self, id: int, now: float) -> bool:
        """End a match that was not continued in time, and let its latest board show that.

        False, and no change, if it has been continued or ended.
        """
        async with self._database.writing() as connection:
            due = update(MatchRow).where(MatchRow.id == id, MatchRow.waits_until <= now)
            if not await change(connection, due.values(waits_until=None, ended_at=now)):
                return False
            latest = select(func.max(GameRow.id)).where(_belongs_to(id)).scalar_subquery()
            shown = update(GameRow).where(GameRow.id == latest).values(other_event(now))
            await connection.execute(shown)
        return True


def due_query(now: float, shards: Shards | None) -> Select[int]:
    """The matches that were not continued in time."""
    query = select(MatchRow.id).join(GameRow, GameRow.id == MatchRow.id)
    return query.where(MatchRow.waits_until <= now, in_shards(GameRow.guild_id, shards))


async def note_end(connection: Transaction, game_id: int) -> None:
    """Note the end of a game in its match, which then waits for the next game or is over."""
    row = GameRow
    query = select(row.match, row.match_of, row.finished_at).where(row.id == game_id)
    ended = (await connection.execute(query)).one()
    if not ended.match:
        return
    id = ended.match_of or game_id
    match = await _read(connection, id)
    if match is None:
        # The first game was deleted with the data of its players.
        return
    await add_missing(connection, MatchRow, {"id": id})
    at = ended.finished_at
    values = {"ended_at": at} if match.is_decided else {"waits_until": at + WAIT}
    goes_on = update(MatchRow).where(MatchRow.id == id, MatchRow.ended_at.is_(None))
    await connection.execute(goes_on.values(values))


async def _read(connection: Transaction, id: int) -> Match | None:
    row = GameRow
    columns = (row.id, row.match, row.first_user, row.second_user, row.finished_at, row.ending)
    query = select(*columns, row.winner).where(_belongs_to(id)).order_by(row.id)
    found = (await connection.execute(query)).all()
    if not found or found[0].id != id:
        return None
    games = tuple(
        MatchGame(
            one.id,
            one.first_user,
            one.second_user,
            one.finished_at is not None,
            None if one.ending is None else Ending.read(one.ending),
            one.winner,
        )
        for one in found
    )
    known = select(MatchRow.waits_until, MatchRow.ended_at).where(MatchRow.id == id)
    state = (await connection.execute(known)).first()
    waits_until, ended_at = (None, None) if state is None else state
    return Match(id, found[0].match, games, waits_until, ended_at)


def _belongs_to(id: int) -> ColumnElement[bool]:
    return or_(GameRow.id == id, GameRow.match_of == id)


async def count_matches(connection: Transaction, user_id: int) -> Mapping[str, int]:
    """How many matches a person has played, by the key of the text about it."""
    row = GameRow
    begins = (row.match > 0, row.match_of.is_(None))
    counted = select(func.count()).select_from(row).where(*begins, _plays(user_id))
    return {"stored.matches": int((await connection.execute(counted)).scalar_one())}


async def forget_person(connection: Transaction, user_id: int) -> None:
    """Let the matches of a person that wait for a game end; their games stay the opponent's."""
    row = GameRow
    theirs = select(row.id).where(row.match > 0, row.match_of.is_(None), _plays(user_id))
    waiting = update(MatchRow).where(MatchRow.id.in_(theirs), MatchRow.waits_until.is_not(None))
    await connection.execute(waiting.values(waits_until=0.0))


def _plays(user_id: int) -> ColumnElement[bool]:
    return or_(GameRow.first_user == user_id, GameRow.second_user == user_id)
