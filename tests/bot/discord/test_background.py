"""Background tasks and how they end at shutdown."""

from __future__ import annotations

import asyncio

from bot.discord.background import Background


async def test_running_work_is_finished_at_the_end() -> None:
    """Shutdown waits for background tasks during the grace period and cancels the rest."""
    background, done = Background(), list[str]()

    async def work(name: str, seconds: float) -> None:
        await asyncio.sleep(seconds)
        done.append(name)

    background.run(work("short", 0.05))
    background.run(work("endless", 3600))
    await background.stop(grace=1.0)
    assert done == ["short"]
    await background.stop()
