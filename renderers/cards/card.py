"""Cards of statistics and of reviewed games, and the page that these and reports share.

A page is a heading, a stack of blocks, and small print.
"""

from __future__ import annotations

from collections.abc import Iterable

from engine.core.game import Drawing
from renderers.blocks.course import course_block
from renderers.blocks.table import table_block
from renderers.blocks.text import (
    Block,
    draw_heading,
    heading_height,
    note_block,
    small_print,
    write_lines,
)
from renderers.blocks.tiles import tiles_block
from renderers.blocks.value_course import value_course_block
from renderers.boards.drawings import DRAWINGS
from renderers.paint.canvas import Canvas
from renderers.paint.png import THOROUGH
from renderers.paint.text import Font
from renderers.paint.theme import CLASSIC, WIDTH, Theme, Tone
from renderers.scene import CardScene, ReviewScene

_GAP = 12
"""Pixels between two blocks."""

_FOOTER, _FOOTER_FONT = 44, Font(28)
"""The height of a line of small print, in pixels, and its font."""

_LEAST = 460
"""The least height of a page, in pixels: a lower one would be shown as a narrow strip."""


def draw_card(scene: CardScene, theme: Theme = CLASSIC) -> bytes:
    """Draw a card of statistics.

    Args:
        scene: What to show.
        theme: The colours.

    Returns:
        A PNG, 680 pixels wide like the boards and as high as its content, but at least 460.
    """
    blocks = (
        tiles_block(scene.figures, scene.form),
        course_block(scene.course),
        table_block(scene.table),
        note_block(scene.note),
    )
    return draw_page(scene.title, scene.subtitle, blocks, scene.footer, theme)


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
    canvas = Canvas.blank(WIDTH, height, theme, Tone.BACKGROUND)
    draw_heading(canvas, title, subtitle)
    for block in blocks:
        block.draw(canvas, top)
        top += block.height + _GAP
    write_lines(
        canvas, words, _FOOTER_FONT, height - _FOOTER * len(words), _FOOTER, Tone.MUTED_TEXT
    )
    return canvas.png(THOROUGH)


def draw_review(drawing: Drawing, scene: ReviewScene, theme: Theme = CLASSIC) -> bytes:
    """Draw a reviewed game.

    Args:
        drawing: How the game is drawn; players have the tokens of its board.
        scene: What to show.
        theme: The colours.

    Returns:
        A PNG, 680 pixels wide like the boards.
    """
    blocks = (value_course_block(scene, DRAWINGS[drawing].paint_token),)
    return draw_page(scene.title, scene.subtitle, blocks, scene.footer, theme)
