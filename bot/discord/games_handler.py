"""Answers requests for one's running games."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from discord import Interaction

from bot.discord.answering import Answering
from bot.discord.game_lines import game_lines
from bot.discord.late import reply_privately
from bot.discord.names import NameBook
from bot.play.sessions import Sessions
from bot.words import say_for


@dataclass(frozen=True, slots=True)
class GamesHandler:
    """Lists running games, each with a link to its board."""

    answering: Answering
    sessions: Sessions
    names: NameBook

    async def games(self, interaction: Interaction[Any], family: str) -> None:
        """List the running games of whoever asks, of all kinds and on all servers, privately."""
        say = say_for(interaction.locale.value)
        async with self.answering(interaction, family):
            games = await self.sessions.running_of(interaction.user.id)
            if games:
                lines = await game_lines(games, self.names, say)
                text = say("games.list", games=lines)
            else:
                text = say("games.none", game=say(f"command.{family}.name"))
            await reply_privately(interaction, text)
