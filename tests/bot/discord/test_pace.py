"""What goes on by itself, a step a beat."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator

import pytest

from bot.discord.pace import Pace

QUICK = 0.01


async def counting(seen: list[int], steps: int) -> AsyncIterator[None]:
    """Note each step."""
    for step in range(steps):
        seen.append(step)
        yield


async def failing() -> AsyncIterator[None]:
    """Fail at the second step."""
    yield
    raise RuntimeError("broken")


async def until(done: asyncio.Event) -> None:
    """Wait, but not for ever."""
    await asyncio.wait_for(done.wait(), 60)


async def ringing(seen: list[int], steps: int, done: asyncio.Event) -> AsyncIterator[None]:
    """Note each step and ring at the end."""
    async for _ in counting(seen, steps):
        yield
    done.set()


async def test_every_show_takes_a_step_a_beat() -> None:
    """Shows go on side by side until each is through."""
    pace, one, two, done = Pace(QUICK), list[int](), list[int](), asyncio.Event()
    pace.begin("one", counting(one, 3))
    pace.begin("two", ringing(two, 5, done))
    pace.start()
    await until(done)
    await pace.stop()
    assert (one, two) == ([0, 1, 2], [0, 1, 2, 3, 4])


async def test_a_show_that_goes_on_is_not_begun_twice() -> None:
    """A second show of the same name is left out while the first goes on."""
    pace, one, other, done = Pace(QUICK), list[int](), list[int](), asyncio.Event()
    pace.begin("game", ringing(one, 3, done))
    pace.begin("game", counting(other, 3))
    pace.start()
    await until(done)
    await pace.stop()
    assert (one, other) == ([0, 1, 2], [])


async def test_a_show_that_fails_ends_alone(caplog: pytest.LogCaptureFixture) -> None:
    """A failure is logged and ends its own show; the others go on."""
    pace, seen, done = Pace(QUICK), list[int](), asyncio.Event()
    pace.begin("broken", failing())
    pace.begin("whole", ringing(seen, 4, done))
    pace.start()
    with caplog.at_level(logging.ERROR):
        await until(done)
    await pace.stop()
    assert seen == [0, 1, 2, 3]
    assert "broken" in caplog.text


async def test_stopping_waits_for_what_is_being_done() -> None:
    """A step that has begun is carried through before `stop` returns, and none follows it."""
    pace, began, may_end, ended = Pace(QUICK), asyncio.Event(), asyncio.Event(), list[bool]()

    async def slow() -> AsyncIterator[None]:
        began.set()
        await may_end.wait()
        ended.append(True)
        yield
        ended.append(False)

    pace.begin("slow", slow())
    pace.start()
    await until(began)
    stopping = asyncio.create_task(pace.stop())
    await asyncio.sleep(5 * QUICK)
    assert not stopping.done()
    may_end.set()
    await stopping
    assert ended == [True]
