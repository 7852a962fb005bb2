"""What happens to a game whose search fails or never ends, or whose agent no longer exists."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from bot.game.refusal import Refusal
from bot.game.session import Session
from bot.ratings.rated import unrated_because
from bot.sessions import searches
from bot.sessions.searches import Searches
from bot.store.records import EndRecord, GameRecord, NewGameRecord, SeatRecord
from bot.workers import pool
from bot.workers.workers import Workers
from engine.core.analysis import SearchResult
from engine.core.jobs import Job
from engine.core.limits import Stop
from engine.strength.ladder import ladder_of
from engine.strength.roster import ChooseMove
from tests.bot.engine_jobs import RUN, doing

ANA, BEA = 1, 2
Finder = Callable[[Job, Stop | None], SearchResult]


def watched(
    agent: str = "easy", family: str = "connect4", variant: str = "5x4", game_id: int = 1
) -> Session:
    """A game in which this agent is to move."""
    opening = NewGameRecord(
        family, variant, 7, None, "en", SeatRecord(None, agent), SeatRecord(ANA, None),
        False, 0.0, ANA,
    )  # fmt: skip
    return Session.from_record(GameRecord(game_id, opening, None, (), frozenset(), None))


class Trouble:
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
    """What failed once may succeed at the second attempt."""
    engine = Trouble(lambda task, number: number == 1, broken)
    monkeypatch.setattr(Job, "run", doing(engine))
    answer = await Searches(workers, Random(1)).answer(watched())
    assert engine.asked == ["easy", "easy"]
    assert answer is not None
    assert answer.result is not None


async def test_then_another_agent_of_about_the_same_strength_is_asked(
    workers: Workers, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The nearest other agent."""
    engine = Trouble(lambda task, number: task.agent == "easy", broken)
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


