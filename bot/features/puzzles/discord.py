"""The command that gives a person a puzzle."""

from __future__ import annotations

from typing import Any

from discord import Interaction

from bot.discord.commands import Commands, command, option, suggest, without
from bot.drills.discord import DrillHandler
from bot.features.puzzles.rules import PuzzleDrills, classes_with_puzzles
from bot.show.texts import size_from_text
from engine.core.package import GamePackage


def puzzle_command(drills: DrillHandler, puzzles: PuzzleDrills, game: GamePackage) -> Commands:
    """The command of a game, if there are puzzles for it."""
    sizes = classes_with_puzzles(game.key)
    sized = option("size", "puzzle_size") if len(sizes) > 1 else without("size")

    @command("puzzle")
    @sized
    async def puzzle(interaction: Interaction[Any], size: str | None = None) -> None:
        chosen = size_from_text(game.key, size)
        await drills.begin(interaction, await puzzles.first(interaction.user.id, game.key, chosen))

    if len(sizes) > 1:
        suggest(
            puzzle,
            "size",
            lambda say: {one.name: say.texts.get(f"covers.{one.name}", one.name) for one in sizes},
        )
    return (puzzle,) if sizes else ()
