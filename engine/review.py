"""The review of a game: what each move did, how well each side played, and where it turned."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from engine.analysis import Analysis
from engine.game import Move, Player
from engine.line import Line
from engine.move_class import MoveClass
from engine.values import Value


@dataclass(frozen=True, slots=True)
class ReviewedMove:
    """One move of a game beside the others that its maker had."""

    ply: int
    """How many moves had been made before it."""
    player: Player
    move: Move
    analysis: Analysis
    """The position before the move, with every legal move."""
    costs: Mapping[Move, float]
    """What every legal move costs, by `engine.move_class`."""
    before: float
    """What the position promised to the player: an expected score from 0 to 1."""
    after: float
    """What the player was left with after the move."""

    @property
    def cost(self) -> float:
        """What the move gave away."""
        return self.costs[self.move]

    @property
    def chance(self) -> float:
        """What a move picked blindly gives away on average."""
        return sum(self.costs.values()) / len(self.costs)

    @property
    def tells(self) -> bool:
        """Whether the move says anything about its maker: not where all moves are as good."""
        return self.chance > 0

    @property
    def move_class(self) -> MoveClass:
        """What people call such a move."""
        return MoveClass.of(self.cost)

    @property
    def value(self) -> Value | None:
        """The exact value of the move; None where it is not proven."""
        return self.analysis.value(self.move, self.player)

    @property
    def best(self) -> Value | None:
        """The exact value of the best moves; None where it is not proven."""
        return self.analysis.value(self.best_moves[0], self.player)

    @property
    def best_moves(self) -> tuple[Move, ...]:
        """The moves that are worth most, in the order of the controls."""
        return tuple(sorted(self.analysis.best()))

    @property
    def is_proven(self) -> bool:
        """Whether both are exact; otherwise it was found at the analysis' depth."""
        return self.value is not None and self.best is not None

    @property
    def changes_hands(self) -> bool:
        """Whether the move changed who wins or that nobody does; unproven, who is ahead."""
        if not self.move_class.is_serious:
            return False
        return self.is_proven or self.after < 0.5 <= self.before


@dataclass(frozen=True, slots=True)
class TurningPoint:
    """The move that decided a game."""

    ply: int
    """How many moves had been made before it."""
    played: Line
    """The best play after it, beginning with it."""
    instead: Line
    """The best play, beginning with what should have been played."""


@dataclass(frozen=True, slots=True)
class Review:
    """A reviewed game: a plain value, which can be sent to another process."""

    moves: tuple[ReviewedMove, ...]
    turning_point: TurningPoint | None = None
    """None where no move gave much away."""

    def sparing(self, plies: int) -> Review:
        """The review without a word on the first moves: they were not made in order to be good.

        What they led to stays in the course.
        """
        spared = (replace(one, costs=dict.fromkeys(one.costs, 0.0)) for one in self.moves[:plies])
        turned = self.turning_point
        if turned is not None and turned.ply < plies:
            turned = None
        return Review((*spared, *self.moves[plies:]), turned)

    def accuracy(self, player: Player) -> float | None:
        """How well a player moved, from 0 to 100; None where no move says anything.

        What the player gave away is compared with what blind play gives away on average: 100 for
        best moves throughout, 50 for moves no better than blind ones, 75 for a third of that.
        """
        telling = [one for one in self.moves if one.player is player and one.tells]
        if not telling:
            return None
        chance = sum(one.chance for one in telling)
        return 100 / (1 + sum(one.cost for one in telling) / chance)

    @property
    def course(self) -> tuple[float, ...]:
        """What the first player could expect after each move, from 0 to 1."""
        return tuple(
            one.after if one.player is Player.FIRST else 1 - one.after for one in self.moves
        )

    @property
    def decisive(self) -> ReviewedMove | None:
        """The move at which the result changed hands for the last time.

        Where it never did, the first of those that gave most away, if it was an inaccuracy at
        least.
        """
        changes = [one for one in self.moves if one.changes_hands]
        if changes:
            return changes[-1]
        worst = max(self.moves, key=lambda one: one.cost, default=None)
        if worst is None or worst.move_class in (MoveClass.BEST, MoveClass.GOOD):
            return None
        return worst
