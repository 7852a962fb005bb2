"""The command and the button that give a person a puzzle."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from discord import Interaction, app_commands

from bot.board.messages import Button, was_played
from bot.discord.commands import (
    ChosenGame,
    GameCommand,
    choices,
    command,
    game_option,
    option,
    suggest_by_game,
)
from bot.discord.routes import FAMILY, CustomId, Route
from bot.drills.discord import DrillHandler
from bot.drills.rules import ButtonSpec, RouteTarget
from bot.features.puzzles.choice import classes_with_puzzles
from bot.features.puzzles.rules import PuzzleDrills
from bot.game.refusal import Refusal
from bot.game.session import Session
from bot.i18n import Translator
from bot.show.texts import size_from_text
from engine.core.registry import games
from engine.study.themes import Theme

PUZZLE = CustomId("puzzle", f"(?P<family>{FAMILY})")
"""The ids of buttons that give a person a puzzle of a game."""


def puzzle_button(session: Session, say: Translator) -> Button | None:
    """The button under the board of a finished game that people played."""
    family = session.game.key
    if not was_played(session) or session.is_watched or not classes_with_puzzles(family):
        return None
    return PUZZLE.button(family, label=say("button.puzzle"))


def puzzle_in_help(family: str, say: Translator) -> Button:
    """The button under help."""
    return PUZZLE.button(family, label=say("button.puzzle"))


def practice_with(label: str) -> Callable[[str, Translator], ButtonSpec | None]:
    """The button with a label at the end of other drills, in games that have puzzles."""

    def make(family: str, say: Translator) -> ButtonSpec | None:
        if not classes_with_puzzles(family):
            return None
        return ButtonSpec(say(label), RouteTarget(PUZZLE.name, (family,)))

    return make


def puzzle_route(drills: DrillHandler, puzzles: PuzzleDrills) -> Route:
    """The handler of these buttons."""

    async def give(interaction: Interaction[Any], family: str) -> None:
        if not classes_with_puzzles(family):
            raise Refusal("unknown_button", game=family)
        await drills.begin(interaction, await puzzles.first(interaction.user.id, family, None))

    return PUZZLE.route(give)


def games_with_puzzles() -> tuple[str, ...]:
    """The keys of the games that have puzzles."""
    return tuple(key for key in games() if classes_with_puzzles(key))


def has_sizes(family: str) -> bool:
    """Whether a game has puzzles on boards of several size classes."""
    return len(classes_with_puzzles(family)) > 1


def puzzle_command(drills: DrillHandler, puzzles: PuzzleDrills, chosen: ChosenGame) -> GameCommand:
    """The command for all games that have puzzles."""
    offered = games_with_puzzles()

    @command("puzzle")
    @option("size", "puzzle_size")
    @option("theme", "puzzle_theme")
    @app_commands.choices(theme=choices("puzzle_theme", Theme))
    @game_option(offered)
    async def puzzle(
        interaction: Interaction[Any],
        game: str | None = None,
        size: str | None = None,
        theme: str | None = None,
    ) -> None:
        fits = None if size is None else has_sizes
        family = (await chosen(interaction, game, offered, fits=fits)).key
        wanted, trained = size_from_text(family, size), None if theme is None else Theme(theme)
        first = await puzzles.first(interaction.user.id, family, wanted, trained)
        await drills.begin(interaction, first)

    suggest_by_game(puzzle, "size", _sizes)
    return puzzle


def _sizes(family: str, say: Translator) -> dict[str, str]:
    """The names of the size classes of a game that have puzzles."""
    sizes = classes_with_puzzles(family)
    return {one.name: say.texts.get(f"covers.{one.name}", one.name) for one in sizes}