async def test_at_last_any_legal_move_is_made_and_marked(
    workers: Workers, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It has no figures, the game says so, and no rating changes."""
    monkeypatch.setattr(Job, "run", doing(Trouble(lambda task, number: True, broken)))
    session = watched()
    answer = await Searches(workers, Random(1)).answer(session)
    assert answer is not None
    assert answer.result is None
    following = session.after(answer.move, 5.0, answer.result)
    assert following.is_unsearched
    ended = replace(following, end=EndRecord("draw", None, 6.0))
    assert unrated_because(ended) == "engine"


async def test_a_search_that_never_ends_is_given_up(
    workers: Workers, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The game goes on as after a failure, and there are threads for later searches."""
    monkeypatch.setattr(pool, "GRACE", 0.05)
    release = threading.Event()
    engine = Trouble(lambda task, number: number <= 3, lambda: release.wait(60))
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
    """A new ladder may have fewer rungs; games that began on the old one still go on."""
    answer = await Searches(workers, Random(1)).answer(watched(agent, family, variant))
    assert answer is not None
    assert answer.result is not None


async def test_a_hint_that_fails_is_refused(
    workers: Workers, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No hint is better than a bad one."""

    def engine(job: Job, stop: Stop | None = None) -> SearchResult:
        raise ArithmeticError("the search is broken")

    monkeypatch.setattr(Job, "run", doing(engine))
    with pytest.raises(Refusal) as caught:
        await Searches(workers, Random(1)).hint(watched(), ANA)
    assert caught.value.key == "refusal.hint_failed"


async def test_a_stopped_search_finds_nothing(workers: Workers) -> None:
    """Its result is dropped, and no other agent is asked."""
    session = watched("perfect", variant="8x8")
    asked = Searches(workers, Random(1))

    def find_nothing(job: Job, stop: Stop | None = None) -> SearchResult:
        asked.stop(session.id)
        return RUN(job, stop)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Job, "run", doing(find_nothing))
        assert await asked.answer(session) is None


class Slow:
    """An engine that gives its hints when it may, or when it is stopped."""

    def __init__(self) -> None:
        self.jobs: list[Job] = []
        self.stops: list[Stop] = []
        self.may = threading.Event()

    def __call__(self, job: Job, stop: Stop | None = None) -> SearchResult:
        """Wait, then do a job."""
        assert stop is not None
        self.jobs.append(job)
        self.stops.append(stop)
        while not self.may.wait(0.005) and not stop.is_set:
            pass
        return RUN(job, stop)

    async def asked(self, times: int) -> None:
        """Wait until so many searches have begun."""
        async with asyncio.timeout(60):
            while len(self.jobs) < times:  # noqa: ASYNC110  # a thread tells nobody
                await asyncio.sleep(0.005)


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> Slow:
    """All searches wait for the test."""
    engine = Slow()
    monkeypatch.setattr(Job, "run", doing(engine))
    return engine


async def test_hints_for_one_position_share_a_search(workers: Workers, slow: Slow) -> None:
    """Whoever asks, in whichever game: all are told the same, and the engine is asked once."""
    asked = Searches(workers, Random(1))
    games = [watched(game_id=n) for n in range(20)]
    hints = [
        asyncio.create_task(asked.hint(game, (ANA, BEA)[n % 2])) for n, game in enumerate(games)
    ]
    await slow.asked(1)
    slow.may.set()
    first, *others = await asyncio.gather(*hints)
    assert first is not None
    assert all(other is first for other in others)
    assert len(slow.jobs) == 1


async def test_a_shared_hint_is_stopped_when_the_last_game_has_moved_on(
    workers: Workers, slow: Slow
) -> None:
    """A game that ends drops its own hint and leaves those of the others alone."""
    asked = Searches(workers, Random(1))
    one, other = watched(game_id=1), watched(game_id=2)
    hints = [
        asyncio.create_task(asked.hint(game, user)) for game, user in ((one, ANA), (other, BEA))
    ]
    await slow.asked(1)
    asked.stop(one.id)
    assert not slow.stops[0].is_set
    asked.stop(other.id)
    assert slow.stops[0].is_set
    # Who asks now is given a search that nobody has stopped.
    again = asyncio.create_task(asked.hint(watched(game_id=3), BEA))
    await slow.asked(2)
    slow.may.set()
    assert await asyncio.gather(*hints) == [None, None]
    assert await again is not None


async def test_nobody_waits_for_two_hints_at_once(workers: Workers, slow: Slow) -> None:
    """The second is refused until the first is there; others get theirs."""
    asked = Searches(workers, Random(1))
    first = asyncio.create_task(asked.hint(watched(), ANA))
    await slow.asked(1)
    elsewhere = watched(variant="6x7", game_id=2)
    with pytest.raises(Refusal) as caught:
        await asked.hint(elsewhere, ANA)
    assert caught.value.key == "refusal.one_at_a_time"
    beas = asyncio.create_task(asked.hint(elsewhere, BEA))
    await slow.asked(2)
    slow.may.set()
    assert await first is not None
    assert await beas is not None
    assert await asked.hint(watched(variant="4x4", game_id=3), ANA) is not None


async def test_a_hint_that_nobody_waits_for_any_more_counts_until_it_is_there(
    workers: Workers, slow: Slow
) -> None:
    """Giving up and asking again starts no second search; after a failure one can ask again."""
    asked = Searches(workers, Random(1))
    first = asyncio.create_task(asked.hint(watched(), ANA))
    await slow.asked(1)
    first.cancel()
    await asyncio.gather(first, return_exceptions=True)
    again = asyncio.create_task(asked.hint(watched(), ANA))
    await asyncio.sleep(0.05)
    slow.may.set()
    assert await again is not None
    assert len(slow.jobs) == 1


@pytest.mark.parametrize(("family", "variant"), [("connect4", "8x8"), ("boom", "7x7")])
async def test_a_hint_is_bounded_in_time_on_the_largest_boards(
    workers: Workers, slow: Slow, monkeypatch: pytest.MonkeyPatch, family: str, variant: str
) -> None:
    """The engine is told how long it may take."""
    monkeypatch.setattr(searches, "HINT_SECONDS", 0.1)
    slow.may.set()
    assert (
        await Searches(workers, Random(1)).hint(watched("easy", family, variant), ANA) is not None
    )
    limit = slow.jobs[0].limit
    assert limit is not None
    assert limit.seconds == 0.1
