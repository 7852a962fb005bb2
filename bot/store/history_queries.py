"""Queries about finished games."""

from __future__ import annotations

from typing import Any

from sqlalchemy import ColumnElement, Select, and_, case, func, or_, select

from bot.store.history_records import Scope
from bot.store.models import GameFiguresRow, GameRow, HintRow
from bot.store.tally_rows import total

COUNTED = ("line", "stuck", "draw", "agreed", "resigned", "time")
"""The endings that count as results."""
ABORTED = "aborted"
"""The ending of a game that was called off before it had really begun: it counts nowhere."""
NO_RESULTS = ("stopped", ABORTED)
"""The endings that do not count as results."""


def results_query(user_id: int, family: str) -> Select[Any]:
    """A person's results, newest first."""
    return (
        select(GameRow)
        .where(_is_result_of(user_id, family))
        .order_by(GameRow.finished_at.desc(), GameRow.id.desc())
    )


def tallies_query(user_id: int, family: str) -> Select[Any]:
    """A person's results, counted by opponent."""
    opponent = case(
        (GameRow.first_user == user_id, GameRow.second_agent), else_=GameRow.first_agent
    )
    return (
        select(
            opponent.label("agent"),
            func.count().label("games"),
            func.sum(case((won_by(user_id), 1), else_=0)).label("wins"),
            func.sum(case((GameRow.winner.is_(None), 1), else_=0)).label("draws"),
        )
        .where(_is_result_of(user_id, family))
        .group_by(opponent)
    )


def sums_query(user_id: int, family: str) -> Select[Any]:
    """The total moves and seconds behind a person's results."""
    return (
        select(
            total(GameFiguresRow.moves).label("moves"),
            total(GameRow.finished_at - GameRow.started_at).label("seconds"),
        )
        .join(GameRow, GameRow.id == GameFiguresRow.game_id)
        .where(_is_result_of(user_id, family))
    )


def hints_query(user_id: int, family: str) -> Select[Any]:
    """How many hints a person was given in games that count as results."""
    return (
        select(func.count().label("count"))
        .select_from(HintRow)
        .join(GameRow, GameRow.id == HintRow.game_id)
        .where(_is_result_of(user_id, family), HintRow.user_id == user_id)
    )


def past_query(user_id: int, family: str) -> Select[GameRow, int]:
    """A person's finished games, newest first."""
    return (
        select(GameRow, GameFiguresRow.moves)
        .join(GameFiguresRow, GameFiguresRow.game_id == GameRow.id)
        .where(_is_past_of(user_id, family))
        .order_by(GameRow.finished_at.desc(), GameRow.id.desc())
    )


def count_query(user_id: int, family: str) -> Select[int]:
    """How many games a person has finished, without those that were called off."""
    games = select(func.count().label("games")).select_from(GameRow)
    return games.where(_is_past_of(user_id, family))


def level_query(scope: Scope) -> Select[Any]:
    """For each agent, the games people finished against it, summed up."""
    agent = _agent()
    return _against_agents(
        scope,
        agent.label("agent"),
        func.count().label("games"),
        total(case((_won_by_person(), 1), else_=0)).label("won"),
        total(case((GameRow.winner.is_(None), 1), else_=0)).label("drawn"),
        total(GameRow.finished_at - GameRow.started_at).label("seconds"),
        total(GameFiguresRow.person_moves).label("person_moves"),
        total(GameFiguresRow.hinted).label("hinted"),
        total(GameFiguresRow.engine_moves).label("engine_moves"),
        total(GameFiguresRow.engine_nodes).label("engine_nodes"),
        total(GameFiguresRow.engine_seconds).label("engine_seconds"),
    ).group_by(agent)


def game_query(scope: Scope) -> Select[Any]:
    """The games people finished against agents, newest first."""
    return _against_agents(
        scope,
        _agent().label("agent"),
        case((GameRow.winner.is_(None), None), else_=_won_by_person()).label("won"),
        GameFiguresRow.moves,
        GameFiguresRow.person_moves,
        GameFiguresRow.hinted,
    ).order_by(GameRow.finished_at.desc(), GameRow.id.desc())


def won_by(user_id: int) -> ColumnElement[bool]:
    """Whether a game was won by this person."""
    return or_(
        and_(GameRow.winner == 1, GameRow.first_user == user_id),
        and_(GameRow.winner == 2, GameRow.second_user == user_id),
    )


def _is_result_of(user_id: int, family: str) -> ColumnElement[bool]:
    return and_(_seated(user_id), GameRow.family == family, GameRow.ending.in_(COUNTED))


def _is_past_of(user_id: int, family: str) -> ColumnElement[bool]:
    """Games that are over; those that were called off are not part of anybody's past."""
    return and_(
        _seated(user_id),
        GameRow.family == family,
        GameRow.finished_at.is_not(None),
        GameRow.ending != ABORTED,
    )


def _against_agents(scope: Scope, *columns: Any) -> Select[Any]:
    """The results in a scope of games between a person and an agent."""
    statement = select(*columns).select_from(GameRow)
    statement = statement.join(GameFiguresRow, GameFiguresRow.game_id == GameRow.id).where(
        GameRow.family == scope.family,
        GameRow.finished_at.is_not(None),
        GameRow.ending.not_in(NO_RESULTS),
        or_(
            and_(GameRow.first_user.is_(None), GameRow.second_user.is_not(None)),
            and_(GameRow.second_user.is_(None), GameRow.first_user.is_not(None)),
        ),
    )
    if scope.user_id is not None:
        statement = statement.where(_seated(scope.user_id))
    if scope.guild_id is not None:
        statement = statement.where(GameRow.guild_id == scope.guild_id)
    return statement


def _seated(user_id: int) -> ColumnElement[bool]:
    return or_(GameRow.first_user == user_id, GameRow.second_user == user_id)


def _agent() -> ColumnElement[str | None]:
    return func.coalesce(GameRow.first_agent, GameRow.second_agent)


def _won_by_person() -> ColumnElement[bool]:
    return or_(
        and_(GameRow.winner == 1, GameRow.first_user.is_not(None)),
        and_(GameRow.winner == 2, GameRow.second_user.is_not(None)),
    )
