"""A person who takes lessons, with their private message and its controls."""

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
        """The current state of their newest private message."""
        history = self.venue.channel.history(viewer=self.actor)
        return [m for m in history if m.flags.ephemeral][-1]

    async def learn(self, **options: Any) -> None:
        """Ask for the list of lessons, or for one lesson."""
        await self.actor.slash(self.venue.channel, "learn", **{"game": "connect4"} | options)

    async def solve(self, *moves: str) -> None:
        """Solve one problem step by step."""
        for move in moves:
            await self.press(move)

    def labels(self, *, disabled: bool = False) -> list[str]:
        """The labels of the message's buttons, or only of the disabled ones, without menus."""
        return [b.label for b in self._buttons() if b.disabled or not disabled]

    def ids(self) -> list[str]:
        """The custom ids of the message's buttons."""
        return [str(button.custom_id) for button in self._buttons()]

    def _buttons(self) -> list[discord.Button]:
        rows = self.message.components
        return [item for row in rows for item in row.children if isinstance(item, discord.Button)]
