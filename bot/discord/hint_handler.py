"""Answers requests for a hint."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from discord import Interaction

from bot.discord.answering import Answering
from bot.discord.boards import Boards
from bot.discord.interactions import channel_of
from bot.play.sessions import Sessions
from bot.words import say_for


@dataclass(frozen=True, slots=True)
class HintHandler:
    """Shows the engine's choice to the player alone, in words and on a picture."""

    answering: Answering
    sessions: Sessions
    boards: Boards

    async def hint(self, interaction: Interaction[Any], family: str | None = None) -> None:
        """Give a hint for the channel's game."""
        say = say_for(interaction.locale.value)
        async with self.answering(interaction, family):
            channel_id, user_id = channel_of(interaction), interaction.user.id
            await self.sessions.turn_of(channel_id, user_id, family)
            await interaction.response.defer(ephemeral=True, thinking=True)
            hint = await self.sessions.hint(channel_id, user_id, family)
            result = hint.result
            kind = "win" if result.is_win else "loss" if result.is_loss else "best"
            move = hint.session.game.label(result.move)
            await interaction.edit_original_response(
                content=say(f"hint.{kind}", move=move),
                attachments=[await self.boards.picture(hint.session, say, result)],
            )

    async def press(self, interaction: Interaction[Any], _game_id: int) -> None:
        """Give a hint by button, whose game does not matter: it is for the one running now."""
        await self.hint(interaction)
