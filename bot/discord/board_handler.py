"""Answers requests to see the board."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from discord import Interaction

from bot.discord.answering import Answering
from bot.discord.boards import Boards
from bot.discord.interactions import channel_of
from bot.discord.runner import GameRunner
from bot.play.limits import Limiter
from bot.play.sessions import Sessions


@dataclass(frozen=True, slots=True)
class BoardHandler:
    """Moves the board to the bottom of the channel."""

    answering: Answering
    sessions: Sessions
    boards: Boards
    runner: GameRunner
    limiter: Limiter

    async def board(self, interaction: Interaction[Any], family: str) -> None:
        """Post the board again and remove the buttons from the message before."""
        async with self.answering(interaction, family):
            session = await self.sessions.present(channel_of(interaction), family)
            self.limiter.take("pictures", interaction.user.id)
            await self.runner.open(interaction, session)
            await self.boards.retire(session)
