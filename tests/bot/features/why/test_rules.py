"""Rules of explanations: which moves have one, and how many a person may request at once."""

from __future__ import annotations

import asyncio
import threading
from typing import Any

import pytest

from bot.feature import Services
from bot.features.why import Choice, Explanations
from bot.store.records import GameSetup, agent
from bot.workers.pool import Claim, Kind
from engine.core.jobs import Job
from tests.bot.builders import ANA, BEA, HERE, refusal_of
from tests.bot.engine_jobs import Calling, doing
from tests.builders import until


@pytest.fixture
def asked(services: Services) -> Explanations:
    """The explanation service for these services' games."""
    return Explanations(services.sessions.games, services.workers)


async def choice(services: Services, asked: Explanations) -> Choice:
    """The first move of a watched game."""
    seats = agent("easy"), agent("easy")
    game = await services.sessions.start(GameSetup("connect4", "4x4", HERE, 9, "en", *seats, ANA))
    await services.sessions.reply(HERE)
    return await asked.last_choice(game.id)


async def test_a_person_waits_for_one_explanation_at_a_time(
    services: Services, asked: Explanations
) -> None:
    """A person has one explanation or hint at a time; other people are not affected."""
    made, release = await choice(services, asked), threading.Event()
    busy = asyncio.create_task(services.workers.do(Calling(release.wait), Claim(Kind.EXPLANATION)))
    first = asyncio.create_task(asked.of(made, ANA))
    beas = asyncio.create_task(asked.of(made, BEA))
    await until(lambda: services.workers._waiting >= {ANA, BEA})
    assert await refusal_of(asked.of(made, ANA)) == "refusal.one_at_a_time"
    assert await refusal_of(asked.of(made, BEA)) == "refusal.one_at_a_time"
    release.set()
    await busy
    assert await first == await beas == await asked.of(made, ANA)


async def test_a_failure_is_refused_and_a_new_request_works(
    services: Services, asked: Explanations, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An exception of the engine becomes a refusal, and a new request is possible."""
    made = await choice(services, asked)

    def fail(job: Any, stop: Any) -> Any:
        raise ArithmeticError("no explanation")

    with monkeypatch.context() as failing:
        failing.setattr(Job, "run", doing(fail))
        assert await refusal_of(asked.of(made, ANA)) == "refusal.why_failed"
    assert (await asked.of(made, ANA)).explanation.values


async def test_a_move_made_without_a_search_has_no_explanation(
    services: Services, asked: Explanations, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A move made without a search has no explanation."""

    def fail(job: Any, stop: Any = None) -> Any:
        raise ArithmeticError("the search is broken")

    monkeypatch.setattr(Job, "run", doing(fail))
    assert await refusal_of(choice(services, asked)) == "refusal.why_unsearched"
