"""A picture in the making: palette indices, painted as one flat shape over another."""

from __future__ import annotations

from functools import lru_cache
from typing import Literal

from PIL import Image

from renderers.paint import png, text
from renderers.paint.palette import Ramp, palette_of
from renderers.paint.text import Font
from renderers.paint.theme import Theme, Tone

Anchor = Literal["left", "middle", "right"]
_TOUCHED = bytes([0] + [255] * 255)


class Canvas:
    """An image of palette indices in a theme, in mode L so that pasting never alters a palette."""

    def __init__(self, image: Image.Image, theme: Theme) -> None:
        self.image = image
        self.theme = theme
        self._palette = palette_of(theme)

    @classmethod
    def blank(cls, width: int, height: int, theme: Theme, tone: Tone) -> Canvas:
        """Return a canvas of one colour; width and height are in pixels."""
        return cls(Image.new("L", (width, height), palette_of(theme).index(tone)), theme)

    @classmethod
    def over(cls, background: Image.Image, theme: Theme) -> Canvas:
        """Return a canvas that begins as a copy of a picture or sprite."""
        return cls(background.copy(), theme)

    def put(self, sprite: Image.Image, left: int, top: int) -> None:
        """Paste a sprite over whatever is there."""
        self.image.paste(sprite, (left, top))

    def paint(self, shape: Image.Image, left: int, top: int, ramp: Ramp) -> None:
        """Paint a shape's coverage; `ramp` names its colour and the colour of the ground."""
        colours = shape.point(self._palette.ramp(ramp))
        self.image.paste(colours, (left, top), shape.point(_TOUCHED))

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
        sprite, above = _line_sprite(words, font, ramp, self.theme)
        left = x - {"left": 0, "middle": sprite.width // 2, "right": sprite.width}[anchor]
        self.put(sprite, left, middle - font.middle + above)

    def png(self, effort: int = png.QUICK) -> bytes:
        """Encode the picture as it is now; `effort` is as in `png.encode`."""
        return png.encode(self.image, self._palette.bytes, effort)


@lru_cache(maxsize=256)
def _line_sprite(words: str, font: Font, ramp: Ramp, theme: Theme) -> tuple[Image.Image, int]:
    """Return a line trimmed of the blank above and below it, and the height of the blank above."""
    # Names, labels and statuses recur with every move of a game; only footers are always new.
    shape = text.line(words, font)
    _, top, _, bottom = shape.getbbox() or (0, 0, 0, 1)
    trimmed = shape.crop((0, top, shape.width, bottom))
    return trimmed.point(palette_of(theme).ramp(ramp)), top
