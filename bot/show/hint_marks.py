"""What a hint points at: a part of the board, and the threats that matter."""

from __future__ import annotations

from dataclasses import dataclass

from bot.game.session import Session
from engine.core.game import Move, Player, Position, Square
from engine.core.registry import package_of
from engine.core.threat import Threat, ThreatKind

MOST = 2
"""Threats that are told of: more than that, and nobody knows which one matters."""

URGENT = (ThreatKind.WIN, ThreatKind.DOUBLE, ThreatKind.HELPLESS)
"""What leaves nothing else to be said."""

ANSWERS = (ThreatKind.WIN, ThreatKind.TURN, ThreatKind.FORK, ThreatKind.FORCED)
"""What would name the very move if it said where; of the person's own, only that it is there is
told."""


@dataclass(frozen=True, slots=True)
class Area:
    """A part of the board."""

    name: str
    """The end of its text's key: `left`, `middle` or `right`; where rows have names, `top_left` and
    so on; or, for a move with an effect, the game's key and that effect, such as `boom.explode`."""
    squares: frozenset[Square]
    """The squares of which it consists; none for a move with an effect."""


def area_of(position: Position, move: Move) -> Area:
    """The part of the board in which a legal move acts.

    A third of the columns or, where moves are squares, a quarter of the board. Of a move with an
    effect only the effect is named.
    """
    changes, cells = position.changes(move), position.cells()
    if changes.effect:
        return Area(f"{position.game.key}.{changes.effect}", frozenset())
    square = changes.target
    assert square is not None, "a move without an effect places one stone"
    rows, columns = len(cells), len(cells[0])
    if position.game.row_names:
        down, right = square.row >= rows // 2, square.column >= columns // 2
        name = f"{'bottom' if down else 'top'}_{'right' if right else 'left'}"
        tall = range(rows // 2, rows) if down else range(rows // 2)
        wide = range(columns // 2, columns) if right else range(columns // 2)
    else:
        side = round(columns / 3)
        name, wide = next(
            (name, part)
            for name, part in (
                ("left", range(side)),
                ("middle", range(side, columns - side)),
                ("right", range(columns - side, columns)),
            )
            if square.column in part
        )
        tall = range(rows)
    return Area(name, frozenset(Square(row, column) for row in tall for column in wide))


def told_threats(position: Position) -> tuple[Threat, ...]:
    """The threats that a hint tells of, the most urgent first."""
    found = package_of(position.game).threats_in(position)
    if found and found[0].kind in URGENT:
        return found[:1]
    return found[:MOST]


def threat_squares(session: Session) -> frozenset[Square]:
    """The squares that are marked for the threats of a position: none that would be the answer."""
    position = session.position
    return frozenset(
        square
        for threat in told_threats(position)
        if not is_answer(threat, position.to_move)
        for square in threat.squares
    )


def is_answer(threat: Threat, mover: Player) -> bool:
    """Whether saying where a threat is would say what to play."""
    return threat.player is mover and threat.kind in ANSWERS
