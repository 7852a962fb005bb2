"""The rules of Gato on four by four squares: four in line wins.

A board is a word of 16 bits, a row of four after the other from the top: the bit of a square is
`4 * row + column`, and so is the number of the move that puts a stone there.

    row         column  a   b   c   d
      1                 0   1   2   3
      2                 4   5   6   7
      3                 8   9  10  11
      4                12  13  14  15

The rules here are plain Python and look lines up in a list; the compiled kernels find them by
masks and shifts. Tests compare the two.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import permutations, product, zip_longest
from typing import ClassVar

from engine.core.boards import Board, all_contain, require_alternating, require_size
from engine.core.game import (
    Cell,
    Changes,
    Game,
    IllegalMove,
    Move,
    NotAMove,
    NotAPosition,
    Outcome,
    Player,
    Remark,
    Square,
    UnknownVariant,
)
from engine.core.symmetry import Images


def gato_images(_game: Game) -> Images:
    """All symmetries of Gato's ten lines: 32, more than the board's rotations and reflections."""
    return _gato_images()


@cache
def _gato_images() -> Images:
    """Rotations and reflections, and permutations of rows and columns that keep all ten lines.

    Permuting rows and columns in the same way keeps one diagonal; a symmetric order keeps the
    other.
    """
    found = []
    for order, columns in product(tuple(permutations(range(SIDE))), repeat=2):
        for turned in (False, True):
            image = tuple(
                SIDE * columns[at] + order[row] if turned else SIDE * order[row] + columns[at]
                for row, at in product(range(SIDE), repeat=2)
            )
            if {_moved(line, image) for line in LINES} == set(LINES):
                found.append(image)
    return tuple(found)


def _moved(line: int, image: tuple[int, ...]) -> int:
    """The image of a line under a permutation of the squares."""
    return sum(1 << image[square] for square in range(SQUARES) if line >> square & 1)


def place_gato(game: Gato, board: Board, ply: int) -> GatoPosition:
    """Return a position of Gato; raises NotAPosition for a board that cannot occur."""
    require_size(board, len(game.row_names), len(game.column_names))
    require_alternating(board, ply)
    cells = [cell for row in board for cell in row]
    first, second = (
        sum(1 << at for at, cell in enumerate(cells) if cell.owner is player) for player in Player
    )
    won = [line for line in LINES if line in (line & first, line & second)]
    last = second if ply % 2 == 0 else first
    if won and not any(all_contain(won, 1 << at) for at in range(len(cells)) if last >> at & 1):
        raise NotAPosition("the game was over before its last stone")
    outcome = None
    if won:
        winner = Player.FIRST if won[0] & first else Player.SECOND
        outcome = Outcome(winner, frozenset(s for line in won for s in squares_of(line)))
    elif first | second == FULL:
        outcome = Outcome(None)
    return GatoPosition(game, first, second, outcome)


def moves_to(position: GatoPosition) -> tuple[Move, ...]:
    """Moves that lead to a position that is not over, in one of the orders that do."""
    squares = range(SQUARES)
    first, second = (
        [Move(at) for at in squares if stones >> at & 1]
        for stones in (position.first, position.second)
    )
    pairs = zip_longest(first, second)
    return tuple(move for pair in pairs for move in pair if move is not None)


SIDE = 4
"""The number of rows, of columns, and of stones in line."""

SQUARES = SIDE * SIDE

FULL = (1 << SQUARES) - 1
"""Every square of the board."""

_STEPS = range(SIDE)

LINES: tuple[int, ...] = (
    *(sum(1 << (SIDE * row + column) for column in _STEPS) for row in _STEPS),
    *(sum(1 << (SIDE * row + column) for row in _STEPS) for column in _STEPS),
    sum(1 << (SIDE * step + step) for step in _STEPS),
    sum(1 << (SIDE * step + SIDE - 1 - step) for step in _STEPS),
)
"""The ten lines as words: rows from the top, columns from the left, both diagonals."""


def squares_of(word: int) -> tuple[Square, ...]:
    """The squares whose bits are set in `word`."""
    return tuple(Square(*divmod(bit, SIDE)) for bit in range(SQUARES) if word >> bit & 1)


@dataclass(frozen=True, slots=True)
class GatoPosition:
    """A position of Gato: the stones of both players as words."""

    game: Gato
    first: int = 0
    """The first player's stones."""
    second: int = 0
    """The second player's stones."""
    outcome: Outcome | None = None
    latest: tuple[int, ...] = field(default=(), compare=False, repr=False)
    """The last two stones' squares as words, the last one first; empty for a position that was not
    reached by moves. Used only for players who overlook lines."""

    @property
    def ply(self) -> int:
        """The number of stones on the board."""
        return (self.first | self.second).bit_count()

    @property
    def to_move(self) -> Player:
        """The player whose turn it is: the two alternate."""
        return Player.SECOND if self.ply % 2 else Player.FIRST

    def legal_moves(self) -> tuple[Move, ...]:
        """The empty squares, row by row from the top; empty once the game is over."""
        if self.outcome is not None:
            return ()
        occupied = self.first | self.second
        return tuple(Move(square) for square in range(SQUARES) if not occupied >> square & 1)

    def play(self, move: Move) -> GatoPosition:
        """Put a stone; raises IllegalMove with `over`, `outside` or `taken`."""
        self._require_legal(move)
        stone = 1 << move
        latest = (stone, *self.latest[:1])
        if self.to_move is Player.FIRST:
            first, second = self.first | stone, self.second
            return GatoPosition(self.game, first, second, self._end(first, second), latest)
        first, second = self.first, self.second | stone
        return GatoPosition(self.game, first, second, self._end(second, first), latest)

    def _require_legal(self, move: Move) -> None:
        """Raise IllegalMove if a stone cannot be placed on this square now."""
        if self.outcome is not None:
            raise IllegalMove(self.game.label(move), "over")
        if not 0 <= move < SQUARES:
            raise IllegalMove(self.game.label(move), "outside")
        if (self.first | self.second) >> move & 1:
            raise IllegalMove(self.game.label(move), "taken", "the square is taken")

    def _end(self, mover: int, other: int) -> Outcome | None:
        """The outcome once the player to move holds the stones `mover`; None if play continues."""
        won = [line for line in LINES if line & mover == line]
        if won:
            return Outcome(self.to_move, frozenset(s for line in won for s in squares_of(line)))
        return Outcome(None) if mover | other == FULL else None

    def cells(self) -> Sequence[Sequence[Cell]]:
        """Rows from the top, each from the left."""
        return tuple(
            tuple(self._cell(1 << (SIDE * row + column)) for column in range(SIDE))
            for row in range(SIDE)
        )

    def _cell(self, bit: int) -> Cell:
        if self.first & bit:
            return Cell.FIRST
        return Cell.SECOND if self.second & bit else Cell.EMPTY

    def changes(self, move: Move) -> Changes:
        """A stone of the mover on the square of the move."""
        self._require_legal(move)
        square = Square(*divmod(move, SIDE))
        return Changes(placed=((square, Cell(str(self.to_move.value))),))

    def announced(self) -> tuple[Move, ...]:
        """Empty: no move removes a stone."""
        return ()

    def remarks(self) -> tuple[Remark, ...]:
        """Empty: the board shows everything."""
        return ()


