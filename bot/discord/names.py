"""What people are called."""

from __future__ import annotations

from collections.abc import Iterable

import discord

from bot.words import Say

MOST = 10_000
"""Names kept in memory; the longest unused are let go."""


class NameBook:
    """Display names as last seen; names are never stored on disk."""

    def __init__(self, client: discord.Client) -> None:
        """Look up through `client` whoever has not been seen since the start."""
        self._client = client
        self._names: dict[int, str] = {}

    def note(self, user: discord.User | discord.Member) -> None:
        """Remember what somebody is called who has just been seen."""
        self._names.pop(user.id, None)
        self._names[user.id] = user.display_name
        if len(self._names) > MOST:
            del self._names[next(iter(self._names))]

    async def of(self, user_ids: Iterable[int | None], say: Say) -> dict[int, str]:
        """What these people are called; a neutral word for those Discord no longer knows."""
        found = {}
        for user_id in user_ids:
            if user_id is not None:
                found[user_id] = self._names.get(user_id) or await self._ask(user_id, say)
        return found

    async def _ask(self, user_id: int, say: Say) -> str:
        try:
            user = await self._client.fetch_user(user_id)
        except discord.HTTPException:
            return say("name.unknown")
        self.note(user)
        return user.display_name
