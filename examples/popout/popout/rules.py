"""The rules of Pop Out, which Hasbro has sold as a variant of Connect 4: six rows, seven columns.

A player drops a disc into a column, or takes one of their own discs out of the bottom row, and all
above it fall by one. A player with four discs in line wins. The published rules say no more than
that, so two cases are decided here as most programs decide them: if a pop completes lines of
both players, the one who popped wins; and a player who finds the board full and none of their own
discs in the bottom row has no move, which is a draw. As discs come and go, a game could last
forever: it is a draw after `LONGEST` moves.

A player's discs are a 64-bit word with eight bits a column: the bit of a square is
`8 * column + height`, where height 0 is the bottom row (`engine.core.boards`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from engine.core.boards import STRIDE, bit_of, fours
from engine.core.game import (
    Cell,
    Changes,
    IllegalMove,
    Move,
    NotAMove,
    Outcome,
    Player,
    Remark,
    Square,
    UnknownVariant,
)

ROWS, COLUMNS = 6, 7
LONGEST = 120
"""Moves after which a game is a draw."""
BOTTOM = ROWS - 1
"""The row from which discs are taken, counted from the top."""
COLUMN = (1 << STRIDE) - 1
"""The bits of the leftmost column."""
FOURS = fours(ROWS, COLUMNS)
LINE_VALUES = (0, 1, 4, 16)
"""The value of a line by the number of discs that one player has in it, if the other has none."""


@dataclass(frozen=True, slots=True)
class PopOutPosition:
    """A position of Pop Out: the discs of both players as words, and the number of moves made."""

    game: PopOut
    first: int = 0
    second: int = 0
    ply: int = 0
    outcome: Outcome | None = None

    @property
    def to_move(self) -> Player:
        """The player whose turn it is: the two alternate."""
        return Player.SECOND if self.ply % 2 else Player.FIRST

    def legal_moves(self) -> tuple[Move, ...]:
        """The columns that are not full, then those with an own disc below; none at the end."""
        if self.outcome is not None:
            return ()
        return tuple(move for move in self.game.every_move if self._refusal(move) is None)

    def _refusal(self, move: Move) -> str | None:
        """Why a move is not allowed while the game goes on; None if it is."""
        if not 0 <= move < 2 * COLUMNS:
            return "outside"
        if move < COLUMNS:
            return "full" if self._height(move) == ROWS else None
        own = self.first if self.to_move is Player.FIRST else self.second
        return None if own & bit_of(move - COLUMNS, 0) else "notyours"

    def _height(self, column: int) -> int:
        """How many discs a column holds."""
        return ((self.first | self.second) >> (STRIDE * column) & COLUMN).bit_count()

    def play(self, move: Move) -> PopOutPosition:
        """Drop or pop; raises IllegalMove with `over`, `outside`, `full` or `notyours`."""
        refusal = "over" if self.outcome is not None else self._refusal(move)
        if refusal is not None:
            raise IllegalMove(self.game.label(move), refusal)
        first, second = self.first, self.second
        if move >= COLUMNS:
            column = COLUMN << (STRIDE * (move - COLUMNS))
            # Shift down by one bit within the column, so that no bit enters the column before it.
            first, second = (
                (discs & ~column) | ((discs & column) >> 1 & column) for discs in (first, second)
            )
        elif self.to_move is Player.FIRST:
            first |= bit_of(move, self._height(move))
        else:
            second |= bit_of(move, self._height(move))
        return PopOutPosition(
            self.game, first, second, self.ply + 1, self._end(first, second, self.ply + 1)
        )

    def _end(self, first: int, second: int, ply: int) -> Outcome | None:
        """The outcome once the player to move has reached these discs; None to play on."""
        mover, other = (first, second) if self.to_move is Player.FIRST else (second, first)
        for player, discs in ((self.to_move, mover), (self.to_move.other, other)):
            won = [four for four in FOURS if four & discs == four]
            if won:
                return Outcome(player, frozenset(at for four in won for at in _squares(four)))
        is_full = (first | second).bit_count() == ROWS * COLUMNS
        is_stuck = is_full and not any(other & bit_of(column, 0) for column in range(COLUMNS))
        return Outcome(None) if is_stuck or ply == LONGEST else None

    def cells(self) -> Sequence[Sequence[Cell]]:
        """Rows from the top, each from the left."""
        return tuple(
            tuple(self._cell(bit_of(column, height)) for column in range(COLUMNS))
            for height in reversed(range(ROWS))
        )

    def _cell(self, bit: int) -> Cell:
        if self.first & bit:
            return Cell.FIRST
        return Cell.SECOND if self.second & bit else Cell.EMPTY

    def changes(self, move: Move) -> Changes:
        """The changes that a move makes to the board; raises IllegalMove as `play` does."""
        after = self.play(move)
        if move < COLUMNS:
            square = Square(BOTTOM - self._height(move), move)
            return Changes(placed=((square, after.cells()[square.row][square.column]),))
        column = move - COLUMNS
        squares = [Square(BOTTOM - height, column) for height in range(self._height(column))]
        moved = tuple((square, Square(square.row + 1, column)) for square in squares[1:])
        return Changes(removed=(squares[0],), moved=moved, origin=squares[0], effect="pop")

    def announced(self) -> tuple[Move, ...]:
        """Empty: it is obvious which disc a pop takes."""
        return ()

    def remarks(self) -> tuple[Remark, ...]:
        """Empty: the board shows everything."""
        return ()


@dataclass(frozen=True)
class PopOut:
    """Pop Out; it has one size."""

    key: ClassVar[str] = "popout"
    variant: ClassVar[str] = f"{ROWS}x{COLUMNS}"

    @classmethod
    def from_variant(cls, text: str) -> PopOut:
        """Read the size; raises UnknownVariant for any other."""
        if text.strip().lower() != cls.variant:
            raise UnknownVariant(text, cls.variant)
        return cls()

    @cached_property
    def every_move(self) -> tuple[Move, ...]:
        """A drop into each column, then a pop from each."""
        return tuple(map(Move, range(2 * COLUMNS)))

    def start(self) -> PopOutPosition:
        """The empty board."""
        return PopOutPosition(self)

    def parse(self, text: str) -> Move:
        """Read `3` for a drop or `p3` for a pop; raises NotAMove."""
        found = re.fullmatch(rf"\s*([pP]?)([1-{COLUMNS}])\s*", text)
        if found is None:
            raise NotAMove(text, f"1-{COLUMNS}, p1-p{COLUMNS}")
        return Move(int(found[2]) - 1 + (COLUMNS if found[1] else 0))

    def label(self, move: Move) -> str:
        """The column counted from 1, with a `p` for a pop."""
        return str(move + 1) if move < COLUMNS else f"p{move - COLUMNS + 1}"

    def moves(self, text: str) -> tuple[Move, ...]:
        """Read a game such as `44p43`; raises NotAMove."""
        return tuple(self.parse(move) for move in re.findall(r"[pP]?.", text.strip()))

    @property
    def column_names(self) -> tuple[str, ...]:
        """The columns counted from 1."""
        return tuple(map(str, range(1, COLUMNS + 1)))

    @property
    def row_names(self) -> tuple[str, ...]:
        """Empty: discs fall, so moves do not name rows."""
        return ()

    def buttons(self) -> Sequence[Sequence[Move]]:
        """The drops, and below them the pops."""
        return (self.every_move[:COLUMNS], self.every_move[COLUMNS:])


def evaluate(position: PopOutPosition) -> int:
    """The value of a position for the side to move: the lines that each player may still fill."""
    own, other = position.first, position.second
    if position.to_move is Player.SECOND:
        own, other = other, own
    total = 0
    for four in FOURS:
        mine, theirs = four & own, four & other
        if not theirs:
            total += LINE_VALUES[mine.bit_count()]
        elif not mine:
            total -= LINE_VALUES[theirs.bit_count()]
    return total


def _squares(word: int) -> tuple[Square, ...]:
    """The squares whose bits are set in a word."""
    return tuple(
        Square(BOTTOM - height, column)
        for column in range(COLUMNS)
        for height in range(ROWS)
        if word & bit_of(column, height)
    )
