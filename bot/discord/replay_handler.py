"""Answers requests for a replay."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from discord import Interaction

from bot.discord.answering import Answering
from bot.discord.boards import Boards
from bot.discord.interactions import NO_PINGS, UNREACHABLE
from bot.discord.late import acknowledge, change_buttons
from bot.discord.onlookers import require_seen
from bot.discord.replay_controls import animation_view, step_view
from bot.play.limits import Limiter
from bot.play.sessions import Sessions
from bot.play.statistics import Statistics
from bot.table.refusal import Refusal
from bot.table.session import Session
from bot.words import Say, say_for


@dataclass(frozen=True, slots=True)
class ReplayHandler:
    """Replays finished games as a GIF or move by move, each for one person who may share it."""

    answering: Answering
    sessions: Sessions
    boards: Boards
    statistics: Statistics
    limiter: Limiter

    async def press(self, interaction: Interaction[Any], game_id: int) -> None:
        """Replay a game in a private message."""
        async with self.answering(interaction):
            session = await self._finished(interaction, game_id)
            self.limiter.take("pictures", interaction.user.id)
            await interaction.response.defer(ephemeral=True, thinking=True)
            await self._show_all(interaction, session)

    async def play(self, interaction: Interaction[Any], game_id: int) -> None:
        """Go back from single moves to the whole game."""
        async with self.answering(interaction):
            session = await self._finished(interaction, game_id)
            self.limiter.take("pictures", interaction.user.id)
            await acknowledge(interaction)
            await self._show_all(interaction, session)

    async def step(self, interaction: Interaction[Any], game_id: int, made: int) -> None:
        """Show the game after a number of moves."""
        async with self.answering(interaction):
            session = await self._finished(interaction, game_id)
            self.limiter.take("pictures", interaction.user.id)
            await acknowledge(interaction)
            await self._show(interaction, session, min(made, len(session.moves)))

    async def share(self, interaction: Interaction[Any], game_id: int) -> None:
        """Post a game with its result for everybody in the channel.

        The button is gone before that, so that a second press posts nothing; it comes back where
        the game could not be posted.
        """
        async with self.answering(interaction):
            session = await self._finished(interaction, game_id)
            await self._require_shareable(session, interaction.user.id)
            self.limiter.take("pictures", interaction.user.id)
            say, of = say_for(interaction.locale.value), len(session.moves)
            await change_buttons(interaction, animation_view(session.id, of, say, shared=True))
            try:
                await self._post(interaction, session, say)
            except UNREACHABLE:
                await change_buttons(interaction, animation_view(session.id, of, say))
                raise

    async def _finished(self, interaction: Interaction[Any], game_id: int) -> Session:
        session = await self.sessions.find(game_id)
        if session is None or not session.is_over:
            raise Refusal("nothing_to_replay")
        require_seen(session, interaction)
        return session

    async def _require_shareable(self, session: Session, user_id: int) -> None:
        """Refuse to show everybody a game of somebody else who hides theirs."""
        for other in session.people:
            if other != user_id and await self.statistics.is_hidden(other):
                raise Refusal("not_to_be_shared")

    async def _post(self, interaction: Interaction[Any], session: Session, say: Say) -> None:
        replay = await self.boards.replay(session, say)
        await interaction.followup.send(
            replay.content, file=replay.file, allowed_mentions=NO_PINGS, wait=True
        )

    async def _show_all(self, interaction: Interaction[Any], session: Session) -> None:
        say = say_for(interaction.locale.value)
        replay = await self.boards.replay(session, say)
        await interaction.edit_original_response(
            content=replay.content,
            attachments=[replay.file],
            view=animation_view(session.id, len(session.moves), say),
            allowed_mentions=NO_PINGS,
        )

    async def _show(self, interaction: Interaction[Any], session: Session, made: int) -> None:
        say, of = say_for(interaction.locale.value), len(session.moves)
        move = say.move(session.game.key, session.moves[made - 1].move) if made else "–"
        await interaction.edit_original_response(
            content=say("replay.move", number=made, of=of, move=move),
            attachments=[await self.boards.picture(session.until(made), say)],
            view=step_view(session.id, made, of, say),
        )
