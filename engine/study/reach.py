"""Which mistakes a player of some rating can learn from: those as far away as puzzles they solve.

A mistake changes a result that lies some own moves away. Shipped puzzles are graded by how often
players find results that are equally far: a puzzle's rating is that of players who solve it half of
the time. So a mistake is within reach of a rating if half of such puzzles are rated at most that.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from statistics import median

from engine.core.values import moves_to_end, plies_to_end
from engine.strength.judging import JudgedMove
from engine.study.move_class import Fault
from engine.study.puzzles import PuzzleKind, puzzles_in


class Stake(StrEnum):
    """What is to be found."""

    WIN = "win"
    """A win."""
    HOLD = "hold"
    """The move that does not lose, or loses latest."""


ENOUGH = 5
"""The puzzles from which their ratings tell how hard a distance is."""


@dataclass(frozen=True, slots=True)
class Reach:
    """What a player can find."""

    ladder: str
    """The size class of the board, which has one scale of ratings."""
    rating: float

    def has(self, judged: JudgedMove) -> bool:
        """Whether the result that a move changed is one that the player can find.

        Fours that were missed or allowed always are.
        """
        if Fault.of(judged) is not None:
            return True
        return demanded(self.ladder, *changed(judged)) <= self.rating


def changed(judged: JudgedMove) -> tuple[Stake, int]:
    """Return what a move gave away, and how many moves away that is.

    For a win these are the player's own moves until it; otherwise the other side's until they win
    after the move. What is not proven lies at least as far away as the search has seen.
    """
    analysis, best, made = judged.analysis, judged.best_value, judged.value
    if best is not None and best.winner is judged.player:
        return Stake.WIN, moves_to_end(analysis.top, judged.ply)
    if made is not None and made.winner is judged.player.other:
        return Stake.HOLD, plies_to_end(analysis.scores[judged.move], judged.ply) // 2
    return Stake.WIN, (analysis.depth + 1) // 2


def demanded(ladder: str, stake: Stake, distance: int) -> float:
    """Return the rating at which players find half of the results at a distance in own moves.

    It does not decrease with the distance. Beyond what puzzles ask it grows as it does on average
    up to there; 0 where there are no puzzles.
    """
    known = _medians(ladder)[stake]
    if not known:
        return 0.0
    nearest, farthest = min(known), max(known)
    found = max(rating for at, rating in known.items() if at <= max(distance, nearest))
    if distance <= farthest or nearest == farthest:
        return found
    return found + (distance - farthest) * (found - known[nearest]) / (farthest - nearest)


@cache
def _medians(ladder: str) -> Mapping[Stake, Mapping[int, float]]:
    """The median rating of the puzzles of a size class by what is to be found, and how far away."""
    ratings: dict[Stake, dict[int, list[int]]] = {stake: defaultdict(list) for stake in Stake}
    for puzzle in puzzles_in(ladder):
        stake = Stake.HOLD if puzzle.kind is PuzzleKind.HOLD else Stake.WIN
        ratings[stake][puzzle.distance].append(puzzle.rating)
    return {
        stake: {at: median(found) for at, found in each.items() if len(found) >= ENOUGH}
        for stake, each in ratings.items()
    }
