"""The slash commands about what players and servers have done."""

from __future__ import annotations

from typing import Any

import discord
from discord import Interaction, app_commands

from bot.discord.command_parts import GameCommand, choices, command, sized
from bot.discord.handlers import Handlers
from bot.discord.suggestions import suggest_sizes
from bot.rating.size_classes import classes_of
from engine.core.package import GamePackage


def statistics_commands(handlers: Handlers, family: GamePackage) -> tuple[GameCommand, ...]:
    """The commands of one game; `size` is an option only where there are several size classes."""
    has_sizes = len(classes_of(family.key)) > 1
    sizable = (
        *_results(handlers, family.key, has_sizes),
        *_lists(handlers, family.key, has_sizes),
    )
    if has_sizes:
        for made in sizable:
            suggest_sizes(family.key, made)

    @command("export")
    async def export(interaction: Interaction[Any]) -> None:
        await handlers.statistics.export(interaction, family.key)

    return *sizable, export


def _results(handlers: Handlers, key: str, has_sizes: bool) -> tuple[GameCommand, ...]:
    """The commands that show results in sum."""

    @command("stats", "player")
    @sized(has_sizes)
    async def stats(
        interaction: Interaction[Any],
        player: discord.User | None = None,
        size: str | None = None,
    ) -> None:
        await handlers.statistics.stats(interaction, key, player, size)

    @command("report", "whose")
    @app_commands.choices(whose=choices("whose", ("me", "server")))
    @sized(has_sizes)
    async def report(
        interaction: Interaction[Any], whose: str = "me", size: str | None = None
    ) -> None:
        await handlers.statistics.report(interaction, key, whose, size)

    return stats, report


def _lists(handlers: Handlers, key: str, has_sizes: bool) -> tuple[GameCommand, ...]:
    """The commands that show lists with pages."""

    @command("history")
    @sized(has_sizes)
    async def history(interaction: Interaction[Any], size: str | None = None) -> None:
        await handlers.lists.history(interaction, key, size)

    @command("leaderboard", "where")
    @app_commands.choices(where=choices("where", ("server", "everywhere")))
    @sized(has_sizes)
    async def leaderboard(
        interaction: Interaction[Any], where: str = "server", size: str | None = None
    ) -> None:
        await handlers.lists.leaderboard(interaction, key, where, size)

    return history, leaderboard
