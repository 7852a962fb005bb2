"""Percentages by group, as horizontal bars: long names fit beside them, even on a phone.

The numbers are part of the message's text, where they can be larger.
"""

from __future__ import annotations

from matplotlib.patches import Patch
from PIL import Image

from renderers.charts.sheet import KEY_HEIGHT, TEXT, Sheet
from renderers.paint.text import legible
from renderers.paint.theme import MARGIN, Theme, Tone
from renderers.report_scene import BarsScene

_TONES = (Tone.DISC_1, Tone.DISC_2)

_HATCHES = (None, "//")

BARS = 398
"""The width of the chart, which leaves space for the lengths of the games beside it."""

SLOT = 42
"""The height of a group, in pixels."""

_BAR = 15
"""The height from one bar of a group to the next, in pixels."""

NAMES = 206
"""The greatest width of the names of the groups, in pixels."""

_BELOW = 34
"""The height for the numbers of the scale, in pixels."""


def draw_bars(scene: BarsScene, theme: Theme) -> Image.Image:
    """Draw a bar chart without its title, in palette indices."""
    names = min(max((TEXT.width(legible(name)) for name in scene.groups), default=0), NAMES)
    left = MARGIN + names + 14
    tall = SLOT * len(scene.groups)
    box = (left, _BELOW, BARS - 30 - left, tall)
    sheet = Sheet((BARS, KEY_HEIGHT + tall + _BELOW), box, theme)
    # The vertical scale is in pixels, like the bars and gaps.
    sheet.axes.set(xlim=(0, 100), ylim=(tall, 0))
    sheet.axes.vlines((0, 50, 100), tall, 0, colors=sheet.colour(Tone.PANEL), lw=2, zorder=0)
    for value in (0, 50, 100):
        sheet.write(str(value), value, tall, side="center", shift=(0, -_BELOW / 2))
    for index, name in enumerate(scene.groups):
        middle = (index + 0.5) * SLOT
        sheet.write(name, 0, middle, room=names, tone=Tone.TEXT, side="right", shift=(-12, 0))
    for index, series in enumerate(scene.series):
        first = SLOT / 2 + (index - (len(scene.series) - 1) / 2) * _BAR
        heights = [first + group * SLOT for group in range(len(scene.groups))]
        _draw_series(sheet, index, heights, series.values)
    patches = [_patch(sheet, index) for index in range(len(scene.series))]
    sheet.key(patches, [series.label for series in scene.series])
    return sheet.image()


def _draw_series(
    sheet: Sheet,
    index: int,
    heights: list[float],
    values: tuple[float | None, ...],
) -> None:
    sheet.axes.barh(
        heights,
        [value or 0 for value in values],
        _BAR - 2,
        color=sheet.colour(_TONES[index]),
        hatch=_HATCHES[index],
        edgecolor=sheet.colour(Tone.DISC_2_MARK) if index else "none",
        linewidth=0,
    )
    for height, value in zip(heights, values, strict=True):
        if value is None:
            sheet.write("–", 0, height, shift=(8, 0))


def _patch(sheet: Sheet, index: int) -> Patch:
    edge = sheet.colour(Tone.DISC_2_MARK) if index else "none"
    face = sheet.colour(_TONES[index])
    return Patch(facecolor=face, edgecolor=edge, hatch=_HATCHES[index], linewidth=0)
