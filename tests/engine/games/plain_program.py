"""A student's program as plain Python: minimax without cutoffs, which takes the first of equals."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from engine.core.game import Game, Move, Player, Position

Leaf = Callable[[Position, Player], int]
"""The value of a position for a player, without looking ahead."""


def plain_choice(position: Position, depth: int, won: int, leaf: Leaf) -> Move:
    """The first of the moves with the highest value; all wins are worth `won`."""
    best, chosen = -won - 1, position.legal_moves()[0]
    for move in position.legal_moves():
        value = _value(position.play(move), depth - 1, won, leaf, position.to_move)
        if value > best:
            best, chosen = value, move
    return chosen


def _value(position: Position, depth: int, won: int, leaf: Leaf, agent: Player) -> int:
    if position.outcome is not None:
        winner = position.outcome.winner
        return 0 if winner is None else won if winner is agent else -won
    if depth == 0:
        return leaf(position, agent)
    values = [
        _value(position.play(move), depth - 1, won, leaf, agent) for move in position.legal_moves()
    ]
    return max(values) if position.to_move is agent else min(values)


def fours(position: Position) -> list[list[Player | None]]:
    """The owners of the squares of every four in line."""
    cells = [[cell.owner for cell in row] for row in position.cells()]
    rows, columns = len(cells), len(cells[0])
    return [
        [cells[row + n * up][column + n * right] for n in range(4)]
        for row in range(rows)
        for column in range(columns)
        for up, right in ((0, 1), (1, 0), (1, 1), (1, -1))
        if row + 3 * up < rows and 0 <= column + 3 * right < columns
    ]


def random_position(game: Game, rng: Random, moves: int) -> Position:
    """A position after this many random moves that do not end the game."""
    while True:
        position = game.start()
        while position.ply < moves and position.outcome is None:
            position = position.play(rng.choice(position.legal_moves()))
        if position.outcome is None:
            return position
