"""Short codes for positions, such as `1h0qk8`, which people copy and send.

A code is a version, a number and two check characters, in the digits of Crockford's base 32 [1],
which has no letters that look like others. Capitals, `o` for `0` and `i` or `l` for `1` are
accepted, and spaces and hyphens are ignored. The number holds, from its lowest digits up,

    the game, by its package's `code`          to the base 32
    the variant, in the order of the game's    to the base 32
    whether there are bombs on the board       to the base 2
    the squares, row by row from the top       to the base 3, or 5 with bombs
    stones that were removed                   the rest

The check characters are the rest modulo 1021, the largest prime below 32 squared: they detect any
change of a single character and any swap of two neighbours. New games and variants are added at the
end of their lists, so existing codes stay valid.

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
"""The most characters of a code."""

_CHECK = 1021

_KINDS = 32
"""The number of games, and of variants of one game, that a code can name."""

_CELLS = tuple(Cell)
"""The content of a square as a digit: first the contents of boards without bombs."""

_PLAIN = 3

_READ = str.maketrans("oil", "011")


class NotACode(ValueError):
    """The text is not a valid position code: mistyped, truncated, or of an unknown version."""


def code_of(position: Position) -> str:
    """Return the code of a position, independent of the moves that led to it.

    Raises KeyError for a game without codes, whose positions cannot be rebuilt from a board.
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
    """Return the position of a code; raises NotACode."""
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
    # A position has exactly one code: no leading zeros, and bombs only if there are any.
    if code_of(position) != _signed(body):
        raise NotACode("the code is longer than it need be")
    return position


def _placed(number: int, package: GamePackage, game: Game) -> Position:
    """The position encoded by the rest of a code's number, once its game is known."""
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
    """The position with this board after `ply` moves; raises NotAPosition."""
    if package.place is None:
        raise NotAPosition("positions of this game cannot be rebuilt")
    return package.place(game, board, ply)


def _checked(code: str) -> str:
    """A normalised code without its check characters; raises NotACode if these do not match."""
    signs = re.sub(r"[\s-]", "", code[: 4 * LONGEST]).lower().translate(_READ)
    if not re.fullmatch(rf"[{SIGNS}]{{4,{LONGEST}}}", signs):
        raise NotACode("the text has another length, or other signs, than a code")
    if _signed(signs[:-2]) != signs:
        raise NotACode("the check does not fit: a sign is wrong, or is missing")
    if not signs.startswith(VERSION):
        raise NotACode("the code is of another version")
    return signs[:-2]


def _signed(body: str) -> str:
    """A code's body with its check characters."""
    rest = 0
    for sign in body:
        rest = (_KINDS * rest + SIGNS.index(sign)) % _CHECK
    return body + SIGNS[rest // _KINDS] + SIGNS[rest % _KINDS]


def _digits(number: int) -> Iterator[str]:
    """A number in base 32, the highest digit first."""
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
