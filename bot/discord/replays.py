"""Showing a finished game again, move by move, to one person."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Any

from discord import Interaction

from bot.table.refusal import Refusal
from bot.table.session import Session
from bot.words import say_for

if TYPE_CHECKING:
    from bot.discord.desk import Desk


class Replays:
    """Answers requests to see a game again."""

    def __init__(self, desk: Desk) -> None:
        """Answer at `desk`."""
        self._desk = desk

    async def press_replay(self, interaction: Interaction[Any], game_id: int) -> None:
        """Play a finished game through in a private message, at a pace that people can follow."""
        async with self._desk.answering(interaction):
            session = await self._desk.sessions.find(game_id)
            if session is None or not session.is_over:
                raise Refusal("nothing_to_replay")
            await interaction.response.defer(ephemeral=True, thinking=True)
            steps = self._steps(interaction, session)
            await anext(steps)
            self._desk.pace.begin(("replay", interaction.id), steps)

    async def _steps(self, interaction: Interaction[Any], session: Session) -> AsyncIterator[None]:
        say = say_for(interaction.locale.value)
        for made in range(len(session.moves) + 1):
            move = session.moves[made - 1].move if made else "–"
            await interaction.edit_original_response(
                content=say("replay.move", number=made, of=len(session.moves), move=move),
                attachments=[await self._desk.boards.picture(session.until(made), say)],
            )
            yield
