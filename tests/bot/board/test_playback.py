"""Playback: a sequence shown one step per tick."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator

import pytest

from bot.board import runner
from bot.board.runner import Playback


async def counting(seen: list[int], steps: int) -> AsyncIterator[None]:
    """A playback that records each step."""
    for step in range(steps):
        seen.append(step)
        yield


async def failing() -> AsyncIterator[None]:
    """A playback that fails at the second step."""
    yield
    raise RuntimeError("broken")


async def advance(playback: Playback, ticks: int) -> None:
    """Let this number of ticks pass."""
    for _ in range(ticks):
        await playback.advance()


async def test_everything_advances_by_a_step_per_tick() -> None:
    """Each tick advances every playback by one step until it is finished."""
    playback, one, two = Playback(), list[int](), list[int]()
    playback.begin("one", counting(one, 3))
    playback.begin("two", counting(two, 5))
    await advance(playback, 2)
    assert (one, two) == ([0, 1], [0, 1])
    assert playback.is_busy
    await advance(playback, 4)
    assert (one, two) == ([0, 1, 2], [0, 1, 2, 3, 4])
    assert not playback.is_busy


async def test_a_second_playback_of_a_name_is_ignored() -> None:
    """A second playback under the same name is ignored while the first one runs."""
    playback, one, other = Playback(), list[int](), list[int]()
    playback.begin("game", counting(one, 3))
    playback.begin("game", counting(other, 3))
    await advance(playback, 4)
    assert (one, other) == ([0, 1, 2], [])


async def test_a_failure_ends_only_its_own_playback(caplog: pytest.LogCaptureFixture) -> None:
    """A failing playback is logged and ended; other playbacks continue."""
    playback, seen = Playback(), list[int]()
    playback.begin("broken", failing())
    playback.begin("whole", counting(seen, 4))
    with caplog.at_level(logging.ERROR):
        await advance(playback, 4)
    assert seen == [0, 1, 2, 3]
    assert "broken" in caplog.text


async def test_a_hanging_step_delays_no_other_playback(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A hanging step does not delay other playbacks.

    Its own then continues without repeating it.
    """
    monkeypatch.setattr(runner, "TICK_TIMEOUT", 0.02)
    playback, seen, slow, release = Playback(), list[int](), list[int](), asyncio.Event()

    async def hanging() -> AsyncIterator[None]:
        slow.append(0)
        await release.wait()
        yield
        slow.append(1)
        yield

    playback.begin("slow", hanging())
    playback.begin("whole", counting(seen, 4))
    async with asyncio.timeout(60):
        await advance(playback, 3)
    assert (slow, seen) == ([0], [0, 1, 2])
    release.set()
    await advance(playback, 3)
    assert slow == [0, 1]
    assert not playback.is_busy
