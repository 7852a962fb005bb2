"""Text as shapes: the shipped typeface, the characters it has, and fitting text into a width."""

from __future__ import annotations

import unicodedata
from functools import cache, lru_cache
from math import ceil
from pathlib import Path
from typing import NamedTuple

from PIL import Image, ImageDraw, ImageFont

_ASSETS = Path(__file__).parents[1] / "assets"

_UNASSIGNED = "\U0010ffff"
"""A code point that no font has, so that it always draws the box for missing glyphs."""

ELLIPSIS = "…"


class Font(NamedTuple):
    """A size in pixels and a weight of the shipped typeface."""

    size: int
    bold: bool = False

    @property
    def middle(self) -> int:
        """The distance from the top of a line to the middle of its capitals, in pixels."""
        return _metrics(self).middle

    def width(self, text: str) -> int:
        """Return the width of a line of text, in whole pixels."""
        return ceil(sum(_glyph(character, self).advance for character in text))


def file_of(font: Font) -> Path:
    """Return the path of the typeface in this weight."""
    return _ASSETS / ("NotoSans-Bold.ttf" if font.bold else "NotoSans-Regular.ttf")


def line(text: str, font: Font) -> Image.Image:
    """Draw one line of text as coverage from 0 to 255, in an image of mode L.

    The image is as wide as the text (at least one pixel) and as high as the font's line, so that
    all lines in the same font share a baseline.
    """
    image = Image.new("L", (max(font.width(text), 1), _metrics(font).height))
    x = 0.0
    for character in text:
        glyph = _glyph(character, font)
        if glyph.shape is not None:
            image.paste(255, (round(x) + glyph.left, glyph.top), glyph.shape)
        x += glyph.advance
    return image


def fit(text: str, width: int, *fonts: Font) -> tuple[str, Font]:
    """Make text fit into `width` pixels.

    Returns:
        The text and the first of `fonts` in which it fits. When it fits in none: the longest
        beginning that fits with an ellipsis after it, which may be the ellipsis alone, and the
        last font.
    """
    for font in fonts:
        if font.width(text) <= width:
            return text, font
    font = fonts[-1]
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        if font.width(text[:middle].rstrip() + ELLIPSIS) <= width:
            low = middle
        else:
            high = middle - 1
    return text[:low].rstrip() + ELLIPSIS, font


def is_writable(name: str) -> bool:
    """Whether every letter and digit of a name can be written; emoji and the like are ignored."""
    normal = unicodedata.normalize("NFC", name)
    wanted = [c for c in normal if unicodedata.category(c)[0] in "LN" or _is_spacing_mark(c)]
    return bool(legible(name)) and all(_plain(character) for character in wanted)


def _is_spacing_mark(character: str) -> bool:
    # Vowels of Indian scripts; without them a name would be another word.
    return unicodedata.category(character) == "Mc"


def legible(text: str, fallback: str = "") -> str:
    """Reduce text to characters that the shipped typeface has.

    A character that the typeface lacks is replaced by its plain form if it has one (a bold
    mathematical A is still an A) and dropped if not, as emoji are. Runs of white space become one
    space, and characters that only control the direction or joining of text are dropped.

    Returns:
        The legible text, or `fallback` when there is none.
    """
    kept = "".join(_plain(character) for character in unicodedata.normalize("NFC", text))
    return " ".join(kept.split()) or fallback


class _Metrics(NamedTuple):
    height: int
    middle: int


class _Glyph(NamedTuple):
    shape: Image.Image | None
    left: int
    top: int
    advance: float


@cache
def _load(font: Font) -> ImageFont.FreeTypeFont:
    # Every build of Pillow has the basic engine, so pictures are the same on every machine.
    return ImageFont.truetype(file_of(font), font.size, layout_engine=ImageFont.Layout.BASIC)


@cache
def _metrics(font: Font) -> _Metrics:
    ascent, descent = _load(font).getmetrics()
    _, top, _, bottom = _load(font).getbbox("H")
    return _Metrics(ascent + descent, round((top + bottom) / 2))


@lru_cache(maxsize=4096)
def _glyph(character: str, font: Font) -> _Glyph:
    """Draw a character; hinting makes this the slowest part of a picture."""
    face = _load(font)
    left, top, right, bottom = (round(edge) for edge in face.getbbox(character))
    advance = face.getlength(character)
    if right <= left or bottom <= top:
        return _Glyph(None, 0, 0, advance)
    shape = Image.new("L", (right - left, bottom - top))
    ImageDraw.Draw(shape).text((-left, -top), character, fill=255, font=face)
    return _Glyph(shape, left, top, advance)


@lru_cache(maxsize=4096)
def _plain(character: str) -> str:
    if character.isspace():
        return " "
    if _drawable(character):
        return character
    plain = unicodedata.normalize("NFKC", character)
    return "".join(part for part in plain if part != character and _drawable(part))


def _drawable(character: str) -> bool:
    # A combining mark on its own would be drawn over its neighbour.
    if unicodedata.category(character)[0] in "CM":
        return False
    return _ink(character) != _ink(_UNASSIGNED)


def _ink(character: str) -> tuple[float, bytes]:
    glyph = _glyph(character, Font(32))
    return glyph.advance, b"" if glyph.shape is None else glyph.shape.tobytes()
