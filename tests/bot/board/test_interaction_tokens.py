"""Interaction tokens, through which boards are edited for fifteen minutes."""

from __future__ import annotations

from typing import Any

import discord
import pytest


async def test_expired_tokens_are_dropped(venue: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """An expired interaction token is discarded, also for a board that does not change any more."""
    kept = venue.app.core.boards._tokens._tokens
    await venue.ana.slash(venue.channel, "connect4 start", size="5x4", level="easy")
    (old,) = (line.interaction for line in kept.values())
    # Letting fifteen minutes pass would also run every periodic task of the bot.
    monkeypatch.setattr(discord.Interaction, "is_expired", lambda one: one is old)
    await venue.bea.slash(venue.other_channel, "connect4 start", size="5x4", level="easy")
    assert list(kept) == [2]
