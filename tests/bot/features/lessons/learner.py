"""A person who takes lessons: their private message, and its controls."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import discord

from tests.bot.drills.drilling import Driller


@dataclass(frozen=True)
class Learner(Driller):
    """A person with a lesson."""

    @property
    def message(self) -> Any:
        """Their newest private message, with a picture or without, as it is now."""
        history = self.venue.channel.history(viewer=self.actor)
        return [m for m in history if m.flags.ephemeral][-1]

    async def learn(self, **options: Any) -> None:
        """Ask for all lessons, or for one."""
        await self.actor.slash(self.venue.channel, "connect4 learn", **options)

    async def solve(self, *moves: str) -> None:
        """Answer one problem, step by step."""
        for move in moves:
            await self.press(move)

    def labels(self, *, disabled: bool = False) -> list[str]:
        """The labels of its buttons, or of those that cannot be pressed; a menu has none."""
        return [b.label for b in self._buttons() if b.disabled or not disabled]

    def ids(self) -> list[str]:
        """What its buttons hold."""
        return [str(button.custom_id) for button in self._buttons()]

    def _buttons(self) -> list[discord.Button]:
        rows = self.message.components
        return [item for row in rows for item in row.children if isinstance(item, discord.Button)]
