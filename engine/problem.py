"""A position with a question: what is right here?

One value for all that people are asked to find: a better move than their own, a puzzle's solution,
a lesson's answer.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.game import Game, Move, Player, Position, replay


@dataclass(frozen=True, slots=True)
class Step:
    """One move to be found."""

    answers: tuple[Move, ...]
    """The moves that are right, in the order of the controls."""
    replies: tuple[Move, ...] = ()
    """What the other side makes of the answer before the next step; none where the same player
    moves again, as in BOOM, and after the last step."""


@dataclass(frozen=True, slots=True)
class Problem:
    """A position and the moves to be found from there on, one after the other."""

    game: Game
    moves: tuple[Move, ...]
    """The game up to the position."""
    steps: tuple[Step, ...]

    def __post_init__(self) -> None:
        if not self.steps or not all(step.answers for step in self.steps):
            raise ValueError("a problem asks for something, and there is an answer to it")
        if any(len(step.answers) > 1 for step in self.steps[:-1]):
            raise ValueError("only the last step may have several answers")

    @property
    def solver(self) -> Player:
        """Who is to find the moves."""
        return self.position(0).to_move

    @property
    def line(self) -> tuple[Move, ...]:
        """The solution with the other side's replies; of several answers the first one."""
        return self.rest(0)

    def rest(self, step: int) -> tuple[Move, ...]:
        """The solution from a step on, as `line`."""
        after = self.steps[step:]
        return tuple(move for one in after for move in (one.answers[0], *one.replies))

    def made(self, step: int) -> tuple[Move, ...]:
        """All moves made when a step is asked, counted from 0; `len(steps)` is after the last."""
        before = self.steps[:step]
        return self.moves + tuple(move for one in before for move in (one.answers[0], *one.replies))

    def position(self, step: int) -> Position:
        """What is to be looked at in a step."""
        return replay(self.game, self.made(step))

    def is_answer(self, step: int, move: Move) -> bool:
        """Whether a move is right in a step."""
        return move in self.steps[step].answers
