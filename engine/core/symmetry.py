"""The symmetries of boards, and whether two positions may belong to one game.

Players must not learn the best move in a position that occurred or may still occur in their game,
nor in a mirror image of one. If this is uncertain, positions count as related.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from typing import Any

from engine.core.game import Cell, Game, Position

Images = tuple[tuple[int, ...], ...]
"""For each symmetry the squares, numbered row by row from the top, in the order of the image; the
identity comes first."""


def identity_only(game: Game) -> Images:
    """The identity alone, which holds for every board."""
    return mirror_images(game)[:1]


def mirror_images(game: Game) -> Images:
    """The identity and the reflection of left and right."""
    return _mirror_images(len(game.start().cells()), len(game.column_names))


@cache
def _mirror_images(rows: int, columns: int) -> Images:
    same = tuple(range(rows * columns))
    mirrored = (row * columns + columns - 1 - at for row in range(rows) for at in range(columns))
    return same, tuple(mirrored)


def always_related(_one: Any, _other: Any) -> bool:
    """Always True: the relation for games whose stones come and go, where nothing is excluded."""
    return True


def related_by(images: Callable[[Game], Images]) -> Callable[[Any, Any], bool]:
    """Return a relation: whether two positions may belong to one game, if stones stay."""

    def related(one: Position, other: Position) -> bool:
        if one.game != other.game:
            return False
        fewer, more = (_squares(each) for each in sorted((one, other), key=lambda each: each.ply))
        return any(_is_within((fewer[at] for at in image), more) for image in images(one.game))

    return related


def _is_within(fewer: Iterable[Cell], more: Iterable[Cell]) -> bool:
    """Whether one board has all stones of the other."""
    return all(cell in (Cell.EMPTY, there) for cell, there in zip(fewer, more, strict=True))


def _squares(position: Position) -> list[Cell]:
    """The contents of the squares, row by row from the top."""
    return [cell for row in position.cells() for cell in row]
