"""The game, channel and server that the running code is about, for the log."""

from __future__ import annotations

import asyncio

from bot.telemetry import LogContext, about, log_context, note


async def test_nothing_is_known_at_first() -> None:
    """Outside of any block the log context is empty."""
    assert log_context() == LogContext()


async def test_a_block_adds_what_it_knows() -> None:
    """A block adds its known values until it ends; unknown values hide nothing."""
    with about(channel=5, guild=9):
        with about(game=3, guild=None):
            assert log_context() == LogContext(3, 5, 9)
        assert log_context() == LogContext(None, 5, 9)
    assert log_context() == LogContext()


async def test_a_note_lasts_as_long_as_its_task() -> None:
    """A value noted in one task is visible in the tasks it starts, and in no others."""

    async def play(game: int) -> LogContext:
        note(game=game)
        await asyncio.sleep(0)
        return await asyncio.create_task(asyncio.sleep(0, log_context()))

    assert await asyncio.gather(play(1), play(2)) == [LogContext(1), LogContext(2)]
    assert log_context() == LogContext()
