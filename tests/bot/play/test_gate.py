"""Who gets a place elsewhere, and what becomes of those who wait when it is gone."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from bot.play import elsewhere
from bot.play.elsewhere import Elsewhere
from bot.play.fair_queue import NOBODY, Claim, Kind
from bot.play.gate import Gate
from bot.telemetry import Meter
from engine.jobs import ChooseMove, SearchJob
from engine.search import Stop

JOB = SearchJob("connect4", "6x7", (), ChooseMove("easy"))


async def hold(gate: Gate, claim: Claim, release: asyncio.Event, seen: list[Any]) -> None:
    """Pass a gate and stay until released."""
    async with gate.place(claim) as has_place:
        seen.append((claim.user_id, has_place))
        await release.wait()


async def started(gate: Gate, claims: list[Claim], release: asyncio.Event) -> Any:
    """Let everybody come; the tasks, and who has passed."""
    seen: list[Any] = []
    tasks = [asyncio.create_task(hold(gate, claim, release, seen)) for claim in claims]
    await asyncio.sleep(0.01)
    return tasks, seen


async def test_so_many_pass_at_a_time_and_by_fair_shares() -> None:
    """Nobody gets a second place before others have one; moves come before hints."""
    gate, release = Gate(), asyncio.Event()
    gate.resize(1)
    claims = [Claim(user_id=1, guild_id=9), Claim(user_id=1, guild_id=9),
              Claim(Kind.HINT, 2, 9), Claim(user_id=3, guild_id=9)]  # fmt: skip
    tasks, seen = await started(gate, claims, release)
    assert seen == [(1, True)]
    release.set()
    await asyncio.gather(*tasks)
    assert seen == [(1, True), (3, True), (1, True), (2, True)]


async def test_more_places_let_more_pass() -> None:
    """As soon as they are there."""
    gate, release = Gate(), asyncio.Event()
    gate.resize(1)
    tasks, seen = await started(gate, [NOBODY] * 3, release)
    assert len(seen) == 1
    gate.resize(3)
    await asyncio.sleep(0.01)
    assert len(seen) == 3
    release.set()
    await asyncio.gather(*tasks)


async def test_without_places_nobody_waits() -> None:
    """Neither those who come nor those who have waited."""
    gate, release = Gate(), asyncio.Event()
    gate.resize(1)
    tasks, seen = await started(gate, [NOBODY] * 3, release)
    gate.resize(0)
    await asyncio.sleep(0.01)
    assert [has_place for _, has_place in seen] == [True, False, False]
    async with gate.place(NOBODY) as has_place:
        assert not has_place
    release.set()
    await asyncio.gather(*tasks)


async def test_whoever_goes_away_keeps_no_place() -> None:
    """While waiting, or at the very moment of being admitted."""
    gate, release = Gate(), asyncio.Event()
    gate.resize(1)
    tasks, seen = await started(gate, [NOBODY] * 3, release)
    tasks[1].cancel()
    tasks[0].cancel()
    await asyncio.sleep(0.01)
    assert len(seen) == 2
    tasks[2].cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    async with gate.place(NOBODY) as has_place:
        assert has_place


class Far:
    """An engine in another process, as the bot sees it."""

    def __init__(self, do: Callable[[float], Any]) -> None:
        self.places = 2
        self.asked: list[float] = []
        self._do = do

    async def answer(self, job: SearchJob, seconds: float, stop: Stop | None = None) -> Any:
        """Do a job."""
        self.asked.append(seconds)
        return await self._do(seconds)


class Counts(Meter):
    """Counts where jobs were done."""

    def __init__(self) -> None:
        self.worked_at: list[str] = []

    def worked(self, where: str) -> None:
        """Count a job."""
        self.worked_at.append(where)


async def asked(far: Far, stop: Stop | None = None) -> tuple[Any, list[str]]:
    """What an engine elsewhere answers, and what was counted."""
    meter = Counts()
    elsewhere = Elsewhere(far, 1, meter)
    elsewhere.changed(far.places)
    found = await elsewhere.answer(JOB, stop=stop, claim=NOBODY, begin=lambda: None)
    return found, meter.worked_at


async def test_what_is_lost_is_tried_once_more() -> None:
    """Then it is done here; a stopped job is not tried again, nor counted."""
    results = [OSError(), "found"]

    async def flaky(_seconds: float) -> Any:
        result = results.pop(0)
        if isinstance(result, Exception):
            raise result
        return result

    assert await asked(Far(flaky)) == ("found", ["lost", "cluster"])
    results[:] = [OSError(), OSError(), "too late"]
    assert await asked(Far(flaky)) == (None, ["lost", "lost"])
    stop = Stop()
    stop.set()
    results[:] = [OSError(), "not wanted"]
    assert await asked(Far(flaky), stop) == (None, [])


async def test_both_attempts_share_one_span(monkeypatch: pytest.MonkeyPatch) -> None:
    """So nobody waits twice for a cluster that hangs."""
    monkeypatch.setattr(elsewhere, "SECONDS", 0.05)

    async def hang(seconds: float) -> Any:
        await asyncio.sleep(seconds)
        raise TimeoutError

    far = Far(hang)
    assert await asked(far) == (None, ["lost"])
    assert len(far.asked) == 1
