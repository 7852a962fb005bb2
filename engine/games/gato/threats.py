"""Threats in Gato, derived from the lines that lack one mark.

Every empty square can be played, so a square that completes a line does so now.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from engine.core.boards import bits_in, completing, has_several
from engine.core.game import Move, Player, Square
from engine.core.plan import Plan, plans_on
from engine.core.reason import Reasons, reasons_on
from engine.core.threat import Threat, ThreatKind
from engine.core.threat_map import ThreatMap, map_of
from engine.games.gato.rules import FULL, LINES, SIDE, GatoPosition, squares_of


@dataclass(frozen=True, slots=True)
class Board:
    """The marks of both players, seen from one of them, and what follows from them."""

    own: int
    other: int

    @property
    def playable(self) -> int:
        """The empty squares."""
        return FULL & ~(self.own | self.other)

    @property
    def threats(self) -> int:
        """The squares that complete a line for the player."""
        return completing(LINES, self.own, self.own | self.other)

    @property
    def wins(self) -> int:
        """The same: every empty square can be played."""
        return self.threats

    @property
    def swapped(self) -> Board:
        """The same board for the other player."""
        return Board(self.other, self.own)

    @property
    def follow_up(self) -> int:
        """0: no square lies above another."""
        return 0

    @property
    def rows(self) -> int:
        """The number of rows."""
        return SIDE

    def after(self, square: int) -> Board:
        """The board with one more mark of the player."""
        return Board(self.own | square, self.other)

    def above(self, square: int) -> int:
        """0: no square lies above another."""
        return 0

    def lines_through(self, square: int) -> int:
        """The number of lines through a square that have no mark of the other player."""
        return sum(1 for line in LINES if line & square and not line & self.other)

    def move_onto(self, square: int) -> Move:
        """The move onto a square."""
        return Move(square.bit_length() - 1)

    def place_of(self, square: int) -> Square:
        """A square as positions name it."""
        return squares_of(square)[0]


def reasons(position: GatoPosition, move: Move) -> Reasons:
    """The reasons for and against a legal move."""
    return reasons_on(_board_of(position), 1 << move, position.to_move)


def plans(position: GatoPosition, move: Move) -> tuple[Plan, ...]:
    """What a legal move prepares, the weightiest first."""
    return plans_on(_board_of(position), 1 << move, position.to_move)


def threat_map(position: GatoPosition) -> ThreatMap:
    """The squares that complete a line."""
    return map_of(Board(position.first, position.second), position.to_move, falls=False)


def _board_of(position: GatoPosition) -> Board:
    """The board of a position as the player to move sees it."""
    marks = (position.first, position.second)
    return Board(*(marks if position.to_move is Player.FIRST else marks[::-1]))


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
