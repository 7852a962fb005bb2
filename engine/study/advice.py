"""What goes with an advised move: the threats that agree with it, and what it prepares.

A hint is one piece of advice: nothing that it says on the way may speak against its move.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from enum import StrEnum

from engine.core.game import Move, Player, Position, Square, target
from engine.core.plan import Plan
from engine.core.reason import ReasonKind
from engine.core.registry import package_of
from engine.core.threat import Threat, ThreatKind
from engine.study.reasons import merit_of

AT_ONCE = (ReasonKind.PAIR, ReasonKind.STACK, ReasonKind.WAIT, ReasonKind.NO_SAFE_MOVE)
"""What a move makes at once, which a hint says instead of its value."""
LATER = (ReasonKind.FOLLOW_UP, ReasonKind.WAITING)
"""What it makes for later, which a hint says beside its value."""

_WARNINGS = (ThreatKind.GIVES, ThreatKind.SPENDS)
_STARTED = (
    ThreatKind.WIN,
    ThreatKind.TURN,
    ThreatKind.FORK,
    ThreatKind.ZUGZWANG,
    ThreatKind.FORCED,
)
"""What the player to move can do, which only one of its moves begins."""
_NEXT = (ThreatKind.WIN, ThreatKind.TURN, ThreatKind.THREAT, ThreatKind.DOUBLE)
"""What completes a line in a turn."""


class Effect(StrEnum):
    """What a move does to the threats of a position, in games that have no reasons."""

    FINISHES = "finishes"
    """The player completes a line with the next move of the same turn."""
    STOPS = "stops"
    """The other could have completed a line in their next turn, and cannot after the move."""
    THREATENS = "threatens"
    """The player would complete a line in a turn, and could not before."""


def agreeing(position: Position, move: Move, *, is_lost: bool = False) -> tuple[Threat, ...]:
    """Return the threats of a position that do not speak against an advised move.

    A warning of the move is left out, and so are what only another move would do, two threats of
    the other player that the move does not prevent (unless the position `is_lost`), and one's own
    square right above the move, which it would give away.
    """
    found = package_of(position.game).threats_in(position)
    return tuple(
        agreed
        for threat in found
        if (agreed := _agreed(threat, position, move, is_lost=is_lost)) is not None
    )


def _agreed(threat: Threat, position: Position, move: Move, *, is_lost: bool) -> Threat | None:
    """The part of a threat that agrees with a move; None if nothing does."""
    kind, is_own = threat.kind, threat.player is position.to_move
    if kind in _WARNINGS:
        return _without(threat, move)
    if is_own and kind in _STARTED:
        return threat if move in threat.moves else None
    if kind is ThreatKind.FORK:
        return threat if is_lost or not _has_fork(position, move) else None
    above = _above(position, move)
    if above not in threat.squares or not threat.squares:
        return threat
    if kind not in (ThreatKind.ODD, ThreatKind.EVEN, ThreatKind.STACKED):
        return threat
    rest = tuple(square for square in threat.squares if square != above)
    return replace(threat, squares=rest) if rest and kind is not ThreatKind.STACKED else None


def _without(threat: Threat, move: Move) -> Threat | None:
    """A warning of moves, without an advised one."""
    if move not in threat.moves:
        return threat
    if len(threat.moves) != len(threat.squares) or len(threat.moves) == 1:
        return None
    kept = [at for at, one in enumerate(threat.moves) if one != move]
    return replace(
        threat,
        moves=tuple(threat.moves[at] for at in kept),
        squares=tuple(threat.squares[at] for at in kept),
    )


def _above(position: Position, move: Move) -> Square | None:
    """The square right above a move; None where moves are squares, or have none."""
    square = target(position, move)
    if square is None or position.game.row_names:
        return None
    return Square(square.row - 1, square.column)


def _has_fork(position: Position, move: Move) -> bool:
    """Whether the other player can make two threats at once after a move."""
    after = position.play(move)
    if after.outcome is not None:
        return False
    other = position.to_move.other
    found = package_of(after.game).threats_in(after)
    return any(one.kind is ThreatKind.FORK and one.player is other for one in found)


def plan_of(position: Position, move: Move) -> Plan | None:
    """Return the weightiest plan of a legal move; None if it prepares nothing."""
    return next(iter(package_of(position.game).plans_of(position, move)), None)


def effects_of(position: Position, move: Move) -> Iterator[Effect]:
    """Yield what a legal move does to the threats of a position, the weightiest first."""
    package, mover = package_of(position.game), position.to_move
    after = position.play(move)
    if after.outcome is not None:
        return
    before, following = package.threats_in(position), package.threats_in(after)
    if after.to_move is mover and any(one.kind is ThreatKind.WIN for one in following):
        yield Effect.FINISHES
    if _could(before, mover.other) and not _could(following, mover.other):
        yield Effect.STOPS
    if _could(following, mover) and not _could(before, mover):
        yield Effect.THREATENS


def _could(threats: Sequence[Threat], player: Player) -> bool:
    return any(one.kind in _NEXT and one.player is player for one in threats)


def worth_saying(position: Position, moves: Sequence[Move], *, is_lost: bool = False) -> list[Move]:
    """Return those of several moves for which there is the weightiest reason; all if none has."""
    ranks = {move: _rank(position, move, is_lost=is_lost) for move in moves}
    least = min(ranks.values())
    return [move for move in moves if ranks[move] == least]


def _rank(position: Position, move: Move, *, is_lost: bool) -> int:
    """How much there is to say for a move: 0 for most."""
    if merit_of(position, move, is_lost=is_lost, among=AT_ONCE) is not None:
        return 0
    if merit_of(position, move, is_lost=is_lost, among=LATER) is not None:
        return 1
    return 2 if not is_lost and plan_of(position, move) is not None else 3
