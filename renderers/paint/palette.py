"""The sixteen colours of a picture, and the ramps from one to another.

Sixteen colours fit into four bits a pixel, which halves the data to compress. They are enough
because edges are only a pixel wide: two or three shades in between make them smooth.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from renderers.paint.theme import Rgb, Theme, Tone

SIZE = 16
"""The number of colours in a palette."""
_STRAY = 30.0
"""How far off the straight line between two colours a shade may lie and still smooth an edge."""
_NEAR = 38
"""How many of the 255 steps from an end of that line a shade must be to smooth anything."""


class Ramp(NamedTuple):
    """A colour and the one that is painted over it."""

    under: Tone
    over: Tone


_SHADES = (
    (Ramp(Tone.PAGE, Tone.TEXT), 0.35),
    (Ramp(Tone.HOLE, Tone.FIRST), 0.5),
    (Ramp(Tone.HOLE, Tone.SECOND), 0.5),
    (Ramp(Tone.SECOND, Tone.SECOND_MARK), 0.5),
    (Ramp(Tone.HOLE, Tone.HINT), 0.5),
)
"""The colours besides the tones: one on each ramp that no tone happens to lie on."""


class Palette:
    """The colours of a theme: every tone, in order, and the shades between them."""

    def __init__(self, theme: Theme) -> None:
        tones = [theme.rgb(tone) for tone in Tone]
        shades = [
            mix(theme.rgb(ramp.under), theme.rgb(ramp.over), share) for ramp, share in _SHADES
        ]
        self._theme = theme
        self.colours: tuple[Rgb, ...] = (*tones, *shades)
        self.bytes = bytes(part for colour in self.colours for part in colour)
        """Red, green and blue of every colour, in a row, as image files hold them."""

    def index(self, tone: Tone) -> int:
        """Return the index of a tone; that of the page is 0."""
        return list(Tone).index(tone)

    def ramp(self, ramp: Ramp) -> bytes:
        """Return the palette index for each coverage of `over` on `under`, from 0 to 255."""
        return _ramp(self._theme, ramp)


@cache
def palette_of(theme: Theme) -> Palette:
    """Return the palette of a theme; it is cached."""
    return Palette(theme)


@cache
def _ramp(theme: Theme, ramp: Ramp) -> bytes:
    colours = palette_of(theme).colours
    under, over = theme.rgb(ramp.under), theme.rgb(ramp.over)
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
    """Return the colour at a share of the way from one to another, from 0 to 1."""
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(under, over, strict=True))
    return red, green, blue


def _distance(one: Rgb, other: Rgb) -> float:
    return float(sum((a - b) ** 2 for a, b in zip(one, other, strict=True)) ** 0.5)
