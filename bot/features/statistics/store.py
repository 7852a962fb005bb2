"""What statistics read: a player's results, past games, reports and wins.

All of it is derived from what the core stores; statistics store nothing of their own.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    Select,
    and_,
    bindparam,
    case,
    func,
    or_,
    select,
)

from bot.database.database import Database
from bot.database.statements import PreparedSet
from bot.store.records import THE_CHANNEL, Ending, UnaidedMoves
from bot.store.results import (
    ResultRecord,
    Scope,
    in_scope,
    is_result_of,
    is_without_people,
    result_of,
    results_query,
    seated,
    won_by,
)
from bot.store.rows import total
from bot.store.tables import (
    GameFiguresRow,
    GameRow,
    HintRow,
    RatingChangeRow,
    UnaidedRow,
)

_NO_RESULTS = tuple(ending for ending in Ending if not ending.has_result)
_NO_PAST = tuple(ending for ending in Ending if not ending.counts)


@dataclass(frozen=True, slots=True)
class LevelFigures:
    """The games that people finished against one agent in one variant, summed up."""

    agent: str
    games: int
    won: int
    """Games won by the people."""
    drawn: int
    seconds: float
    """From start to end, added up over the games, like all that follows."""
    person_moves: int
    hinted: int
    engine_moves: int
    engine_nodes: int
    engine_seconds: float
    auto: bool = False
    """Whether the agent was chosen to fit the players."""
    variant: str = ""
    """Empty in sums over several."""


@dataclass(frozen=True, slots=True)
class GameFigures:
    """A finished game between a person and an agent."""

    agent: str
    won: bool | None
    """By the person; None for a draw."""
    moves: int
    person_moves: int
    hinted: int
    auto: bool = False


@dataclass(frozen=True, slots=True)
class PastGame:
    """A finished game in one person's history."""

    id: int
    variant: str
    opponent: int | None
    """The other person; None for an agent."""
    agent: str | None
    won: bool | None
    """None for a draw, and for a game that was stopped."""
    ending: Ending
    moves: int
    at: float
    auto: bool = False
    """Whether the agent was chosen to fit the player."""
    watched: tuple[str | None, str | None] | None = None
    """If the person only began the game: the agents that played, in the order of the seats, with
    None for the channel."""
    winner: int | None = None
    """Which side of such a game won."""


@dataclass(frozen=True, slots=True)
class LevelTally:
    """A player's results against one agent in one variant, or against people (agent None)."""

    agent: str | None
    games: int
    wins: int
    draws: int
    losses: int
    auto: bool = False
    """Whether the agent was chosen to fit the player."""
    variant: str = ""


@dataclass(frozen=True, slots=True)
class PlayerSummary:
    """A player's history at one game."""

    tallies: tuple[LevelTally, ...]
    recent: tuple[ResultRecord, ...]
    """The latest results, newest first."""
    moves: int
    """Of both sides, in all finished games."""
    seconds: float
    """From start to end, added up over all finished games."""
    hints: int

    @property
    def games(self) -> int:
        """Finished games."""
        return sum(tally.games for tally in self.tallies)

    @property
    def wins(self) -> int:
        """Games won."""
        return sum(tally.wins for tally in self.tallies)

    @property
    def draws(self) -> int:
        """Games drawn."""
        return sum(tally.draws for tally in self.tallies)

    @property
    def losses(self) -> int:
        """Games lost."""
        return sum(tally.losses for tally in self.tallies)


def streak(results: tuple[ResultRecord, ...]) -> tuple[bool | None, int]:
    """The latest result and how many games in a row ended like it; (None, 0) without games."""
    if not results:
        return None, 0
    length = 0
    for result in results:
        if result.won != results[0].won:
            break
        length += 1
    return results[0].won, length


@dataclass(frozen=True, slots=True)
class CrownRecord:
    """An agent that a person has beaten in a rated game, and so without help."""

    agent: str
    ladder: str
    game_id: int
    """The first such game."""


