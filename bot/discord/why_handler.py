"""Answers the button Why? under the board of a finished or watched game."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from discord import Interaction

from bot.discord.answering import Answering
from bot.discord.onlookers import require_seen
from bot.play.explanations import Explanations
from bot.play.limits import Limiter
from bot.show.explanations import why_text
from bot.show.scenes import seat_name
from bot.words import say_for
from bot.words.plain import escaped


@dataclass(frozen=True, slots=True)
class WhyHandler:
    """Tells one person what an agent saw on its last move, beside the exact values."""

    answering: Answering
    explanations: Explanations
    limiter: Limiter

    async def press(self, interaction: Interaction[Any], game_id: int) -> None:
        """Explain the last move of an agent in a game."""
        async with self.answering(interaction):
            choice = await self.explanations.last_choice(game_id)
            require_seen(choice.before, interaction)
            self.limiter.take("hints", interaction.user.id)
            await interaction.response.defer(ephemeral=True, thinking=True)
            found = await self.explanations.of(choice, interaction.user.id)
            say, before = say_for(interaction.locale.value), choice.before
            name = escaped(seat_name(before, choice.player, {}, say))
            chosen = before.game.parse(choice.move.move)
            text = why_text(name, before.position, chosen, found, say)
            await interaction.edit_original_response(content=text)
