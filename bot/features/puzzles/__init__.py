"""Puzzles: rated problems that fit a person's strength."""

from __future__ import annotations

from functools import partial

from bot.board.help import OVERVIEW, TRAINING, HelpButton
from bot.board.messages import BoardButton
from bot.discord.commands import GlobalCommand
from bot.drills.rules import PracticeButton
from bot.feature import CardFigures, Core, Feature, Parts, PersonalData
from bot.features.puzzles.discord import (
    practice_with,
    puzzle_button,
    puzzle_command,
    puzzle_in_help,
    puzzle_route,
)
from bot.features.puzzles.rules import SOURCE, PuzzleDrills, puzzle_figures, puzzle_files
from bot.features.puzzles.store import Puzzles, count_tries, delete_tries


def build(core: Core) -> Parts:
    """The command, the button, the drills, the figures on a player's card, and personal data."""
    puzzles = Puzzles(core.store.database)
    drills = PuzzleDrills(puzzles, core.store.ratings, core.clock, core.rng)
    return Parts(
        global_commands=(GlobalCommand(30, puzzle_command(core.drills, drills, core.chosen)),),
        help_buttons=(HelpButton(20, (OVERVIEW, TRAINING), puzzle_in_help, main_in=(TRAINING,)),),
        routes=(puzzle_route(core.drills, drills),),
        board_buttons=(BoardButton(95, puzzle_button),),
        drills={SOURCE: drills},
        practice=(
            PracticeButton(10, "review", practice_with("button.puzzle")),
            PracticeButton(10, "lesson", practice_with("button.practise")),
        ),
        card_figures=(CardFigures(10, partial(puzzle_figures, puzzles)),),
        personal=PersonalData(
            order=10, count=count_tries, files=partial(puzzle_files, puzzles), delete=delete_tries
        ),
    )


FEATURE = Feature("puzzles", build)
