"""How games write their lessons down: in their own notation of moves.

A solution is written as the learner's moves with the opponent's replies between them; if several
moves are right at the end, they are written without a space between them.
"""

from __future__ import annotations

from collections.abc import Iterable

from engine.core.game import Game, Square, replay
from engine.core.problem import Diagram, Problem, Step


def problem(game: Game, moves: str, solution: str) -> Problem:
    """Return a problem from the moves that lead to its position, and its solution."""
    words = [tuple(game.moves(word)) for word in solution.split()]
    replies = [*words[1::2], ()][: len(words[::2])]
    steps = tuple(Step(*step) for step in zip(words[::2], replies, strict=True))
    return Problem(game, tuple(game.moves(moves)), steps)


def diagram(game: Game, shown: str, marked: Iterable[Square] = ()) -> Diagram:
    """Return a diagram; in `shown`, the moves after a space are those that the learner makes."""
    before, _, made = shown.partition(" ")
    learner = replay(game, tuple(game.moves(before))).to_move
    return Diagram(game, tuple(game.moves(before + made)), learner, frozenset(marked))
