"""Answers requests for a hint."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from discord import Interaction

from bot.discord.answering import Answering
from bot.discord.boards import Boards
from bot.discord.controls import question_view
from bot.discord.interactions import channel_of, confirm
from bot.discord.late import acknowledge, tell
from bot.play.hints import Hint
from bot.play.limits import Limiter
from bot.play.sessions import Sessions
from bot.rating.rated import spoiled_by
from bot.table.session import Session
from bot.words import Say, say_for


@dataclass(frozen=True, slots=True)
class HintHandler:
    """Shows the engine's choice to the player alone, in words and on a picture.

    Before the first hint of a rated game it says what that costs, and asks.
    """

    answering: Answering
    sessions: Sessions
    boards: Boards
    limiter: Limiter

    async def hint(self, interaction: Interaction[Any], family: str) -> None:
        """Give a hint for the channel's game."""
        async with self.answering(interaction, family):
            await self._ask_or_give(interaction, family)

    async def press(self, interaction: Interaction[Any], game_id: int) -> None:
        """Give a hint by the button under a board."""
        async with self.answering(interaction):
            await self.sessions.require_running(channel_of(interaction), game_id)
            await self._ask_or_give(interaction)

    async def press_anyway(self, interaction: Interaction[Any], game_id: int) -> None:
        """Give the hint in place of the question whether it is worth its price."""
        async with self.answering(interaction):
            channel_id, user_id = channel_of(interaction), interaction.user.id
            await self.sessions.require_running(channel_id, game_id)
            self._count(await self.sessions.turn_of(channel_id, user_id), user_id)
            await acknowledge(interaction)
            await self._give(interaction)

    async def _ask_or_give(self, interaction: Interaction[Any], family: str | None = None) -> None:
        session = await self.sessions.turn_of(channel_of(interaction), interaction.user.id, family)
        if spoiled_by(session) is None:
            say = say_for(interaction.locale.value)
            view = question_view("show", session.id, say)
            text = say("hint.unrated")
            await tell(interaction, text, view)
            return
        self._count(session, interaction.user.id)
        await interaction.response.defer(ephemeral=True, thinking=True)
        await self._give(interaction, family)

    def _count(self, session: Session, user_id: int) -> None:
        """Count a hint that has to be searched for."""
        if session.hint is None:
            self.limiter.take("hints", user_id)

    async def _give(self, interaction: Interaction[Any], family: str | None = None) -> None:
        say = say_for(interaction.locale.value)
        hint = await self.answering.unless_closing(
            self.sessions.hint(channel_of(interaction), interaction.user.id, family)
        )
        if hint is None:
            text = say("hint.closing")
            await confirm(interaction.edit_original_response(content=text, view=None))
            return
        await interaction.edit_original_response(
            content=hint_text(hint, say),
            attachments=[await self.boards.picture(hint.session, say, hint.result)],
            view=None,
        )


def hint_text(hint: Hint, say: Say) -> str:
    """A hint as a sentence."""
    result, game = hint.result, hint.session.game
    kind = "win" if result.is_win else "loss" if result.is_loss else "best"
    return say(f"hint.{kind}", move=say.move(game.key, game.label(result.move)))
