"""Finished games between agents: the tables, which games are to be judged, and all figures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import cache
from typing import Any

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    ForeignKey,
    Index,
    Integer,
    Select,
    and_,
    bindparam,
    case,
    delete,
    exists,
    func,
    insert,
    or_,
    select,
)
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlalchemy.orm import Mapped, mapped_column

from bot.database.errors import retry_on_conflict
from bot.database.statements import Base, Prepared, change
from bot.store.owners import DueGames, is_ready
from bot.store.ratings import add_unaided
from bot.store.records import UnaidedMoves
from bot.store.results import has_result, is_without_people
from bot.store.rows import total
from bot.store.tables import GameRow, HintRow, RetryColumns


class LeagueSideRow(Base):
    """The figures of one side of a finished game between two agents."""

    __tablename__ = "league_sides"

    game_id: Mapped[int] = mapped_column(ForeignKey("games.id"), primary_key=True)
    side: Mapped[int] = mapped_column(primary_key=True)
    """1 or 2."""
    moves: Mapped[int]
    """The moves that a search found; the following columns are about these alone."""
    nodes: Mapped[int] = mapped_column(BigInteger)
    seconds: Mapped[float]
    judged: Mapped[int]
    """The number of moves that were judged."""
    loss: Mapped[float]
    """The expected score that the judged moves gave away, added up: exact for proven moves."""
    proven: Mapped[int] = mapped_column(server_default="0")
    """How many of the judged moves were judged by the results of perfect play."""
    proven_loss: Mapped[float] = mapped_column(server_default="0")
    """What these gave away, added up."""


class LeagueDueRow(RetryColumns, Base):
    """A finished game that has yet to be judged: between two agents, or with hints."""

    __tablename__ = "league_due"
    __table_args__ = (
        Index("ux_league_due_game", "game_id", unique=True),
        # Ids are never reused, so they follow the order in which ends were stored.
        {"sqlite_autoincrement": True},
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    game_id: Mapped[int] = mapped_column(ForeignKey("games.id"))


class LeagueGames(DueGames):
    """Watched games that have ended with a result, and the games that are to be judged."""

    table = LeagueDueRow

    async def pairs(self, scope: LeagueScope) -> tuple[PairFigures, ...]:
        """For each agent that moved first and each that moved second, their games."""
        rows = await self._database.fetch(pairs_query(scope))
        return tuple(PairFigures(**row._mapping) for row in rows)

    async def agents(self, scope: LeagueScope) -> tuple[AgentFigures, ...]:
        """How each agent played, in the games that have been judged."""
        rows = await self._database.fetch(agents_query(scope))
        return tuple(AgentFigures(**{**row._mapping, "alone": bool(row.alone)}) for row in rows)

    async def latest(self, scope: LeagueScope, most: int) -> tuple[WatchedGame, ...]:
        """The latest games, newest first, including the channel's, which do not count."""
        rows = await self._database.fetch(latest_query(scope).limit(most))
        return tuple(WatchedGame(**row._mapping) for row in rows)

    async def due(self, limit: int) -> list[int]:
        """The games that are to be judged now, in the order in which their ends were stored.

        Games that wait for a retry are left out.
        """
        most, ready = bindparam("most", type_=Integer), is_ready(self._database, LeagueDueRow)
        statement = self._statements.get("due", lambda: due_query(most).where(ready))
        return [row.game_id for row in await self._database.fetch(statement, {"most": limit})]

    @retry_on_conflict
    async def settle(
        self,
        game_id: int,
        sides: Sequence[SideFigures] = (),
        unaided: Sequence[UnaidedMoves] = (),
    ) -> None:
        """Store the figures of a due game's sides, or of its people's own moves; does so once."""
        async with self._database.writing() as connection:
            is_game = LeagueDueRow.game_id == game_id
            if await change(connection, delete(LeagueDueRow).where(is_game)):
                rows = [{"game_id": game_id, **asdict(side)} for side in sides]
                if rows:
                    await connection.execute(insert(LeagueSideRow), rows)
                await add_unaided(connection, game_id, unaided)


