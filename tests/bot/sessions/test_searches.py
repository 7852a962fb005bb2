"""Games whose search fails or never ends, or whose agent no longer exists."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from bot.game.session import Session
from bot.ratings.rated import unrated_because
from bot.sessions.searches import Searches
from bot.store.records import Ending, EndRecord, GameRecord, GameSetup, SeatRecord
from bot.workers import pool
from bot.workers.workers import Workers
from engine.core.analysis import SearchResult
from engine.core.jobs import Job
from engine.core.limits import Stop
from engine.strength.habits import FEATURES, Habits
from engine.strength.ladder import ladder_of
from engine.strength.roster import ChooseMove
from tests.bot.engine_jobs import RUN, doing

ANA = 1
Finder = Callable[[Job, Stop | None], SearchResult]


def watched(
    agent: str = "easy", family: str = "connect4", variant: str = "5x4", game_id: int = 1
) -> Session:
    """A game in which this agent is to move."""
    opening = GameSetup(
        family, variant, 7, None, "en", SeatRecord(None, agent), SeatRecord(ANA, None), ANA
    )
    return Session.from_record(GameRecord(game_id, opening, 0.0, None, (), frozenset(), None))


class FailingEngine:
    """An engine that fails at some of its tasks."""

    def __init__(
        self, fails: Callable[[ChooseMove, int], bool], failure: Callable[[], Any]
    ) -> None:
        self.asked: list[str] = []
        self._fails = fails
        self._failure = failure

    def __call__(self, job: Job, stop: Stop | None = None) -> SearchResult:
        """Do a job, or fail."""
        assert isinstance(job.task, ChooseMove)
        self.asked.append(job.task.agent)
        if self._fails(job.task, len(self.asked)):
            self._failure()
        return RUN(job, stop)


@pytest.fixture
def workers() -> Any:
    """Two search threads."""
    opened = Workers(2)
    yield opened
    opened.close()


def broken() -> None:
    """Fail as a search may."""
    raise ArithmeticError("the search is broken")


async def test_a_search_that_fails_is_made_again(
    workers: Workers, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A search that failed once is repeated, and its game continues with the second result."""
    engine = FailingEngine(lambda task, number: number == 1, broken)
    monkeypatch.setattr(Job, "run", doing(engine))
    answer = await Searches(workers, Random(1)).answer(watched())
    assert engine.asked == ["easy", "easy"]
    assert answer is not None
    assert answer.result is not None


async def test_an_agent_that_keeps_failing_is_replaced_by_the_nearest(
    workers: Workers, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If an agent's search keeps failing, the agent of the nearest strength is asked instead."""
    engine = FailingEngine(lambda task, number: task.agent == "easy", broken)
    monkeypatch.setattr(Job, "run", doing(engine))
    answer = await Searches(workers, Random(1)).answer(watched())
    ladder = ladder_of(watched().game)
    assert engine.asked[:2] == ["easy", "easy"]
    assert len(engine.asked) == 3
    easy, other = ladder.elo_of("easy"), ladder.elo_of(engine.asked[2])
    assert easy is not None
    assert other is not None
    assert engine.asked[2] != "easy"
    assert abs(other - easy) < 250
    assert answer is not None
    assert answer.result is not None


async def test_if_every_search_fails_a_random_move_is_made_and_marked(
    workers: Workers, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If all searches fail, a random legal move is made.

    It has no figures, is marked, and leaves the game unrated.
    """
    monkeypatch.setattr(Job, "run", doing(FailingEngine(lambda task, number: True, broken)))
    session = watched()
    answer = await Searches(workers, Random(1)).answer(session)
    assert answer is not None
    assert answer.result is None
    following = session.after(answer.move, 5.0, answer.result)
    assert following.is_unsearched
    ended = replace(following, end=EndRecord(Ending.DRAW, None, 6.0))
    assert unrated_because(ended) == "engine"


async def test_a_search_that_never_ends_is_given_up(
    workers: Workers, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A search that never ends is abandoned, and threads remain for later searches."""
    monkeypatch.setattr(pool, "GRACE", 0.05)
    release = threading.Event()
    engine = FailingEngine(lambda task, number: number <= 3, lambda: release.wait(60))
    monkeypatch.setattr(Job, "run", doing(engine))
    hanging = Searches(workers, Random(1), patience=0.05)
    answer = await hanging.answer(watched())
    assert answer is not None
    assert answer.result is None
    assert len(engine.asked) == 3
    again = await Searches(workers, Random(1)).answer(watched())
    release.set()
    assert again is not None
    assert again.result is not None


@pytest.mark.parametrize(
    ("family", "variant", "agent"),
    [
        ("connect4", "6x7", "rung-99"),
        ("connect4", "6x7", "rung-0"),
        ("connect4", "5x4", "tuples-9"),
        ("gato", "4x4", "window-6"),
        ("boom", "7x7", "a-player-of-old"),
    ],
)
async def test_an_agent_that_no_longer_exists_is_played_by_the_nearest(
    workers: Workers, family: str, variant: str, agent: str
) -> None:
    """A game whose agent no longer exists continues with the agent of the nearest strength."""
    answer = await Searches(workers, Random(1)).answer(watched(agent, family, variant))
    assert answer is not None
    assert answer.result is not None


async def test_a_stopped_search_finds_nothing(workers: Workers) -> None:
    """The result of a stopped search is dropped, and no other agent is asked."""
    session = watched("perfect", variant="8x8")
    asked = Searches(workers, Random(1))

    def find_nothing(job: Job, stop: Stop | None = None) -> SearchResult:
        asked.stop(session.id)
        return RUN(job, stop)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Job, "run", doing(find_nothing))
        assert await asked.answer(session) is None


@pytest.mark.parametrize("family", ["connect4", "gato"])
async def test_habits_of_people_are_for_games_against_them(
    workers: Workers, monkeypatch: pytest.MonkeyPatch, family: str
) -> None:
    """Against a person an agent knows the habits of their ladder; against an agent none."""
    asked = list[ChooseMove]()

    def run(job: Job, stop: Stop | None = None) -> SearchResult:
        assert isinstance(job.task, ChooseMove)
        asked.append(job.task)
        return RUN(job, stop)

    monkeypatch.setattr(Job, "run", doing(run))
    habits = Habits((0.5,) * len(FEATURES))
    searches = Searches(workers, Random(1), habits={"connect4-small": habits})
    against_person = watched("perfect", family, "5x4" if family == "connect4" else "4x4")
    seats = SeatRecord(None, "perfect"), SeatRecord(None, "easy")
    setup = replace(against_person.setup, first=seats[0], second=seats[1])
    against_agent = Session.from_record(GameRecord(2, setup, 0.0, None, (), frozenset(), None))
    for session in (against_person, against_agent):
        await searches.answer(session)
    assert [task.habits for task in asked] == [habits if family == "connect4" else None, None]
