"""Perfect play receives the rating of its opponent."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from contextlib import closing
from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy.engine import make_url

from bot.feature import Services
from bot.game.session import Session
from bot.ratings.glicko import NEWCOMER
from bot.ratings.levels import opponent_rating
from bot.store.records import (
    Ending,
    EndRecord,
    GameSetup,
    RatedEnd,
    RatingChange,
    RatingRecord,
    SeatRecord,
    agent,
    person,
)
from engine.core.jobs import Job
from engine.core.registry import game_of
from engine.strength.ladder import ladder_of
from engine.strength.roster import ChooseMove
from tests.bot.builders import ANA, HERE, THERE
from tests.bot.engine_jobs import RUN, doing

SMALL = "connect4-small"


async def rate(services: Services, user_id: int, value: float) -> None:
    """Give a person a rating on small boards."""
    seats = SeatRecord(user_id, None), SeatRecord(None, "easy")
    opening = GameSetup("connect4", "5x4", THERE, None, "en", *seats, auto=True)
    game_id = await services.store.games.add(opening, 0.0)

    def rated(_known: Mapping[int, RatingRecord]) -> tuple[RatingChange, ...]:
        return (RatingChange(user_id, NEWCOMER, replace(NEWCOMER, value=value), 1000.0),)

    assert await services.store.games.finish(game_id, EndRecord(Ending.LINE, 1, 5.0), counts=True)
    assert await services.store.ratings.rate(game_id, RatedEnd(SMALL, (user_id,), rated))


async def started(services: Services, first: Any, variant: str = "5x4") -> Session:
    """A game in which `first` is to move against Ana or another given opponent."""
    seats = (first, person(ANA))
    return await services.sessions.start(GameSetup("connect4", variant, HERE, 9, "en", *seats, ANA))


async def test_perfect_play_gets_a_persons_rating(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The search job of perfect play has the person's rating, or none on a ladder without one."""
    await rate(services, ANA, 987.0)
    asked: list[Job] = []

    def seen(job: Job, *given: Any) -> Any:
        asked.append(job)
        return RUN(job, *given)

    # A thread of an earlier test may still do another job.
    monkeypatch.setattr(Job, "run", doing(seen, ChooseMove))
    session = await started(services, agent("perfect"))
    assert await services.sessions.reply(HERE)
    assert [job.task.opponent for job in asked] == [987.0]
    other_board = replace(session, position=game_of("connect4", "6x7").start())
    assert await opponent_rating(services.store, other_board) is None


async def test_other_agents_get_no_rating(services: Services) -> None:
    """The jobs of other agents have no rating, and none is read for them."""
    await rate(services, ANA, 987.0)
    assert await opponent_rating(services.store, await started(services, agent("expert"))) is None


def seated(session: Session, first: SeatRecord, second: SeatRecord) -> Session:
    """The same game with other seats."""
    return replace(session, setup=replace(session.setup, first=first, second=second))


async def test_it_gets_the_rating_of_another_agent(services: Services) -> None:
    """Against an agent the job has its rung's rating; an unrated agent has none."""
    session = await started(services, agent("perfect"))
    perfect, ana = session.seats
    for name, elo in (("rung-3", ladder_of(session.game).elo_of("rung-3")), ("rung-99", None)):
        watched = seated(session, perfect, agent(name))
        assert await opponent_rating(services.store, watched) == elo
    assert await opponent_rating(services.store, seated(session, ana, perfect)) is None


@pytest.mark.sqlite
async def test_no_move_waits_for_a_rating(
    services: Services, caplog: pytest.LogCaptureFixture
) -> None:
    """If the rating cannot be read, the move is made without it, and one line is logged."""
    await started(services, agent("perfect"))
    database = make_url(services.settings.database_url).database
    assert database is not None
    with closing(sqlite3.connect(database, isolation_level=None)) as other:
        other.execute("ALTER TABLE ratings RENAME TO away")
        replied = await services.sessions.reply(HERE)
        other.execute("ALTER TABLE away RENAME TO ratings")
    assert replied is not None
    assert replied.number == 2
    assert caplog.text.count("rating cannot be read") == 1
