"""The colours of a theme as indices, and the shades that smooth the edges between them.

A picture holds palette indices, so that equal parts are equal bytes: that is what PNG compresses.
One shade between two colours that meet makes an edge smooth, because an edge is only a pixel wide.
A theme's palette begins with its colours, and the shades are added as they are first needed.
"""

from __future__ import annotations

from functools import cache
from threading import Lock
from typing import NamedTuple

from renderers.paint.theme import Rgb, Theme, Tone

LIMIT = 255
"""The most colours of a palette: an index fits into a byte, and animations need one of their own.

All pictures of a theme together need about half of it.
"""

FAINT, FULL = 80, 176
"""Where a shade begins and ends: below this coverage, of 255, the ground shows, and from the second
on the colour on top."""


class Ramp(NamedTuple):
    """A colour and the one that is painted over it."""

    under: Tone
    over: Tone


class Palette:
    """The colours of a theme, and the shades between them; safe to use from any thread."""

    def __init__(self, theme: Theme) -> None:
        self._theme = theme
        self._colours: list[Rgb] = []
        self._tones: dict[Tone, int] = {}
        self._shades: dict[tuple[int, int], int] = {}
        self._upper: dict[int, int] = {}
        self._ramps: dict[Ramp, bytes] = {}
        self._adding = Lock()
        found: dict[Rgb, int] = {}
        for tone in Tone:
            rgb = theme.rgb(tone)
            if rgb not in found:
                found[rgb] = len(self._colours)
                self._colours.append(rgb)
            self._tones[tone] = found[rgb]

    @property
    def colours(self) -> tuple[Rgb, ...]:
        """The colours up to now; a colour never changes its index."""
        return tuple(self._colours)

    @property
    def table(self) -> bytes:
        """Red, green and blue of every colour, in a row, as image files hold them."""
        return bytes(part for colour in self.colours for part in colour)

    def index(self, tone: Tone) -> int:
        """Return the index of a colour; that of the page is 0."""
        return self._tones[tone]

    def ramp(self, ramp: Ramp) -> bytes:
        """Return the palette index for each coverage of `over` on `under`, from 0 to 255."""
        if ramp not in self._ramps:
            under, over = self._tones[ramp.under], self._tones[ramp.over]
            between = self.shade(under, over)
            steps = [under] * FAINT + [between] * (FULL - FAINT) + [over] * (256 - FULL)
            self._ramps[ramp] = bytes(steps)
        return self._ramps[ramp]

    def shade(self, under: int, over: int) -> int:
        """Return the index of the colour halfway between two others.

        Over a shade, that is the colour between the upper of its two colours and `over`.
        """
        under = self._upper.get(under, under)
        if under == over:
            return over
        with self._adding:
            index = self._shades.get((under, over))
            if index is None:
                index = self._add(under, over)
                self._shades[under, over] = index
            return index

    def _add(self, under: int, over: int) -> int:
        if len(self._colours) == LIMIT:
            return over
        index = len(self._colours)
        self._upper[index] = over
        self._colours.append(mix(self._colours[under], self._colours[over]))
        return index


@cache
def palette_of(theme: Theme) -> Palette:
    """Return the palette of a theme; it is cached."""
    return Palette(theme)


def mix(under: Rgb, over: Rgb) -> Rgb:
    """Return the colour halfway between two others."""
    red, green, blue = (round(a + (b - a) / 2) for a, b in zip(under, over, strict=True))
    return red, green, blue
