"""Positions as short codes that people copy and send: `1h0qk8`.

A code is a version, a number and two check characters, in the 32 signs of Crockford's base 32 [1],
which has no letters that look like others: capitals, `o` for `0` and `i` or `l` for `1` are read as
well, spaces and hyphens are passed over. The number holds, from its lowest digits up,

    the family, in the order of `FAMILIES`     to the base 32
    the variant, in the order of the family's  to the base 32
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
from engine.core.package import Family
from engine.core.registry import FAMILIES

SIGNS = "0123456789abcdefghjkmnpqrstvwxyz"

VERSION = "1"

LONGEST = 30
"""Signs that no code exceeds."""

_CHECK = 1021

_KINDS = 32
"""Families, and variants of one, that a code can name."""

_CELLS = tuple(Cell)
"""What a square holds, as a digit: first all that boards without bombs hold."""

_PLAIN = 3

_READ = str.maketrans("oil", "011")


class NotACode(ValueError):
    """The text is no position's code: mistyped, cut off, or of a version that is not known."""


def code_of(position: Position) -> str:
    """The code of a position, whichever moves have led to it.

    Raises KeyError for a game that has no codes, since its positions cannot be rebuilt.
    """
    game = position.game
    family = FAMILIES[game.key]
    if family.place is None:
        raise KeyError(game.key)
    board = position.cells()
    cells = [cell for row in board for cell in row]
    has_bombs = any(cell.is_bomb for cell in cells)
    number = position.ply - stones_on(board)
    for cell in reversed(cells):
        number = number * _base(has_bombs) + _CELLS.index(cell)
    number = 2 * number + has_bombs
    number = _KINDS * number + family.variants.index(game.variant)
    number = _KINDS * number + list(FAMILIES).index(game.key)
    return _signed(VERSION + "".join(_digits(number)))


def position_of(code: str) -> Position:
    """The position that a code stands for; raises NotACode."""
    body = _checked(code)
    number = 0
    for sign in body[len(VERSION) :]:
        number = _KINDS * number + SIGNS.index(sign)
    number, family = _family(number)
    number, game = _game(number, family)
    try:
        position = _placed(number, family, game)
    except NotAPosition as error:
        raise NotACode(str(error)) from error
    # One code a position: no zeros in front, and bombs only where there are any.
    if code_of(position) != _signed(body):
        raise NotACode("the code is longer than it need be")
    return position


def _placed(number: int, family: Family, game: Game) -> Position:
    """The position that is left of a code's number once its game is known."""
    number, has_bombs = divmod(number, 2)
    rows, columns = len(game.start().cells()), len(game.column_names)
    board: list[list[Cell]] = []
    for _ in range(rows):
        board.append([])
        for _ in range(columns):
            number, kind = divmod(number, _base(bool(has_bombs)))
            board[-1].append(_CELLS[kind])
    return place(family, game, board, stones_on(board) + number)


def place(family: Family, game: Game, board: Board, ply: int) -> Position:
    """The position with a board after so many moves; raises NotAPosition."""
    if family.place is None:
        raise NotAPosition("positions of this game cannot be rebuilt")
    return family.place(game, board, ply)


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


def _family(number: int) -> tuple[int, Family]:
    number, at = divmod(number, _KINDS)
    families = list(FAMILIES.values())
    if at >= len(families):
        raise NotACode("there is no such game")
    return number, families[at]


def _game(number: int, family: Family) -> tuple[int, Game]:
    number, at = divmod(number, _KINDS)
    if at >= len(family.variants):
        raise NotACode("there is no such variant")
    return number, family.from_variant(family.variants[at])


def _base(has_bombs: bool) -> int:
    return len(_CELLS) if has_bombs else _PLAIN
