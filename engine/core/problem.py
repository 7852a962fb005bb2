"""Problems, which are positions with moves to be found, and lessons, which consist of them.

The same type serves for everything that players are asked to find: a better move than their own,
the solution of a puzzle, the answer of a lesson. A lesson here has no texts: these are kept under
`lesson.<game>.<key>`, a course's title under `course.<game>.<key>`, and tests compare their claims
with the exact solver.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.core.game import Game, Move, Player, Position, Square, replay


@dataclass(frozen=True, slots=True)
class Step:
    """One move to be found."""

    answers: tuple[Move, ...]
    """The correct moves, in the order of the buttons."""
    replies: tuple[Move, ...] = ()
    """The moves of the other side between the answer and the next step; empty after the last step,
    and where the same player moves again, as in BOOM."""


@dataclass(frozen=True, slots=True)
class Problem:
    """A position and the moves to be found from there, one after the other."""

    game: Game
    moves: tuple[Move, ...]
    """The game up to the position."""
    steps: tuple[Step, ...]

    def __post_init__(self) -> None:
        if not self.steps or not all(step.answers for step in self.steps):
            raise ValueError("a problem needs a step, and every step an answer")
        if any(len(step.answers) > 1 for step in self.steps[:-1]):
            raise ValueError("only the last step may have several answers")

    @property
    def solver(self) -> Player:
        """The player who is to find the moves."""
        return self.position(0).to_move

    @property
    def line(self) -> tuple[Move, ...]:
        """The solution with the other side's replies, using the first of several answers."""
        return self.rest(0)

    def rest(self, step: int) -> tuple[Move, ...]:
        """The solution from a step on, in the form of `line`."""
        after = self.steps[step:]
        return tuple(move for one in after for move in (one.answers[0], *one.replies))

    def made(self, step: int) -> tuple[Move, ...]:
        """All moves made before a step, counted from 0; `len(steps)` is after the last."""
        before = self.steps[:step]
        return self.moves + tuple(move for one in before for move in (one.answers[0], *one.replies))

    def position(self, step: int) -> Position:
        """The position in which a step is to be solved."""
        return replay(self.game, self.made(step))

    def is_answer(self, step: int, move: Move) -> bool:
        """Whether a move is a correct answer to a step."""
        return move in self.steps[step].answers


@dataclass(frozen=True, slots=True)
class Diagram:
    """A position with the squares that its text is about."""

    game: Game
    moves: tuple[Move, ...]
    learner: Player
    """The player whom the text addresses."""
    marked: frozenset[Square] = frozenset()

    @property
    def position(self) -> Position:
        """The position that is shown."""
        return replay(self.game, list(self.moves))


@dataclass(frozen=True, slots=True)
class Lesson:
    """One lesson."""

    key: str
    """The name of its texts and its stored results."""
    shown: Diagram
    problems: tuple[Problem, ...]
    """The problems to solve, in order."""
    is_played: bool = False
    """Whether the learner then plays on against perfect play from the position shown, and wins."""

    @property
    def parts(self) -> int:
        """The number of problems, plus one if there is a game to play."""
        return len(self.problems) + self.is_played


@dataclass(frozen=True, slots=True)
class LessonCourse:
    """Lessons that build on each other."""

    key: str
    """The name of its title's text."""
    lessons: tuple[Lesson, ...]
    """In the order in which players take them; their keys are unique among a game's courses."""
