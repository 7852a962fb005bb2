"""The slash commands about puzzles."""

from __future__ import annotations

from typing import Any

import discord
from discord import Interaction, app_commands

from bot.discord.command_parts import GameCommand, choices, command, option, without
from bot.discord.handlers import Handlers
from bot.discord.suggestions import suggest_puzzle_sizes
from bot.rating.puzzle_choice import classes_with_puzzles


def puzzle_commands(handlers: Handlers, key: str) -> tuple[GameCommand, ...]:
    """The commands of one game; none where there are no puzzles for it."""
    sizes = classes_with_puzzles(key)
    return (_puzzle(handlers, key, len(sizes) > 1), _daily(handlers, key)) if sizes else ()


def _puzzle(handlers: Handlers, key: str, has_sizes: bool) -> GameCommand:
    sized = option("size", "puzzle_size") if has_sizes else without("size")

    @command("puzzle")
    @sized
    async def puzzle(interaction: Interaction[Any], size: str | None = None) -> None:
        await handlers.puzzles.puzzle(interaction, key, size)

    if has_sizes:
        suggest_puzzle_sizes(key, puzzle)
    return puzzle


def _daily(handlers: Handlers, key: str) -> GameCommand:
    @command("daily", "channel", "hour", "post")
    @app_commands.choices(post=choices("post", ("on", "off")))
    async def daily(
        interaction: Interaction[Any],
        channel: discord.TextChannel | None = None,
        hour: app_commands.Range[int, 0, 23] | None = None,
        post: str | None = None,
    ) -> None:
        if post == "off":
            await handlers.puzzles.unsubscribe(interaction, key)
        elif (channel, hour, post) == (None, None, None):
            await handlers.puzzles.solve_daily(interaction, key)
        else:
            await handlers.puzzles.subscribe(interaction, key, channel, hour)

    return daily
