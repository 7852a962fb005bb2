"""The rules of Conecta-4 BOOM: seven by seven, two movements a turn, and bombs.

From practice 3 of the course on artificial intelligence of the University of Granada, 2020/21, as
its simulator plays it. Written for reading beside the printed rules: a board is seven columns,
each the row of its stones from the bottom up, and every rule is one short function. The compiled
kernels have the same rules as shifts of words; tests check each against the other.

Movements are numbered 1, 2, 3, ... The first player makes movement 1 alone; from then on a turn is
two movements, and putting a stone or exploding a bomb is one movement each:

    movement   1 | 2  3 | 4  5 | 6  7 | 8  9 | 10  11 | 12  13 | 14  15 | 16  17 | ...
    player     1 |  2   |  1   |  2   |  1   |   2    |   1    |   2    |   1    |
    round      1    1      2      2      3       3        4        4        5
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import ClassVar

from engine.core.boards import Board, columns_of
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


def place_boom(game: Boom, board: Board, ply: int) -> BoomPosition:
    """Return a position of BOOM; raises NotAPosition for a board that cannot occur.

    Bombs remove stones, so a board may hold fewer stones than movements were made.
    """
    columns = columns_of(board, *(2 * [len(game.column_names)]))
    if not 0 <= ply <= Boom.MOST_MOVEMENTS:
        raise NotAPosition(f"a game has 0 to {Boom.MOST_MOVEMENTS} movements")
    max_bombs = int(round_of(ply) >= BOMB_EVERY)
    for player in Player:
        own = [cell for stones in columns for cell in stones if cell.owner is player]
        made = sum(mover_of(movement) is player for movement in range(1, ply + 1))
        lost = made - len(own)
        if lost < 0 or (lost and not max_bombs) or sum(c.is_bomb for c in own) > max_bombs:
            raise NotAPosition("these stones and bombs do not fit the number of movements")
    position = BoomPosition(game, columns, ply)
    return replace(position, outcome=position.outcome_after(mover_of(ply)))


SIDE = 7
"""The number of rows and of columns."""

BOOM = Move(SIDE)
"""The move that explodes the player's own bomb; smaller numbers are columns."""

BOMB_EVERY = 4
"""Rounds between two bombs."""

COLUMNS = tuple(Move(column) for column in range(SIDE))

_STONES = {Player.FIRST: Cell.FIRST, Player.SECOND: Cell.SECOND}

_BOMBS = {Player.FIRST: Cell.FIRST_BOMB, Player.SECOND: Cell.SECOND_BOMB}

_DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))
"""Column and height steps: up, right, right and up, right and down."""

Columns = tuple[tuple[Cell, ...], ...]
"""The stones of every column from the left, each from the bottom up."""

Line = frozenset[tuple[int, int]]
"""Four squares as column and height, counted from the left and from the bottom."""


@cache
def lines() -> tuple[Line, ...]:
    """All 88 lines of four squares."""
    found = []
    for column in range(SIDE):
        for height in range(SIDE):
            for right, up in _DIRECTIONS:
                if column + 3 * right < SIDE and 0 <= height + 3 * up < SIDE:
                    squares = ((column + right * i, height + up * i) for i in range(4))
                    found.append(frozenset(squares))
    return tuple(found)


def round_of(movement: int) -> int:
    """The round of a movement: one turn of each player."""
    turn = movement // 2 + 1
    return (turn + 1) // 2


def mover_of(movement: int) -> Player:
    """The player who makes a movement: the turn passes after every one with an odd number."""
    turn = movement // 2 + 1
    return Player.FIRST if turn % 2 else Player.SECOND


def bomb_of(columns: Columns, player: Player) -> tuple[int, int] | None:
    """Column and height of a player's bomb; a player never has two."""
    for column, stones in enumerate(columns):
        if _BOMBS[player] in stones:
            return column, stones.index(_BOMBS[player])
    return None


def explosion_of(columns: Columns, player: Player) -> tuple[int, tuple[int, ...]]:
    """The height of a player's bomb, and the columns that lose a stone there if it explodes.

    The bomb and all of the opponent's stones in its row disappear, the opponent's bomb included;
    the player's own other stones stay.
    """
    bomb = bomb_of(columns, player)
    assert bomb is not None, "only a player with a bomb can explode it"
    _, height = bomb
    lost = (_STONES[player.other], _BOMBS[player.other], _BOMBS[player])
    return height, tuple(
        column
        for column, stones in enumerate(columns)
        if height < len(stones) and stones[height] in lost
    )


