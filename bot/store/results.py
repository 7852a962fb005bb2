"""Finished games: queries, and the immutable values that they return."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import ColumnElement, Select, and_, case, func, or_, select

from bot.store.records import THE_CHANNEL, Ending
from bot.store.rows import total
from bot.store.tables import GameFiguresRow, GameRow, HintRow

_RESULTS = tuple(ending for ending in Ending if ending.has_result)
_NO_RESULTS = tuple(ending for ending in Ending if not ending.has_result)
_NO_PAST = tuple(ending for ending in Ending if not ending.counts)


def has_result() -> ColumnElement[bool]:
    """Whether a game has ended with a result."""
    return GameRow.ending.in_(_RESULTS)


def results_query(scope: Scope) -> Select[Any]:
    """A person's results, newest first."""
    return (
        select(GameRow)
        .where(is_result_of(scope))
        .order_by(GameRow.finished_at.desc(), GameRow.id.desc())
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
    """When the first game of a scope was finished, without those that were called off."""
    return select(func.min(GameRow.finished_at).label("at")).where(is_past_of(scope))


def between_query(scope: Scope, other: int) -> Select[Any]:
    """A person's results against another one."""
    count = [
        func.count().label("games"),
        total(case((won_by(_person(scope)), 1), else_=0)).label("wins"),
        total(case((GameRow.winner.is_(None), 1), else_=0)).label("draws"),
    ]
    return select(*count).where(is_result_of(scope), _seated(other))


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


def won_by(user_id: int | ColumnElement[int]) -> ColumnElement[bool]:
    """Whether a game was won by this person."""
    return or_(
        and_(GameRow.winner == 1, GameRow.first_user == user_id),
        and_(GameRow.winner == 2, GameRow.second_user == user_id),
    )


def is_result_of(scope: Scope) -> ColumnElement[bool]:
    """Games of a scope that count as results."""
    return and_(in_scope(scope), has_result())


def is_past_of(scope: Scope) -> ColumnElement[bool]:
    """Games of a scope that are over; some endings are nobody's past."""
    return and_(in_scope(scope), GameRow.finished_at.is_not(None), GameRow.ending.not_in(_NO_PAST))


def _is_listed_for(scope: Scope) -> ColumnElement[bool]:
    """Games that are over which a person played, or began for agents or a channel to play."""
    user_id = _person(scope)
    begun = and_(GameRow.started_by == user_id, is_nobodys())
    theirs = or_(_seated(user_id), begun)
    over = and_(GameRow.finished_at.is_not(None), GameRow.ending.not_in(_NO_PAST))
    return and_(theirs, in_scope(replace(scope, user_id=None)), over)


def is_nobodys() -> ColumnElement[bool]:
    """Games that no person plays: two agents do, or an agent and a channel."""
    first, second = (
        or_(user.is_(None), user == THE_CHANNEL)
        for user in (GameRow.first_user, GameRow.second_user)
    )
    return and_(first, second)


def in_scope(scope: Scope) -> ColumnElement[bool]:
    """Whose games of a family, and which."""
    wanted = GameRow.family == scope.family
    if scope.user_id is not None:
        wanted = and_(_seated(scope.user_id), wanted)
    if scope.guild_id is not None:
        wanted = and_(wanted, GameRow.guild_id == scope.guild_id)
    if scope.variants:
        wanted = and_(wanted, GameRow.variant.in_(scope.variants))
    return wanted


def _person(scope: Scope) -> int:
    assert scope.user_id is not None, "whose results these are"
    return scope.user_id


def _against_agents(scope: Scope, *columns: Any) -> Select[Any]:
    """The results in a scope of games between a person and an agent.

    A channel is no person: what it plays tells nothing of one.
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


def _seated(user_id: int) -> ColumnElement[bool]:
    return or_(GameRow.first_user == user_id, GameRow.second_user == user_id)


def _agent() -> ColumnElement[str | None]:
    return func.coalesce(GameRow.first_agent, GameRow.second_agent)


def _won_by_person() -> ColumnElement[bool]:
    return or_(
        and_(GameRow.winner == 1, GameRow.first_user.is_not(None)),
        and_(GameRow.winner == 2, GameRow.second_user.is_not(None)),
    )


@dataclass(frozen=True, slots=True)
class ResultRecord:
    """One finished game as one player's history sees it."""

    variant: str
    agent: str | None
    """The opponent, if it was an agent."""
    auto: bool
    won: bool | None
    """None for a draw."""


@dataclass(frozen=True, slots=True)
class Scope:
    """Whose games of a family a report is about: a person's, a server's or everybody's."""

    family: str
    user_id: int | None = None
    guild_id: int | None = None
    variants: tuple[str, ...] = ()
    """Only games of these; of all if there are none."""


@dataclass(frozen=True, slots=True)
class LevelFigures:
    """The games that people finished against one agent in one variant, summed up."""

    agent: str
    games: int
    won: int
    """By the people."""
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
    """One finished game between a person and an agent."""

    agent: str
    won: bool | None
    """By the person; None for a draw."""
    moves: int
    person_moves: int
    hinted: int
    auto: bool = False


@dataclass(frozen=True, slots=True)
class PastGame:
    """A finished game as one person's history lists it."""

    id: int
    variant: str
    opponent: int | None
    """The other person, if it was one."""
    agent: str | None
    won: bool | None
    """None for a draw, and for a game that was stopped."""
    ending: Ending
    moves: int
    at: float
    auto: bool = False
    """Whether the agent was chosen to fit the player."""
    watched: tuple[str | None, str | None] | None = None
    """The agents that played, the first one first, if the person only began the game; None for the
    channel."""
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
