"""People who have been asked how much they play, so that Play begins their games at once."""

from __future__ import annotations

from typing import Any

from bot.store.records import Experience


async def note_asked(services: Any, *people: int) -> None:
    """Note that these people have been asked."""
    for user_id in people:
        await services.store.players.note_experience(user_id, Experience.UNKNOWN, 0.0)
