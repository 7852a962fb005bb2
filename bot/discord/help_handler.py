"""Answers requests for help."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from discord import Interaction

from bot.discord.answering import Answering
from bot.words import say_for


@dataclass(frozen=True, slots=True)
class HelpHandler:
    """Explains a game's commands."""

    answering: Answering

    async def help(self, interaction: Interaction[Any], family: str) -> None:
        """List a game's commands, privately."""
        say = say_for(interaction.locale.value)
        async with self.answering(interaction, family):
            texts = (say(f"help.{family}"), say("help.every", game=say(f"command.{family}.name")))
            await interaction.response.send_message("\n".join(texts), ephemeral=True)
