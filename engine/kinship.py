"""Positions of one and the same game: whether one may come of the other, in a mirror as well.

Whoever plays must not learn what is best from a position that their game has come through, or that
it may still come to, nor from one that only looks different. All here errs on one side: what might
be related is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from engine.game import Cell, Game, Position
from engine.symmetry import Images


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
