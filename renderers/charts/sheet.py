"""The sheet that a chart is drawn on: a Matplotlib figure measured in pixels.

It uses Matplotlib's objects only, never `pyplot` and the state that threads would share.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import chain, product
from math import inf
from typing import Any, Literal

import matplotlib.font_manager as fonts
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from PIL import Image

from renderers.paint.palette import Ramp, mix, palette_of
from renderers.paint.text import Font, file_of, fit, legible
from renderers.paint.theme import MARGIN, Theme, Tone
from renderers.scene import Result

AxesBox = tuple[float, float, float, float]
"""Left, bottom, width and height; from the lower left corner, unlike the boxes of boards."""

_DPI = 72
"""At this resolution a point, Matplotlib's unit for type and lines, is a pixel."""

_CAPITALS = 0.714
"""The height of capitals, as a share of the font's size."""

TEXT = Font(28)

KEY_HEIGHT = 40
"""The height of a key to the marks, in pixels."""

MARKERS = {Result.WON: "o", Result.DRAWN: "s", Result.LOST: "X"}


class Sheet:
    """A figure with one pair of axes."""

    def __init__(self, size: tuple[int, int], box: AxesBox, theme: Theme) -> None:
        """Lay out a chart.

        Args:
            size: The width and height of the chart, in pixels.
            box: Where its axes are, in pixels.
            theme: The colours.
        """
        self.theme = theme
        self._size = wide, high = size
        page = self.colour(Tone.BACKGROUND)
        self._figure = Figure(figsize=(wide / _DPI, high / _DPI), dpi=_DPI, facecolor=page)
        # The Agg canvas carries no types.
        self._canvas: Any = FigureCanvasAgg(self._figure)
        left, bottom, width, tall = box
        place = (left / wide, bottom / high, width / wide, tall / high)
        self.axes: Axes = self._figure.add_axes(place, facecolor=page)
        self.axes.set_axis_off()

    def colour(self, tone: Tone) -> str:
        """Return a colour in the form that Matplotlib takes."""
        return self.theme.colours[tone]

    def result_colour(self, result: Result) -> str:
        """Return the colour of a result's marks."""
        if result is Result.LOST:
            # Thin lines and small marks in plain blue would be hard to see on a dark page.
            blue, pale = self.theme.rgb(Tone.DISC_2), self.theme.rgb(Tone.DISC_2_MARK)
            return "#{:02X}{:02X}{:02X}".format(*mix(blue, pale, 0.5))
        return self.colour(Tone.DISC_1 if result is Result.WON else Tone.MUTED_TEXT)

    def write(
        self,
        words: str,
        x: float,
        y: float,
        *,
        room: float = inf,
        font: Font = TEXT,
        tone: Tone = Tone.MUTED_TEXT,
        side: Literal["left", "center", "right"] = "left",
        shift: tuple[float, float] = (0, 0),
    ) -> None:
        """Write one line of text near a point of the axes.

        Args:
            words: What to write; cut to `room`.
            x: Where its left, centre or right goes, on the scale of the axes; see `side`.
            y: Where the middle of its capitals goes, on the scale of the axes.
            room: Its greatest width, in pixels.
            font: Its size and weight.
            tone: Its colour.
            side: Which point of the line goes to `x`.
            shift: How far right and up to move it from there, in pixels.
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

    def rule(self, y: Sequence[float], tone: Tone = Tone.PANEL) -> None:
        """Draw horizontal lines across the axes, at heights on their scale."""
        left, right = self.axes.get_xlim()
        self.axes.hlines(y, left, right, colors=self.colour(tone), linewidth=2, zorder=0)

    def key(self, handles: Sequence[Line2D | Patch], labels: Sequence[str]) -> None:
        """Draw a key to the marks at the top of the chart."""
        if not handles:
            return
        wide, high = self._size
        room = (wide - 2 * MARGIN) // len(handles) - 62
        names = [fit(legible(label), room, TEXT)[0] for label in labels]
        legend = self._figure.legend(
            handles,
            names,
            loc="center left",
            bbox_to_anchor=(MARGIN / wide, (high - KEY_HEIGHT / 2) / high),
            ncols=len(handles),
            prop=properties(TEXT),
            labelcolor=self.colour(Tone.TEXT),
            frameon=False,
            borderpad=0,
            borderaxespad=0,
            handlelength=1.3,
            handletextpad=0.4,
            columnspacing=1,
        )
        for text in legend.get_texts():
            text.set_parse_math(False)

    def image(self) -> Image.Image:
        """Return the finished chart as palette indices, in mode L."""
        self._canvas.draw()
        pixels = Image.frombuffer(
            "RGBA", self._size, self._canvas.buffer_rgba(), "raw", "RGBA", 0, 1
        )
        image, places = _colours(self.theme)
        found = pixels.convert("RGB").quantize(palette=image, dither=Image.Dither.NONE)
        return Image.frombytes("L", self._size, found.tobytes()).point(places)


def mark(sheet: Sheet, result: Result, size: float, **style: Any) -> Line2D:
    """Return a line with a result's marks, `size` pixels across."""
    colour = sheet.result_colour(result)
    return Line2D(
        [],
        [],
        color=colour,
        marker=MARKERS[result],
        # A cross of the same size would look smaller than a disc.
        markersize=size + 3 if result is Result.LOST else size,
        # A rim in the colour of the page separates marks that overlap.
        markeredgecolor=sheet.colour(Tone.BACKGROUND),
        markeredgewidth=1,
        **style,
    )


@cache
def properties(font: Font) -> fonts.FontProperties:
    """Return the shipped typeface in the form that Matplotlib takes."""
    return fonts.FontProperties(fname=str(file_of(font)), size=font.size)


@cache
def _colours(theme: Theme) -> tuple[Image.Image, bytes]:
    """The colours of a chart, and the index of each in the palette of its theme."""
    palette = palette_of(theme)
    ramps = (palette.ramp(Ramp(under, over)) for under, over in product(_INKS, repeat=2))
    indices = list(dict.fromkeys(chain.from_iterable(ramps)))
    image = Image.new("P", (1, 1))
    image.putpalette(bytes(part for index in indices for part in palette.colours[index]))
    return image, bytes(indices).ljust(256, b"\0")


_INKS = (
    Tone.BACKGROUND,
    Tone.PANEL,
    Tone.TEXT,
    Tone.MUTED_TEXT,
    Tone.DISC_1,
    Tone.DISC_2,
    Tone.DISC_2_MARK,
)
"""The colours that charts are drawn in."""
