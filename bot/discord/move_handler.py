"""Answers moves, made by command or by button."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from discord import Interaction

from bot.discord.answering import Answering
from bot.discord.boards import Boards
from bot.discord.interactions import channel_of, confirm
from bot.discord.runner import GameRunner
from bot.play.sessions import Sessions
from bot.table.orders import Control
from bot.table.refusal import OutdatedControl
from bot.words import say_for


@dataclass(frozen=True, slots=True)
class MoveHandler:
    """Makes people's moves and carries their games on.

    A move is checked and stored before it is confirmed, which takes milliseconds; the agent's
    search comes after that, so that the answer is in time for Discord.
    """

    answering: Answering
    sessions: Sessions
    boards: Boards
    runner: GameRunner

    async def play(self, interaction: Interaction[Any], family: str, text: str) -> None:
        """Make a move by command; the private answer also names the agent's move."""
        say = say_for(interaction.locale.value)
        async with self.answering(interaction, family):
            session = await self.sessions.play(
                channel_of(interaction), interaction.user.id, text, family=family
            )
            move = session.moves[-1].move
            played = say("played.you", move=move)
            await confirm(interaction.response.send_message(played, ephemeral=True))
            final = await self.runner.carry_on(session)
            answers = [made.move for made in final.moves[len(session.moves) :]]
            if answers:
                played = say("played.both", move=move, answer=", ".join(answers))
                await confirm(interaction.edit_original_response(content=played))

    async def press(self, interaction: Interaction[Any], control: Control, text: str) -> None:
        """Make a move by button."""
        async with self.answering(interaction):
            try:
                session = await self.sessions.play(
                    channel_of(interaction), interaction.user.id, text, control=control
                )
            except OutdatedControl:
                await self._update_message(interaction, control.game_id)
                return
            await confirm(interaction.response.defer())
            await self.runner.carry_on(session)

    async def _update_message(self, interaction: Interaction[Any], game_id: int) -> None:
        """Bring the message with an outdated button up to date."""
        await interaction.response.defer()
        session = await self.sessions.find(game_id)
        assert interaction.message is not None
        if session is None or session.message_id != interaction.message.id:
            await interaction.edit_original_response(view=None)
        elif not session.awaits_agent:
            await self.boards.show(session)
