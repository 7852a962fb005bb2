"""Ways to a board through interactions, which live for a quarter of an hour."""

from __future__ import annotations

from typing import Any

import discord
import pytest


async def test_what_has_expired_is_not_kept(venue: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Interaction tokens are dropped once they have expired, also without a request for them."""
    kept = venue.app.core.boards._lifelines._lines
    await venue.ana.slash(venue.channel, "connect4 start", size="5x4", level="easy")
    (old,) = (line.interaction for line in kept.values())
    # To let the quarter of an hour pass would run all that the bot does every two seconds.
    monkeypatch.setattr(discord.Interaction, "is_expired", lambda one: one is old)
    await venue.bea.slash(venue.other_channel, "connect4 start", size="5x4", level="easy")
    assert list(kept) == [2]