def due_query(limit: int | ColumnElement[int]) -> Select[int]:
    """The games that have yet to be judged, by when their ends were stored."""
    return select(LeagueDueRow.game_id).order_by(LeagueDueRow.id).limit(limit)


def pairs_query(scope: LeagueScope) -> Select[Any]:
    """The games of every pair of agents, counted by who won."""
    return (
        select(
            GameRow.first_agent.label("first"),
            GameRow.second_agent.label("second"),
            func.count().label("games"),
            total(case((GameRow.winner == 1, 1), else_=0)).label("first_wins"),
            total(case((GameRow.winner == 2, 1), else_=0)).label("second_wins"),
        )
        .where(_watched(scope))
        .group_by(GameRow.first_agent, GameRow.second_agent)
    )


def agents_query(scope: LeagueScope) -> Select[Any]:
    """The sums over each agent's moves, on both sides; separately for games against itself."""
    agent = case((LeagueSideRow.side == 1, GameRow.first_agent), else_=GameRow.second_agent)
    alone = case((GameRow.first_agent == GameRow.second_agent, 1), else_=0)
    sums = ("moves", "nodes", "seconds", "judged", "loss", "proven", "proven_loss")
    return (
        select(
            agent.label("agent"),
            alone.label("alone"),
            *(total(getattr(LeagueSideRow, name)).label(name) for name in sums),
        )
        .select_from(GameRow)
        .join(LeagueSideRow, LeagueSideRow.game_id == GameRow.id)
        .where(_watched(scope))
        .group_by(agent, alone)
    )


def latest_query(scope: LeagueScope) -> Select[*tuple[Any, ...]]:
    """The watched games and those of a channel, newest first."""
    return (
        select(
            GameRow.id,
            GameRow.variant,
            GameRow.first_agent.label("first"),
            GameRow.second_agent.label("second"),
            GameRow.winner,
        )
        .where(_finished(scope), is_without_people())
        .order_by(GameRow.finished_at.desc(), GameRow.id.desc())
    )


def _watched(scope: LeagueScope) -> ColumnElement[bool]:
    """The finished games between agents in a scope."""
    agents = [
        and_(user.is_(None), agent.is_not(None))
        for user, agent in (
            (GameRow.first_user, GameRow.first_agent),
            (GameRow.second_user, GameRow.second_agent),
        )
    ]
    return and_(_finished(scope), *agents)


def _finished(scope: LeagueScope) -> ColumnElement[bool]:
    """The games in a scope that have ended with a result."""
    here = GameRow.guild_id == scope.guild_id
    if scope.guild_id is None:
        here = and_(GameRow.guild_id.is_(None), GameRow.channel_id == scope.channel_id)
    finished = and_(here, GameRow.family == scope.family, has_result())
    if scope.variant is not None:
        finished = and_(finished, GameRow.variant == scope.variant)
    return finished


@dataclass(frozen=True, slots=True)
class LeagueScope:
    """A selection of watched games of a family: of a server or, outside servers, of a channel."""

    family: str
    guild_id: int | None
    channel_id: int | None
    """Counts only outside of servers."""
    variant: str | None = None
    """If given, games of this variant only."""

    def holds(self, guild_id: int | None, channel_id: int) -> bool:
        """Whether a game in this channel falls into the scope, in any variant."""
        return guild_id == self.guild_id and (guild_id is not None or channel_id == self.channel_id)


@dataclass(frozen=True, slots=True)
class SideFigures:
    """The figures of one side of a watched game."""

    side: int
    moves: int
    nodes: int
    seconds: float
    judged: int
    """The number of its moves that could be judged."""
    loss: float
    """The expected score that these gave away, added up."""
    proven: int = 0
    """How many of these were judged by the results of perfect play."""
    proven_loss: float = 0.0
    """What the proven ones gave away, added up."""


