"""A picture under construction: palette indices, painted as one flat shape over another."""

from __future__ import annotations

from functools import lru_cache
from typing import Literal

from PIL import Image

from renderers.paint import png, text
from renderers.paint.palette import FAINT, FULL, Ramp, palette_of
from renderers.paint.text import Font
from renderers.paint.theme import Theme, Tone

Anchor = Literal["left", "middle", "right"]

_TOUCHED = bytes([0] * FAINT + [255] * (256 - FAINT))
_EDGE = bytes([0] * FAINT + [255] * (FULL - FAINT) + [0] * (256 - FULL))
_INSIDE = bytes([0] * FULL + [255] * (256 - FULL))


class Canvas:
    """An image of palette indices in a theme, in mode L so that pasting never alters a palette."""

    def __init__(self, image: Image.Image, theme: Theme) -> None:
        self.image = image
        self.theme = theme
        self._palette = palette_of(theme)

    @classmethod
    def blank(cls, width: int, height: int, theme: Theme, colour: Tone) -> Canvas:
        """Return a canvas of one colour; width and height are in pixels."""
        return cls(Image.new("L", (width, height), palette_of(theme).index(colour)), theme)

    @classmethod
    def over(cls, background: Image.Image, theme: Theme) -> Canvas:
        """Return a canvas that begins as a copy of a picture or sprite."""
        return cls(background.copy(), theme)

    def put(self, sprite: Image.Image, left: int, top: int) -> None:
        """Paste a sprite over the existing content."""
        self.image.paste(sprite, (left, top))

    def paint(self, shape: Image.Image, left: int, top: int, ramp: Ramp) -> None:
        """Paint a shape's coverage; `ramp` names its colour and that of the background."""
        colours = shape.point(self._palette.ramp(ramp))
        self.image.paste(colours, (left, top), shape.point(_TOUCHED))

    def cover(self, shape: Image.Image, left: int, top: int, tone: Tone) -> None:
        """Paint a shape's coverage in one colour, with its edge blended into the background."""
        box = (left, top, left + shape.width, top + shape.height)
        below, (edge, inside) = self.image.crop(box), _masks(shape)
        over, table = self._palette.index(tone), list(range(256))
        for index, count in enumerate(below.histogram(edge)):
            if count:
                table[index] = self._palette.shade(index, over)
        self.image.paste(below.point(table), (left, top), edge)
        self.image.paste(over, box, inside)

    def write(
        self, words: str, x: int, middle: int, font: Font, ramp: Ramp, anchor: Anchor = "left"
    ) -> None:
        """Write one line of text.

        Args:
            words: What to write; may be empty.
            x: Where the start, middle or end of the line goes, in pixels; see `anchor`.
            middle: How far down the middle of its capitals goes, in pixels.
            font: The size and weight.
            ramp: The colour of the ground, the same all around the words, and that of the words.
            anchor: Which point of the line goes to `x`.
        """
        if not words:
            return
        sprite, mask, above = _line_sprite(words, font, ramp, self.theme)
        left = x - {"left": 0, "middle": sprite.width // 2, "right": sprite.width}[anchor]
        # Only the letters: an accent must not erase the descender of the line above.
        self.image.paste(sprite, (left, middle - font.middle + above), mask)

    def png(self) -> bytes:
        """Encode the picture in its present state."""
        return png.encode(self.image, self._palette.table)


def _masks(shape: Image.Image) -> tuple[Image.Image, Image.Image]:
    """Return the edge of a shape and its inside, as masks; they are kept with the shape."""
    masks: tuple[Image.Image, Image.Image] | None = shape.info.get("masks")
    if masks is None:
        masks = shape.info["masks"] = shape.point(_EDGE), shape.point(_INSIDE)
    return masks


@lru_cache(maxsize=256)
def _line_sprite(
    words: str, font: Font, ramp: Ramp, theme: Theme
) -> tuple[Image.Image, Image.Image, int]:
    """Return a line trimmed of the blank above and below it, its mask, and the blank's height."""
    # Names, labels and statuses recur with every move of a game; only footers are always new.
    shape = text.line(words, font)
    _, top, _, bottom = shape.getbbox() or (0, 0, 0, 1)
    trimmed = shape.crop((0, top, shape.width, bottom))
    return trimmed.point(palette_of(theme).ramp(ramp)), trimmed.point(_TOUCHED), top
