"""Questions to the engine: shared answers, per-user slots, and searches that are dropped."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator
from typing import Any

import pytest

from bot.game.refusal import Refusal
from bot.workers.pool import Claim, Kind
from bot.workers.workers import AnswerCache, Workers
from engine.core.jobs import Job
from engine.study.hints import GiveHint
from tests.bot.engine_jobs import Slow, doing

ANA, BEA, CAL = 1, 2, 3
Answers = AnswerCache[Any]


@pytest.fixture
def workers() -> Iterator[Workers]:
    """Two search threads."""
    opened = Workers(2)
    yield opened
    opened.close()


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> Slow:
    """Searches wait until the test releases them."""
    engine = Slow()
    monkeypatch.setattr(Job, "run", doing(engine))
    return engine


def question(*moves: str, variant: str = "5x4") -> Job[Any]:
    """The question for the best move after these moves."""
    return Job("connect4", variant, moves, GiveHint())


def asks(
    workers: Workers, cache: Answers, user_id: int, job: Job[Any], game_id: int | None = None
) -> asyncio.Task[Any]:
    """Ask for a person, about a running game or none."""
    claim = Claim(Kind.HINT, user_id, 9)
    asked = workers.ask(job, claim, cache, 20.0, failed="hint_failed", game_id=game_id)
    return asyncio.create_task(asked)


async def refused(asked: asyncio.Task[Any]) -> str:
    """The key of the refusal of a question."""
    with pytest.raises(Refusal) as caught:
        await asked
    return caught.value.key.removeprefix("refusal.")


async def test_the_same_question_is_answered_once(workers: Workers, slow: Slow) -> None:
    """All people who ask the same question share one search, also across games."""
    cache = Answers(0)
    asked = [asks(workers, cache, user, question("1"), n) for n, user in enumerate((ANA, BEA) * 10)]
    await slow.asked(1)
    slow.may.set()
    first, *others = await asyncio.gather(*asked)
    assert all(other is first for other in others)
    assert len(slow.jobs) == 1


async def test_a_search_stops_when_its_last_game_has_moved_on(workers: Workers, slow: Slow) -> None:
    """A game that moves on drops its own question; a search stops when no question is left."""
    cache = Answers(0)
    asked = [asks(workers, cache, user, question("1"), game) for user, game in ((ANA, 1), (BEA, 2))]
    await slow.asked(1)
    workers.drop(1)
    assert not slow.stops[0].is_set
    workers.drop(2)
    assert slow.stops[0].is_set
    # A question that comes now starts a new search.
    again = asks(workers, cache, CAL, question("1"), 3)
    await slow.asked(2)
    slow.may.set()
    assert [await refused(one) for one in asked] == ["moved_on", "moved_on"]
    assert await again is not None


async def test_one_game_that_moves_on_takes_no_answer_from_another(
    workers: Workers, slow: Slow
) -> None:
    """The person who asked for the game that moved on is refused; others get their answers."""
    cache = Answers(0)
    first, second = (asks(workers, cache, user, question("1"), user) for user in (ANA, BEA))
    await slow.asked(1)
    workers.drop(ANA)
    slow.may.set()
    assert await refused(first) == "moved_on"
    assert await second is not None


async def test_a_question_about_no_running_game_is_not_dropped(
    workers: Workers, slow: Slow
) -> None:
    """A question about no running game survives other games' moves and their closing."""
    asked = asks(workers, Answers(1), ANA, question("1"))
    await slow.asked(1)
    workers.drop(1)
    workers.drop_all()
    assert not slow.stops[0].is_set
    slow.may.set()
    assert await asked is not None


async def test_closed_games_drop_their_questions_and_take_no_more(
    workers: Workers, slow: Slow
) -> None:
    """When the bot closes, open questions are dropped and new ones are refused."""
    cache = Answers(0)
    asked = asks(workers, cache, ANA, question("1"), 1)
    await slow.asked(1)
    workers.drop_all()
    assert await refused(asked) == "moved_on"
    assert await refused(asks(workers, cache, BEA, question("2"), 2)) == "moved_on"
    assert len(slow.jobs) == 1


async def test_a_person_waits_for_one_answer_at_a_time(workers: Workers, slow: Slow) -> None:
    """A person's second question is refused until the first is answered.

    Others are not affected.
    """
    cache = Answers(0)
    first = asks(workers, cache, ANA, question("1"), 1)
    await slow.asked(1)
    other = question(variant="6x7")
    assert await refused(asks(workers, cache, ANA, other, 2)) == "one_at_a_time"
    beas = asks(workers, cache, BEA, other, 2)
    await slow.asked(2)
    slow.may.set()
    assert await first is not None
    assert await beas is not None
    assert await asks(workers, cache, ANA, question(variant="4x4"), 3) is not None


async def test_a_search_continues_without_a_caller(workers: Workers, slow: Slow) -> None:
    """Cancelling a question and asking it again for the same game starts no second search."""
    cache = Answers(0)
    first = asks(workers, cache, ANA, question("1"), 1)
    await slow.asked(1)
    first.cancel()
    await asyncio.gather(first, return_exceptions=True)
    again = asks(workers, cache, ANA, question("1"), 1)
    await asyncio.sleep(0)
    slow.may.set()
    assert await again is not None
    assert len(slow.jobs) == 1


async def test_the_latest_answers_are_kept(workers: Workers, slow: Slow) -> None:
    """The latest answers are kept, up to a limit; a dropped one is computed again."""
    cache = Answers(2)
    slow.may.set()
    for move in "1231":
        job = question(move)
        assert await asks(workers, cache, ANA, job) is await asks(workers, cache, BEA, job)
    assert [job.moves for job in slow.jobs] == [("1",), ("2",), ("3",), ("1",)]


async def test_a_failure_is_logged_refused_and_not_kept(
    workers: Workers, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """A failing search is logged, refused and not cached, so the question can be asked again."""

    def fail(job: Job[Any], stop: Any) -> Any:
        raise ArithmeticError("the search is broken")

    cache = Answers(1)
    with monkeypatch.context() as failing, caplog.at_level(logging.ERROR):
        failing.setattr(Job, "run", doing(fail))
        assert await refused(asks(workers, cache, ANA, question("1"), 1)) == "hint_failed"
    assert "ArithmeticError" in caplog.text
    assert await asks(workers, cache, ANA, question("1"), 1) is not None
