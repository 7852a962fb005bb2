"""How the lessons of Connect 4 are written down.

A solution is written as the learner's moves with the opponent's replies between them; if several
moves are right at the end, they are written without a space between them. A marked square is its
column and its row from the bottom.
"""

from __future__ import annotations

from engine.core.game import Square, replay
from engine.core.problem import Diagram, Lesson, Problem, Step
from engine.games.connect4.rules import Connect4

CLASSIC, SMALL = Connect4(6, 7), Connect4(5, 4)


def lesson(
    key: str, shown: str, marked: str, *problems: Problem, is_played: bool = False
) -> Lesson:
    """Return a lesson; in `shown`, the moves after a space are those that the learner makes."""
    before, _, made = shown.partition(" ")
    learner = replay(CLASSIC, list(CLASSIC.moves(before))).to_move
    squares = frozenset(square(text) for text in marked.split())
    diagram = Diagram(CLASSIC, CLASSIC.moves(before + made), learner, squares)
    return Lesson(key, diagram, problems, is_played)


def square(text: str) -> Square:
    """The square of a column and a row from the bottom."""
    column, row = CLASSIC.moves(text)
    return Square(CLASSIC.rows - 1 - row, column)


def problem(moves: str, solution: str, game: Connect4 = CLASSIC) -> Problem:
    """A problem from the moves that lead to its position, and its solution."""
    words = [game.moves(word) for word in solution.split()]
    replies = [*words[1::2], ()][: len(words[::2])]
    steps = tuple(Step(*step) for step in zip(words[::2], replies, strict=True))
    return Problem(game, game.moves(moves), steps)
