"""How the game that ends a lesson stands."""

from __future__ import annotations

from dataclasses import dataclass

from bot.table.lesson_places import LessonGame
from engine.core.game import Move, Position, replay
from engine.core.problem import Lesson


@dataclass(frozen=True, slots=True)
class LessonTurn:
    """The learner is to move, or the game is over."""

    at: LessonGame
    """The game with the other side's reply."""
    lesson: Lesson
    moves: tuple[Move, ...]
    """All of them, from the empty board on."""
    reply: Move | None = None
    """What the other side has just played."""
    has_slipped: bool = False
    """Whether the learner's latest move gave the win away."""
    back: str | None = None
    """What had been played before the learner's latest move; None where there is none."""

    @property
    def position(self) -> Position:
        """How the board stands."""
        return replay(self.lesson.shown.game, list(self.moves))

    @property
    def is_won(self) -> bool:
        """Whether the learner has won."""
        outcome = self.position.outcome
        return outcome is not None and outcome.winner is self.lesson.shown.learner
