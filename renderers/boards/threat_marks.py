"""The marks of threats on empty squares, and the line that explains them.

A player's token says whose threat it is: its shape differs, not only its colour. One dot below it
means an odd row and two an even one; a ring means a square that can be played now.
"""

from __future__ import annotations

from functools import cache

from PIL import Image

from renderers.boards.layout import EDGE, LEGEND, Layout
from renderers.boards.style import PaintToken
from renderers.paint import shapes
from renderers.paint.canvas import Canvas
from renderers.paint.palette import Ramp
from renderers.paint.shapes import Pen
from renderers.paint.text import Font, fit, legible
from renderers.paint.theme import WIDTH, Tone
from renderers.scene import BoardScene, ThreatLegend, ThreatMark

_ALONE, _BESIDE = 0.5, 0.39
"""The size of a token alone on its square, and of one beside another, in cells."""

_APART = 0.2
"""The distance of two tokens from the middle of their square, in cells."""

_RISE = 0.1
"""How far tokens are above the middle where there are dots below them, in cells."""

_DOT, _DOTS_APART, _DOTS_DOWN = 0.062, 0.1, 0.28
"""The radius of a dot, and how far two are from the axis and all below the middle, in cells."""

_RING, _RING_WIDTH = 0.415, 0.05
"""The radius and the width of the ring, in cells."""

_FONTS = tuple(Font(size, bold=True) for size in (24, 23, 22, 21, 20))

_ICON = 28
"""The side of an icon of the legend, in pixels."""


def draw_threats(canvas: Canvas, plan: Layout, scene: BoardScene, paint_token: PaintToken) -> None:
    """Draw the marks on their squares and, if a scene has one, the legend below its board."""
    for mark in scene.threats:
        _draw_mark(canvas, plan, mark, paint_token)
    if scene.threat_legend is not None:
        _draw_legend(canvas, plan, scene.threat_legend)


def _draw_mark(canvas: Canvas, plan: Layout, mark: ThreatMark, paint_token: PaintToken) -> None:
    cell, (x, y) = plan.cell, plan.middle(mark.square)
    if mark.is_playable and mark.is_odd is not None:
        _cover(canvas, _ring(cell), x, y, Tone.TEXT)
    is_alone = len(mark.players) == 1
    size = round(cell * (_ALONE if is_alone else _BESIDE)) // 2 * 2
    top = y - size // 2 - (0 if mark.is_odd is None else round(cell * _RISE))
    for player, side in zip(mark.players, (0,) if is_alone else (-1, 1), strict=True):
        paint_token(
            canvas, player, x - size // 2 + round(side * cell * _APART), top, size, Tone.HOLE
        )
    if mark.is_odd is not None:
        _cover(canvas, _dots(cell, 1 if mark.is_odd else 2), x, y, Tone.TEXT)


def _draw_legend(canvas: Canvas, plan: Layout, legend: ThreatLegend) -> None:
    """Draw what dots and rings mean, in the middle of a line below the board."""
    icons = (_icon_of_dots(1), _icon_of_dots(2), _icon_of_ring())
    words = [legible(text) for text in (legend.odd, legend.even, legend.now)]
    room = WIDTH - 2 * EDGE - len(icons) * (_ICON + 8) - 2 * 16
    _, font = fit(" ".join(words), room, *_FONTS)
    widths = [_ICON + 8 + font.width(text) for text in words]
    gap = min((WIDTH - 2 * EDGE - sum(widths)) // 2, 36)
    x, y = (WIDTH - sum(widths) - 2 * gap) // 2, plan.below + LEGEND * plan.legend - 2
    ramp = Ramp(Tone.BACKGROUND, Tone.TEXT)
    for icon, text, width in zip(icons, words, widths, strict=True):
        _cover(canvas, icon, x + _ICON // 2, y, Tone.TEXT)
        canvas.write(text, x + _ICON + 8, y, font, ramp)
        x += width + gap


def _cover(canvas: Canvas, shape: Image.Image, x: int, y: int, tone: Tone) -> None:
    canvas.cover(shape, x - shape.width // 2, y - shape.height // 2, tone)


@cache
def _ring(cell: int) -> Image.Image:
    half = cell / 2
    return shapes.shape(
        cell, cell, lambda pen: pen.ring(half, half, cell * _RING, cell * _RING_WIDTH)
    )


@cache
def _dots(cell: int, count: int) -> Image.Image:
    half, apart = cell / 2, cell * _DOTS_APART
    return shapes.shape(
        cell,
        cell,
        lambda pen: _draw_dots(pen, half, half + cell * _DOTS_DOWN, apart, cell * _DOT, count),
    )


@cache
def _icon_of_dots(count: int) -> Image.Image:
    half = _ICON / 2
    return shapes.shape(_ICON, _ICON, lambda pen: _draw_dots(pen, half, half, 8, 5, count))


@cache
def _icon_of_ring() -> Image.Image:
    half = _ICON / 2
    return shapes.shape(_ICON, _ICON, lambda pen: pen.ring(half, half, half - 3, 3))


def _draw_dots(pen: Pen, x: float, y: float, apart: float, radius: float, count: int) -> None:
    for side in (0,) if count == 1 else (-1, 1):
        pen.circle(x + side * apart, y, radius)