def exploded(columns: Columns, player: Player) -> Columns:
    """The board after `player` has exploded their bomb.

    Every stone above one that the explosion removes falls by one row.
    """
    height, losing = explosion_of(columns, player)
    return tuple(
        stones[:height] + stones[height + 1 :] if column in losing else stones
        for column, stones in enumerate(columns)
    )


def square_at(column: int, height: int) -> Square:
    """The square at a column and a height."""
    return Square(SIDE - 1 - height, column)


def squares_in_line(columns: Columns, player: Player) -> frozenset[Square]:
    """Every square of every line of four that a player holds; bombs count as stones."""
    own = (_STONES[player], _BOMBS[player])
    held = {
        (column, height)
        for column, stones in enumerate(columns)
        for height, cell in enumerate(stones)
        if cell in own
    }
    return frozenset(
        square_at(column, height) for line in lines() if line <= held for column, height in line
    )


@dataclass(frozen=True, slots=True)
class BoomPosition:
    """A position: the columns and the number of movements made."""

    game: Boom
    columns: Columns = ((),) * SIDE
    ply: int = 0
    outcome: Outcome | None = None
    latest: tuple[tuple[int, int], ...] = field(default=(), compare=False, repr=False)
    """Column and height of the last four stones, the last one first; empty once a bomb has moved
    stones. Used only for players who overlook lines."""

    @property
    def to_move(self) -> Player:
        """The player who makes the next movement."""
        return mover_of(self.ply + 1)

    @property
    def has_bomb(self) -> bool:
        """Whether the player to move has a bomb on the board."""
        return bomb_of(self.columns, self.to_move) is not None

    @property
    def puts_bomb(self) -> bool:
        """Whether a stone put now is a bomb: in every fourth round, if the mover has none."""
        return round_of(self.ply + 1) % BOMB_EVERY == 0 and not self.has_bomb

    def legal_moves(self) -> tuple[Move, ...]:
        """The columns that are not full, and BOOM if the mover has a bomb; empty after the end."""
        return () if self.outcome is not None else self._possible()

    def _possible(self) -> tuple[Move, ...]:
        puts = tuple(move for move in COLUMNS if len(self.columns[move]) < SIDE)
        return (*puts, BOOM) if self.has_bomb else puts

    def play(self, move: Move) -> BoomPosition:
        """Make a movement; raises IllegalMove with `over`, `outside`, `full` or `nobomb`."""
        self._require_legal(move)
        columns = exploded(self.columns, self.to_move) if move == BOOM else self._with_stone(move)
        latest = () if move == BOOM else ((move, len(self.columns[move])), *self.latest[:3])
        after = BoomPosition(self.game, columns, self.ply + 1, None, latest)
        outcome = after.outcome_after(self.to_move)
        return after if outcome is None else replace(after, outcome=outcome)

    def _require_legal(self, move: Move) -> None:
        """Raise IllegalMove if the movement cannot be made now."""
        if self.outcome is not None:
            raise IllegalMove(self.game.label(move), "over")
        if not 0 <= move <= BOOM:
            raise IllegalMove(self.game.label(move), "outside")
        if move not in self._possible():
            label = self.game.label(move)
            if move == BOOM:
                raise IllegalMove(label, "nobomb", "you have no bomb on the board")
            raise IllegalMove(label, "full", "the column is full")

    def _stone(self) -> Cell:
        """The stone that a movement would put now: a stone or a bomb of the mover."""
        return (_BOMBS if self.puts_bomb else _STONES)[self.to_move]

    def _with_stone(self, column: int) -> Columns:
        before, stones, behind = (
            self.columns[:column],
            self.columns[column],
            self.columns[column + 1 :],
        )
        return (*before, (*stones, self._stone()), *behind)

    def outcome_after(self, mover: Player) -> Outcome | None:
        """The outcome after a movement by `mover`; None if play continues.

        If an explosion gives both players a line, the player who exploded wins. It may also give a
        line to the opponent alone.
        """
        for player in (mover, mover.other):
            squares = squares_in_line(self.columns, player)
            if squares:
                return Outcome(player, squares)
        if not self._possible():
            return Outcome(None if self.game.stuck_is_draw else self.to_move.other)
        return Outcome(None) if self.ply == Boom.MOST_MOVEMENTS else None

    def cells(self) -> Sequence[Sequence[Cell]]:
        """Rows from the top, each from the left."""
        return tuple(
            tuple(stones[height] if height < len(stones) else Cell.EMPTY for stones in self.columns)
            for height in reversed(range(SIDE))
        )

    def changes(self, move: Move) -> Changes:
        """The changes of a movement: a stone on the lowest empty square, or an explosion."""
        self._require_legal(move)
        if move == BOOM:
            return self._explosion()
        square = square_at(move, len(self.columns[move]))
        return Changes(placed=((square, self._stone()),))

    def _explosion(self) -> Changes:
        bomb = bomb_of(self.columns, self.to_move)
        assert bomb is not None, "BOOM is legal for a player with a bomb only"
        height, losing = explosion_of(self.columns, self.to_move)
        return Changes(
            removed=tuple(square_at(column, height) for column in losing),
            moved=tuple(
                (square_at(column, above), square_at(column, above - 1))
                for column in losing
                for above in range(height + 1, len(self.columns[column]))
            ),
            origin=square_at(*bomb),
            effect="explode",
        )

    def announced(self) -> tuple[Move, ...]:
        """BOOM while the mover has a bomb, so that players see which stones it would remove."""
        return (BOOM,) if self.outcome is None and self.has_bomb else ()

    def remarks(self) -> tuple[Remark, ...]:
        """The number of the movement within the turn, and the state of the mover's bomb.

        After the end, whether an explosion has given both players a line.
        """
        if self.outcome is not None:
            is_both = all(squares_in_line(self.columns, player) for player in Player)
            return (Remark("boom.both"),) if is_both else ()
        movement = self.ply + 1
        here = 2 if movement % 2 and movement > 1 else 1
        turn = Remark("boom.turn", (("movement", here), ("of", 1 if movement == 1 else 2)))
        if self.puts_bomb:
            return turn, Remark("boom.bomb_now")
        if self.has_bomb:
            return turn, Remark("boom.bomb_held")
        turns = BOMB_EVERY - round_of(movement) % BOMB_EVERY
        return turn, Remark("boom.bomb_in", (("turns", turns),))


