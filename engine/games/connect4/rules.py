"""The rules of Connect 4 on every board of 4..8 rows by 4..8 columns.

A board of any size is a 64-bit word with eight bits per column: the bit of a square is
`8 * column + height`, where height 0 is the bottom row. Six rows by seven columns:

    height
      5     5  13  21  29  37  45  53
      4     4  12  20  28  36  44  52
      3     3  11  19  27  35  43  51
      2     2  10  18  26  34  42  50
      1     1   9  17  25  33  41  49
      0     0   8  16  24  32  40  48
    column  0   1   2   3   4   5   6

The rules here are plain Python and look lines up in a list of all fours; the compiled kernels find
them by shifting words. Tests compare the two.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import ClassVar

from engine.core.boards import (
    STRIDE,
    Board,
    all_contain,
    bit_of,
    columns_of,
    fours,
    require_alternating,
)
from engine.core.game import (
    Cell,
    Changes,
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

MAX_BOARDS = 4_000
"""The most boards examined by the search for an order of the stones, a few milliseconds. Boards of
up to twelve stones, which books know, never need more."""

Stones = tuple[tuple[Player, ...], ...]
"""The owners of the stones of every column from the left, each from the bottom up."""


def place_connect4(game: Connect4, board: Board, ply: int) -> Connect4Position:
    """Return a position of Connect 4; raises NotAPosition for a board that cannot occur."""
    columns = columns_of(board, game.rows, game.columns)
    require_alternating(board, ply)
    first, second = (
        sum(
            bit_of(column, height)
            for column, stones in enumerate(columns)
            for height, cell in enumerate(stones)
            if cell.owner is player
        )
        for player in Player
    )
    won = [four for four in game.fours if four in (four & first, four & second)]
    owners = tuple(tuple(cell.owner for cell in stones if cell.owner) for stones in columns)
    if _order(owners, ply, lambda stone: all_contain(won, bit_of(*stone))) is None:
        raise NotAPosition("no order of moves leads to this board")
    outcome = None
    if won:
        winner = Player.FIRST if won[0] & first else Player.SECOND
        outcome = Outcome(winner, frozenset(s for four in won for s in game.squares(four)))
    elif ply == game.rows * game.columns:
        outcome = Outcome(None)
    return Connect4Position(game, first, second, outcome)


def moves_to(position: Connect4Position) -> tuple[Move, ...] | None:
    """Moves that lead to a position that is not over; None if none were found in a short time.

    They need not be those of a game in which it arose: every order in which the players alternate
    and each stone has fallen onto another or the ground is possible, since there is no four.
    """
    owners = tuple(
        tuple(
            Player.FIRST if position.first & bit_of(column, height) else Player.SECOND
            for height in range(position.height(Move(column)))
        )
        for column in range(position.game.columns)
    )
    return _order(owners, position.ply, lambda _stone: True) or None if position.ply else ()


def _order(
    columns: Stones, ply: int, may_be_last: Callable[[tuple[int, int]], bool]
) -> tuple[Move, ...] | None:
    """An order in which alternating players can have dropped these stones; None if there is none.

    Empty if the search was given up. Boards are searched from the last stone back to the first.

    Args:
        columns: The owners of the stones, by column.
        ply: The number of stones.
        may_be_last: Whether the stone at a column and height may have been the last one.
    """
    heights = tuple(map(len, columns))
    following: dict[tuple[int, ...], tuple[tuple[int, ...], int]] = {heights: (heights, 0)}
    open_ = [heights]
    while open_ and len(following) < MAX_BOARDS:
        at = open_.pop()
        left = sum(at)
        if not left:
            moves = list[Move]()
            while at != heights:
                at, column = following[at]
                moves.append(Move(column))
            return tuple(moves)
        last = Player.FIRST if left % 2 else Player.SECOND
        for column, height in enumerate(at):
            if not height or columns[column][height - 1] is not last:
                continue
            if left == ply and not may_be_last((column, height - 1)):
                continue
            before = (*at[:column], height - 1, *at[column + 1 :])
            if before not in following:
                following[before] = at, column
                open_.append(before)
    return () if open_ else None


MIN_SIDE, MAX_SIDE = 4, 8


@dataclass(frozen=True, slots=True)
class Connect4Position:
    """A position of Connect 4: the stones of both players as words."""

    game: Connect4
    first: int = 0
    """The first player's stones."""
    second: int = 0
    """The second player's stones."""
    outcome: Outcome | None = None
    latest: tuple[int, ...] = field(default=(), compare=False, repr=False)
    """The squares of the last two stones, the last one first; empty for a position that was not
    reached by moves. Used only for players who overlook lines."""

    @property
    def ply(self) -> int:
        """The number of stones on the board."""
        return (self.first | self.second).bit_count()

    @property
    def to_move(self) -> Player:
        """The player whose turn it is: the two alternate."""
        return Player.SECOND if self.ply % 2 else Player.FIRST

    def height(self, move: Move) -> int:
        """The number of stones in the column of `move`."""
        column = (self.first | self.second) >> (STRIDE * move) & 0xFF
        return column.bit_count()

    def legal_moves(self) -> tuple[Move, ...]:
        """The columns that are not full, from the left; empty once the game is over."""
        if self.outcome is not None:
            return ()
        rows = self.game.rows
        return tuple(m for m in self.game.columns_as_moves if self.height(m) < rows)

    def play(self, move: Move) -> Connect4Position:
        """Drop a stone; raises IllegalMove with `over`, `outside` or `full`."""
        stone = bit_of(move, self._landing_height(move))
        latest = (stone, *self.latest[:1])
        if self.to_move is Player.FIRST:
            first, second = self.first | stone, self.second
            return Connect4Position(
                self.game, first, second, self._end(first, second, stone), latest
            )
        first, second = self.first, self.second | stone
        return Connect4Position(self.game, first, second, self._end(second, first, stone), latest)

    def _landing_height(self, move: Move) -> int:
        """The height at which a stone dropped now lands; raises IllegalMove as `play` does."""
        if self.outcome is not None:
            raise IllegalMove(self.game.label(move), "over")
        if not 0 <= move < self.game.columns:
            raise IllegalMove(self.game.label(move), "outside")
        height = self.height(move)
        if height == self.game.rows:
            raise IllegalMove(self.game.label(move), "full", "the column is full")
        return height

    def _end(self, mover: int, other: int, stone: int) -> Outcome | None:
        """The outcome when `mover` puts `stone`; None if play continues."""
        won = [four for four in self.game.fours if four & stone and four & mover == four]
        if won:
            winner = self.to_move
            return Outcome(winner, frozenset(s for four in won for s in self.game.squares(four)))
        full = (mover | other).bit_count() == self.game.rows * self.game.columns
        return Outcome(None) if full else None

    def cells(self) -> Sequence[Sequence[Cell]]:
        """Rows from the top, each from the left."""
        return tuple(
            tuple(self._cell(bit_of(column, height)) for column in range(self.game.columns))
            for height in reversed(range(self.game.rows))
        )

    def _cell(self, bit: int) -> Cell:
        if self.first & bit:
            return Cell.FIRST
        return Cell.SECOND if self.second & bit else Cell.EMPTY

    def changes(self, move: Move) -> Changes:
        """A stone of the mover on the lowest empty square of the column."""
        square = Square(self.game.rows - 1 - self._landing_height(move), move)
        return Changes(placed=((square, Cell(str(self.to_move.value))),))

    def announced(self) -> tuple[Move, ...]:
        """Empty: no move removes a stone."""
        return ()

    def remarks(self) -> tuple[Remark, ...]:
        """Empty: the board shows everything."""
        return ()


