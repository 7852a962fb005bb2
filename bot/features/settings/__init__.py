"""Answers changes of people's own settings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from discord import Interaction, app_commands

from bot.discord.answering import Answering
from bot.discord.commands import (
    Commands,
    choices,
    command,
)
from bot.discord.replies import tell
from bot.i18n import say_for
from bot.sessions.people import Preferences

if TYPE_CHECKING:
    from bot.handlers import Handlers


def _settings(handlers: Handlers, family_key: str) -> Commands:
    """The commands for people's own settings, and help."""

    @command("privacy", "stats")
    @app_commands.choices(stats=choices("privacy", ("show", "hide")))
    async def privacy(interaction: Interaction[Any], stats: str) -> None:
        await handlers.settings.privacy(interaction, family_key, stats)

    @command("pings", "turns")
    @app_commands.choices(turns=choices("pings", ("on", "off")))
    async def pings(interaction: Interaction[Any], turns: str) -> None:
        await handlers.settings.pings(interaction, family_key, turns)

    @command("spoken", "moves")
    @app_commands.choices(moves=choices("spoken", ("say", "hush")))
    async def spoken_(interaction: Interaction[Any], moves: str) -> None:
        await handlers.settings.words(interaction, family_key, moves)

    @command("help")
    async def help_(interaction: Interaction[Any]) -> None:
        await handlers.help.help(interaction, family_key)

    return privacy, pings, spoken_, help_


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
