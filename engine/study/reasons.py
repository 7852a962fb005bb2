"""The order in which players read a move's reasons: the board's, then those of exact values.

The kinds and their conditions are those of `engine.core.reason`; docs/review.md lists them.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from engine.core.game import Game, Move, Position, replay
from engine.core.reason import Reason, ReasonKind
from engine.core.registry import package_of
from engine.core.values import share_of

MISSED = (ReasonKind.MISSED_FOUR, ReasonKind.MISSED_TURN)
"""A line that a player could complete at once, or in the same turn."""

ALLOWED = (ReasonKind.NOT_BLOCKED, ReasonKind.STEPPED_BELOW)
"""A line that a player let the other complete. The reason names the move with which it is done."""

ALLOWED_IN_TURN = (ReasonKind.BOMB_COMPLETED, ReasonKind.ALLOWED_TURN)
"""The same in games in which a turn has several moves; the reason names those that prevented it."""

_HARMLESS = (ReasonKind.FILLED_BELOW, ReasonKind.ONE_THREAT)
"""What says nothing against a move that keeps the result."""

_LATER = (ReasonKind.FOLLOW_UP, ReasonKind.WAITING)
"""What says nothing in favour of a move in a lost position."""


def fault_of(
    position: Position,
    move: Move,
    values: Mapping[Move, int] | None = None,
    *,
    keeps: bool = False,
) -> Reason | None:
    """Return the weightiest reason against a legal move; None if there is none.

    It is seen on the board, or else follows from the proven `values` of all moves. A wasted threat
    is no reason if they prove that the move keeps the result, or if it is known that it `keeps` it.
    """
    found = package_of(position.game).reasons_about(position, move).against
    if values and share_of(values[move]) == share_of(max(values.values())):
        keeps = True
    seen = next((one for one in found if not (keeps and one.kind in _HARMLESS)), None)
    return _loss_by(values, move) if seen is None and values else seen


def fault_after(
    game: Game,
    before: Sequence[Move],
    move: Move,
    values: Mapping[Move, int] | None = None,
    *,
    keeps: bool = False,
) -> Reason | None:
    """Return the weightiest reason against the last move of a game so far; see `fault_of`.

    Where a turn has several moves, what counts is the turn, which may still go on.
    """
    judge = package_of(game).turn_fault
    if judge is None:
        return fault_of(replay(game, before), move, values, keeps=keeps)
    start, at = turn_before(game, before)
    found = judge(start, (*before[len(before) - at :], move))
    if found is not None and found[0] == at:
        return found[1]
    return None if values is None else _loss_by(values, move)


def turn_before(game: Game, moves: Sequence[Move]) -> tuple[Position, int]:
    """Return the position before the turn that goes on after these moves, and its moves so far."""
    start = position = game.start()
    at = 0
    for move in moves:
        after = position.play(move)
        at = at + 1 if after.to_move is position.to_move else 0
        start = start if at else after
        position = after
    return start, at


def faults_in(game: Game, moves: Sequence[Move]) -> tuple[Reason | None, ...]:
    """Return the reasons against whole turns of a game, by move; all None if a turn is one move."""
    judge, found = package_of(game).turn_fault, list[Reason | None]()
    if judge is None:
        return (None,) * len(moves)
    start = position = game.start()
    begun = 0
    for made, move in enumerate(moves, 1):
        position = position.play(move)
        found.append(None)
        goes_on = position.outcome is None and position.to_move is start.to_move
        if goes_on and made < len(moves):
            continue
        fault = judge(start, tuple(moves[begun:made]))
        if fault is not None:
            found[begun + fault[0]] = fault[1]
        start, begun = position, made
    return tuple(found)


def _loss_by(values: Mapping[Move, int], move: Move) -> Reason | None:
    """Return what a move costs by proven values; None if it costs nothing."""
    best, value = max(values.values()), values[move]
    if value == best:
        return None
    if share_of(value) == share_of(best):
        return Reason(ReasonKind.WINS_LATER if value > 0 else ReasonKind.LOSES_SOONER)
    return Reason(ReasonKind.NOW_LOST if value < 0 else ReasonKind.WIN_GONE)


def merit_of(
    position: Position,
    move: Move,
    values: Mapping[Move, int] | None = None,
    *,
    is_lost: bool = False,
    among: Collection[ReasonKind] = tuple(ReasonKind),
) -> Reason | None:
    """Return the weightiest reason in favour of a legal move; None if there is none.

    With the proven `values` of all moves it may be the only one that wins, or does not lose. What
    matters only later is left out if it is proven that the position `is_lost`; `among` are the
    kinds that count.
    """
    allowed = set(among).difference(_LATER if is_lost else ())
    found = [*package_of(position.game).reasons_about(position, move).in_favour]
    only = None if values is None else _only_by(values, move)
    if only is not None:
        later = (at for at, one in enumerate(found) if one.kind in _LATER)
        found.insert(next(later, len(found)), only)
    return next((one for one in found if one.kind in allowed), None)


def _only_by(values: Mapping[Move, int], move: Move) -> Reason | None:
    """Return that proven values leave only this move to win or draw; None if they do not."""
    best = share_of(max(values.values()))
    keeping = [each for each, value in values.items() if share_of(value) == best]
    if keeping != [move] or len(values) == 1 or best == 0:
        return None
    return Reason(ReasonKind.ONLY_WINS if best == 1 else ReasonKind.ONLY_HOLDS, (move,))


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
