"""One name for all positions that are the same but for a symmetry of the board."""

from __future__ import annotations

from hashlib import blake2b

from engine.game import Game, Position
from engine.games import FAMILIES, fills_its_board
from engine.position_code import SIGNS
from engine.symmetry import Images

BOMB_CYCLE = 16
"""Movements of BOOM after which bombs come again: only where in this cycle a position stands
matters, as no puzzle is near the longest game."""
LETTERS = SIGNS.upper()
"""Of ids: no letter that looks like a digit."""
ID_LENGTH = 6


def canonical(position: Position) -> str:
    """The same text for all positions that a symmetry turns into each other, else another.

    How a position was reached does not matter. Stones are told apart by who put them, and who is to
    move follows from the number of stones, or in BOOM from where in its cycle it stands.
    """
    game = position.game
    cells = "".join(cell for row in position.cells() for cell in row)
    board = min("".join(cells[square] for square in image) for image in images(game))
    phase = "" if fills_its_board(game) else f"@{position.ply % BOMB_CYCLE}"
    return f"{game.key}:{game.variant}:{board}{phase}"


def id_of(position: Position) -> str:
    """The id of the puzzle that a position asks."""
    number = int.from_bytes(blake2b(canonical(position).encode(), digest_size=8).digest())
    return "".join(LETTERS[number >> 5 * place & 31] for place in range(ID_LENGTH))


def images(game: Game) -> Images:
    """All symmetries of a game's board that keep its rules, the identity first."""
    return FAMILIES[game.key].images(game)
