"""What a solver found out about a position."""

from __future__ import annotations

from dataclasses import dataclass

from engine.game import Player


@dataclass(frozen=True, slots=True)
class Solution:
    """The score of a position under perfect play, or proven bounds of it."""

    score: int | None
    """None if the search was cut short before the score was proven."""
    lower: int
    upper: int
    nodes: int
    """Positions searched; those that a rule or the table settled before are not counted."""
    seconds: float

    def from_the_other_side(self) -> Solution:
        """The same for the side that is not to move."""
        score = None if self.score is None else -self.score
        return Solution(score, -self.upper, -self.lower, self.nodes, self.seconds)


def signed_end(winner: Player, stones: int) -> int:
    """The end of a won game as books write it: its stones, negative if the second player wins."""
    return stones if winner is Player.FIRST else -stones


def bounds_before_search(squares: int, ply: int) -> tuple[int, int]:
    """The nearest loss and the nearest win (or a draw) that a board with `ply` stones leaves."""
    return -win_score(squares, ply + 2), max(win_score(squares, ply + 1), 0)


def win_score(squares: int, stone: int) -> int:
    """What a win completed by stone number `stone` is worth on a board of `squares` squares."""
    return (squares + 2 - stone) // 2