@dataclass(frozen=True, slots=True)
class PairFigures:
    """The finished games in which one agent moved first and another second."""

    first: str
    second: str
    games: int
    first_wins: int
    second_wins: int

    @property
    def draws(self) -> int:
        """Games without a winner."""
        return self.games - self.first_wins - self.second_wins


@dataclass(frozen=True, slots=True)
class AgentFigures:
    """The figures of an agent in the judged games, summed up over both sides.

    Those of games against itself are separate.
    """

    agent: str
    moves: int
    nodes: int
    seconds: float
    judged: int
    loss: float
    proven: int = 0
    proven_loss: float = 0.0
    alone: bool = False
    """Whether these games were played against itself."""


@dataclass(frozen=True, slots=True)
class WatchedGame:
    """A finished game without people, for a list."""

    id: int
    variant: str
    first: str | None
    """The agent; None for the channel."""
    second: str | None
    winner: int | None
    """1 or 2; None for a draw."""


async def note_due(connection: AsyncConnection, game_id: int) -> None:
    """Make a game due if it has a result, and was watched or played with hints."""
    await _note_due_statement().change(connection, {"game": game_id})


@cache
def _note_due_statement() -> Prepared:
    """The statement that makes a `game` due if it has to be judged, built once."""
    due = select(GameRow.id).where(
        GameRow.id == bindparam("game"),
        has_result(),
        or_(_is_watched(), _has_hints()),
    )
    return Prepared(insert(LeagueDueRow).from_select(["game_id"], due))


def _is_watched() -> ColumnElement[bool]:
    return and_(GameRow.first_user.is_(None), GameRow.second_user.is_(None))


def _has_hints() -> ColumnElement[bool]:
    """Whether hints were given between two people, and nothing else revealed later moves.

    Undos and playing both sides reveal later moves. Games of one person are judged for the rating.
    """
    hinted = exists().where(HintRow.game_id == GameRow.id)
    # No comparison with an empty seat is true.
    return and_(hinted, GameRow.undos == 0, GameRow.first_user != GameRow.second_user)


@dataclass(frozen=True, slots=True)
class Results:
    """The results of one agent, of all its games or of those against another."""

    wins: int = 0
    draws: int = 0
    losses: int = 0

    @property
    def games(self) -> int:
        """Games with a result."""
        return self.wins + self.draws + self.losses

    def plus(self, wins: int, draws: int, losses: int) -> Results:
        """These results and more."""
        return Results(self.wins + wins, self.draws + draws, self.losses + losses)


@dataclass(frozen=True, slots=True, order=True)
class Entry:
    """A line of a league: an agent's games against others, or those against itself."""

    agent: str
    alone: bool = False


@dataclass(frozen=True, slots=True)
class LeagueTable:
    """The sums over a server's watched games of one family."""

    games: int
    results: dict[Entry, Results]
    """By agent, over both sides; of games against itself, as the side that moved first saw them."""
    figures: dict[Entry, AgentFigures]
    """How each agent played, in the games that have been judged."""
    latest: tuple[WatchedGame, ...]


def league_table(
    pairs: tuple[PairFigures, ...],
    agents: tuple[AgentFigures, ...],
    latest: tuple[WatchedGame, ...],
) -> LeagueTable:
    """Sum up the stored figures of watched games."""
    results: dict[Entry, Results] = {}
    for pair in pairs:
        first = (pair.first_wins, pair.draws, pair.second_wins)
        seats = [(pair.first, first), (pair.second, tuple(reversed(first)))]
        alone = pair.first == pair.second
        # A game against itself says nothing about an agent's strength, only about moving first.
        for name, counts in seats[:1] if alone else seats:
            entry = Entry(name, alone)
            results[entry] = results.get(entry, Results()).plus(*counts)
    games = sum(pair.games for pair in pairs)
    return LeagueTable(games, results, {Entry(a.agent, a.alone): a for a in agents}, latest)
