"""Positions as short codes that people copy and send: `1h0qk8`.

A code is a version, a number and two check characters, in the 32 signs of Crockford's base 32 [1],
which has no letters that look like others: capitals, `o` for `0` and `i` or `l` for `1` are read as
well, spaces and hyphens are passed over. The number holds, from its lowest digits up,

    the game, by its package's `code`          to the base 32
    the variant, in the order of the game's    to the base 32
    whether there are bombs on the board       to the base 2
    the squares, row by row from the top       to the base 3, or 5 with bombs
    stones that are gone                       what is left

The check is the code's rest modulo 1021, the largest prime below 32 squared: whichever single sign
is changed, and whichever two neighbours are swapped, it does not fit any more. New games and
variants come last in their lists, so codes stay what they are.

[1] D. Crockford, Base 32, https://www.crockford.com/base32.html
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from engine.core.boards import Board, stones_on
from engine.core.game import Cell, Game, NotAPosition, Position
from engine.core.package import GamePackage
from engine.core.registry import games, package_of

SIGNS = "0123456789abcdefghjkmnpqrstvwxyz"

VERSION = "1"

LONGEST = 30
"""Signs that no code exceeds."""

_CHECK = 1021

_KINDS = 32
"""Games, and variants of one, that a code can name."""

_CELLS = tuple(Cell)
"""What a square holds, as a digit: first all that boards without bombs hold."""

_PLAIN = 3

_READ = str.maketrans("oil", "011")


class NotACode(ValueError):
    """The text is no position's code: mistyped, cut off, or of a version that is not known."""


def code_of(position: Position) -> str:
    """Return the code of a position, whichever moves have led to it.

    Raises KeyError for a game that has no codes, since its positions cannot be rebuilt.
    """
    game = position.game
    package = package_of(game)
    if package.code is None:
        raise KeyError(game.key)
    board = position.cells()
    cells = [cell for row in board for cell in row]
    has_bombs = any(cell.is_bomb for cell in cells)
    number = position.ply - stones_on(board)
    for cell in reversed(cells):
        number = number * _base(has_bombs) + _CELLS.index(cell)
    number = 2 * number + has_bombs
    number = _KINDS * number + package.variants.index(game.variant)
    number = _KINDS * number + package.code
    return _signed(VERSION + "".join(_digits(number)))


def position_of(code: str) -> Position:
    """Return the position that a code stands for; raises NotACode."""
    body = _checked(code)
    number = 0
    for sign in body[len(VERSION) :]:
        number = _KINDS * number + SIGNS.index(sign)
    number, package = _package(number)
    number, game = _game(number, package)
    try:
        position = _placed(number, package, game)
    except NotAPosition as error:
        raise NotACode(str(error)) from error
    # One code a position: no zeros in front, and bombs only where there are any.
    if code_of(position) != _signed(body):
        raise NotACode("the code is longer than it need be")
    return position


def _placed(number: int, package: GamePackage, game: Game) -> Position:
    """The position that is left of a code's number once its game is known."""
    number, has_bombs = divmod(number, 2)
    rows, columns = len(game.start().cells()), len(game.column_names)
    board: list[list[Cell]] = []
    for _ in range(rows):
        board.append([])
        for _ in range(columns):
            number, kind = divmod(number, _base(bool(has_bombs)))
            board[-1].append(_CELLS[kind])
    return place(package, game, board, stones_on(board) + number)


def place(package: GamePackage, game: Game, board: Board, ply: int) -> Position:
    """The position with a board after `ply` moves; raises NotAPosition."""
    if package.place is None:
        raise NotAPosition("positions of this game cannot be rebuilt")
    return package.place(game, board, ply)


def _checked(code: str) -> str:
    """A code without its check, in its own signs; raises NotACode where that does not fit."""
    signs = re.sub(r"[\s-]", "", code[: 4 * LONGEST]).lower().translate(_READ)
    if not re.fullmatch(rf"[{SIGNS}]{{4,{LONGEST}}}", signs):
        raise NotACode("the text has another length, or other signs, than a code")
    if _signed(signs[:-2]) != signs:
        raise NotACode("the check does not fit: a sign is wrong, or is missing")
    if not signs.startswith(VERSION):
        raise NotACode("the code is of another version")
    return signs[:-2]


def _signed(body: str) -> str:
    """A code's body with its check."""
    rest = 0
    for sign in body:
        rest = (_KINDS * rest + SIGNS.index(sign)) % _CHECK
    return body + SIGNS[rest // _KINDS] + SIGNS[rest % _KINDS]


def _digits(number: int) -> Iterator[str]:
    """A number in signs, the highest first."""
    width = max(-(-number.bit_length() // 5), 1)
    return (SIGNS[number >> 5 * at & 31] for at in reversed(range(width)))


def _package(number: int) -> tuple[int, GamePackage]:
    number, code = divmod(number, _KINDS)
    for package in games().values():
        if package.code == code:
            return number, package
    raise NotACode("there is no such game")


def _game(number: int, package: GamePackage) -> tuple[int, Game]:
    number, at = divmod(number, _KINDS)
    if at >= len(package.variants):
        raise NotACode("there is no such variant")
    return number, package.from_variant(package.variants[at])


def _base(has_bombs: bool) -> int:
    return len(_CELLS) if has_bombs else _PLAIN
