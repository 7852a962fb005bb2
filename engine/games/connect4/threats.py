"""Threats in Connect 4, derived from the lines that lack one stone.

A square that completes a line for a player is a threat of theirs. All rules here follow from which
of those squares can be played, and which are right above one another.

A player may also win by zugzwang, by always playing right above the other player's stone. Victor
Allis ("A Knowledge-based Approach of Connect-Four", 1988) calls it claimeven with control of
zugzwang. These statements need no search, because the strategy fixes which squares each player
gets. Let it be the other player's turn, let every column but one have an even number of empty
squares, and let the player complete a line in that one on a square with an odd number of empty
squares below it. If the player answers every move in its own column,

1. an answer is always possible, and the other player gets only the first, third, ... empty square
   of each column, in any order;
2. if no line can be made of those and the stones that are there, the other player never wins;
3. all other columns fill up, so in the end, if not sooner, the other player has to play right below
   the square, and the player wins on it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from engine.core.boards import STRIDE, bit_of, bits_in, completing, fillable, has_several, triples
from engine.core.game import Move, Player, Square
from engine.core.plan import Plan, favoured, plans_on
from engine.core.reason import Reasons, reasons_on
from engine.core.threat import Threat, ThreatKind
from engine.core.threat_map import ThreatMap, map_of
from engine.games.connect4.rules import Connect4, Connect4Position

UP = 1
"""Distance in bits to the square above."""


@dataclass(frozen=True)
class Board:
    """The stones of both players, seen from one of them, and what follows from them."""

    game: Connect4
    own: int
    other: int

    @cached_property
    def threats(self) -> int:
        """The empty squares that complete a line for the player."""
        return completing(self.game.fours, self.own, self.own | self.other)

    @cached_property
    def playable(self) -> int:
        """The squares on which a stone can land now."""
        return fillable(self.game.rows, self.game.columns, self.own | self.other)

    @property
    def wins(self) -> int:
        """The squares on which the player would win now."""
        return self.threats & self.playable

    @cached_property
    def swapped(self) -> Board:
        """The same board for the other player."""
        return Board(self.game, self.other, self.own)

    def after(self, square: int) -> Board:
        """The board with one more stone of the player."""
        return replace(self, own=self.own | square)

    def above(self, square: int) -> int:
        """The square above a square, or 0 in the top row."""
        column = (square.bit_length() - 1) // STRIDE
        return square << UP if square != bit_of(column, self.game.rows - 1) else 0

    @property
    def rows(self) -> int:
        """The number of rows."""
        return self.game.rows

    @property
    def follow_up(self) -> int:
        """The square on which the player wins by always answering on top; 0 if none is proven."""
        return zugzwang_square(self.game, self.own, self.other)

    def lines_through(self, square: int) -> int:
        """The number of lines through a square that have no stone of the other player."""
        return sum(1 for four in self.game.fours if four & square and not four & self.other)

    def move_onto(self, square: int) -> Move:
        """The column of a square."""
        return Move((square.bit_length() - 1) // STRIDE)

    def place_of(self, square: int) -> Square:
        """A square as positions name it."""
        column, height = divmod(square.bit_length() - 1, STRIDE)
        return Square(self.game.rows - 1 - height, column)

    def is_fork(self, square: int) -> bool:
        """Whether a stone there gives the player more threats than the other can stop."""
        board = self.after(square)
        if board.swapped.wins:
            return False
        # Two squares, or one that the other has to take and the one above it.
        return has_several(board.wins) or any(
            board.above(win) & board.threats for win in bits_in(board.wins)
        )

    def is_safe(self, square: int) -> bool:
        """Whether the other player cannot win directly after the player puts a stone there."""
        return not (self.swapped.wins & ~square or self.above(square) & self.swapped.threats)


def board_of(position: Connect4Position) -> Board:
    """The board of a position as the player to move sees it."""
    stones = (position.first, position.second)
    return Board(position.game, *(stones if position.to_move is Player.FIRST else stones[::-1]))


def reasons(position: Connect4Position, move: Move) -> Reasons:
    """The reasons for and against a legal move."""
    here = board_of(position)
    return reasons_on(here, _square_of(here, move), position.to_move)


def plans(position: Connect4Position, move: Move) -> tuple[Plan, ...]:
    """What a legal move prepares, the weightiest first."""
    here = board_of(position)
    return plans_on(here, _square_of(here, move), position.to_move)


def favoured_in(position: Connect4Position) -> Player | None:
    """The player whose waiting threats usually decide a full board; None for neither."""
    return favoured(Board(position.game, position.first, position.second))


def threat_map(position: Connect4Position) -> ThreatMap:
    """The squares that complete a line, and whom they suit on a full board."""
    first = Board(position.game, position.first, position.second)
    return map_of(first, position.to_move, falls=True)


def _square_of(here: Board, move: Move) -> int:
    """The square on which the stone of a legal move lands."""
    return next(one for one in bits_in(here.playable) if here.move_onto(one) == move)


def threats(position: Connect4Position) -> tuple[Threat, ...]:
    """The threats of a position that is not over, the most urgent first."""
    mover, here = position.to_move, board_of(position)
    found = (*_immediate(here, mover), *_decisive(here, mover), *_lasting(here, mover))
    return found or (Threat(ThreatKind.QUIET, mover),)


def _immediate(here: Board, mover: Player) -> Iterator[Threat]:
    """Statements that decide the game with this move or the next."""
    wins, dangers = here.wins, here.swapped.wins
    if wins:
        yield _of(ThreatKind.WIN, mover, here, wins)
    safe = [square for square in bits_in(here.playable) if here.is_safe(square)]
    is_double = not wins and has_several(dangers)
    if dangers:
        kind = ThreatKind.DOUBLE if is_double else ThreatKind.THREAT
        yield _of(kind, mover.other, here, dangers)
    if wins:
        return
    if not safe and not is_double:
        yield Threat(ThreatKind.HELPLESS, mover)
    yield from _at_any(ThreatKind.FORK, mover, here, (s for s in safe if here.is_fork(s)))
    if len(safe) == 1 and has_several(here.playable):
        yield _of(ThreatKind.FORCED, mover, here, safe[0])


def _decisive(here: Board, mover: Player) -> Iterator[Threat]:
    """Statements about wins that can be prevented, or that follow from a strategy."""
    yield from _zugzwang(here, mover)
    there = here.swapped
    if not there.wins:
        forks = (square for square in bits_in(here.playable) if there.is_fork(square))
        yield from _at_any(ThreatKind.FORK, mover.other, here, forks)
    for board, player in ((there, mover.other), (here, mover)):
        below = (s for s in bits_in(here.playable) if here.above(s) & board.threats)
        kind = ThreatKind.SPENDS if player is mover else ThreatKind.GIVES
        given = sum(below)
        if given:
            yield Threat(kind, player, _squares(here, given << UP), _moves(given))


def _zugzwang(here: Board, mover: Player) -> Iterator[Threat]:
    target = zugzwang_square(here.game, here.other, here.own)
    if target:
        yield Threat(ThreatKind.ZUGZWANG, mover.other, _squares(here, target))
    if here.wins:
        return
    by_target = dict[int, int]()
    for square in bits_in(here.playable):
        target = zugzwang_square(here.game, here.own | square, here.other)
        if target:
            by_target[target] = by_target.get(target, 0) | square
    for target, squares in by_target.items():
        yield Threat(ThreatKind.ZUGZWANG, mover, _squares(here, target), _moves(squares))


def _lasting(here: Board, mover: Player) -> Iterator[Threat]:
    """Statements about squares that matter later."""
    both = ((here.swapped, mover.other), (here, mover))
    for board, player in both:
        for lower in bits_in(board.threats):
            upper = board.above(lower) & board.threats
            if upper:
                yield Threat(ThreatKind.STACKED, player, _squares(here, lower | upper))
    for board, player in both:
        for ends in triples(here.game.rows, here.game.columns, board.own, board.threats):
            yield Threat(ThreatKind.OPEN_THREE, player, _squares(here, ends))
    for board, player in both:
        later = board.threats & ~board.playable
        for kind, parity in ((ThreatKind.ODD, 1), (ThreatKind.EVEN, 0)):
            squares = sum(s for s in bits_in(later) if _row(s) % 2 == parity)
            if squares:
                yield Threat(kind, player, _squares(here, squares))


def _row(square: int) -> int:
    """The row of a square, counted from 1 at the bottom."""
    return (square.bit_length() - 1) % STRIDE + 1


def _at_any(
    kind: ThreatKind, player: Player, here: Board, squares: Iterable[int]
) -> Iterator[Threat]:
    """One statement about all squares for which it holds, if there are any."""
    every = sum(squares)
    if every:
        yield _of(kind, player, here, every)


def _of(kind: ThreatKind, player: Player, here: Board, playable: int) -> Threat:
    """A statement about squares that can be played now."""
    return Threat(kind, player, _squares(here, playable), _moves(playable))


def _squares(here: Board, word: int) -> tuple[Square, ...]:
    """The squares of a word, from the left and in a column from the bottom."""
    return tuple(here.place_of(square) for square in bits_in(word))


def _moves(word: int) -> tuple[Move, ...]:
    """The columns of the squares of a word."""
    return tuple(Move((square.bit_length() - 1) // STRIDE) for square in bits_in(word))


def zugzwang_square(game: Connect4, own: int, other: int) -> int:
    """The square on which the player with the stones `own` wins, if the other one is to move.

    0 where the strategy does not prove a win.
    """
    taken = own | other
    heights = [(taken >> bit & 0xFF).bit_count() for bit in range(0, 8 * game.columns, 8)]
    uneven = [c for c, height in enumerate(heights) if (game.rows - height) % 2]
    if len(uneven) > 1:
        return 0
    wins = completing(game.fours, own, taken)
    for column in uneven or range(game.columns):
        for height in range(heights[column] + 1, game.rows, 2):
            square = bit_of(column, height)
            if wins & square and _cannot_lose(game, other, heights, column, height):
                return square
    return 0


def _cannot_lose(game: Connect4, other: int, heights: list[int], column: int, height: int) -> bool:
    """Whether the other player's stones make no line with all the squares that they can get."""
    for each, filled in enumerate(heights):
        top = height if each == column else game.rows
        for square in range(filled, top, 2):
            other |= bit_of(each, square)
    return all(four & other != four for four in game.fours)
