"""Puzzles: rated problems that fit a person's strength."""

from __future__ import annotations

from functools import partial

from bot.discord.commands import CommandFactory
from bot.feature import CardFigures, Core, Feature, Parts, PersonalData
from bot.features.puzzles.discord import PuzzleHandler
from bot.features.puzzles.rules import (
    SOURCE,
    PuzzleDrills,
    Puzzling,
    puzzle_figures,
    puzzle_files,
)
from bot.features.puzzles.store import Puzzles, count_tries, delete_tries


def build(core: Core) -> Parts:
    """The command, the drills, what a player's card says, and what is stored about people."""
    puzzles = Puzzles(core.store.database)
    drills = PuzzleDrills(Puzzling(puzzles, core.store.ratings, core.clock, core.rng))
    return Parts(
        commands=(CommandFactory(300, PuzzleHandler(core.drills, drills).commands),),
        drills={SOURCE: drills},
        card_figures=(CardFigures(10, partial(puzzle_figures, puzzles)),),
        personal=PersonalData(
            order=10, count=count_tries, files=partial(puzzle_files, puzzles), delete=delete_tries
        ),
    )


FEATURE = Feature("puzzles", build)
