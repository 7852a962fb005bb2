"""Buttons that need no view in memory."""

from __future__ import annotations

import asyncio
from typing import Any


async def test_a_private_question_leaves_nothing_behind(venue: Any) -> None:
    """A private question works by its custom ids: no view and no task waits for the click."""
    await venue.ana.slash(venue.channel, "connect4 start", size="5x4", level="easy")
    before = len(asyncio.all_tasks())
    asked = await venue.ana.click(venue.board(), label="Resign")
    assert asked.ephemeral
    assert not [t for t in asyncio.all_tasks() if "timeout" in t.get_coro().__qualname__]
    assert len(asyncio.all_tasks()) <= before
    await venue.ana.click(asked.response.message, label="Yes, cancel")
    assert await venue.services.sessions.games.current(venue.channel.id) is None
