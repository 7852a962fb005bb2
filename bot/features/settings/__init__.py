"""The settings of people and servers: language, look, notifications, privacy, channels."""

from __future__ import annotations

from functools import partial
from typing import Any

from discord import Interaction

from bot.board.help import DATA, SERVER, HelpButton
from bot.discord.commands import GlobalCommand, command
from bot.feature import Core, Feature, Parts, PersonalData
from bot.features.settings.discord import (
    MINE,
    SettingsHandler,
    settings_button,
)
from bot.features.settings.discord import SERVER as THE_SERVER


def build(core: Core) -> Parts:
    """The command that opens the settings, and its forms."""
    handler = SettingsHandler(core)

    @command("settings")
    async def settings(interaction: Interaction[Any]) -> None:
        await handler.begin(interaction)

    return Parts(
        global_commands=(GlobalCommand(110, settings, anywhere=True),),
        help_buttons=(
            HelpButton(50, (DATA,), partial(settings_button, MINE)),
            HelpButton(50, (SERVER,), partial(settings_button, THE_SERVER)),
        ),
        routes=handler.routes,
        personal=PersonalData(order=50, files=handler.files, describe=handler.described),
    )


FEATURE = Feature("settings", build)
