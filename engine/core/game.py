"""The vocabulary that every game is described in.

A `Game` is data (which rules, which size) plus its text; a `Position` is an immutable value that
knows its own rules. Nothing here assumes that players alternate, that stones stay where they are
or that a move is a column: a move is what a player *says*, a square is where something *is*.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum, StrEnum
from typing import NamedTuple, NewType, Protocol, Self

Move = NewType("Move", int)
"""What a player says (for Connect 4 a column, counted from 0), never the cell it ends in."""


class Player(IntEnum):
    """One of the two sides, numbered by who moves first."""

    FIRST = 1
    SECOND = 2

    @property
    def other(self) -> Player:
        """The opponent."""
        return Player(3 - self)


class Cell(StrEnum):
    """The content of a square, as its character in text boards."""

    EMPTY = "."
    FIRST = "1"
    SECOND = "2"
    FIRST_BOMB = "A"
    SECOND_BOMB = "B"

    @property
    def owner(self) -> Player | None:
        """Whose stone it is; None for an empty square."""
        return _OWNERS.get(self)

    @property
    def is_bomb(self) -> bool:
        """Whether this stone can explode."""
        return self in (Cell.FIRST_BOMB, Cell.SECOND_BOMB)


_OWNERS = {
    Cell.FIRST: Player.FIRST,
    Cell.SECOND: Player.SECOND,
    Cell.FIRST_BOMB: Player.FIRST,
    Cell.SECOND_BOMB: Player.SECOND,
}


class Drawing(StrEnum):
    """How a game's board is drawn."""

    DISCS = "discs"
    """Holes that hold discs and bombs."""
    MARKS = "marks"
    """Flat squares that hold crosses and circles."""


class Square(NamedTuple):
    """A place on the board: row from the top and column from the left, both counted from 0."""

    row: int
    column: int


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended by its rules."""

    winner: Player | None
    """None for a draw."""
    squares: frozenset[Square] = frozenset()
    """Every square of every winning line; empty where no line decided the game."""

    @property
    def ending(self) -> str:
        """How it was decided, as a short fixed word: `line`, `stuck` (no move left) or `draw`."""
        if self.winner is None:
            return "draw"
        return "line" if self.squares else "stuck"


@dataclass(frozen=True, slots=True)
class Remark:
    """Something about a position that the board does not show, as a key and whole numbers.

    A user interface looks the key up among its texts and fills in the numbers.
    """

    key: str
    numbers: tuple[tuple[str, int], ...] = ()


class NotAMove(ValueError):
    """The text names no move of this game, whatever the position."""

    def __init__(self, text: str, expected: str) -> None:
        super().__init__(text, expected)
        self.text = text
        self.expected = expected
        """The moves that would be understood, such as `1-7`."""

    def __str__(self) -> str:
        return f"{self.text!r} is not a move: expected {self.expected}"


class IllegalMove(ValueError):
    """The move exists in this game but is not allowed in this position."""

    def __init__(self, label: str, reason: str) -> None:
        super().__init__(label, reason)
        self.label = label
        self.reason = reason
        """A short fixed word, such as `full` or `over`, which callers put into words for people."""

    def __str__(self) -> str:
        return f"move {self.label} is not allowed: {self.reason}"


class NotAPosition(ValueError):
    """No game leads to this board, or the text describes none."""


class UnknownVariant(ValueError):
    """The text names no size or rule set of this game."""

    def __init__(self, text: str, expected: str) -> None:
        super().__init__(text, expected)
        self.text = text
        self.expected = expected

    def __str__(self) -> str:
        return f"{self.text!r} is not a variant: expected {self.expected}"


@dataclass(frozen=True, slots=True)
class Changes:
    """What a legal move does to the board, for everything that draws or describes it.

    Taking the stones of `removed` off the board, relocating those of `moved` and adding those of
    `placed`, in this order, gives the board after the move. A move that does not place exactly one
    stone has an effect.
    """

    placed: tuple[tuple[Square, Cell], ...] = ()
    """The stones that the move adds, each on its square after the move."""
    removed: tuple[Square, ...] = ()
    """The squares before the move whose stones leave the board."""
    moved: tuple[tuple[Square, Square], ...] = ()
    """The stones that change their squares: the square before the move and the one after it."""
    origin: Square | None = None
    """The square before the move on which a move acts that places nothing; None if there is no
    single one."""
    effect: str = ""
    """A fixed word for what the move does other than placing a stone, such as `explode`; texts are
    found by it. Empty for a move that only places its stone."""

    @property
    def target(self) -> Square | None:
        """The square of the one stone that the move places; None if it does not place just one."""
        return self.placed[0][0] if len(self.placed) == 1 else None


class Position(Protocol):
    """One state of a game; an immutable value."""

    @property
    def game(self) -> Game:
        """The game that is being played."""

    @property
    def ply(self) -> int:
        """How many moves have been made."""

    @property
    def to_move(self) -> Player:
        """Whose move it is; may stay the same after a move. Undefined once the game is over."""

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended; None while it goes on."""

    def legal_moves(self) -> tuple[Move, ...]:
        """The moves allowed now, in the order of the controls; empty once the game is over."""

    def play(self, move: Move) -> Self:
        """Return the position after `move`; raises IllegalMove and never changes this one."""

    def cells(self) -> Sequence[Sequence[Cell]]:
        """The board as it is drawn: rows from the top, each from the left."""

    def changes(self, move: Move) -> Changes:
        """What `move` does to the board; raises IllegalMove where `play` does."""

    def announced(self) -> tuple[Move, ...]:
        """The legal moves whose `removed` squares are marked on the board before they are made."""

    def remarks(self) -> tuple[Remark, ...]:
        """What players should know besides the board, such as moves left in a turn."""


