"""A puzzle: a position from a game, with exactly one right move each time the solver is asked."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from engine.game import Game
from engine.problem import Problem


class PuzzleKind(StrEnum):
    """What is to be found (docs/puzzles.md says exactly what each kind promises)."""

    WIN = "win"
    """A win, in `Puzzle.wins_in` moves: the line goes on until nothing can stop it any more."""
    HOLD = "hold"
    """The only move that does not lose, and then the next one."""
    REFUTE = "refute"
    """The opponent's last move was a mistake: the only move that wins now, and then the next one.
    The line may stop before the win is on the board."""


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A problem of which every step has exactly one answer, with what it is known by."""

    id: str
    """Six letters and digits, made from the position: the same for ever and in every process."""
    kind: PuzzleKind
    problem: Problem
    rating: int
    """Whoever is rated so on the ladder of the game's size class solves it half of the time."""

    @property
    def game(self) -> Game:
        """Which game, and on which board."""
        return self.problem.game

    @property
    def asked(self) -> int:
        """How many moves are to be found."""
        return len(self.problem.steps)

    @property
    def wins_in(self) -> int | None:
        """With which of the solver's moves a win is completed; None for other kinds.

        The last one is not asked where it could be made in several ways.
        """
        if self.kind is not PuzzleKind.WIN:
            return None
        return self.asked + (self.problem.position(self.asked).outcome is None)
