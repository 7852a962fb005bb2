"""The command that asks for a puzzle."""

from __future__ import annotations

from typing import Any

from discord import Interaction, app_commands

from bot.discord.commands import (
    MOST_CHOICES,
    Choices,
    Commands,
    GameCommand,
    _begins_a_word,
    command,
    option,
    without,
)
from bot.drills.discord import DrillHandler
from bot.features.puzzles.rules import PuzzleDrills, classes_with_puzzles
from bot.i18n import say_for
from bot.show.names import size_called
from engine.core.package import GamePackage


def puzzle_command(drills: DrillHandler, puzzles: PuzzleDrills, game: GamePackage) -> Commands:
    """The command of a game, if there are puzzles for it."""
    sizes = classes_with_puzzles(game.key)
    sized = option("size", "puzzle_size") if len(sizes) > 1 else without("size")

    @command("puzzle")
    @sized
    async def puzzle(interaction: Interaction[Any], size: str | None = None) -> None:
        chosen = size_called(game.key, size)
        await drills.begin(interaction, await puzzles.first(interaction.user.id, game.key, chosen))

    if len(sizes) > 1:
        _suggest_sizes(game.key, puzzle)
    return (puzzle,) if sizes else ()


def _suggest_sizes(family: str, command: GameCommand) -> None:
    """Suggest the size classes for which there are puzzles."""

    async def suggest(interaction: Interaction[Any], current: str) -> Choices:
        say = say_for(interaction.locale.value)
        typed = current.strip().lower().replace("×", "x")
        sizes = classes_with_puzzles(family)
        names = {s.name: say.texts.get(f"covers.{s.name}", s.name) for s in sizes}
        matching = [v for v, name in names.items() if _begins_a_word(typed, f"{v} {name}")]
        return [app_commands.Choice(name=names[v], value=v) for v in matching[:MOST_CHOICES]]

    command.autocomplete("size")(suggest)