class Wins:
    """What people have won in rated games."""

    def __init__(self, database: Database) -> None:
        """Read from `database`."""
        self._database = database
        self._statements = PreparedSet()

    async def crowns(self, user_id: int, ladders: Collection[str]) -> tuple[CrownRecord, ...]:
        """The agents that a person has beaten on some ladders."""
        user, key = bindparam("user", type_=BigInteger), tuple(ladders)
        statement = self._statements.get(key, lambda: crowns_query(user, key))
        rows = await self._database.fetch(statement, {"user": user_id})
        return tuple(CrownRecord(row.agent, row.ladder, row.game_id) for row in rows)

    async def best(self, user_id: int, ladder: str) -> float | None:
        """The rating of the strongest opponent that a player has beaten in a rated game."""
        found = await self._database.fetch(
            select(func.max(RatingChangeRow.opponent).label("best"))
            .join(GameRow, GameRow.id == RatingChangeRow.game_id)
            .where(
                RatingChangeRow.user_id == user_id,
                RatingChangeRow.ladder == ladder,
                won_by(user_id),
            )
        )
        return None if found[0].best is None else float(found[0].best)


def crowns_query(user_id: int | ColumnElement[int], ladders: Collection[str]) -> Select[Any]:
    """The first rated win of a person against each agent on each ladder."""
    agent = case((GameRow.first_user == user_id, GameRow.second_agent), else_=GameRow.first_agent)
    return (
        select(
            agent.label("agent"),
            RatingChangeRow.ladder,
            func.min(RatingChangeRow.game_id).label("game_id"),
        )
        .join(GameRow, GameRow.id == RatingChangeRow.game_id)
        .where(
            RatingChangeRow.user_id == user_id,
            RatingChangeRow.ladder.in_(ladders),
            won_by(user_id),
            agent.is_not(None),
        )
        .group_by(agent, RatingChangeRow.ladder)
    )


class History:
    """The repository of finished games for statistics."""

    def __init__(self, database: Database) -> None:
        """Read the games of `database`."""
        self._database = database

    async def summary(self, scope: Scope, *, recent: int = 10) -> PlayerSummary:
        """A player's results in one family of games, the latest `recent` of them in full."""
        tallies = await self._database.fetch(tallies_query(scope))
        hints = await self._database.fetch(hints_query(scope))
        sums = await self._database.fetch(sums_query(scope))
        return PlayerSummary(
            tallies=tuple(_tally(row) for row in tallies),
            recent=await self.recent(scope, most=recent),
            moves=sums[0].moves,
            seconds=sums[0].seconds,
            hints=hints[0].count,
        )

    async def recent(self, scope: Scope, *, most: int) -> tuple[ResultRecord, ...]:
        """A player's latest results, newest first."""
        user_id = _person(scope)
        rows = await self._database.fetch(results_query(scope).limit(most))
        return tuple(result_of(row, user_id) for row in rows)

    async def past(self, scope: Scope, *, most: int, skip: int) -> tuple[PastGame, ...]:
        """The finished games that a person played or watched, newest first."""
        user_id = _person(scope)
        rows = await self._database.fetch(past_query(scope).limit(most).offset(skip))
        return tuple(_past(row, user_id) for row in rows)

    async def count(self, scope: Scope) -> int:
        """The number of games that `past` lists."""
        found = await self._database.fetch(count_query(scope))
        return int(found[0].games)

    async def since(self, scope: Scope) -> float | None:
        """When the first game of a scope was finished; None without any."""
        found = await self._database.fetch(since_query(scope))
        return None if found[0].at is None else float(found[0].at)

    async def between(self, scope: Scope, other: int) -> LevelTally:
        """A person's results against another one."""
        (row,) = await self._database.fetch(between_query(scope, other))
        return LevelTally(None, row.games, row.wins, row.draws, row.games - row.wins - row.draws)

    async def level_figures(self, scope: Scope) -> tuple[LevelFigures, ...]:
        """For each agent and variant, the games people finished against it, summed up."""
        rows = await self._database.fetch(level_query(scope))
        return tuple(LevelFigures(**row._mapping) for row in rows)

    async def game_figures(self, scope: Scope, *, most: int) -> tuple[GameFigures, ...]:
        """The latest games, up to `most`, between people and agents; oldest first."""
        rows = await self._database.fetch(game_query(scope).limit(most))
        return tuple(_figures(row) for row in reversed(rows))