@cache
def _moves_by_label(columns: int) -> Mapping[str, Move]:
    """The moves of a board by their labels."""
    return {str(column + 1): Move(column) for column in range(columns)}


@dataclass(frozen=True)
class Connect4:
    """Connect 4 on a board of `rows` by `columns`; sizes outside 4..8 raise UnknownVariant."""

    rows: int = 6
    columns: int = 7
    key: ClassVar[str] = "connect4"
    SIZES: ClassVar[tuple[str, ...]] = tuple(
        f"{rows}x{columns}"
        for rows in range(MIN_SIDE, MAX_SIDE + 1)
        for columns in range(MIN_SIDE, MAX_SIDE + 1)
    )

    def __post_init__(self) -> None:
        if not (MIN_SIDE <= self.rows <= MAX_SIDE and MIN_SIDE <= self.columns <= MAX_SIDE):
            raise UnknownVariant(self.variant, self._sizes())

    @classmethod
    def from_variant(cls, text: str) -> Connect4:
        """Read a size such as `6x7` (rows x columns); raises UnknownVariant.

        Surrounding spaces and the multiplication sign are accepted.
        """
        found = re.fullmatch(r"\s*([0-9])\s*[xX×*]\s*([0-9])\s*", text)
        if found is None:
            raise UnknownVariant(text, cls._sizes())
        return cls(int(found[1]), int(found[2]))

    @staticmethod
    def _sizes() -> str:
        return f"ROWSxCOLUMNS, each {MIN_SIDE}-{MAX_SIDE}"

    @property
    def variant(self) -> str:
        """The size as text, rows first."""
        return f"{self.rows}x{self.columns}"

    @cached_property
    def fours(self) -> tuple[int, ...]:
        """All lines of four on this board, as words."""
        return fours(self.rows, self.columns)

    @cached_property
    def columns_as_moves(self) -> tuple[Move, ...]:
        """Every column, from the left."""
        return tuple(Move(column) for column in range(self.columns))

    def start(self) -> Connect4Position:
        """The empty board."""
        return Connect4Position(self)

    def squares(self, word: int) -> tuple[Square, ...]:
        """The squares whose bits are set in `word`."""
        return tuple(
            Square(self.rows - 1 - height, column)
            for column in range(self.columns)
            for height in range(self.rows)
            if word & bit_of(column, height)
        )

    def parse(self, text: str) -> Move:
        """Read a column counted from 1; raises NotAMove."""
        text = text.strip()
        if not re.fullmatch(r"[0-9]{1,2}", text) or not 1 <= int(text) <= self.columns:
            raise NotAMove(text, f"1-{self.columns}")
        return Move(int(text) - 1)

    def label(self, move: Move) -> str:
        """The column counted from 1."""
        return str(move + 1)

    def moves(self, text: str) -> tuple[Move, ...]:
        """Read a game: the string of its columns counted from 1; raises NotAMove."""
        # Thousands of puzzles and book lines are read so: known labels need no further look.
        known = _moves_by_label(self.columns)
        return tuple(
            known[label] if label in known else self.parse(label) for label in text.strip()
        )

    @property
    def column_names(self) -> tuple[str, ...]:
        """The columns counted from 1, as the moves are."""
        return tuple(self.label(move) for move in self.columns_as_moves)

    @property
    def row_names(self) -> tuple[str, ...]:
        """Empty: stones fall, so moves do not name rows."""
        return ()

    def buttons(self) -> Sequence[Sequence[Move]]:
        """One row with a button for each column."""
        return (self.columns_as_moves,)
