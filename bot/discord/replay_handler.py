"""Answers requests for a replay."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

import discord
from discord import Interaction

from bot.discord.answering import Answering
from bot.discord.boards import Boards
from bot.discord.onlookers import require_seen
from bot.discord.playback import Playback
from bot.discord.replay_controls import replay_view
from bot.play.limits import Limiter
from bot.play.sessions import Sessions
from bot.table.refusal import Refusal
from bot.table.session import Session
from bot.words import say_for


@dataclass(frozen=True, slots=True)
class ReplayHandler:
    """Replays finished games move by move, each for one person.

    A replay goes on by itself until that person presses one of its buttons.
    """

    answering: Answering
    sessions: Sessions
    boards: Boards
    playback: Playback
    limiter: Limiter

    async def press(self, interaction: Interaction[Any], game_id: int) -> None:
        """Replay a game in a private message."""
        async with self.answering(interaction):
            session = await self._finished(interaction, game_id)
            self.limiter.take("pictures", interaction.user.id)
            await interaction.response.defer(ephemeral=True, thinking=True)
            message = await self._show(interaction, session, 0)
            self.playback.begin(("replay", message.id), self._steps(interaction, session))

    async def step(self, interaction: Interaction[Any], game_id: int, made: int) -> None:
        """Show the game after a number of moves, and stop playing it back."""
        async with self.answering(interaction):
            session = await self._finished(interaction, game_id)
            self.limiter.take("pictures", interaction.user.id)
            await interaction.response.defer()
            assert interaction.message is not None
            await self.playback.end(("replay", interaction.message.id))
            await self._show(interaction, session, min(made, len(session.moves)))

    async def _finished(self, interaction: Interaction[Any], game_id: int) -> Session:
        session = await self.sessions.find(game_id)
        if session is None or not session.is_over:
            raise Refusal("nothing_to_replay")
        require_seen(session, interaction)
        return session

    async def _steps(self, interaction: Interaction[Any], session: Session) -> AsyncIterator[None]:
        for made in range(1, len(session.moves) + 1):
            await self._show(interaction, session, made)
            yield

    async def _show(
        self, interaction: Interaction[Any], session: Session, made: int
    ) -> discord.Message:
        say, of = say_for(interaction.locale.value), len(session.moves)
        move = say.move(session.game.key, session.moves[made - 1].move) if made else "–"
        return await interaction.edit_original_response(
            content=say("replay.move", number=made, of=of, move=move),
            attachments=[await self.boards.picture(session.until(made), say)],
            view=replay_view(session.id, made, of, say),
        )