def _tally(row: Any) -> LevelTally:
    losses = row.games - row.wins - row.draws
    return LevelTally(
        row.agent, row.games, row.wins, row.draws, losses, bool(row.auto), row.variant
    )


def _past(row: Any, user_id: int) -> PastGame:
    result = result_of(row, user_id)
    is_watched = {row.first_user, row.second_user} <= {None, THE_CHANNEL}
    return PastGame(
        id=row.id,
        variant=row.variant,
        opponent=row.second_user if row.first_user == user_id else row.first_user,
        agent=result.agent,
        won=result.won,
        ending=Ending.read(row.ending),
        moves=row.moves,
        at=row.finished_at,
        auto=row.auto,
        watched=(row.first_agent, row.second_agent) if is_watched else None,
        winner=row.winner if is_watched else None,
    )


def _figures(row: Any) -> GameFigures:
    won = None if row.won is None else bool(row.won)
    return GameFigures(row.agent, won, row.moves, row.person_moves, row.hinted, row.auto)


def tallies_query(scope: Scope) -> Select[Any]:
    """A person's results, counted by opponent and variant."""
    user_id = scope.user_id
    opponent = case(
        (GameRow.first_user == user_id, GameRow.second_agent), else_=GameRow.first_agent
    )
    auto = and_(GameRow.auto, opponent.is_not(None))
    return (
        select(
            opponent.label("agent"),
            auto.label("auto"),
            GameRow.variant,
            func.count().label("games"),
            func.sum(case((won_by(_person(scope)), 1), else_=0)).label("wins"),
            func.sum(case((GameRow.winner.is_(None), 1), else_=0)).label("draws"),
        )
        .where(is_result_of(scope))
        .group_by(opponent, auto, GameRow.variant)
    )


def sums_query(scope: Scope) -> Select[Any]:
    """The total moves and seconds behind a person's results."""
    return (
        select(
            total(GameFiguresRow.moves).label("moves"),
            total(GameRow.finished_at - GameRow.started_at).label("seconds"),
        )
        .join(GameRow, GameRow.id == GameFiguresRow.game_id)
        .where(is_result_of(scope))
    )


def hints_query(scope: Scope) -> Select[Any]:
    """How many hints a person was given in games that count as results."""
    return (
        select(total(HintRow.given).label("count"))
        .select_from(HintRow)
        .join(GameRow, GameRow.id == HintRow.game_id)
        .where(is_result_of(scope), HintRow.user_id == scope.user_id)
    )


def past_query(scope: Scope) -> Select[GameRow, int]:
    """The finished games that a person played, or began for others to play; newest first."""
    return (
        select(GameRow, GameFiguresRow.moves)
        .join(GameFiguresRow, GameFiguresRow.game_id == GameRow.id)
        .where(_is_listed_for(scope))
        .order_by(GameRow.finished_at.desc(), GameRow.id.desc())
    )


def count_query(scope: Scope) -> Select[int]:
    """How many games `past_query` finds."""
    games = select(func.count().label("games")).select_from(GameRow)
    return games.where(_is_listed_for(scope))


def since_query(scope: Scope) -> Select[Any]:
    """When the first game of a scope was finished, without aborted games."""
    return select(func.min(GameRow.finished_at).label("at")).where(in_scope(scope), _is_past())


def between_query(scope: Scope, other: int) -> Select[Any]:
    """A person's results against another one."""
    count = [
        func.count().label("games"),
        total(case((won_by(_person(scope)), 1), else_=0)).label("wins"),
        total(case((GameRow.winner.is_(None), 1), else_=0)).label("draws"),
    ]
    return select(*count).where(is_result_of(scope), seated(other))


