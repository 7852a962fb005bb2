"""Answers second players who take the other side."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from discord import Interaction

from bot.discord.answering import Answering
from bot.discord.boards import Boards
from bot.discord.interactions import channel_of, confirm
from bot.discord.late import acknowledge
from bot.discord.runner import GameRunner
from bot.play.swaps import Swaps


@dataclass(frozen=True, slots=True)
class SwapHandler:
    """Swaps sides by the pie rule, and shows that."""

    answering: Answering
    swaps: Swaps
    boards: Boards
    runner: GameRunner

    async def press(self, interaction: Interaction[Any], game_id: int) -> None:
        """Swap sides instead of moving."""
        async with self.answering(interaction):
            self.answering.require_in_time(interaction)
            channel_id, user_id = channel_of(interaction), interaction.user.id
            session = await self.swaps.swap(channel_id, user_id, game_id)
            await confirm(acknowledge(interaction))
            if interaction.message is not None and session.message_id == interaction.message.id:
                self.boards.lifelines.note(session.id, interaction.message.id, interaction)
            await self.runner.present(session)
            await self.boards.make_up(interaction, session)
