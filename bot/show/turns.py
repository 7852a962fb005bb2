"""What a player did in one turn, which in some games is several moves: as marks and in words."""

from __future__ import annotations

from collections.abc import Sequence

from bot.words import Say
from engine.core.game import Game, Move, Position, Square, carried
from renderers import Movement, Turn


def latest_turn_of(game: Game, moves: Sequence[Move]) -> tuple[Position, list[Move]]:
    """The position before the latest turn of a game, and the moves made in it; none before one."""
    return latest_turn_from(game.start(), moves)


def latest_turn_from(start: Position, moves: Sequence[Move]) -> tuple[Position, list[Move]]:
    """The same of moves from any position."""
    positions = [start]
    for move in moves:
        positions.append(positions[-1].play(move))
    begun = len(moves)
    while begun and positions[begun - 1].to_move is positions[len(moves) - 1].to_move:
        begun -= 1
    return positions[begun], list(moves[begun:])


def told_turn(before: Position, made: Sequence[Move], say: Say) -> Turn:
    """The moves of a turn for the alternative text."""
    position, movements = before, []
    for move in made:
        changes, label = position.changes(move), position.game.label(move)
        if changes.target is None:
            movements.append(Movement(changes.origin, say.move(position.game.key, label)))
        else:
            movements.append(Movement(changes.target))
        position = position.play(move)
    return Turn(before.to_move, tuple(movements))


def turn_squares(before: Position, made: Sequence[Move]) -> frozenset[Square]:
    """The squares on which the moves of a turn have left their stones, or have acted."""
    position, squares = before, frozenset[Square]()
    for move in made:
        squares = carried(squares, position.changes(move))
        position = position.play(move)
    return squares


def squares_at_risk(position: Position) -> frozenset[Square]:
    """The squares that the announced moves of a position would empty."""
    return frozenset(
        square for move in position.announced() for square in position.changes(move).removed
    )
