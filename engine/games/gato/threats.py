"""Threats in Gato, derived from the lines that lack one mark.

Every empty square can be played, so a square that completes a line does so now.
"""

from __future__ import annotations

from collections.abc import Iterator

from engine.core.boards import bits_in, completing, has_several
from engine.core.game import Move, Player
from engine.core.threat import Threat, ThreatKind
from engine.games.gato.rules import FULL, LINES, GatoPosition, squares_of


def threats(position: GatoPosition) -> tuple[Threat, ...]:
    """The threats of a position that is not over, the most urgent first."""
    mover = position.to_move
    own, other = position.first, position.second
    if mover is Player.SECOND:
        own, other = other, own
    return tuple(_threats(own, other, mover)) or (Threat(ThreatKind.QUIET, mover),)


def _threats(own: int, other: int, mover: Player) -> Iterator[Threat]:
    taken = own | other
    wins, dangers = completing(LINES, own, taken), completing(LINES, other, taken)
    if wins:
        yield _of(ThreatKind.WIN, mover, wins)
    if dangers:
        is_double = not wins and has_several(dangers)
        yield _of(ThreatKind.DOUBLE if is_double else ThreatKind.THREAT, mover.other, dangers)
    if not wins and not has_several(dangers):
        free = FULL & ~taken
        forks = _forks(own, other, dangers or free)
        if forks:
            yield _of(ThreatKind.FORK, mover, forks)
        if dangers and has_several(free):
            yield _of(ThreatKind.FORCED, mover, dangers)
        forks = 0 if dangers else _forks(other, own, free)
        if forks:
            yield _of(ThreatKind.FORK, mover.other, forks)


def _forks(own: int, other: int, squares: int) -> int:
    """Those of `squares` that give a player two threats at once and leave the other none."""
    found = 0
    for square in bits_in(squares):
        taken = own | other | square
        is_safe = not completing(LINES, other, taken)
        if is_safe and has_several(completing(LINES, own | square, taken)):
            found |= square
    return found


def _of(kind: ThreatKind, player: Player, word: int) -> Threat:
    moves = tuple(Move(square.bit_length() - 1) for square in bits_in(word))
    return Threat(kind, player, squares_of(word), moves)
