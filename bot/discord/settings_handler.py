"""Answers changes of people's own settings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from discord import Interaction

from bot.discord.answering import Answering
from bot.discord.late import tell
from bot.play.preferences import Preferences
from bot.words import say_for


@dataclass(frozen=True, slots=True)
class SettingsHandler:
    """Lets people set who sees their statistics, and what they are told of."""

    answering: Answering
    preferences: Preferences

    async def privacy(self, interaction: Interaction[Any], family: str, choice: str) -> None:
        """Set whether others may see a person's statistics: `show` or `hide`."""
        say = say_for(interaction.locale.value)
        async with self.answering(interaction, family):
            hidden = choice == "hide"
            await self.preferences.hide_statistics(interaction.user.id, hidden)
            done = say("privacy.hidden" if hidden else "privacy.shown")
            await tell(interaction, done)

    async def pings(self, interaction: Interaction[Any], family: str, choice: str) -> None:
        """Set whether a person is pinged when it is their turn: `on` or `off`."""
        say = say_for(interaction.locale.value)
        async with self.answering(interaction, family):
            await self.preferences.switch_pings(interaction.user.id, choice == "on")
            await tell(interaction, say(f"pings.{choice}_now"))

    async def words(self, interaction: Interaction[Any], family: str, choice: str) -> None:
        """Set whether a person's moves by button are confirmed in words: `say` or `hush`."""
        say = say_for(interaction.locale.value)
        async with self.answering(interaction, family):
            wanted = choice == "say"
            await self.preferences.switch_words(interaction.user.id, wanted)
            done = say("spoken.on" if wanted else "spoken.off")
            await tell(interaction, done)
