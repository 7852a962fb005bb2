"""Positions from boards alone, without the moves that led there.

What no game leads to is refused: books hold only what games lead to, and nobody learns from the
rest. Of Connect 4 the order of the stones is looked for as well; where that would take long, with
many stones, a board is believed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from engine.boom import BOMB_EVERY, Boom, BoomPosition, mover_of, round_of
from engine.connect4 import Connect4, Connect4Position, bit_of
from engine.game import Cell, NotAPosition, Outcome, Player
from engine.gato import FULL, LINES, Gato, GatoPosition, squares_of

Board = Sequence[Sequence[Cell]]
"""Rows from the top, each from the left, as `Position.cells` gives them."""
LOOKED_AT = 4_000
"""Boards that the search for an order of the stones may look at: some milliseconds. With twelve
stones, as many as books know, there are never more."""
Stones = tuple[tuple[Player, ...], ...]
"""The owners of the stones of every column from the left, each from the bottom up."""


def stones_on(board: Board) -> int:
    """How many stones a board holds."""
    return sum(cell is not Cell.EMPTY for row in board for cell in row)


def place_connect4(game: Connect4, board: Board, ply: int) -> Connect4Position:
    """A position of Connect 4; raises NotAPosition for a board that cannot come about."""
    columns = _columns(board, game.rows, game.columns)
    _require_alternating(board, ply)
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
    _require_order(owners, ply, lambda stone: _breaks(won, bit_of(*stone)))
    outcome = None
    if won:
        winner = Player.FIRST if won[0] & first else Player.SECOND
        outcome = Outcome(winner, frozenset(s for four in won for s in game.squares(four)))
    elif ply == game.rows * game.columns:
        outcome = Outcome(None)
    return Connect4Position(game, first, second, outcome)


def place_gato(game: Gato, board: Board, ply: int) -> GatoPosition:
    """A position of Gato; raises NotAPosition for a board that cannot come about."""
    _require_size(board, len(game.row_names), len(game.column_names))
    _require_alternating(board, ply)
    cells = [cell for row in board for cell in row]
    first, second = (
        sum(1 << at for at, cell in enumerate(cells) if cell.owner is player) for player in Player
    )
    won = [line for line in LINES if line in (line & first, line & second)]
    last = second if ply % 2 == 0 else first
    if won and not any(_breaks(won, 1 << at) for at in range(len(cells)) if last >> at & 1):
        raise NotAPosition("the game was over before its last stone")
    outcome = None
    if won:
        winner = Player.FIRST if won[0] & first else Player.SECOND
        outcome = Outcome(winner, frozenset(s for line in won for s in squares_of(line)))
    elif first | second == FULL:
        outcome = Outcome(None)
    return GatoPosition(game, first, second, outcome)


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


def _columns(board: Board, rows: int, columns: int) -> tuple[tuple[Cell, ...], ...]:
    """The stones of every column from the bottom up; raises NotAPosition for one that floats."""
    _require_size(board, rows, columns)
    found = []
    for column in range(columns):
        cells = [row[column] for row in reversed(board)]
        height = sum(cell is not Cell.EMPTY for cell in cells)
        if Cell.EMPTY in cells[:height]:
            raise NotAPosition("a stone rests on nothing")
        found.append(tuple(cells[:height]))
    return tuple(found)


def _require_size(board: Board, rows: int, columns: int) -> None:
    if len(board) != rows or any(len(row) != columns for row in board):
        raise NotAPosition(f"the board has {rows} rows and {columns} columns")


def _require_alternating(board: Board, ply: int) -> None:
    """Refuse bombs, and what players cannot have put who move in turn."""
    cells = [cell for row in board for cell in row]
    first, second = (cells.count(kind) for kind in (Cell.FIRST, Cell.SECOND))
    if any(cell.is_bomb for cell in cells):
        raise NotAPosition("this game has no bombs")
    if (first, second) != (ply - ply // 2, ply // 2):
        raise NotAPosition("the players move in turn, the first one first")


def _breaks(lines: Iterable[int], stone: int) -> bool:
    """Whether every line goes through a stone."""
    return all(line & stone for line in lines)


def _require_order(
    columns: Stones, ply: int, may_be_last: Callable[[tuple[int, int]], bool]
) -> None:
    """Refuse stones that players who move in turn cannot have dropped one upon the other.

    Args:
        columns: Whose they are.
        ply: How many there are.
        may_be_last: Whether the stone at a column and height may have been the last one.
    """
    heights = tuple(map(len, columns))
    seen, open_ = {heights}, [heights]
    while open_ and len(seen) < LOOKED_AT:
        at = open_.pop()
        left = sum(at)
        if not left:
            return
        last = Player.FIRST if left % 2 else Player.SECOND
        for column, height in enumerate(at):
            if not height or columns[column][height - 1] is not last:
                continue
            if left == ply and not may_be_last((column, height - 1)):
                continue
            before = (*at[:column], height - 1, *at[column + 1 :])
            if before not in seen:
                seen.add(before)
                open_.append(before)
    if not open_:
        raise NotAPosition("no order of moves leads to this board")
