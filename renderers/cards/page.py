"""The page that cards and reports share: a heading, a stack of blocks, small print."""

from __future__ import annotations

from collections.abc import Iterable

from renderers.blocks.block import Block
from renderers.blocks.heading import draw_heading, heading_height
from renderers.blocks.small_print import small_print, write_lines
from renderers.paint.canvas import Canvas
from renderers.paint.measures import WIDTH
from renderers.paint.png import THOROUGH
from renderers.paint.text import Font
from renderers.paint.theme import Theme, Tone

_GAP = 12
_FOOTER = 44
_FOOTER_FONT = Font(28)
_LEAST = 460
"""The least pixels from top to bottom: a lower page would be shown as a narrow strip."""


def draw_page(
    title: str, subtitle: str, blocks: Iterable[Block], footer: str, theme: Theme
) -> bytes:
    """Draw a page as high as its content.

    Args:
        title: The title; its line is there even when it is empty.
        subtitle: The line below the title; may be empty.
        blocks: What comes below, from the top; one of height 0 leaves no gap either.
        footer: The small print; may be empty.
        theme: The colours.

    Returns:
        A PNG, `WIDTH` pixels wide.
    """
    blocks = [block for block in blocks if block.height]
    top = heading_height(subtitle)
    words = small_print(footer, _FOOTER_FONT, 2)
    height = top + sum(block.height + _GAP for block in blocks) + _FOOTER * len(words)
    height = max(height, _LEAST)
    canvas = Canvas.blank(WIDTH, height, theme, Tone.PAGE)
    draw_heading(canvas, title, subtitle)
    for block in blocks:
        block.draw(canvas, top)
        top += block.height + _GAP
    write_lines(canvas, words, _FOOTER_FONT, height - _FOOTER * len(words), _FOOTER, Tone.MUTED)
    return canvas.png(THOROUGH)
