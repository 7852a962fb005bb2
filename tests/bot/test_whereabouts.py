"""Which game, channel and server the running code is about."""

from __future__ import annotations

import asyncio

from bot.telemetry import Whereabouts, about, here, note


async def test_nothing_is_known_at_first() -> None:
    """Code that is about nothing in particular says so."""
    assert here() == Whereabouts()


async def test_a_block_adds_what_it_knows() -> None:
    """What is known is added for the block alone; what is not known takes nothing away."""
    with about(channel=5, guild=9):
        with about(game=3, guild=None):
            assert here() == Whereabouts(3, 5, 9)
        assert here() == Whereabouts(None, 5, 9)
    assert here() == Whereabouts()


async def test_a_note_lasts_as_long_as_its_task() -> None:
    """What one task notes, another one does not know; what it starts does."""

    async def play(game: int) -> Whereabouts:
        note(game=game)
        await asyncio.sleep(0)
        return await asyncio.create_task(asyncio.sleep(0, here()))

    assert await asyncio.gather(play(1), play(2)) == [Whereabouts(1), Whereabouts(2)]
    assert here() == Whereabouts()
