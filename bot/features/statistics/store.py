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
    GameRow,
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
    auto: bool = False
    """Whether the agent was chosen to fit the players."""
    variant: str = ""
    """Empty in sums over several."""


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


@dataclass(frozen=True, slots=True)
class BestWin:
    """The strongest opponent that a person has beaten in a rated game."""

    rating: float
    agent: str | None
    """Its name; None for a person."""
    variant: str


class RatedGames:
    """What people have won in rated games, and how those changed their numbers."""

    def __init__(self, database: Database) -> None:
        """Read from `database`."""
        self._database = database
        self._statements = database.prepared(RatedGames)

    async def crowns(self, user_id: int, ladders: Collection[str]) -> tuple[CrownRecord, ...]:
        """The agents that a person has beaten on some ladders."""
        user, key = bindparam("user", type_=BigInteger), tuple(ladders)
        statement = self._statements.get(key, lambda: crowns_query(user, key))
        rows = await self._database.fetch(statement, {"user": user_id})
        return tuple(CrownRecord(row.agent, row.ladder, row.game_id) for row in rows)

    async def best(self, user_id: int, ladders: Collection[str]) -> BestWin | None:
        """The strongest opponent that a player has beaten in a rated game on some ladders."""
        rows = await self._database.fetch(best_win_query(user_id, ladders))
        return BestWin(float(rows[0].opponent), rows[0].agent, rows[0].variant) if rows else None

    async def numbers_at(
        self, user_ids: Collection[int], ladders: Collection[str], at: float
    ) -> dict[tuple[int, str], float]:
        """The numbers that people had at a time, by user id and ladder.

        For people whose placement ended later, their first number; those without a rated game since
        then are left out.
        """
        rows = await self._database.fetch(numbers_query(user_ids, ladders, at))
        return {(row.user_id, row.ladder): float(row.number) for row in rows}


def best_win_query(user_id: int, ladders: Collection[str]) -> Select[Any]:
    """The rated win of a person against the strongest opponent."""
    agent = case((GameRow.first_user == user_id, GameRow.second_agent), else_=GameRow.first_agent)
    return (
        select(RatingChangeRow.opponent, agent.label("agent"), GameRow.variant)
        .join(GameRow, GameRow.id == RatingChangeRow.game_id)
        .where(
            RatingChangeRow.user_id == user_id,
            RatingChangeRow.ladder.in_(ladders),
            won_by(user_id),
        )
        .order_by(RatingChangeRow.opponent.desc(), RatingChangeRow.game_id)
        .limit(1)
    )


def numbers_query(
    user_ids: Collection[int], ladders: Collection[str], at: float
) -> Select[int, str, float]:
    """The numbers before the first rated games after a time, or right after the placement."""
    later = (
        RatingChangeRow.user_id.in_(user_ids),
        RatingChangeRow.ladder.in_(ladders),
        RatingChangeRow.at >= at,
        RatingChangeRow.shown_after.is_not(None),
    )
    first = (
        select(
            RatingChangeRow.user_id,
            RatingChangeRow.ladder,
            func.min(RatingChangeRow.games_after).label("games"),
        )
        .where(*later)
        .group_by(RatingChangeRow.user_id, RatingChangeRow.ladder)
        .subquery()
    )
    number = func.coalesce(RatingChangeRow.shown_before, RatingChangeRow.shown_after)
    is_first = and_(
        RatingChangeRow.user_id == first.c.user_id,
        RatingChangeRow.ladder == first.c.ladder,
        RatingChangeRow.games_after == first.c.games,
    )
    return select(RatingChangeRow.user_id, RatingChangeRow.ladder, number.label("number")).join(
        first, is_first
    )


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
        return PlayerSummary(
            tallies=tuple(_tally(row) for row in tallies),
            recent=await self.recent(scope, most=recent),
        )

    async def recent(self, scope: Scope, *, most: int) -> tuple[ResultRecord, ...]:
        """A player's latest results, newest first."""
        user_id = _person(scope)
        rows = await self._database.fetch(results_query(scope).limit(most))
        return tuple(result_of(row, user_id) for row in rows)

    async def past(self, scope: Scope, *, most: int, skip: int) -> tuple[PastGame, ...]:
        """The finished games that a person played, newest first, then those that they watched."""
        user_id = _person(scope)
        rows = await self._database.fetch(past_query(scope).limit(most).offset(skip))
        return tuple(_past(row, user_id) for row in rows)

    async def count(self, scope: Scope) -> tuple[int, int]:
        """The number of games that `past` lists, and how many of them the person played."""
        found = await self._database.fetch(count_query(scope))
        return int(found[0].games), int(found[0].played)

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
        at=row.finished_at,
        auto=row.auto,
        watched=(row.first_agent, row.second_agent) if is_watched else None,
        winner=row.winner if is_watched else None,
    )


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


def past_query(scope: Scope) -> Select[GameRow]:
    """The finished games that a person played, then those that they began for others to play.

    Both come newest first.
    """
    is_watched = case((seated(_person(scope)), 0), else_=1)
    return (
        select(GameRow)
        .where(_is_listed_for(scope))
        .order_by(is_watched, GameRow.finished_at.desc(), GameRow.id.desc())
    )


def count_query(scope: Scope) -> Select[Any]:
    """How many games `past_query` finds, and how many of them the person played."""
    played = total(case((seated(_person(scope)), 1), else_=0))
    games = select(func.count().label("games"), played.label("played")).select_from(GameRow)
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
    agent = agent_met()
    return against_agents(
        scope,
        agent.label("agent"),
        GameRow.auto,
        GameRow.variant,
        func.count().label("games"),
        total(case((won_by_person(), 1), else_=0)).label("won"),
        total(case((GameRow.winner.is_(None), 1), else_=0)).label("drawn"),
    ).group_by(agent, GameRow.auto, GameRow.variant)


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


def against_agents(scope: Scope, *columns: Any) -> Select[Any]:
    """The results in a scope of games between a person and an agent.

    Games of a channel are left out, because they say nothing about one person.
    """
    return (
        select(*columns)
        .select_from(GameRow)
        .where(
            in_scope(scope),
            GameRow.finished_at.is_not(None),
            GameRow.ending.not_in(_NO_RESULTS),
            or_(
                and_(GameRow.first_user.is_(None), GameRow.second_user != THE_CHANNEL),
                and_(GameRow.second_user.is_(None), GameRow.first_user != THE_CHANNEL),
            ),
        )
    )


def agent_met() -> ColumnElement[str | None]:
    """The agent of a game between a person and an agent."""
    return func.coalesce(GameRow.first_agent, GameRow.second_agent)


def won_by_person() -> ColumnElement[bool]:
    """Whether the person won a game between a person and an agent."""
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
            UnaidedMoves(
                row.user_id,
                row.ladder,
                row.at,
                row.judged,
                row.loss,
                row.proven,
                row.proven_loss,
            )
            for row in rows
            if row.ladder in ladders
        )


def unaided_query(user_id: int, since: float) -> Select[Any]:
    """A person's games that ended since a time, oldest first."""
    mine = (UnaidedRow.user_id == user_id, UnaidedRow.at >= since)
    return select(UnaidedRow).where(*mine).order_by(UnaidedRow.at)
