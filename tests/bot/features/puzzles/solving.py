"""Helpers that solve puzzles in tests."""

from __future__ import annotations

from typing import Any

from engine.study.puzzles import Puzzle
from tests.bot.drills.drilling import Driller


async def solve(person: Driller, found: Any) -> None:
    """Make the right moves."""
    for step in found.problem.steps:
        await person.press(found.game.label(step.answers[0]))


def wrong(found: Puzzle) -> str:
    """A wrong first move, as its button is labelled."""
    problem = found.problem
    legal = problem.position(0).legal_moves()
    return next(found.game.label(move) for move in legal if not problem.is_answer(0, move))
