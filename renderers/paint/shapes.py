"""Flat shapes, drawn large and scaled down so that their edges are smooth.

Every function returns an image of mode L with coverage from 0 to 255; sizes are in pixels of the
finished picture, and radii and strokes may be fractions.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import cos, pi, sin

from PIL import Image, ImageChops, ImageDraw

Draw = Callable[[ImageDraw.ImageDraw], None]
"""Draws a shape with a pen on the large image."""

_FINE = 4
"""How much larger than its final size a shape is drawn."""


class Pen:
    """Draws on the large image of a shape, in pixels of the finished picture."""

    def __init__(self, image: Image.Image) -> None:
        self._draw = ImageDraw.Draw(image)

    def circle(self, x: float, y: float, radius: float, fill: int = 255) -> None:
        """Draw a filled circle around a point."""
        edges = (x - radius, y - radius, x + radius, y + radius)
        self._draw.ellipse(_large(edges), fill=fill)

    def ring(self, x: float, y: float, radius: float, width: float) -> None:
        """Draw a circular band whose middle line has this radius."""
        self.circle(x, y, radius + width / 2)
        self.circle(x, y, radius - width / 2, 0)

    def dashes(self, x: float, y: float, radius: float, width: float, count: int) -> None:
        """Draw a circular band cut into dashes, with one centred at the top."""
        far = radius + width / 2
        edges = _large((x - far, y - far, x + far, y + far))
        for index in range(count):
            centre = 360 * index / count - 90
            self._draw.pieslice(edges, centre - 120 / count, centre + 120 / count, fill=255)
        self.circle(x, y, radius - width / 2, 0)

    def box(self, edges: Edges, radius: float = 0, fill: int = 255) -> None:
        """Draw a rectangle with round corners, from its left, top, right and bottom."""
        self._draw.rounded_rectangle(_large(edges), radius * _FINE, fill=fill)

    def polygon(self, points: Sequence[Point], rim: float = 0) -> None:
        """Draw a filled polygon; a rim makes it larger and its corners round."""
        self._draw.polygon([(x * _FINE, y * _FINE) for x, y in points], fill=255)
        if rim:
            self.path([*points, points[0]], 2 * rim)

    def path(self, points: Sequence[Point], width: float) -> None:
        """Draw a line with round ends and corners through points."""
        # Pillow's own joints leave notches, so every point gets a round joint.
        large = [(x * _FINE, y * _FINE) for x, y in points]
        self._draw.line(large, fill=255, width=round(width * _FINE))
        for x, y in points:
            self.circle(x, y, width / 2)

    def bar(self, start: Point, end: Point, width: float) -> None:
        """Draw a straight line with square ends."""
        large = [(x * _FINE, y * _FINE) for x, y in (start, end)]
        self._draw.line(large, fill=255, width=round(width * _FINE))


Point = tuple[float, float]
"""How far right and down a point is, in pixels."""

Edges = tuple[float, float, float, float]
"""Left, top, right and bottom, in pixels; right and bottom are just outside."""


def _large(edges: Edges) -> Edges:
    """The edges on the large image, on which Pillow counts the last pixel in."""
    left, top, right, bottom = (edge * _FINE for edge in edges)
    return left, top, right - 1, bottom - 1


def shape(width: int, height: int, draw: Callable[[Pen], None]) -> Image.Image:
    """Return what `draw` draws on an image of this size."""
    large = Image.new("L", (width * _FINE, height * _FINE))
    draw(Pen(large))
    return large.reduce(_FINE)


def spikes(
    x: float, y: float, outer: float, inner: float, points: int, turn: float = 0
) -> list[Point]:
    """Return the corners of a star around a point, turned by an angle from upright."""
    return [
        (
            x + (inner if index % 2 else outer) * sin(turn + index * pi / points),
            y - (inner if index % 2 else outer) * cos(turn + index * pi / points),
        )
        for index in range(2 * points)
    ]


def disc(size: int, radius: float) -> Image.Image:
    """Return a filled circle in the middle of a square of `size`."""
    return _turned(size, lambda pen: _circle(pen, size, radius, 255))


def ring(size: int, outer: float, inner: float) -> Image.Image:
    """Return a circular band in the middle of a square of `size`."""

    def draw(pen: ImageDraw.ImageDraw) -> None:
        _circle(pen, size, outer, 255)
        _circle(pen, size, inner, 0)

    return _turned(size, draw)


def cross(size: int, reach: float, stroke: float) -> Image.Image:
    """Return a diagonal cross with round ends; its arms are `reach` long."""

    def draw(pen: ImageDraw.ImageDraw) -> None:
        for angle in (pi / 4, 3 * pi / 4):
            ends = [_around(size, reach, angle), _around(size, reach, angle + pi)]
            _stroke(pen, ends, stroke)

    return _turned(size, draw)


def star(size: int, reach: float, waist: float) -> Image.Image:
    """Return a five-pointed star in the middle of a square of `size`, with a point at the top.

    Its points are `reach` from its middle, the notches between them `waist`.
    """
    edge = [_around(size, waist if index % 2 else reach, index * pi / 5) for index in range(10)]
    return _drawn(size, size, lambda pen: pen.polygon(edge, fill=255))


def curve(size: int, points: Sequence[tuple[float, float]], stroke: float) -> Image.Image:
    """Return a line with round ends and corners through points in a square of `size`.

    A point is given by its distance right of and below the middle of the square, in pixels.
    """
    middle = (size * _FINE - 1) / 2
    path = [(middle + x * _FINE, middle + y * _FINE) for x, y in points]
    return _reduced(size, size, lambda pen: _stroke(pen, path, stroke))


def panel(width: int, height: int, radius: float) -> Image.Image:
    """Return a rectangle with round corners that fills the whole image."""

    def draw(pen: ImageDraw.ImageDraw) -> None:
        box = (0, 0, width * _FINE - 1, height * _FINE - 1)
        pen.rounded_rectangle(box, radius * _FINE, fill=255)

    return _drawn(width, height, draw)


def pointer(width: int, height: int) -> Image.Image:
    """Return a triangle that fills the image and points down."""
    right, bottom = width * _FINE - 1, height * _FINE - 1
    points = [(0, 0), (right, 0), (right / 2, bottom)]
    return _drawn(width, height, lambda pen: pen.polygon(points, fill=255))


def _reduced(width: int, height: int, draw: Draw) -> Image.Image:
    large = Image.new("L", (width * _FINE, height * _FINE))
    draw(ImageDraw.Draw(large))
    return large.reduce(_FINE)


def _drawn(width: int, height: int, draw: Draw) -> Image.Image:
    # An exact mirror image compresses far better: its second half repeats the first.
    shape = _reduced(width, height, draw)
    return ImageChops.lighter(shape, shape.transpose(Image.Transpose.FLIP_LEFT_RIGHT))


def _turned(size: int, draw: Draw) -> Image.Image:
    shape = _drawn(size, size, draw)
    return ImageChops.lighter(shape, shape.transpose(Image.Transpose.FLIP_TOP_BOTTOM))


def _circle(pen: ImageDraw.ImageDraw, size: int, radius: float, fill: int) -> None:
    middle, far = size * _FINE / 2, radius * _FINE
    pen.ellipse((middle - far, middle - far, middle + far - 1, middle + far - 1), fill=fill)


def _around(size: int, reach: float, angle: float) -> tuple[float, float]:
    middle = size * _FINE / 2 - 0.5
    return middle + reach * _FINE * sin(angle), middle - reach * _FINE * cos(angle)


def _stroke(pen: ImageDraw.ImageDraw, points: list[tuple[float, float]], width: float) -> None:
    # Pillow's own joints leave notches, so every point gets a round joint.
    radius = width * _FINE / 2
    pen.line(points, fill=255, width=round(width * _FINE))
    for x, y in points:
        pen.ellipse((x - radius, y - radius, x + radius, y + radius), fill=255)
