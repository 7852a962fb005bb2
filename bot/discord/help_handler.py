"""Answers requests for help."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from discord import Interaction

from bot.discord.answering import Answering
from bot.discord.welcome import welcome_view
from bot.words import Say, say_for


@dataclass(frozen=True, slots=True)
class HelpHandler:
    """Explains a game and its commands, with buttons that begin games."""

    answering: Answering

    async def help(self, interaction: Interaction[Any], family: str) -> None:
        """List a game's commands, privately."""
        say = say_for(interaction.locale.value)
        async with self.answering(interaction, family):
            await interaction.response.send_message(
                help_text(family, say), view=welcome_view(say), ephemeral=True
            )


def help_text(family: str, say: Say) -> str:
    """How a game is played, and all of its commands."""
    every = say("help.every", game=say(f"command.{family}.name"))
    return "\n".join((say(f"help.{family}"), every))
