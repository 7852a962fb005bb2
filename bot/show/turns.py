"""What a player did in one turn, which in some games is several moves: for eyes and for ears."""

from __future__ import annotations

from collections.abc import Sequence

from bot.words import Say
from engine.core.game import Game, Move, Player, Position, Square
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
    """The moves of a turn for who cannot see them."""
    player, position, movements = before.to_move, before, []
    for move in made:
        square, word = position.target(move), ""
        if square is None:
            label = position.game.label(move)
            square, word = _bomb_of(player, position), say.move(position.game.key, label)
        movements.append(Movement(square, word))
        position = position.play(move)
    return Turn(player, tuple(movements))


def turn_squares(before: Position, made: Sequence[Move]) -> frozenset[Square]:
    """The squares on which the moves of a turn have left their stones."""
    position, squares = before, set[Square]()
    for move in made:
        target = position.target(move)
        squares = _after_blast(position, squares) if target is None else squares | {target}
        position = position.play(move)
    return frozenset(squares)


def blast(position: Position) -> frozenset[Square]:
    """The squares that the bomb of the player to move would empty; none where there is no bomb."""
    cells = position.cells()
    mover = position.to_move
    for row, line in enumerate(cells):
        if any(cell.is_bomb and cell.owner is mover for cell in line):
            return frozenset(
                Square(row, column)
                for column, cell in enumerate(line)
                if cell.owner is mover.other or (cell.is_bomb and cell.owner is mover)
            )
    return frozenset()


def _bomb_of(player: Player, position: Position) -> Square | None:
    """Where a player's bomb is, if they have one."""
    cells = (
        (Square(r, c), cell) for r, row in enumerate(position.cells()) for c, cell in enumerate(row)
    )
    return next((at for at, cell in cells if cell.is_bomb and cell.owner is player), None)


def _after_blast(position: Position, squares: set[Square]) -> set[Square]:
    """Where marked stones are once a bomb has exploded, and where the bomb was."""
    emptied = blast(position)
    fallen = {
        Square(square.row + 1, square.column)
        if any(e.column == square.column and e.row > square.row for e in emptied)
        else square
        for square in squares - emptied
    }
    bombs = {
        square
        for square in emptied
        if (cell := position.cells()[square.row][square.column]).is_bomb
        and cell.owner is position.to_move
    }
    return fallen | bombs
