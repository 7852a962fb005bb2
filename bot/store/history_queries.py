"""Queries about finished games."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from sqlalchemy import ColumnElement, Select, and_, case, func, or_, select

from bot.store.channel_seat import THE_CHANNEL
from bot.store.history_records import Scope
from bot.store.models import GameFiguresRow, GameRow, HintRow
from bot.store.tally_rows import total

COUNTED = ("line", "stuck", "draw", "agreed", "resigned", "time")
"""The endings that count as results."""
ABORTED = "aborted"
"""The ending of a game that was called off before it had really begun: it counts nowhere."""
UNREADABLE = "unreadable"
"""The ending of a game that could not be continued because its rows could not be read: it counts
nowhere either."""
NO_PAST = (ABORTED, UNREADABLE)
"""The endings of games that are nobody's past."""
NO_RESULTS = ("stopped", *NO_PAST)
"""The endings that do not count as results."""
ENDINGS = frozenset((*COUNTED, *NO_RESULTS))
"""All endings."""


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
    return and_(in_scope(scope), GameRow.ending.in_(COUNTED))


def is_past_of(scope: Scope) -> ColumnElement[bool]:
    """Games of a scope that are over; some endings are nobody's past."""
    return and_(in_scope(scope), GameRow.finished_at.is_not(None), GameRow.ending.not_in(NO_PAST))


def _is_listed_for(scope: Scope) -> ColumnElement[bool]:
    """Games that are over which a person played, or began for agents or a channel to play."""
    user_id = _person(scope)
    begun = and_(GameRow.started_by == user_id, is_nobodys())
    theirs = or_(_seated(user_id), begun)
    over = and_(GameRow.finished_at.is_not(None), GameRow.ending.not_in(NO_PAST))
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
        GameRow.ending.not_in(NO_RESULTS),
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
