"""What finished games come to, summed up for reports."""

from __future__ import annotations

from typing import Any

from sqlalchemy import ColumnElement, Select, and_, case, func, or_, select

from bot.store.figure_rows import total
from bot.store.models import GameFiguresRow, GameRow
from bot.store.records import GameFigures, LevelFigures, PastGame, Scope
from bot.store.store import Store

NOT_A_RESULT = "stopped"


async def level_figures(store: Store, scope: Scope) -> tuple[LevelFigures, ...]:
    """For each agent, the games that people finished against it."""
    return tuple(LevelFigures(**row._mapping) for row in await store.fetch(level_query(scope)))


def level_query(scope: Scope) -> Select[Any]:
    """The sums behind `level_figures`."""
    agent = _agent()
    won = _won_by_person()
    return _against_agents(
        scope,
        agent.label("agent"),
        func.count().label("games"),
        total(case((won, 1), else_=0)).label("won"),
        total(case((GameRow.winner.is_(None), 1), else_=0)).label("drawn"),
        total(GameRow.finished_at - GameRow.started_at).label("seconds"),
        total(GameFiguresRow.person_moves).label("person_moves"),
        total(GameFiguresRow.hinted).label("hinted"),
        total(GameFiguresRow.engine_moves).label("engine_moves"),
        total(GameFiguresRow.engine_nodes).label("engine_nodes"),
        total(GameFiguresRow.engine_seconds).label("engine_seconds"),
    ).group_by(agent)


async def game_figures(store: Store, scope: Scope, *, most: int) -> tuple[GameFigures, ...]:
    """The latest games that people finished against agents, at most so many, the oldest first."""
    rows = await store.fetch(
        _against_agents(
            scope,
            _agent().label("agent"),
            case((GameRow.winner.is_(None), None), else_=_won_by_person()).label("won"),
            GameFiguresRow.moves,
            GameFiguresRow.person_moves,
            GameFiguresRow.hinted,
        )
        .order_by(GameRow.finished_at.desc(), GameRow.id.desc())
        .limit(most)
    )
    found = [
        GameFigures(
            row.agent,
            None if row.won is None else bool(row.won),
            row.moves,
            row.person_moves,
            row.hinted,
        )
        for row in rows
    ]
    return tuple(reversed(found))


async def past_games(
    store: Store, user_id: int, family: str, *, most: int, skip: int
) -> tuple[PastGame, ...]:
    """A person's finished games, the newest first."""
    rows = await store.fetch(past_query(user_id, family).limit(most).offset(skip))
    return tuple(_past(row, user_id) for row in rows)


def past_query(user_id: int, family: str) -> Select[GameRow, int]:
    """All of a person's finished games, the newest first."""
    return (
        select(GameRow, GameFiguresRow.moves)
        .join(GameFiguresRow, GameFiguresRow.game_id == GameRow.id)
        .where(_seated(user_id), GameRow.family == family, GameRow.finished_at.is_not(None))
        .order_by(GameRow.finished_at.desc(), GameRow.id.desc())
    )


async def count_past(store: Store, user_id: int, family: str) -> int:
    """How many games a person has finished."""
    rows = await store.fetch(
        select(func.count().label("games"))
        .select_from(GameRow)
        .where(_seated(user_id), GameRow.family == family, GameRow.finished_at.is_not(None))
    )
    return int(rows[0].games)


def _past(row: Any, user_id: int) -> PastGame:
    side = 1 if row.first_user == user_id else 2
    won = None if row.winner is None else row.winner == side
    return PastGame(
        id=row.id,
        variant=row.variant,
        opponent=row.second_user if side == 1 else row.first_user,
        agent=row.second_agent if side == 1 else row.first_agent,
        won=won,
        ending=row.ending,
        moves=row.moves,
        at=row.finished_at,
    )


def _against_agents(scope: Scope, *columns: Any) -> Select[Any]:
    """The finished games of a scope between a person and an agent."""
    statement = select(*columns).select_from(GameRow)
    statement = statement.join(GameFiguresRow, GameFiguresRow.game_id == GameRow.id).where(
        GameRow.family == scope.family,
        GameRow.finished_at.is_not(None),
        GameRow.ending != NOT_A_RESULT,
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
