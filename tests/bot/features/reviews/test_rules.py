"""Rules of reviews: which games have one, who shares it, and how failures are answered."""

from __future__ import annotations

import asyncio
import threading
from dataclasses import replace
from typing import Any

import pytest

from bot.feature import Services
from bot.features.reviews.rules import Reviews
from bot.game.session import Session
from bot.ratings.glicko import limits_of
from bot.store.records import GameSetup, agent, person
from bot.workers.pool import Claim, Kind
from bot.workers.remote import RemoteEngine
from bot.workers.workers import Workers
from engine.core.jobs import Job
from engine.core.registry import game_called
from engine.strength.ladder import ladder_of
from engine.study.review import ReviewGame
from tests.bot.builders import refusal_of
from tests.bot.engine_jobs import RUN, Calling, InAnotherProcess, doing
from tests.builders import until

ANA, BEA, CAL, HERE = 1, 2, 3, 100


@pytest.fixture
def reviewer(services: Services) -> Reviews:
    """The review service for these services' games."""
    return reviews(services, services.workers)


def reviews(services: Services, workers: Workers) -> Reviews:
    """The review service that asks these workers."""
    ratings = services.store.ratings

    async def allow(_user: int, _positions: object) -> None:
        """Bar no one."""

    return Reviews(services.sessions.games, workers, ratings, lambda _family, _say: (), allow)


async def started(services: Services, moves: str, variant: str = "5x4") -> Session:
    """A game between Ana and Bea after these moves."""
    seats = person(ANA), person(BEA)
    order = GameSetup("connect4", variant, HERE, 9, "en", *seats, ANA)
    session = await services.sessions.start(order)
    for number, move in enumerate(moves):
        session = await services.sessions.play(HERE, (ANA, BEA)[number % 2], move)
    return session


async def test_a_game_is_reviewed_once_it_is_over(services: Services, reviewer: Reviews) -> None:
    """A running game has no review; that of a finished one is the engine's."""
    running = await started(services, "1121")
    assert await refusal_of(reviewer.game(running.id, ANA)) == "refusal.nothing_to_review"
    assert await refusal_of(reviewer.game(running.id + 1, ANA)) == "refusal.nothing_to_review"
    await services.sessions.resign(HERE, ANA)
    over = await reviewer.game(running.id, ANA)
    found = await reviewer.of(over, ANA)
    moves = tuple("1121")
    assert found.course == Job("connect4", "5x4", moves, ReviewGame()).run().course


async def test_the_first_turn_is_not_judged_with_the_pie_rule(
    services: Services, reviewer: Reviews
) -> None:
    """With the pie rule the first turn is not judged, but all later moves are."""
    await started(services, "1121", "4x7")
    await services.sessions.resign(HERE, ANA)
    over = await reviewer.game(1, ANA)
    plain = await reviewer.of(over, ANA)
    spared = await reviewer.of(replace(over, setup=replace(over.setup, pie=True)), ANA)
    assert plain.moves[0].is_informative
    assert [one.is_informative for one in spared.moves] == [
        False,
        *(m.is_informative for m in plain.moves[1:]),
    ]
    assert spared.course == plain.course


async def test_moves_look_like_a_rating(services: Services, reviewer: Reviews) -> None:
    """The rating that a side's moves look like lies on the ladder; too few moves have none."""
    await started(services, "1121")
    await services.sessions.resign(HERE, ANA)
    assert await reviewer.strengths(await reviewer.game(1, ANA), ANA) == {}
    await started(services, "1234432112")
    await services.sessions.resign(HERE, ANA)
    found = await reviewer.strengths(await reviewer.game(2, ANA), ANA)
    assert found
    least, most = limits_of(ladder_of(game_called("5x4")))
    assert all(least <= rating <= most for rating in found.values())


async def test_a_watched_game_is_reviewed_once_it_is_over(
    services: Services, reviewer: Reviews
) -> None:
    """A game between agents can be reviewed once it is over."""
    seats = agent("easy"), agent("easy")
    order = GameSetup("connect4", "4x4", HERE, 9, "en", *seats, ANA)
    game = await services.sessions.start(order)
    await services.sessions.reply(HERE)
    assert await refusal_of(reviewer.game(game.id, ANA)) == "refusal.nothing_to_review"
    await services.sessions.resign(HERE, ANA)
    assert len((await reviewer.of(await reviewer.game(game.id, ANA), BEA)).moves) == 1


async def test_a_game_without_moves_has_no_review(services: Services, reviewer: Reviews) -> None:
    """A game without moves has no review."""
    game = await started(services, "")
    await services.sessions.resign(HERE, ANA)
    assert await refusal_of(reviewer.game(game.id, ANA)) == "refusal.nothing_to_review"


async def test_requests_share_one_review(
    services: Services, reviewer: Reviews, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Requests share one review, also if the first person cancels; a person has one at a time."""
    game, counted, release = await started(services, "12"), list[Job](), threading.Event()
    await services.sessions.resign(HERE, ANA)
    over = await reviewer.game(game.id, ANA)

    def counting(job: Job, stop: Any) -> Any:
        counted.append(job)
        return RUN(job, stop)

    monkeypatch.setattr(Job, "run", doing(counting))
    busy = asyncio.create_task(services.workers.do(Calling(release.wait), Claim(Kind.EXPLANATION)))
    asked = [asyncio.create_task(reviewer.of(over, user)) for user in (ANA, BEA, CAL)]
    await until(lambda: services.workers._waiting >= {ANA, BEA, CAL})
    assert await refusal_of(reviewer.of(over, ANA)) == "refusal.one_at_a_time"
    asked[0].cancel()
    release.set()
    await busy
    assert await asked[1] is await asked[2] is await reviewer.of(over, ANA)
    assert len(counted) == 1


async def test_a_review_can_run_in_another_process(services: Services) -> None:
    """A review by an engine in another process equals a local one."""
    game, engine = await started(services, "12"), InAnotherProcess()
    await services.sessions.resign(HERE, ANA)
    remote_engine = RemoteEngine(engine)
    remote_engine.changed(engine.places)
    workers = Workers(1, remote=remote_engine)
    reviewer = reviews(services, workers)
    found = await reviewer.of(await reviewer.game(game.id, ANA), ANA)
    workers.close()
    assert [type(job.task) for job in engine.done] == [ReviewGame]
    assert found.course == engine.done[0].run().course


async def test_a_failure_is_refused_and_a_new_request_works(
    services: Services, reviewer: Reviews, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An exception of the engine becomes a refusal, and a new request is possible."""
    game = await started(services, "12")
    await services.sessions.resign(HERE, ANA)
    over = await reviewer.game(game.id, ANA)

    def fail(job: Any, stop: Any) -> Any:
        raise ArithmeticError("no review")

    with monkeypatch.context() as failing:
        failing.setattr(Job, "run", doing(fail))
        assert await refusal_of(reviewer.of(over, ANA)) == "refusal.review_failed"
    assert (await reviewer.of(over, ANA)).moves