class Game(Protocol):
    """The parameters of a game and its text; one value a game and size."""

    @property
    def key(self) -> str:
        """The family's name, such as `connect4`."""

    @property
    def variant(self) -> str:
        """The parameters as text, such as `6x7`; the family's parser reads it back."""

    def start(self) -> Position:
        """The position before the first move."""

    def parse(self, text: str) -> Move:
        """Read one move as a player writes it; raises NotAMove."""

    def label(self, move: Move) -> str:
        """Write one move as players write it; `parse` reads it back."""

    def moves(self, text: str) -> tuple[Move, ...]:
        """Read a whole game in the game's notation; raises NotAMove. Legality is not checked."""

    @property
    def column_names(self) -> tuple[str, ...]:
        """What people call the columns, from the left."""

    @property
    def row_names(self) -> tuple[str, ...]:
        """What people call the rows, from the top; empty where rows have no names."""

    def buttons(self) -> Sequence[Sequence[Move]]:
        """Every move there is, laid out as rows of controls."""


def replay(game: Game, moves: Sequence[Move]) -> Position:
    """Play `moves` from the start of `game`; raises IllegalMove at the first illegal one."""
    position = game.start()
    for move in moves:
        position = position.play(move)
    return position


def target(position: Position, move: Move) -> Square | None:
    """The square of the one stone that `move` would place; None if it is illegal or has no such."""
    try:
        return position.changes(move).target
    except IllegalMove:
        return None


def carried(squares: frozenset[Square], changes: Changes) -> frozenset[Square]:
    """Where marks are after a move, and the marks of that move itself.

    Marks follow their stones and leave the board with them. The move's own marks are the squares
    of the stones that it places or, if it places none, its origin.
    """
    moved = dict(changes.moved)
    kept = {moved.get(square, square) for square in squares.difference(changes.removed)}
    placed = {square for square, _ in changes.placed}
    if not placed and changes.origin is not None:
        placed = {changes.origin}
    return frozenset(kept | placed)
