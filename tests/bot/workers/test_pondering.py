"""Searching on the opponents' time: requests come first, it is limited, and it can be off."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator
from dataclasses import replace
from time import monotonic

import pytest

from bot.feature import Services
from bot.settings import Settings
from bot.store.records import agent
from bot.telemetry import Meter
from bot.workers import pondering
from bot.workers.pondering import Pondering
from bot.workers.pool import Claim, Kind
from bot.workers.remote import RemoteEngine
from bot.workers.workers import Workers
from cluster.address import Address
from cluster.link import Link
from engine.core.jobs import Job
from engine.core.kept import TABLES
from engine.strength.pondering import Ponder
from tests.bot.builders import ANA, HERE, new_game
from tests.bot.engine_jobs import RUN, Calling, doing
from tests.builders import TIMEOUT, until

pytestmark = pytest.mark.usefixtures("no_tables")

GAME, OTHER = 1, 2


def opening(*moves: str) -> Job[int]:
    """The job of filling the tables for an opening of 8x8."""
    return Job("connect4", "8x8", moves, Ponder(0.0))


class Counting(Meter):
    """Counts the searches on an opponent's time, and their figures."""

    def __init__(self) -> None:
        self.seconds: list[float] = []
        self.nodes: list[int] = []

    def pondered(self, seconds: float, nodes: int) -> None:
        """Note a search."""
        self.seconds.append(seconds)
        self.nodes.append(nodes)


@pytest.fixture
def meter() -> Counting:
    """A meter that counts."""
    return Counting()


@pytest.fixture
async def workers(meter: Counting) -> AsyncIterator[Workers]:
    """Two search threads, and an hour of each opponent's time."""
    opened = Workers(2, meter=meter, ponder_seconds=3600.0)
    yield opened
    opened.close()


@pytest.mark.parametrize("kind", [Kind.MOVE, Kind.HINT, Kind.EXPLANATION, Kind.BACKGROUND])
async def test_any_request_stops_it(
    workers: Workers, meter: Counting, kind: Kind, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It stops before anything else begins, with its tables kept, and goes on afterwards."""
    # A request waits for that only briefly, which may be too short on a busy machine.
    monkeypatch.setattr(pondering, "HALT", TIMEOUT)
    workers.pondering.begin(GAME, opening("4"))
    assert workers.pondering.is_busy
    release = threading.Event()

    def observe() -> tuple[bool, int]:
        seen = workers.pondering.is_busy, TABLES.size
        release.wait(TIMEOUT)
        return seen

    asked = asyncio.create_task(workers.do(Calling(observe), Claim(kind)))
    await until(lambda: meter.nodes)
    more = asyncio.create_task(workers.do(Calling(bool), Claim(Kind.MOVE)))
    await more
    assert not workers.pondering.is_busy
    release.set()
    is_busy, kept = await asked
    assert not is_busy
    assert kept > 0
    assert meter.nodes[0] > 0
    await until(lambda: workers.pondering.is_busy and TABLES.size == 0)


async def test_it_stops_when_the_game_has_moved_on(workers: Workers, meter: Counting) -> None:
    """A game that moves on is dropped, and another one that waits is next."""
    workers.pondering.begin(OTHER, opening("5"))
    await asyncio.sleep(0)
    workers.pondering.begin(GAME, opening("4"))
    workers.pondering.drop(OTHER)
    await until(lambda: len(meter.nodes) == 1)
    assert workers.pondering.is_busy
    await asyncio.sleep(0)
    workers.pondering.drop(GAME)
    await until(lambda: not workers.pondering.is_busy)
    assert len(meter.nodes) == 2
    await workers.do(Calling(bool))
    assert not workers.pondering.is_busy


async def test_the_time_after_a_move_is_limited(meter: Counting) -> None:
    """Each move has some seconds, interruptions not counted; then it ends for good."""
    workers = Workers(1, meter=meter, ponder_seconds=0.5)
    workers.pondering.begin(GAME, opening("4"))
    await workers.do(Calling(bool))
    await until(lambda: meter.nodes and not workers.pondering.is_busy)
    await workers.do(Calling(bool))
    assert not workers.pondering.is_busy
    assert sum(meter.seconds) > 0.4
    workers.close()


async def test_it_never_delays_the_end(workers: Workers) -> None:
    """Closing ends it at once."""
    workers.pondering.begin(GAME, opening("4"))
    began = monotonic()
    workers.drop_all()
    workers.close()
    assert monotonic() - began < TIMEOUT / 2
    await until(lambda: not workers.pondering.is_busy)
    await until(lambda: "ponder" not in {thread.name for thread in threading.enumerate()})
    workers.pondering.begin(GAME, opening("4"))
    assert not workers.pondering.is_busy


async def test_it_is_off_with_a_cluster_or_without_time() -> None:
    """With a cluster, and with no seconds, it never begins."""
    with_cluster = Workers(
        1, remote=RemoteEngine(Link(Address("tcp://127.0.0.1:1"))), ponder_seconds=3600.0
    )
    for one in (with_cluster.pondering, Pondering(0.0)):
        one.begin(GAME, opening("4"))
        assert not one.is_on
        assert not one.is_busy
    with_cluster.close()


async def test_a_failure_is_logged_and_the_next_game_has_its_turn(
    workers: Workers,
    meter: Counting,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """A game in which it fails is not tried again."""

    def fail(job: Job[int], stop: object) -> int:
        if job.moves == ("4",):
            raise ArithmeticError("no search")
        return int(RUN(job, stop))  # type: ignore[arg-type]

    monkeypatch.setattr(Job, "run", doing(fail, Ponder))
    workers.pondering.begin(GAME, opening("4"))
    workers.pondering.begin(OTHER, opening("5"))
    await until(lambda: "failed in game 1" in caplog.text)
    await until(lambda: workers.pondering.is_busy)
    await workers.do(Calling(bool))
    workers.pondering.drop(OTHER)
    await until(lambda: not workers.pondering.is_busy)
    assert len(meter.nodes) >= 1


class TestInAGame:
    """A game on 8x8 against the strongest level."""

    @pytest.fixture
    def settings(self, settings: Settings) -> Settings:
        """Settings with an hour of each opponent's time, the most there is."""
        return replace(settings, ponder_seconds=600)

    async def test_it_begins_after_a_move_and_stores_nothing(self, services: Services) -> None:
        """It begins with the agent's move, changes no stored fact, and ends with the person's."""
        order = new_game(second=agent("perfect"), variant="8x8")
        await services.sessions.start(order)
        pondering = services.workers.pondering
        await services.sessions.play(HERE, ANA, "4")
        assert not pondering.is_busy
        moved = await services.sessions.reply(HERE)
        assert moved is not None
        await until(lambda: pondering.is_busy)
        stored = await services.store.games.find(moved.id)
        await services.workers.do(Calling(bool))
        assert await services.store.games.find(moved.id) == stored
        await services.sessions.resign(HERE, ANA)
        await until(lambda: not pondering.is_busy)

    async def test_other_levels_and_sizes_do_without(self, services: Services) -> None:
        """Nothing is searched on the opponent's time of other levels, or where all is proven."""
        for variant, level in (("8x8", "easy"), ("5x4", "perfect")):
            await services.sessions.start(new_game(second=agent(level), variant=variant))
            await services.sessions.play(HERE, ANA, "2")
            assert await services.sessions.reply(HERE)
            assert not services.workers.pondering.is_busy
            await services.sessions.resign(HERE, ANA)
