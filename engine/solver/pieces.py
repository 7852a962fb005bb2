"""The positions of a book's deepest layer in pieces that other processes can solve."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from engine.connect4 import Connect4, Connect4Position
from engine.search import Stop
from engine.solver.retrograde import Layer
from engine.solver.solver import Solver
from engine.values import Value

TABLE_BITS = 22
"""Of the table with which positions are solved: 128 MiB."""
SIZE = 16
"""Positions of a piece: enough that sending it costs nothing, few enough to lose with a worker."""


@dataclass(frozen=True, slots=True)
class Piece:
    """Positions to solve, each by its place in the layer and the stones of either side."""

    rows: int
    columns: int
    positions: tuple[tuple[int, int, int], ...]


Solved = tuple[tuple[int, int], ...]
"""Places in the layer with the ends found for them."""


def pieces(game: Connect4, layer: Layer, indices: Sequence[int]) -> Iterator[Piece]:
    """These positions of a layer, in pieces."""
    for begin in range(0, len(indices), SIZE):
        chosen = indices[begin : begin + SIZE]
        positions = tuple((i, int(layer.firsts[i]), int(layer.seconds[i])) for i in chosen)
        yield Piece(game.rows, game.columns, positions)


def solve_piece(piece: Piece) -> Solved:
    """Solve a piece's positions."""
    game = Connect4(piece.rows, piece.columns)
    solver = Solver(game, table_bits=TABLE_BITS)
    found = []
    for index, first, second in piece.positions:
        end = end_of(solver, Connect4Position(game, first, second))
        assert end is not None, "nothing stops it"
        found.append((index, end))
    return tuple(found)


def end_of(solver: Solver, position: Connect4Position, stop: Stop | None = None) -> int | None:
    """The end of a position; None if the search was stopped."""
    score = solver.solve(position, stop).score
    if score is None:
        return None
    squares = position.game.rows * position.game.columns
    return Value.from_score(score, position.to_move, squares).end
