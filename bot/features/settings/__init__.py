"""The settings of people and servers: language, look, notifications, privacy, channels."""

from __future__ import annotations

from typing import Any

from discord import Interaction

from bot.discord.commands import GlobalCommand, Moved, command
from bot.feature import Core, Feature, Parts, PersonalData
from bot.features.settings.discord import SettingsHandler

TO = ("settings",)
"""The command that replaces the former ones."""


def build(core: Core) -> Parts:
    """The command that opens the settings, and its forms."""
    handler = SettingsHandler(core)

    @command("settings")
    async def settings(interaction: Interaction[Any]) -> None:
        await handler.begin(interaction)

    return Parts(
        global_commands=(GlobalCommand(110, settings, anywhere=True),),
        moved=(Moved("former_privacy", TO), Moved("pings", TO), Moved("spoken", TO)),
        routes=handler.routes,
        personal=PersonalData(order=50, files=handler.files, describe=handler.described),
    )


FEATURE = Feature("settings", build)
