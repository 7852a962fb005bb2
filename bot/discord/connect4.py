"""The slash commands of Connect 4."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import discord
from discord import Interaction, app_commands

from bot.difficulty import AUTO
from bot.discord.spoken import spoken
from engine.games import FAMILIES
from engine.levels import LEVELS

if TYPE_CHECKING:
    from bot.discord.desk import Desk

FAMILY = FAMILIES["connect4"]
MOST_CHOICES = 25
"""Discord's limit of suggestions."""


def _choices(kind: str, values: tuple[str, ...]) -> list[app_commands.Choice[str]]:
    return [app_commands.Choice(name=spoken(f"{kind}.{value}"), value=value) for value in values]


class Connect4Commands(app_commands.Group):
    """`/connect4`: every command hands over to the desk, which knows what to do."""

    def __init__(self, desk: Desk) -> None:
        """Serve from `desk`."""
        super().__init__(
            name=spoken("command.connect4.name"),
            description=spoken("command.connect4.description"),
        )
        self.desk = desk

    @app_commands.command(
        name=spoken("command.start.name"), description=spoken("command.start.description")
    )
    @app_commands.rename(
        size=spoken("option.size.name"),
        level=spoken("option.level.name"),
        first=spoken("option.first.name"),
    )
    @app_commands.describe(
        size=spoken("option.size.description"),
        level=spoken("option.level.description"),
        first=spoken("option.first.description"),
    )
    @app_commands.choices(
        level=_choices("level", (AUTO, *LEVELS)),
        first=_choices("first", ("me", "bot", "random")),
    )
    async def start(
        self,
        interaction: Interaction[Any],
        size: str = FAMILY.usual,
        level: str = AUTO,
        first: str = "me",
    ) -> None:
        """Begin a game."""
        await self.desk.start(interaction, FAMILY.key, size, level, first)

    @start.autocomplete("size")
    async def sizes(
        self, interaction: Interaction[Any], current: str
    ) -> list[app_commands.Choice[str]]:
        """The sizes that go on from what has been typed, the usual one first."""
        typed = current.strip().lower().replace("×", "x")
        fitting = [size for size in FAMILY.variants if size.startswith(typed)]
        fitting.sort(key=lambda size: size != FAMILY.usual)
        return [app_commands.Choice(name=size, value=size) for size in fitting[:MOST_CHOICES]]

    @app_commands.command(
        name=spoken("command.drop.name"), description=spoken("command.drop.description")
    )
    @app_commands.rename(column=spoken("option.column.name"))
    @app_commands.describe(column=spoken("option.column.description"))
    async def drop(self, interaction: Interaction[Any], column: int) -> None:
        """Drop a stone."""
        await self.desk.play(interaction, str(column))

    @app_commands.command(
        name=spoken("command.hint.name"), description=spoken("command.hint.description")
    )
    async def hint(self, interaction: Interaction[Any]) -> None:
        """Ask for a hint."""
        await self.desk.hint(interaction)

    @app_commands.command(
        name=spoken("command.stats.name"), description=spoken("command.stats.description")
    )
    @app_commands.rename(player=spoken("option.player.name"))
    @app_commands.describe(player=spoken("option.player.description"))
    async def stats(
        self, interaction: Interaction[Any], player: discord.User | None = None
    ) -> None:
        """Show statistics."""
        await self.desk.stats(interaction, FAMILY.key, player)

    @app_commands.command(
        name=spoken("command.board.name"), description=spoken("command.board.description")
    )
    async def board(self, interaction: Interaction[Any]) -> None:
        """Post the board again."""
        await self.desk.board(interaction)

    @app_commands.command(
        name=spoken("command.resign.name"), description=spoken("command.resign.description")
    )
    async def resign(self, interaction: Interaction[Any]) -> None:
        """Give the game up."""
        await self.desk.resign(interaction)

    @app_commands.command(
        name=spoken("command.help.name"), description=spoken("command.help.description")
    )
    async def help(self, interaction: Interaction[Any]) -> None:
        """Explain the commands."""
        await self.desk.help(interaction, FAMILY.key)
