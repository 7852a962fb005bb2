"""The course of a number from game to game, as a line with a band for its deviation."""

from __future__ import annotations

from typing import NamedTuple

from PIL import Image, ImageDraw

from renderers.blocks.text import NOTHING, Block
from renderers.paint import shapes
from renderers.paint.canvas import Canvas
from renderers.paint.palette import Ramp
from renderers.paint.text import Font, fit, legible
from renderers.paint.theme import MARGIN, WIDTH, Tone
from renderers.scene import Course

_LABEL = Font(28)

_VALUE = Font(28)

_LAST = Font(34, bold=True)

_HEADING = 38

_SIDE = 30
"""The height above the plot for the highest value, and below it for the lowest."""

_PLOT = 68

_GUTTER = 92
"""The width at either end of the line for its first and last value."""

_LEFT = MARGIN + _GUTTER

_WIDTH = WIDTH - 2 * _LEFT

_PAD = 10
"""The distance of the line from the edges of the plot, so that its last mark is whole."""

_MOST = 120
"""The most points in a line: more would merge."""

_FINE = 4
"""The factor by which the line is drawn larger and then scaled down, for smooth edges."""

_LEAST_SPAN = 0.03
"""The least range from bottom to top, as a share of the values: a change of one per cent should not
look like a collapse."""

_RULE = 2


class _Plot(NamedTuple):
    """The scales of the plot, from values to pixels."""

    low: float
    span: float
    last: int

    def x(self, index: int) -> float:
        return _PAD + (_WIDTH - 2 * _PAD) * (index / self.last if self.last else 1)

    def y(self, value: float) -> float:
        return _PLOT - _PAD - (_PLOT - 2 * _PAD) * (value - self.low) / self.span


def course_block(course: Course | None) -> Block:
    """Return a course as a block.

    The first value is written on the left and the last on the right; the highest is written above
    its point and the lowest below, unless they are the first or the last.
    """
    if course is None:
        return NOTHING
    height = _HEADING + _PLOT + 2 * _SIDE
    return Block(height, lambda canvas, top: _draw(canvas, course, top))


def _draw(canvas: Canvas, course: Course, top: int) -> None:
    label, font = fit(legible(course.label), WIDTH - 2 * MARGIN, _LABEL)
    canvas.write(label, MARGIN, top + _HEADING // 2, font, Ramp(Tone.BACKGROUND, Tone.MUTED_TEXT))
    plot = _plot(course)
    above = top + _HEADING + _SIDE
    indices = _indices(course)
    rule = Image.new("L", (_WIDTH, _RULE), 255)
    for edge in (above, above + _PLOT - _RULE):
        canvas.paint(rule, _LEFT, edge, Ramp(Tone.BACKGROUND, Tone.PANEL))
    if course.deviations:
        canvas.paint(_band(course, plot, indices), _LEFT, above, Ramp(Tone.BACKGROUND, Tone.PANEL))
    # Most of the line lies on its band, so its edges blend into the band.
    ground = Tone.PANEL if course.deviations else Tone.BACKGROUND
    canvas.paint(_line(course, plot, indices), _LEFT, above, Ramp(ground, Tone.DISC_1))
    _draw_last(canvas, plot, course.values[-1], above, ground)
    _write_values(canvas, course, plot, above)


def _plot(course: Course) -> _Plot:
    low, high = min(course.values), max(course.values)
    span = max(high - low, _LEAST_SPAN * max(high, -low), 1)
    return _Plot((low + high - span) / 2, span, len(course.values) - 1)


def _indices(course: Course) -> list[int]:
    """Choose the points of the line: evenly spaced ones, and every value that is written."""
    count = len(course.values)
    step = max(-(-count // _MOST), 1)
    low, high = (course.values.index(edge(course.values)) for edge in (min, max))
    return sorted({*range(0, count, step), low, high, count - 1})


def _band(course: Course, plot: _Plot, indices: list[int]) -> Image.Image:
    def edge(index: int, sign: int) -> tuple[float, float]:
        y = plot.y(course.values[index] + sign * course.deviations[index])
        return plot.x(index) * _FINE, min(max(y, 0), _PLOT) * _FINE

    large = _large_image()
    outline = [edge(index, 1) for index in indices] + [edge(index, -1) for index in indices[::-1]]
    if len(indices) > 1:
        ImageDraw.Draw(large).polygon(outline, fill=255)
    return large.reduce(_FINE)


def _line(course: Course, plot: _Plot, indices: list[int]) -> Image.Image:
    large = _large_image()
    places = [(plot.x(i) * _FINE, plot.y(course.values[i]) * _FINE) for i in indices]
    if len(places) > 1:
        ImageDraw.Draw(large).line(places, fill=255, width=round(3.5 * _FINE), joint="curve")
    return large.reduce(_FINE)


def _large_image() -> Image.Image:
    return Image.new("L", (_WIDTH * _FINE, _PLOT * _FINE))


def _draw_last(canvas: Canvas, plot: _Plot, value: float, above: int, ground: Tone) -> None:
    size = 22
    left = _LEFT + round(plot.x(plot.last)) - size // 2
    top = above + round(plot.y(value)) - size // 2
    canvas.paint(shapes.disc(size, 10.5), left, top, Ramp(ground, Tone.BACKGROUND))
    canvas.paint(shapes.disc(size, 7.5), left, top, Ramp(Tone.BACKGROUND, Tone.DISC_1))


def _write_values(canvas: Canvas, course: Course, plot: _Plot, above: int) -> None:
    values = course.values
    first, last = above + round(plot.y(values[0])), above + round(plot.y(values[-1]))
    right = _LEFT + _WIDTH
    text, font = fit(_whole(values[-1]), _GUTTER - 12, _LAST, _VALUE)
    canvas.write(text, right + 12, last, font, Ramp(Tone.BACKGROUND, Tone.TEXT))
    if len(values) == 1:
        return
    text, font = fit(_whole(values[0]), _GUTTER - 12, _VALUE)
    canvas.write(text, _LEFT - 8, first, font, Ramp(Tone.BACKGROUND, Tone.MUTED_TEXT), "right")
    for edge, middle in ((max, above - _SIDE // 2), (min, above + _PLOT + _SIDE // 2)):
        value = edge(values)
        if value in (values[0], values[-1]):
            continue
        text = _whole(value)
        half = _VALUE.width(text) // 2 + 1
        x = min(max(_LEFT + round(plot.x(values.index(value))), _LEFT + half), right - half)
        canvas.write(text, x, middle, _VALUE, Ramp(Tone.BACKGROUND, Tone.MUTED_TEXT), "middle")


def _whole(value: float) -> str:
    return f"{value:.0f}"
