"""The ground on which a chart is drawn: a Matplotlib figure measured in pixels.

Only objects are used, never `pyplot` and its state, so threads do not meet here.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from math import inf
from typing import Any, Literal

import matplotlib.font_manager as fonts
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from PIL import Image

from renderers.paint.measures import MARGIN, WIDTH
from renderers.paint.palette import mix, palette_of
from renderers.paint.text import Font, file_of, fit, legible
from renderers.paint.theme import Theme, Tone
from renderers.scene import Result

Box = tuple[float, float, float, float]
"""Left, bottom, width and height."""
_DPI = 72
"""At this resolution a point, in which Matplotlib measures type and lines, is a pixel."""
_CAPITALS = 0.714
"""How high capitals are, as a share of the size of the type."""
TEXT = Font(22)
KEY_HEIGHT = 44
"""The room above the axes for the key that says which mark is what, in pixels."""
MARKERS = {Result.WON: "o", Result.DRAWN: "s", Result.LOST: "X"}


class Sheet:
    """A figure with one pair of axes, as wide as the pictures."""

    def __init__(self, height: int, box: Box, theme: Theme) -> None:
        """Lay out a chart.

        Args:
            height: How high the chart is, in pixels.
            box: Where its axes lie, in pixels from the lower left corner.
            theme: The colours.
        """
        self.theme = theme
        self._size = WIDTH, height
        page = self.colour(Tone.PAGE)
        self._figure = Figure(figsize=(WIDTH / _DPI, height / _DPI), dpi=_DPI, facecolor=page)
        # The Agg canvas carries no types.
        self._canvas: Any = FigureCanvasAgg(self._figure)
        left, bottom, width, tall = box
        place = (left / WIDTH, bottom / height, width / WIDTH, tall / height)
        self.axes: Axes = self._figure.add_axes(place, facecolor=page)
        self.axes.set_axis_off()

    def colour(self, tone: Tone) -> str:
        """Return a colour as Matplotlib wants it."""
        text: str = getattr(self.theme, tone)
        return text

    def result_colour(self, result: Result) -> str:
        """Return the colour of a result's marks."""
        if result is Result.LOST:
            # Thin lines and small marks in the plain blue would be lost on the dark page.
            blue, pale = self.theme.rgb(Tone.SECOND), self.theme.rgb(Tone.SECOND_MARK)
            return "#{:02X}{:02X}{:02X}".format(*mix(blue, pale, 0.5))
        return self.colour(Tone.FIRST if result is Result.WON else Tone.MUTED)

    def write(
        self,
        words: str,
        x: float,
        y: float,
        *,
        room: float = inf,
        font: Font = TEXT,
        tone: Tone = Tone.MUTED,
        side: Literal["left", "center", "right"] = "left",
        shift: tuple[float, float] = (0, 0),
    ) -> None:
        """Write one line beside a place of the axes' own scales.

        Args:
            words: What to write; it is cut to `room` pixels.
            x: Where it starts, has its middle or ends, as `side` says.
            y: The middle of its capitals.
            room: How wide it may be, in pixels.
            font: Its size and weight.
            tone: Its colour.
            side: Which point of the line `x` is.
            shift: How far to the right of that place and above it, in pixels.
        """
        text = legible(words)
        if room < inf:
            text, font = fit(text, int(room), font)
        right, up = shift
        self.axes.annotate(
            text,
            (x, y),
            (right, up - _CAPITALS / 2 * font.size),
            textcoords="offset pixels",
            color=self.colour(tone),
            fontproperties=properties(font),
            ha=side,
            va="baseline",
            annotation_clip=False,
            parse_math=False,
        )

    def rule(self, y: Sequence[float], tone: Tone = Tone.SURFACE) -> None:
        """Draw level lines across the axes at heights of their own scale."""
        left, right = self.axes.get_xlim()
        self.axes.hlines(y, left, right, colors=self.colour(tone), linewidth=2, zorder=0)

    def key(self, handles: Sequence[Line2D | Patch], labels: Sequence[str]) -> None:
        """Say above the axes which mark is what."""
        if not handles:
            return
        room = (WIDTH - 2 * MARGIN) // len(handles) - 56
        names = [fit(legible(label), room, TEXT)[0] for label in labels]
        top = (self._size[1] - KEY_HEIGHT / 2) / self._size[1]
        legend = self._figure.legend(
            handles,
            names,
            loc="center left",
            bbox_to_anchor=(MARGIN / WIDTH, top),
            ncols=len(handles),
            prop=properties(TEXT),
            labelcolor=self.colour(Tone.TEXT),
            frameon=False,
            borderpad=0,
            borderaxespad=0,
            handlelength=1.7,
            handletextpad=0.5,
            columnspacing=1.3,
        )
        for text in legend.get_texts():
            text.set_parse_math(False)

    def image(self) -> Image.Image:
        """Return the finished chart in palette indices, in mode L."""
        self._canvas.draw()
        pixels = Image.frombuffer(
            "RGBA", self._size, self._canvas.buffer_rgba(), "raw", "RGBA", 0, 1
        )
        colours = pixels.convert("RGB").quantize(
            palette=_palette_image(self.theme), dither=Image.Dither.NONE
        )
        return Image.frombytes("L", self._size, colours.tobytes())


def mark(sheet: Sheet, result: Result, size: float, **style: Any) -> Line2D:
    """Return a line whose marks are those of a result, `size` pixels large."""
    colour = sheet.result_colour(result)
    return Line2D(
        [],
        [],
        color=colour,
        marker=MARKERS[result],
        # A cross of the same reach would look smaller than a disc.
        markersize=size + 3 if result is Result.LOST else size,
        # A dark rim keeps marks apart that lie over each other.
        markeredgecolor=sheet.colour(Tone.PAGE),
        markeredgewidth=1,
        **style,
    )


@cache
def properties(font: Font) -> fonts.FontProperties:
    """Return the shipped typeface as Matplotlib wants it, found by its file."""
    return fonts.FontProperties(fname=str(file_of(font)), size=font.size)


@cache
def _palette_image(theme: Theme) -> Image.Image:
    image = Image.new("P", (1, 1))
    image.putpalette(palette_of(theme).bytes)
    return image
