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

from engine.core.boards import Board, _columns
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
    """A position of BOOM; raises NotAPosition for a board that cannot come about.

    Bombs take stones away, so a board may hold fewer than movements were made.
    """
    columns = _columns(board, *(2 * [len(game.column_names)]))
    if not 0 <= ply <= Boom.MOST_MOVEMENTS:
        raise NotAPosition("no game has so many movements")
    most_bombs = int(round_of(ply) >= BOMB_EVERY)
    for player in Player:
        own = [cell for stones in columns for cell in stones if cell.owner is player]
        made = sum(mover_of(movement) is player for movement in range(1, ply + 1))
        lost = made - len(own)
        if lost < 0 or (lost and not most_bombs) or sum(c.is_bomb for c in own) > most_bombs:
            raise NotAPosition("so many movements cannot have put these stones and bombs")
    position = BoomPosition(game, columns, ply)
    return replace(position, outcome=position.ended_by(mover_of(ply)))


SIDE = 7
"""Rows and columns."""

BOOM = Move(SIDE)
"""The move that explodes one's own bomb; the moves below it are columns."""

BOMB_EVERY = 4
"""Rounds from one bomb to the next."""

COLUMNS = tuple(Move(column) for column in range(SIDE))

_STONES = {Player.FIRST: Cell.FIRST, Player.SECOND: Cell.SECOND}

_BOMBS = {Player.FIRST: Cell.FIRST_BOMB, Player.SECOND: Cell.SECOND_BOMB}

_DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))
"""Column and height steps: up, right, right and up, right and down."""

Columns = tuple[tuple[Cell, ...], ...]
"""The stones of every column from the left, each from the bottom up."""

Line = tuple[tuple[int, int], ...]
"""Four squares as column and height, counted from the left and from the bottom."""


@cache
def lines() -> tuple[Line, ...]:
    """All 88 lines of four squares."""
    found = []
    for column in range(SIDE):
        for height in range(SIDE):
            for right, up in _DIRECTIONS:
                if column + 3 * right < SIDE and 0 <= height + 3 * up < SIDE:
                    found.append(tuple((column + right * i, height + up * i) for i in range(4)))
    return tuple(found)


def round_of(movement: int) -> int:
    """The round that a movement belongs to: one turn of each player."""
    turn = movement // 2 + 1
    return (turn + 1) // 2


def mover_of(movement: int) -> Player:
    """Who makes a movement: the turn passes after every one with an odd number."""
    turn = movement // 2 + 1
    return Player.FIRST if turn % 2 else Player.SECOND


def bomb_of(columns: Columns, player: Player) -> tuple[int, int] | None:
    """Column and height of a player's bomb; no player ever has two."""
    for column, stones in enumerate(columns):
        if _BOMBS[player] in stones:
            return column, stones.index(_BOMBS[player])
    return None


