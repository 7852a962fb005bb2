"""Helpers that solve puzzles in tests."""

from __future__ import annotations

from typing import Any

from bot.board.messages import placed_moves
from bot.i18n import say_in
from engine.study.puzzles import Puzzle
from tests.bot.drills.drilling import Driller


async def solve(person: Driller, found: Any) -> None:
    """Make the right moves."""
    problem = found.played
    for number, step in enumerate(problem.steps):
        wanted = found.game.label(step.answers[0])
        buttons = placed_moves(problem.position(number), say_in("en"))
        await person.press(next(one.label for one in buttons if one.text == wanted))


def wrong(found: Puzzle) -> str:
    """A wrong first move, as its button is labelled."""
    problem = found.problem
    legal = problem.position(0).legal_moves()
    return next(found.game.label(move) for move in legal if not problem.is_answer(0, move))
