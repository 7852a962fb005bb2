"""The types that describe every game: positions, moves, outcomes.

A `Game` is data (rules and size) plus its notation; a `Position` is an immutable value that knows
its own rules. Nothing here assumes that players alternate, that stones stay on their squares or
that a move is a column: a move is what a player enters, a square is a place on the board.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum, StrEnum
from typing import NamedTuple, NewType, Protocol, Self

Move = NewType("Move", int)
"""A move as a player enters it (for Connect 4 a column, counted from 0), not the target square."""


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
        """The player who owns this stone; None for an empty square."""
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
    """A fact about a position that the board does not show, as a key and whole numbers.

    A user interface looks the key up among its texts and fills in the numbers.
    """

    key: str
    numbers: tuple[tuple[str, int], ...] = ()


class NotAMove(ValueError):
    """The text is not a move of this game in any position."""

    def __init__(self, text: str, expected: str) -> None:
        super().__init__(text, expected)
        self.text = text
        self.expected = expected
        """The moves that are accepted, such as `1-7`."""

    def __str__(self) -> str:
        return f"{self.text!r} is not a move: expected {self.expected}"


class IllegalMove(ValueError):
    """The move exists in this game but is not allowed in this position."""

    def __init__(self, label: str, reason: str, words: str = "") -> None:
        super().__init__(label, reason, words)
        self.label = label
        self.reason = reason
        """A short fixed word, such as `full` or `over`, which callers translate for people."""
        self.words = words or IN_WORDS.get(reason, reason)
        """The reason in English."""

    def __str__(self) -> str:
        return f"move {self.label} is not allowed: {self.words}"


IN_WORDS = {"over": "the game is over", "outside": "it is outside the board"}
"""The reasons that all games have, in English."""


class NotAPosition(ValueError):
    """The board cannot occur in a game, or the text does not describe a board."""


class UnknownVariant(ValueError):
    """The text is not a size or rule set of this game."""

    def __init__(self, text: str, expected: str) -> None:
        super().__init__(text, expected)
        self.text = text
        self.expected = expected

    def __str__(self) -> str:
        return f"{self.text!r} is not a variant: expected {self.expected}"


@dataclass(frozen=True, slots=True)
class Changes:
    """The changes that a legal move makes to the board, for everything that draws or describes it.

    Removing the stones of `removed` from the board, relocating those of `moved` and adding those of
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
    """The square, before the move, of a move that places nothing; None if there is no single
    one."""
    effect: str = ""
    """A fixed word for what the move does other than placing a stone, such as `explode`, by which
    its texts are found. Empty for a move that only places its stone."""

    @property
    def target(self) -> Square | None:
        """The square of the stone that the move places; None if it does not place exactly one."""
        return self.placed[0][0] if len(self.placed) == 1 else None


class Position(Protocol):
    """One state of a game; an immutable value."""

    @property
    def game(self) -> Game:
        """The game that is being played."""

    @property
    def ply(self) -> int:
        """The number of moves made."""

    @property
    def to_move(self) -> Player:
        """The player to move; may stay the same after a move. Undefined once the game is over."""

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended; None while it goes on."""

    def legal_moves(self) -> tuple[Move, ...]:
        """The moves allowed now, in the order of the buttons; empty once the game is over."""

    def play(self, move: Move) -> Self:
        """Return the position after `move`; raises IllegalMove and never changes this one."""

    def cells(self) -> Sequence[Sequence[Cell]]:
        """The board as it is drawn: rows from the top, each from the left."""

    def changes(self, move: Move) -> Changes:
        """The changes that `move` makes to the board; raises IllegalMove as `play` does."""

    def announced(self) -> tuple[Move, ...]:
        """The legal moves whose `removed` squares are marked on the board before they are made."""

    def remarks(self) -> tuple[Remark, ...]:
        """Facts that players should know besides the board, such as the moves left in a turn."""


class Game(Protocol):
    """A game of one size with its notation; an immutable value."""

    @property
    def key(self) -> str:
        """The game's key, such as `connect4`."""

    @property
    def variant(self) -> str:
        """The variant as text, such as `6x7`; the game's parser reads it back."""

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
        """The names of the columns, from the left."""

    @property
    def row_names(self) -> tuple[str, ...]:
        """The names of the rows, from the top; empty if rows have no names."""

    def buttons(self) -> Sequence[Sequence[Move]]:
        """All moves, laid out as rows of buttons."""


def replay(game: Game, moves: Sequence[Move]) -> Position:
    """Play `moves` from the start of `game`; raises IllegalMove at the first illegal one."""
    position = game.start()
    for move in moves:
        position = position.play(move)
    return position


def target(position: Position, move: Move) -> Square | None:
    """The square of the stone that `move` would place; None if it is illegal or places none."""
    try:
        return position.changes(move).target
    except IllegalMove:
        return None


def wins_with(position: Position, move: Move) -> bool:
    """Whether the player to move wins at once with `move`; raises IllegalMove."""
    outcome = position.play(move).outcome
    return outcome is not None and outcome.winner is position.to_move


def marked_after(squares: frozenset[Square], changes: Changes) -> frozenset[Square]:
    """The marked squares after a move, including those that the move adds.

    Marks follow their stones and leave the board with them. The move itself marks the squares of
    the stones that it places or, if it places none, its origin.
    """
    moved = dict(changes.moved)
    kept = {moved.get(square, square) for square in squares.difference(changes.removed)}
    placed = {square for square, _ in changes.placed}
    if not placed and changes.origin is not None:
        placed = {changes.origin}
    return frozenset(kept | placed)
