"""Lessons: what a player learns of a game, each with a picture and positions to solve.

A lesson here has no words. They stand under `lesson.<family>.<key>`, and tests compare what they
claim with the exact solver.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.game import Game, Move, Player, Position, Square, replay
from engine.problem import Problem


@dataclass(frozen=True, slots=True)
class Diagram:
    """A position with the squares that the words beside it are about."""

    game: Game
    moves: tuple[Move, ...]
    learner: Player
    """Whose side the words take."""
    marked: frozenset[Square] = frozenset()

    @property
    def position(self) -> Position:
        """What is to be looked at."""
        return replay(self.game, list(self.moves))


@dataclass(frozen=True, slots=True)
class Lesson:
    """One lesson."""

    key: str
    """What its texts, and whatever is stored of it, are kept under."""
    shown: Diagram
    problems: tuple[Problem, ...]
    """What the learner solves, one after the other."""
    is_played: bool = False
    """Whether the learner, who is to move in what is shown, then wins from there against perfect
    play."""

    @property
    def parts(self) -> int:
        """How many things there are to do: the problems, and the game if there is one."""
        return len(self.problems) + self.is_played
