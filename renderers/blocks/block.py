"""A part of a picture that others can be stacked above and below."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from renderers.paint.canvas import Canvas


class Block(NamedTuple):
    """A part of a picture, as wide as the page."""

    height: int
    """In pixels; a block with nothing to show has height 0."""
    draw: Callable[[Canvas, int], None]
    """Draws the block on the blank page, from the given height down."""


def _draw_nothing(canvas: Canvas, top: int) -> None:
    pass


NOTHING = Block(0, _draw_nothing)
"""The block of something that a scene leaves out."""
