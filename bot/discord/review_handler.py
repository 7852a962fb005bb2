"""Answers the button Review under the board of a finished game."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from discord import Interaction

from bot.discord.answering import Answering
from bot.discord.boards import Boards
from bot.discord.interactions import NO_PINGS
from bot.discord.onlookers import require_seen
from bot.play.limits import Limiter
from bot.play.reviews import Reviews
from bot.words import say_for


@dataclass(frozen=True, slots=True)
class ReviewHandler:
    """Shows one person what each move of a finished game did."""

    answering: Answering
    reviews: Reviews
    boards: Boards
    limiter: Limiter

    async def press(self, interaction: Interaction[Any], game_id: int) -> None:
        """Review a game in a private message."""
        async with self.answering(interaction):
            session = await self.reviews.game(game_id)
            require_seen(session, interaction)
            self.limiter.take("pictures", interaction.user.id)
            await interaction.response.defer(ephemeral=True, thinking=True)
            found = await self.reviews.of(session, interaction.user.id)
            shown = await self.boards.review(session, found, say_for(interaction.locale.value))
            await interaction.edit_original_response(
                content=shown.content, attachments=[shown.file], allowed_mentions=NO_PINGS
            )
