"""The page that cards and reports share: a heading, blocks below each other, small print."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from renderers.blocks.heading import draw_heading, heading_height
from renderers.blocks.small_print import draw_small_print
from renderers.paint.canvas import Canvas
from renderers.paint.page import WIDTH
from renderers.paint.png import THOROUGH
from renderers.paint.theme import Theme, Tone

_GAP = 22
_FOOTER = 48


class Block(NamedTuple):
    """One part of a page."""

    height: int
    """In pixels; a block of height 0 is left out, along with the gap below it."""
    draw: Callable[[Canvas, int], None]
    """Draws the block across the page from the given height."""


def draw_page(
    title: str, subtitle: str, blocks: Sequence[Block], footer: str, theme: Theme
) -> bytes:
    """Draw a page as high as its content.

    Args:
        title: The title; always has room.
        subtitle: The line below the title; may be empty.
        blocks: What stands below, from the top.
        footer: The small print; may be empty.
        theme: The colours.

    Returns:
        A PNG, `WIDTH` pixels wide.
    """
    blocks = [block for block in blocks if block.height]
    height = heading_height(subtitle) + sum(block.height + _GAP for block in blocks)
    canvas = Canvas.blank(WIDTH, height + (_FOOTER if footer else 0), theme, Tone.PAGE)
    draw_heading(canvas, title, subtitle)
    top = heading_height(subtitle)
    for block in blocks:
        block.draw(canvas, top)
        top += block.height + _GAP
    draw_small_print(canvas, footer, top + _FOOTER // 2 - 8)
    return canvas.png(THOROUGH)
