"""The file by which a health check knows that the bot is well."""

from __future__ import annotations

import asyncio
import os
import sys
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import pytest

from bot.run import heartbeat
from bot.run.heartbeat import STALE, beat, is_alive


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where the heartbeat goes."""
    return tmp_path / "heartbeat"


def age(path: Path, seconds: float) -> None:
    """Make a file look as if it had been touched some time ago."""
    path.touch()
    then = time.time() - seconds
    os.utime(path, (then, then))


@asynccontextmanager
async def beating(path: Path, is_well: Callable[[], bool]) -> AsyncIterator[None]:
    """A heart that beats meanwhile."""
    task = asyncio.create_task(beat(path, is_well))
    try:
        yield
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


def test_a_fresh_beat_is_life(path: Path) -> None:
    """A file that has just been touched means that the bot is well."""
    age(path, 0)
    assert is_alive(path, time.time())


def test_a_beat_may_be_late(path: Path) -> None:
    """One beat may be missed without anybody calling the bot dead."""
    age(path, 2 * heartbeat.EVERY)
    assert is_alive(path, time.time())


def test_an_old_beat_is_death(path: Path) -> None:
    """A file that has not been touched for long means that it is not."""
    age(path, STALE + 1)
    assert not is_alive(path, time.time())


def test_no_beat_is_death(path: Path) -> None:
    """No file means that the bot has never been well."""
    assert not is_alive(path, time.time())


async def test_a_well_bot_beats(path: Path) -> None:
    """The file is touched at once and again for as long as the bot is well."""
    again = asyncio.Event()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(heartbeat, "EVERY", 0.01)

        def is_well() -> bool:
            if path.exists():
                again.set()
            return True

        async with beating(path, is_well), asyncio.timeout(60):
            await again.wait()
    assert is_alive(path, time.time())


async def test_an_unwell_bot_does_not_beat(path: Path) -> None:
    """While the bot is not well the file stays as it is, and the first good look touches it."""
    looks = iter((False, False, True))
    done = asyncio.Event()
    seen: list[bool] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(heartbeat, "EVERY", 0.01)

        def is_well() -> bool:
            seen.append(path.exists())
            if len(seen) == 4:
                done.set()
            return next(looks, False)

        async with beating(path, is_well), asyncio.timeout(60):
            await done.wait()
    assert seen[:4] == [False, False, False, True]


async def test_cuatro_health(path: Path) -> None:
    """`cuatro health` exits with 1 before the first beat and with 0 after it."""
    root = Path(heartbeat.__file__).parents[2]
    surroundings = {**os.environ, "PYTHONPATH": str(root), "CUATRO_HEARTBEAT": str(path)}
    statuses = []
    for _ in range(2):
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "bot", "health"), cwd=path.parent, env=surroundings
        )
        statuses.append(await asyncio.wait_for(process.wait(), 60))
        age(path, 0)
    assert statuses == [1, 0]