def level_query(scope: Scope) -> Select[Any]:
    """For each agent and variant, the games people finished against it, summed up."""
    agent = _agent()
    return _against_agents(
        scope,
        agent.label("agent"),
        GameRow.auto,
        GameRow.variant,
        func.count().label("games"),
        total(case((_won_by_person(), 1), else_=0)).label("won"),
        total(case((GameRow.winner.is_(None), 1), else_=0)).label("drawn"),
        total(GameRow.finished_at - GameRow.started_at).label("seconds"),
        total(GameFiguresRow.person_moves).label("person_moves"),
        total(GameFiguresRow.hinted).label("hinted"),
        total(GameFiguresRow.engine_moves).label("engine_moves"),
        total(GameFiguresRow.engine_nodes).label("engine_nodes"),
        total(GameFiguresRow.engine_seconds).label("engine_seconds"),
    ).group_by(agent, GameRow.auto, GameRow.variant)


def game_query(scope: Scope) -> Select[Any]:
    """The games people finished against agents, newest first."""
    return _against_agents(
        scope,
        _agent().label("agent"),
        GameRow.auto,
        case((GameRow.winner.is_(None), None), else_=_won_by_person()).label("won"),
        GameFiguresRow.moves,
        GameFiguresRow.person_moves,
        GameFiguresRow.hinted,
    ).order_by(GameRow.finished_at.desc(), GameRow.id.desc())


def _is_past() -> ColumnElement[bool]:
    """Games that are over, without those that were aborted or could not be continued."""
    return and_(GameRow.finished_at.is_not(None), GameRow.ending.not_in(_NO_PAST))


def _is_listed_for(scope: Scope) -> ColumnElement[bool]:
    """Past games that a person played, or began for agents or a channel to play."""
    user_id = _person(scope)
    begun = and_(GameRow.started_by == user_id, is_without_people())
    listed = or_(seated(user_id), begun)
    return and_(listed, in_scope(replace(scope, user_id=None)), _is_past())


def _person(scope: Scope) -> int:
    assert scope.user_id is not None, "whose results these are"
    return scope.user_id


def _against_agents(scope: Scope, *columns: Any) -> Select[Any]:
    """The results in a scope of games between a person and an agent.

    Games of a channel are left out, because they say nothing about one person.
    """
    statement = select(*columns).select_from(GameRow)
    return statement.join(GameFiguresRow, GameFiguresRow.game_id == GameRow.id).where(
        in_scope(scope),
        GameRow.finished_at.is_not(None),
        GameRow.ending.not_in(_NO_RESULTS),
        or_(
            and_(GameRow.first_user.is_(None), GameRow.second_user != THE_CHANNEL),
            and_(GameRow.second_user.is_(None), GameRow.first_user != THE_CHANNEL),
        ),
    )


def _agent() -> ColumnElement[str | None]:
    return func.coalesce(GameRow.first_agent, GameRow.second_agent)


def _won_by_person() -> ColumnElement[bool]:
    return or_(
        and_(GameRow.winner == 1, GameRow.first_user.is_not(None)),
        and_(GameRow.winner == 2, GameRow.second_user.is_not(None)),
    )


class UnaidedGames:
    """The repository of people's games with moves made without help."""

    def __init__(self, database: Database) -> None:
        """Read from `database`."""
        self._database = database

    async def of(
        self, user_id: int, ladders: Collection[str], since: float
    ) -> tuple[UnaidedMoves, ...]:
        """A person's games on some ladders that ended since a time, oldest first."""
        rows = await self._database.fetch(unaided_query(user_id, since))
        return tuple(
            UnaidedMoves(row.user_id, row.ladder, row.at, row.judged, row.loss)
            for row in rows
            if row.ladder in ladders
        )


def unaided_query(user_id: int, since: float) -> Select[Any]:
    """A person's games that ended since a time, oldest first."""
    mine = (UnaidedRow.user_id == user_id, UnaidedRow.at >= since)
    return select(UnaidedRow).where(*mine).order_by(UnaidedRow.at)
