"""Answers requests for a replay."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

from discord import Interaction

from bot.discord.answering import Answering
from bot.discord.boards import Boards
from bot.discord.playback import Playback
from bot.play.sessions import Sessions
from bot.table.refusal import Refusal
from bot.table.session import Session
from bot.words import say_for


@dataclass(frozen=True, slots=True)
class ReplayHandler:
    """Replays finished games move by move, each for one person."""

    answering: Answering
    sessions: Sessions
    boards: Boards
    playback: Playback

    async def press(self, interaction: Interaction[Any], game_id: int) -> None:
        """Replay a game in a private message."""
        async with self.answering(interaction):
            session = await self.sessions.find(game_id)
            if session is None or not session.is_over:
                raise Refusal("nothing_to_replay")
            await interaction.response.defer(ephemeral=True, thinking=True)
            steps = self._steps(interaction, session)
            await anext(steps)
            self.playback.begin(("replay", interaction.id), steps)

    async def _steps(self, interaction: Interaction[Any], session: Session) -> AsyncIterator[None]:
        say = say_for(interaction.locale.value)
        for made in range(len(session.moves) + 1):
            move = session.moves[made - 1].move if made else "–"
            await interaction.edit_original_response(
                content=say("replay.move", number=made, of=len(session.moves), move=move),
                attachments=[await self.boards.picture(session.until(made), say)],
            )
            yield
