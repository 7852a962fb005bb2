"""Answers the button Review under the board of a finished game."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import discord
from discord import Interaction

from bot.board.boards import Boards
from bot.board.moves import require_seen
from bot.discord.answering import Answering
from bot.discord.replies import NO_PINGS
from bot.discord.routes import lasting_view
from bot.drills.discord import OPEN
from bot.drills.rules import DrillStep
from bot.features.reviews.rules import Reviews, first_drill
from bot.i18n import Say, say_for
from bot.sessions.people import Limiter

PRIMARY = discord.ButtonStyle.primary


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
            say = say_for(interaction.locale.value)
            shown = await self.boards.review(session, found, say)
            await interaction.edit_original_response(
                content=shown.content,
                attachments=[shown.file],
                view=_learning_view(first_drill(session, found, interaction.user.id), say),
                allowed_mentions=NO_PINGS,
            )


def _learning_view(first: DrillStep | None, say: Say) -> discord.ui.View:
    """The way to find better moves than one's worst ones; nothing where there is none."""
    view = lasting_view()
    if first is not None:
        view.add_item(OPEN.button(*first, label=say("button.learn"), style=PRIMARY))
    return view
