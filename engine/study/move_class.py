"""What moves cost, and the five classes that people sort moves into by that.

A cost lies between 0 and 1. Where the values are exact, a move costs what it gives away of the
point that is played for: 1 for a win turned into a loss, 0.5 for a win turned into a draw or a draw
into a loss. A move that keeps the result but wins later or loses sooner costs `A_MOVE` for every
own move of difference. Where a search has only estimated, a move costs what it gives away of the
expected score. docs/review.md has the table.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from engine.core.analysis import Analysis
from engine.core.game import Move
from engine.core.values import expected, is_decided, share_of
from engine.strength.judging import EQUAL

A_MOVE = 0.0125
"""What each own move costs by which a win comes later or a loss sooner."""

MOST_FOR_DELAY = 0.1875
"""The most that such a delay costs: fifteen own moves, and less than any change of the result."""

GOOD, INACCURATE, MISTAKEN = 0.05, 0.2, 0.5
"""Below GOOD a move is good, below INACCURATE inaccurate, and up to MISTAKEN a mistake. Four own
moves of delay are an inaccuracy; half a point is a mistake, and only more is a blunder."""


class MoveClass(StrEnum):
    """How people call moves, from the best to the worst."""

    BEST = "best"
    GOOD = "good"
    INACCURACY = "inaccuracy"
    MISTAKE = "mistake"
    BLUNDER = "blunder"

    @classmethod
    def of(cls, cost: float) -> MoveClass:
        """The class of a move with this cost."""
        if cost == 0:
            return cls.BEST
        if cost < GOOD:
            return cls.GOOD
        if cost < INACCURATE:
            return cls.INACCURACY
        return cls.MISTAKE if cost <= MISTAKEN else cls.BLUNDER

    @property
    def is_serious(self) -> bool:
        """Whether it is a mistake or a blunder."""
        return self in (MoveClass.MISTAKE, MoveClass.BLUNDER)

    @property
    def mark(self) -> str:
        """The sign behind such a move, in every language; empty for good moves, which need none."""
        return MARKS.get(self, "")


MARKS: Mapping[MoveClass, str] = {
    MoveClass.INACCURACY: "?!",
    MoveClass.MISTAKE: "?",
    MoveClass.BLUNDER: "??",
}
"""The signs for moves, as they are written everywhere, from the least to the worst."""


def promises(analysis: Analysis, spread: float) -> dict[Move, float]:
    """What every move promises to its maker, as an expected score from 0 to 1.

    That is the share of the point where the value is exact; `spread` is how the game's evaluations
    turn into expected scores (`engine.games.Judging`).
    """
    exact = analysis.proven
    return {
        move: share_of(score) if exact else expected(score, spread)
        for move, score in analysis.scores.items()
    }


def costs(analysis: Analysis, spread: float) -> Mapping[Move, float]:
    """What every move costs, against the best one."""
    promised, top = promises(analysis, spread), analysis.top
    best = max(promised.values())
    found = {}
    for move, score in analysis.scores.items():
        cost = best - promised[move]
        if cost == 0 and is_decided(score):
            # A search's score and its distance differ by a constant; an own move is two plies.
            cost = min(A_MOVE * (top - score) / 2, MOST_FOR_DELAY)
        found[move] = cost
    estimated = not analysis.proven and not is_decided(top)
    if estimated and max(found.values()) <= EQUAL:
        return dict.fromkeys(found, 0.0)
    return found