@dataclass(frozen=True)
class Gato:
    """Gato on its only board, four by four."""

    key: ClassVar[str] = "gato"
    SIZES: ClassVar[tuple[str, ...]] = ("4x4",)

    @classmethod
    def from_variant(cls, text: str) -> Gato:
        """Read the size, rows x columns; raises UnknownVariant for any but `4x4`.

        Surrounding spaces and the multiplication sign are accepted.
        """
        if not re.fullmatch(r"\s*4\s*[xX×*]\s*4\s*", text):
            raise UnknownVariant(text, cls.SIZES[0])
        return cls()

    @property
    def variant(self) -> str:
        """The size as text, rows first."""
        return self.SIZES[0]

    def start(self) -> GatoPosition:
        """The empty board."""
        return GatoPosition(self)

    def parse(self, text: str) -> Move:
        """Read a square: the letter of its column, the digit of its row; raises NotAMove."""
        text = text.strip()
        if not re.fullmatch(r"[a-dA-D]\s*[1-4]", text):
            raise NotAMove(text, "a1-d4")
        return Move(SIDE * (int(text[-1]) - 1) + "abcd".index(text[0].lower()))

    def label(self, move: Move) -> str:
        """The column as a letter from the left, the row as a digit from the top."""
        row, column = divmod(move, SIDE)
        return f"{'abcd'[column]}{row + 1}"

    def moves(self, text: str) -> tuple[Move, ...]:
        """Read a game as a sequence of squares, such as `b2c3a1`; raises NotAMove."""
        text = "".join(text.split())
        return tuple(self.parse(text[at : at + 2]) for at in range(0, len(text), 2))

    @property
    def column_names(self) -> tuple[str, ...]:
        """The columns as letters."""
        return ("a", "b", "c", "d")

    @property
    def row_names(self) -> tuple[str, ...]:
        """The rows counted from 1, from the top."""
        return ("1", "2", "3", "4")

    def buttons(self) -> Sequence[Sequence[Move]]:
        """A button for each square, laid out like the board."""
        return tuple(
            tuple(Move(SIDE * row + column) for column in range(SIDE)) for row in range(SIDE)
        )
