"""One name for all positions that are the same but for a symmetry of the board."""

from __future__ import annotations

from functools import cache
from hashlib import blake2b
from itertools import permutations

from engine.boom import Boom
from engine.game import Game, Position
from engine.gato import LINES, SIDE, SQUARES, Gato

BOMB_CYCLE = 16
"""Movements of BOOM after which bombs come again: only where in this cycle a position stands
matters, as no puzzle is near the longest game."""
LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Of ids: no letter that looks like a digit."""
ID_LENGTH = 6

Images = tuple[tuple[int, ...], ...]
"""For each symmetry the squares, numbered row by row from the top, in the order of the image."""


def canonical(position: Position) -> str:
    """The same text for all positions that a symmetry turns into each other, else another.

    How a position was reached does not matter. Stones are told apart by who put them, and who is to
    move follows from the number of stones, or in BOOM from where in its cycle it stands.
    """
    game = position.game
    cells = "".join(cell for row in position.cells() for cell in row)
    board = min("".join(cells[square] for square in image) for image in images(game))
    phase = f"@{position.ply % BOMB_CYCLE}" if isinstance(game, Boom) else ""
    return f"{game.key}:{game.variant}:{board}{phase}"


def id_of(position: Position) -> str:
    """The id of the puzzle that a position asks."""
    number = int.from_bytes(blake2b(canonical(position).encode(), digest_size=8).digest())
    return "".join(LETTERS[number >> 5 * place & 31] for place in range(ID_LENGTH))


def images(game: Game) -> Images:
    """All symmetries of a game's board that keep its rules, the identity first."""
    if isinstance(game, Gato):
        return _gato_images()
    rows, columns = (int(side) for side in game.variant.partition("-")[0].split("x"))
    return _mirror_images(rows, columns)


@cache
def _mirror_images(rows: int, columns: int) -> Images:
    same = tuple(range(rows * columns))
    mirrored = tuple(
        row * columns + columns - 1 - at for row in range(rows) for at in range(columns)
    )
    return same, mirrored


@cache
def _gato_images() -> Images:
    """Rotations and reflections, and exchanges of rows and columns that keep all ten lines.

    Rows may change places if columns do so in the same way (which keeps one diagonal), and the
    other diagonal stays if the order is symmetric.
    """
    lines = set(LINES)
    found = []
    for order in permutations(range(SIDE)):
        for columns in permutations(range(SIDE)):
            for turned in (False, True):
                image = tuple(
                    SIDE * columns[at] + order[row] if turned else SIDE * order[row] + columns[at]
                    for row in range(SIDE)
                    for at in range(SIDE)
                )
                moved = {
                    sum(1 << image[square] for square in range(SQUARES) if line >> square & 1)
                    for line in LINES
                }
                if moved == lines:
                    found.append(image)
    return tuple(found)
