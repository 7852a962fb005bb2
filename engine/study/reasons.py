"""Which of a move's reasons players are told: those of the board, chosen by exact values.

The kinds and their conditions are those of `engine.core.reason`; docs/review.md lists them.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from engine.core.analysis import Analysis
from engine.core.game import Move, Position
from engine.core.reason import Reason, ReasonKind
from engine.core.registry import package_of
from engine.core.values import share_of

ALLOWED = (ReasonKind.NOT_BLOCKED, ReasonKind.STEPPED_BELOW)
"""A line that a player let the other complete. The reason names the move with which it is done."""

MISSED = (ReasonKind.MISSED_PAIR, ReasonKind.MISSED_STACK)
"""Threats that a player could make at once. The reason names the move that makes them."""

_HARMLESS = (ReasonKind.FILLED_BELOW, ReasonKind.ONE_THREAT)
"""What says nothing against a move that keeps the result."""

_LATER = (ReasonKind.FOLLOW_UP, ReasonKind.WAITING)
"""What says nothing in favour of a move in a lost position."""


def fault_of(position: Position, move: Move, *, keeps: bool = False) -> Reason | None:
    """Return the weightiest reason against a legal move; None if the board shows none.

    A wasted threat is no reason if it is proven that the move `keeps` the result.
    """
    found = package_of(position.game).reasons_about(position, move).against
    return next((one for one in found if not (keeps and one.kind in _HARMLESS)), None)


def merit_of(
    position: Position,
    move: Move,
    *,
    is_lost: bool = False,
    among: Collection[ReasonKind] = tuple(ReasonKind),
) -> Reason | None:
    """Return the weightiest reason in favour of a legal move; None if the board shows none.

    What matters only later is left out if it is proven that the position `is_lost`; `among` are the
    kinds that count.
    """
    allowed = set(among).difference(_LATER if is_lost else ())
    found = package_of(position.game).reasons_about(position, move).in_favour
    return next((one for one in found if one.kind in allowed), None)


def keeps_result(analysis: Analysis, move: Move) -> bool:
    """Whether it is proven that a move keeps the result of the best one."""
    return analysis.proven and share_of(analysis.scores[move]) == share_of(analysis.top)


def named_move(
    position: Position, moves: Collection[Move], scores: Mapping[Move, int] | None = None
) -> Move:
    """Return the one of several moves that a sentence names.

    The best by `scores`, else the one nearest the middle, then the first.
    """
    order = [move for row in position.game.buttons() for move in row]
    middle = (len(order) - 1) / 2
    known = scores or {}
    least = min(known.values(), default=0)
    return min(
        moves,
        key=lambda move: (
            -known.get(move, least),
            abs(order.index(move) - middle),
            order.index(move),
        ),
    )
