"""What a solver has proven about a position."""

from __future__ import annotations

from dataclasses import dataclass


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
