"""The sixteen colours of a picture, and the ramps from one to another.

Sixteen colours fit into four bits per pixel, which halves the data to compress. They are enough
because edges are only a pixel wide: two or three shades in between make them smooth. Only pictures
with the values of moves need a few more, and take eight bits per pixel.
"""

from __future__ import annotations

from enum import StrEnum
from functools import cache
from typing import NamedTuple

from renderers.paint.theme import Rgb, Theme, Tone

SIZE = 16
"""The number of colours of all pictures except those with values."""

_STRAY = 30.0
"""The greatest distance that a shade used to smooth an edge may have from the straight line between
the edge's two colours."""

_NEAR = 85
"""The least steps, of 255, between such a shade and either end of that line."""


class Shade(StrEnum):
    """A colour that lies between two tones: the lit or shaded side of something, or its edge."""

    BOARD_LIGHT = "board_light"
    FIRST_LIGHT = "first_light"
    FIRST_DARK = "first_dark"
    SECOND_LIGHT = "second_light"
    SECOND_DARK = "second_dark"
    LOSS_LIGHT = "loss_light"
    LOSS_DARK = "loss_dark"


Colour = Tone | Shade


class Ramp(NamedTuple):
    """A colour and the one that is painted over it."""

    under: Colour
    over: Colour


_SHADES = {
    Shade.BOARD_LIGHT: (Ramp(Tone.BOARD, Tone.TEXT), 0.25),
    Shade.FIRST_LIGHT: (Ramp(Tone.FIRST, Tone.TEXT), 0.7),
    Shade.FIRST_DARK: (Ramp(Tone.HOLE, Tone.FIRST), 0.62),
    Shade.SECOND_LIGHT: (Ramp(Tone.SECOND, Tone.SECOND_MARK), 0.5),
    Shade.SECOND_DARK: (Ramp(Tone.HOLE, Tone.SECOND), 0.55),
    Shade.LOSS_LIGHT: (Ramp(Tone.PAGE, Tone.LOSS), 0.65),
    Shade.LOSS_DARK: (Ramp(Tone.PAGE, Tone.LOSS), 0.35),
}
"""The two tones of each shade, and its position between them."""


class Palette:
    """The colours of a theme: the tones and shades of every picture, then those for losses."""

    def __init__(self, theme: Theme) -> None:
        self._theme = theme
        self.colours: tuple[Rgb, ...] = tuple(rgb_of(theme, colour) for colour in _ORDER)
        self.bytes = bytes(part for colour in self.colours for part in colour)
        """Red, green and blue of every colour, in a row, as image files hold them."""

    def index(self, colour: Colour) -> int:
        """Return the index of a colour; that of the page is 0."""
        return _ORDER.index(colour)

    def ramp(self, ramp: Ramp) -> bytes:
        """Return the palette index for each coverage of `over` on `under`, from 0 to 255."""
        return _ramp(self._theme, ramp)


_MORE = (Tone.LOSS, Shade.LOSS_LIGHT, Shade.LOSS_DARK)

_ORDER: tuple[Colour, ...] = (*(c for c in (*Tone, *Shade) if c not in _MORE), *_MORE)


def rgb_of(theme: Theme, colour: Colour) -> Rgb:
    """Return the colour of a tone or shade in a theme."""
    if isinstance(colour, Tone):
        return theme.rgb(colour)
    (under, over), share = _SHADES[colour]
    return mix(rgb_of(theme, under), rgb_of(theme, over), share)


@cache
def palette_of(theme: Theme) -> Palette:
    """Return the palette of a theme; it is cached."""
    return Palette(theme)


@cache
def _ramp(theme: Theme, ramp: Ramp) -> bytes:
    colours = palette_of(theme).colours
    if not {ramp.under, ramp.over} & {*_MORE}:
        colours = colours[:SIZE]
    under, over = rgb_of(theme, ramp.under), rgb_of(theme, ramp.over)
    way = [mix(under, over, coverage / 255) for coverage in range(256)]
    fitting = [index for index, colour in enumerate(colours) if _serves(colour, way)]
    return bytes(min(fitting, key=lambda i: _distance(colours[i], step)) for step in way)


def _serves(colour: Rgb, way: list[Rgb]) -> bool:
    """Whether a colour is at either end of a ramp or smooths the edges between them."""
    distances = [_distance(colour, step) for step in way]
    # A shade of another hue may be the nearest in numbers, but it shows as a coloured fringe; one
    # close to an end makes the file larger and the edge no smoother.
    nearest = min(distances)
    return colour in (way[0], way[-1]) or (
        nearest <= _STRAY and _NEAR <= distances.index(nearest) <= 255 - _NEAR
    )


def mix(under: Rgb, over: Rgb, share: float) -> Rgb:
    """Return the colour at a fraction of the way from one to another, from 0 to 1."""
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(under, over, strict=True))
    return red, green, blue


def _distance(one: Rgb, other: Rgb) -> float:
    return float(sum((a - b) ** 2 for a, b in zip(one, other, strict=True)) ** 0.5)
