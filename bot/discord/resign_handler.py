"""Answers requests to end a game early."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from discord import Interaction

from bot.discord.answering import Answering
from bot.discord.boards import Boards
from bot.discord.controls import question_view
from bot.discord.interactions import channel_of, confirm
from bot.discord.late import replace, tell
from bot.discord.runner import GameRunner
from bot.play.endings import has_begun
from bot.play.sessions import Sessions
from bot.words import say_for


@dataclass(frozen=True, slots=True)
class ResignHandler:
    """Resigns games for their players and stops them for moderators."""

    answering: Answering
    sessions: Sessions
    boards: Boards
    runner: GameRunner

    async def resign(self, interaction: Interaction[Any], family: str) -> None:
        """Resign by command; a moderator who is not playing stops the game instead."""
        async with self.answering(interaction, family):
            self.answering.require_in_time(interaction)
            await self._end(interaction, family=family)

    async def press_stop(self, interaction: Interaction[Any], game_id: int) -> None:
        """Stop a game between agents."""
        async with self.answering(interaction):
            self.answering.require_in_time(interaction)
            await self._end(interaction, game_id=game_id)

    async def press_resign(self, interaction: Interaction[Any], game_id: int) -> None:
        """Ask the player to confirm."""
        say = say_for(interaction.locale.value)
        async with self.answering(interaction):
            await self.sessions.require_running(channel_of(interaction), game_id)
            session = await self.sessions.seated(channel_of(interaction), interaction.user.id)
            text = say("resign.sure" if has_begun(session) else "resign.sure_early")
            await tell(interaction, text, question_view("sure", game_id, say))

    async def press_sure(self, interaction: Interaction[Any], game_id: int) -> None:
        """Resign the confirmed game, if it is still running."""
        say = say_for(interaction.locale.value)
        async with self.answering(interaction):
            self.answering.require_in_time(interaction)
            session = await self.sessions.resign(
                channel_of(interaction), interaction.user.id, game_id=game_id
            )
            assert session.end is not None
            ended = say(f"ended.{session.end.ending}")
            await confirm(replace(interaction, ended))
            await self.runner.present(session)
            await self.boards.make_up(interaction, session)

    async def _end(
        self,
        interaction: Interaction[Any],
        *,
        family: str | None = None,
        game_id: int | None = None,
    ) -> None:
        say = say_for(interaction.locale.value)
        session = await self.sessions.resign(
            channel_of(interaction),
            interaction.user.id,
            family=family,
            moderator=interaction.permissions.manage_messages,
            game_id=game_id,
        )
        assert session.end is not None
        ended = say(f"ended.{session.end.ending}")
        await confirm(tell(interaction, ended))
        await self.runner.present(session)
        await self.boards.make_up(interaction, session)