def exploding(columns: Columns, player: Player) -> tuple[int, tuple[int, ...]]:
    """The height of a player's bomb, and the columns that lose a stone there if it explodes.

    The bomb's row loses the bomb and all of the opponent's stones, bomb included; the player's own
    other stones stay.
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
    height, losing = exploding(columns, player)
    return tuple(
        stones[:height] + stones[height + 1 :] if column in losing else stones
        for column, stones in enumerate(columns)
    )


def square_at(column: int, height: int) -> Square:
    """The square at a column and a height."""
    return Square(SIDE - 1 - height, column)


def squares_in_line(columns: Columns, player: Player) -> frozenset[Square]:
    """Every square of every line of four that a player holds; bombs count as stones."""
    held = {
        (column, height)
        for column, stones in enumerate(columns)
        for height, cell in enumerate(stones)
        if cell.owner is player
    }
    return frozenset(
        square_at(column, height)
        for line in lines()
        if held.issuperset(line)
        for column, height in line
    )


@dataclass(frozen=True, slots=True)
class BoomPosition:
    """A position: the columns and how many movements have been made."""

    game: Boom
    columns: Columns = ((),) * SIDE
    ply: int = 0
    outcome: Outcome | None = None
    latest: tuple[tuple[int, int], ...] = field(default=(), compare=False, repr=False)
    """Column and height of the last four stones, the last one first; none are left once a bomb has
    moved the stones. Only players who overlook things look at it."""

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
        """Whether a stone put now is a bomb: every fourth round, if the mover has none already."""
        return round_of(self.ply + 1) % BOMB_EVERY == 0 and not self.has_bomb

    def legal_moves(self) -> tuple[Move, ...]:
        """The columns that are not full, and BOOM if the mover has a bomb; none once it is over."""
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
        outcome = after.ended_by(self.to_move)
        return after if outcome is None else replace(after, outcome=outcome)

    def _require_legal(self, move: Move) -> None:
        """Raise IllegalMove if the movement cannot be made now."""
        if self.outcome is not None:
            raise IllegalMove(self.game.label(move), "over")
        if not 0 <= move <= BOOM:
            raise IllegalMove(self.game.label(move), "outside")
        if move not in self._possible():
            raise IllegalMove(self.game.label(move), "nobomb" if move == BOOM else "full")

    def _stone(self) -> Cell:
        """What a movement puts now: a stone or a bomb of the mover."""
        return (_BOMBS if self.puts_bomb else _STONES)[self.to_move]

    def _with_stone(self, column: int) -> Columns:
        before, stones, behind = (
            self.columns[:column],
            self.columns[column],
            self.columns[column + 1 :],
        )
        return (*before, (*stones, self._stone()), *behind)

    def ended_by(self, mover: Player) -> Outcome | None:
        """How the game ends, if it does, after a movement by `mover`, in the order of the rules.

        An explosion may give both players a line: then who exploded wins. It may also give one to
        the opponent alone.
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
        """A stone on the lowest empty square of a column; or what an explosion takes and moves."""
        self._require_legal(move)
        if move == BOOM:
            return self._explosion()
        square = square_at(move, len(self.columns[move]))
        return Changes(placed=((square, self._stone()),))

    def _explosion(self) -> Changes:
        bomb = bomb_of(self.columns, self.to_move)
        assert bomb is not None, "BOOM is legal for a player with a bomb only"
        height, losing = exploding(self.columns, self.to_move)
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
        """BOOM while the mover has a bomb: players see beforehand what it would take."""
        return (BOOM,) if self.outcome is None and self.has_bomb else ()

    def remarks(self) -> tuple[Remark, ...]:
        """Which movement of the turn comes next, and the state of the mover's bomb."""
        if self.outcome is not None:
            return ()
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

    The simulator lets a player lose who cannot move; the practice's statement calls a full board a
    draw. Neither limits a game that bombs can keep going for ever: here it ends with a draw.
    """

    stuck_is_draw: bool = False
    """Whether a player who cannot move (the board is full, and they have no bomb) draws instead of
    losing."""
    key: ClassVar[str] = "boom"
    VARIANTS: ClassVar[tuple[str, ...]] = ("7x7", "7x7-draw")
    """By `stuck_is_draw`: the simulator's rule, and that of the written assignment."""
    MOST_MOVEMENTS: ClassVar[int] = 200
    """A game that is still undecided after this many movements is a draw."""

    @classmethod
    def from_variant(cls, text: str) -> Boom:
        """Read a variant's name; spaces and capitals do not matter. Raises UnknownVariant."""
        name = text.strip().lower()
        if name not in cls.VARIANTS:
            raise UnknownVariant(text, " or ".join(cls.VARIANTS))
        return cls(stuck_is_draw=bool(cls.VARIANTS.index(name)))

    @property
    def variant(self) -> str:
        """The size, and `-draw` where a player who cannot move does not lose."""
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
        """Read a game: one character a movement, spaces around it aside; raises NotAMove."""
        return tuple(self.parse(movement) for movement in text.strip())

    @property
    def column_names(self) -> tuple[str, ...]:
        """The columns counted from 1, as the moves are."""
        return tuple(self.label(move) for move in COLUMNS)

    @property
    def row_names(self) -> tuple[str, ...]:
        """None: stones fall, so nobody needs to name a row."""
        return ()

    def buttons(self) -> Sequence[Sequence[Move]]:
        """A row with a control for each column, and one with the bomb's."""
        return (COLUMNS, (BOOM,))
