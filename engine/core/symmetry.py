"""The symmetries of boards, and whether two positions may belong to one game.

Players must not learn what is best in a position that their game has come through, or may still
come to, nor in a mirror image of one. Where this is uncertain, positions count as related.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from typing import Any

from engine.core.game import Cell, Game, Position

Images = tuple[tuple[int, ...], ...]
"""For each symmetry the squares, numbered row by row from the top, in the order of the image; the
identity comes first."""


def unchanged(game: Game) -> Images:
    """The identity alone: what is true of every board."""
    return mirror_images(game)[:1]


def mirror_images(game: Game) -> Images:
    """The board and its mirror image, left for right."""
    return _mirror_images(len(game.start().cells()), len(game.column_names))


@cache
def _mirror_images(rows: int, columns: int) -> Images:
    same = tuple(range(rows * columns))
    mirrored = (row * columns + columns - 1 - at for row in range(rows) for at in range(columns))
    return same, tuple(mirrored)


def always(_one: Any, _other: Any) -> bool:
    """Whether positions may be of one game, where nothing can be told: where stones come and go."""
    return True


def related_by(images: Callable[[Game], Images]) -> Callable[[Any, Any], bool]:
    """A function that says whether positions may be of one game, in games whose stones stay."""

    def related(one: Position, other: Position) -> bool:
        if one.game != other.game:
            return False
        fewer, more = (_squares(each) for each in sorted((one, other), key=lambda each: each.ply))
        return any(_is_within((fewer[at] for at in image), more) for image in images(one.game))

    return related


def _is_within(fewer: Iterable[Cell], more: Iterable[Cell]) -> bool:
    """Whether all stones of one board are on the other too."""
    return all(cell in (Cell.EMPTY, there) for cell, there in zip(fewer, more, strict=True))


def _squares(position: Position) -> list[Cell]:
    """What stands on the squares, row by row from the top."""
    return [cell for row in position.cells() for cell in row]