@dataclass(frozen=True)
class Boom:
    """Conecta-4 BOOM.

    In the simulator a player who cannot move loses; the written assignment calls a full board a
    draw. Neither limits a game that bombs can prolong for ever: here it ends with a draw.
    """

    stuck_is_draw: bool = False
    """Whether a player who cannot move (the board is full, and they have no bomb) draws instead of
    losing."""
    key: ClassVar[str] = "boom"
    VARIANTS: ClassVar[tuple[str, ...]] = ("7x7", "7x7-draw")
    """Indexed by `stuck_is_draw`: the simulator's rule, and that of the written assignment."""
    MOST_MOVEMENTS: ClassVar[int] = 200
    """A game that is still undecided after this many movements is a draw."""

    @classmethod
    def from_variant(cls, text: str) -> Boom:
        """Read a variant's name, ignoring spaces and case; raises UnknownVariant."""
        name = text.strip().lower()
        if name not in cls.VARIANTS:
            raise UnknownVariant(text, " or ".join(cls.VARIANTS))
        return cls(stuck_is_draw=bool(cls.VARIANTS.index(name)))

    @property
    def variant(self) -> str:
        """The size, followed by `-draw` if a player who cannot move draws."""
        return self.VARIANTS[self.stuck_is_draw]

    def start(self) -> BoomPosition:
        """The empty board."""
        return BoomPosition(self)

    def parse(self, text: str) -> Move:
        """Read a column counted from 1, or `B` or `boom` for the bomb; raises NotAMove."""
        text = text.strip()
        if text.lower() in ("b", "boom"):
            return BOOM
        if not re.fullmatch(r"[1-7]", text):
            raise NotAMove(text, f"1-{SIDE} or B")
        return Move(int(text) - 1)

    def label(self, move: Move) -> str:
        """The column counted from 1, or B."""
        return "B" if move == BOOM else str(move + 1)

    def moves(self, text: str) -> tuple[Move, ...]:
        """Read a game, one character per movement, ignoring outer spaces; raises NotAMove."""
        return tuple(self.parse(movement) for movement in text.strip())

    @property
    def column_names(self) -> tuple[str, ...]:
        """The columns counted from 1, as the moves are."""
        return tuple(self.label(move) for move in COLUMNS)

    @property
    def row_names(self) -> tuple[str, ...]:
        """Empty: stones fall, so moves do not name rows."""
        return ()

    def buttons(self) -> Sequence[Sequence[Move]]:
        """Two rows of four: a button for each column, and the bomb's last."""
        return (COLUMNS[:4], (*COLUMNS[4:], BOOM))
