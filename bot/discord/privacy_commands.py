"""The slash commands about what is stored of people, the same for all games."""

from __future__ import annotations

from typing import Any

from discord import Interaction, app_commands

from bot.discord.command_parts import command
from bot.discord.handlers import Handlers
from bot.discord.spoken import spoken


def privacy_commands(handlers: Handlers) -> app_commands.Group:
    """The group `privacy`: to see, to take along and to delete what is stored about oneself."""
    group = app_commands.Group(
        name=spoken("command.privacy.name"),
        description=spoken("command.privacy_group.description"),
    )

    @command("privacy_show")
    async def show(interaction: Interaction[Any]) -> None:
        await handlers.privacy.show(interaction)

    @command("privacy_export")
    async def export(interaction: Interaction[Any]) -> None:
        await handlers.privacy.export(interaction)

    @command("privacy_delete")
    async def delete(interaction: Interaction[Any]) -> None:
        await handlers.privacy.delete(interaction)

    for made in (show, export, delete):
        group.add_command(made)
    return group
