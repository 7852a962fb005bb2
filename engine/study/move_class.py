"""The losses of moves in a review, and the classes of moves that follow from them.

A loss lies between 0 and 1. Where the values are exact, it is the share of the point that the move
gives away: 1 for a win turned into a loss, 0.5 for a win turned into a draw or a draw into a loss.
A move that keeps the result but wins later or loses sooner loses `A_MOVE` for every own move of
difference. Where a search has only estimated the values, the loss is the difference in expected
score. docs/review.md has the table.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from engine.core.analysis import Analysis, Source
from engine.core.game import Move
from engine.core.reason import ReasonKind
from engine.core.values import expected, is_decided, share_of
from engine.strength.judging import EQUAL, JudgedMove
from engine.study.reasons import ALLOWED, ALLOWED_IN_TURN, MISSED

A_MOVE = 0.0125
"""The loss for each own move by which a win is delayed or a loss hastened."""

MAX_FOR_DELAY = 0.1875
"""The largest loss for a delay: fifteen own moves, and less than any change of the result."""

GOOD, INACCURATE, MISTAKEN = 0.05, 0.2, 0.5
"""Below GOOD a move is good, below INACCURATE inaccurate, and up to MISTAKEN a mistake. A delay of
four own moves is an inaccuracy; half a point is a mistake, and only more is a blunder."""


class MoveClass(StrEnum):
    """The usual classes of moves, from the best to the worst."""

    BEST = "best"
    GOOD = "good"
    INACCURACY = "inaccuracy"
    MISTAKE = "mistake"
    BLUNDER = "blunder"

    @classmethod
    def of(cls, loss: float) -> MoveClass:
        """Return the class of a move with this loss."""
        if loss == 0:
            return cls.BEST
        if loss < GOOD:
            return cls.GOOD
        if loss < INACCURATE:
            return cls.INACCURACY
        return cls.MISTAKE if loss <= MISTAKEN else cls.BLUNDER

    @property
    def is_good(self) -> bool:
        """Whether it is good or better."""
        return self in (MoveClass.BEST, MoveClass.GOOD)

    @property
    def is_serious(self) -> bool:
        """Whether it is a mistake or a blunder."""
        return self in (MoveClass.MISTAKE, MoveClass.BLUNDER)

    @property
    def mark(self) -> str:
        """The mark after such a move, in every language; empty for good moves."""
        return MARKS.get(self, "")


MARKS: Mapping[MoveClass, str] = {
    MoveClass.INACCURACY: "?!",
    MoveClass.MISTAKE: "?",
    MoveClass.BLUNDER: "??",
}
"""The usual marks for moves, from the least bad to the worst."""


class Fault(StrEnum):
    """Mistakes that players recognise, independent of exact values."""

    MISSED_WIN = "missed_win"
    ALLOWED_FOUR = "allowed_four"

    @classmethod
    def of(cls, judged: JudgedMove) -> Fault | None:
        """Return what a reviewed move missed or allowed; None for other moves.

        Two threats at once are a missed win only if it is proven that the win is gone.
        """
        kind = None if judged.fault is None else judged.fault.kind
        if kind in (*ALLOWED, *ALLOWED_IN_TURN):
            return cls.ALLOWED_FOUR
        is_pair = kind in (ReasonKind.MISSED_PAIR, ReasonKind.MISSED_STACK)
        if kind in MISSED or (is_pair and _gave_up_win(judged)):
            return cls.MISSED_WIN
        return None


class Praise(StrEnum):
    """What a best move is called that players recognise."""

    ONLY_MOVE = "only_move"
    """The only one of several moves that is proven to win, or to draw where none wins."""
    OPENING_MOVE = "opening_move"
    """One that is in a book."""

    @classmethod
    def of(cls, judged: JudgedMove) -> Praise | None:
        """Return what a reviewed move is called; None for most."""
        if judged.loss > 0 or not judged.is_informative:
            return None
        analysis = judged.analysis
        best = share_of(analysis.top)
        if analysis.proven and best > 0:
            others = (score for move, score in analysis.scores.items() if move != judged.move)
            if all(share_of(score) < best for score in others):
                return cls.ONLY_MOVE
        return cls.OPENING_MOVE if analysis.source is Source.BOOK else None


def class_of(judged: JudgedMove) -> MoveClass:
    """Return the class of a reviewed move.

    A four that was missed or allowed is a blunder by any value, except that a missed one is a
    mistake if it is proven that the move still wins.
    """
    fault = Fault.of(judged)
    if fault is None:
        return MoveClass.of(judged.loss)
    still_wins = judged.value is not None and judged.value.winner is judged.player
    is_mistake = fault is Fault.MISSED_WIN and still_wins
    return MoveClass.MISTAKE if is_mistake else MoveClass.BLUNDER


def _gave_up_win(judged: JudgedMove) -> bool:
    """Whether it is proven that the player could win before the move and cannot after it."""
    if judged.best_value is None or judged.value is None:
        return False
    return judged.best_value.winner is judged.player is not judged.value.winner


def expectations(analysis: Analysis, spread: float) -> dict[Move, float]:
    """Return the player's expected score after every move, from 0 to 1.

    An exact value is a share of a point; `spread` converts the game's evaluations into expected
    scores (`engine.core.package.Judging`).
    """
    exact = analysis.proven
    return {
        move: share_of(score) if exact else expected(score, spread)
        for move, score in analysis.scores.items()
    }


def losses(analysis: Analysis, spread: float) -> Mapping[Move, float]:
    """Return the loss of every move, compared with the best one."""
    shares, top = expectations(analysis, spread), analysis.top
    best = max(shares.values())
    found = {}
    for move, score in analysis.scores.items():
        loss = best - shares[move]
        if loss == 0 and is_decided(score):
            # A search's score and its distance differ by a constant; an own move is two plies.
            loss = min(A_MOVE * (top - score) / 2, MAX_FOR_DELAY)
        found[move] = loss
    estimated = not analysis.proven and not is_decided(top)
    if estimated and max(found.values()) <= EQUAL:
        return dict.fromkeys(found, 0.0)
    return found
