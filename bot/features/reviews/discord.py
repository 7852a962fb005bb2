"""Reviews on Discord: the button under the board of a finished game, and the private message."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import discord
from discord import Interaction

from bot.board.messages import BoardMessages, Button, headline
from bot.board.moves import require_seen
from bot.discord.replies import NO_PINGS, png_file
from bot.discord.routes import game_action, lasting_view
from bot.drills.discord import OPEN
from bot.drills.rules import DrillStep
from bot.features.reviews.rules import Reviews, first_drill
from bot.features.reviews.view import review_picture, review_scene, review_text
from bot.game.session import Session
from bot.i18n import Say, fitting, say_for
from bot.sessions.people import Limiter
from engine.core.registry import package_of
from renderers import review_alt_text

REVIEW = game_action("review")


def review_button(session: Session, say: Say) -> Button | None:
    """The button under the board of a game that was played to its end."""
    if not session.is_over or session.is_called_off:
        return None
    return REVIEW.button(session.id, label=say("button.review"))


@dataclass(frozen=True, slots=True)
class ReviewHandler:
    """Shows one person what each move of a finished game did."""

    reviews: Reviews
    messages: BoardMessages
    limiter: Limiter

    async def press(self, interaction: Interaction[Any], game_id: int) -> None:
        """Review a game in a private message."""
        session, user_id = await self.reviews.game(game_id), interaction.user.id
        require_seen(session, interaction)
        self.limiter.take("pictures", user_id)
        await interaction.response.defer(ephemeral=True, thinking=True)
        review = await self.reviews.of(session, user_id)
        say = say_for(interaction.locale.value)
        names = await self.messages.names_in(session, say)
        scene = review_scene(session, names, review, say)
        drawing = package_of(session.game).drawing
        png = await self.messages.workers.draw_report(review_picture, drawing, scene)
        name = f"{session.game.key}-{session.id}-review"
        text = f"{headline(session, names, say)}\n{review_text(session, names, review, say)}"
        await interaction.edit_original_response(
            content=fitting(text),
            attachments=[png_file(png, name, review_alt_text(scene))],
            view=_learning_view(first_drill(session, review, user_id), say),
            allowed_mentions=NO_PINGS,
        )


def _learning_view(first: DrillStep | None, say: Say) -> discord.ui.View:
    """The button that opens a person's first drill; none if there is nothing to learn."""
    view = lasting_view()
    if first is not None:
        style = discord.ButtonStyle.primary
        view.add_item(OPEN.button(*first, label=say("button.learn"), style=style))
    return view
