"""Percentages by group, as horizontal bars: long names fit beside them, even on a phone."""

from __future__ import annotations

from matplotlib.patches import Patch
from PIL import Image

from renderers.charts.sheet import KEY_HEIGHT, TEXT, Sheet
from renderers.paint.measures import MARGIN, WIDTH
from renderers.paint.text import Font, legible
from renderers.paint.theme import Theme, Tone
from renderers.report_scene import BarsScene

_TONES = (Tone.FIRST, Tone.SECOND)
_HATCHES = (None, "//")
_BAR = 24
"""The height from one bar of a group to the next, in pixels."""
_GAP = 14
_NAMES = 220
"""The greatest width of the names of the groups, in pixels."""
_VALUE = Font(20, bold=True)
_VALUE_ROOM = 46
"""The width for a value beyond the end of a full bar, in pixels."""


def draw_bars(scene: BarsScene, theme: Theme) -> Image.Image:
    """Draw a bar chart without its title, in palette indices."""
    names = min(max((TEXT.width(legible(name)) for name in scene.groups), default=0), _NAMES)
    left = MARGIN + names + 14
    slot = len(scene.series) * _BAR + _GAP
    tall = slot * len(scene.groups)
    box = (left, 8, WIDTH - MARGIN - _VALUE_ROOM - left, tall)
    sheet = Sheet(KEY_HEIGHT + tall + 8, box, theme)
    # The vertical scale is in pixels, as bars and gaps are.
    sheet.axes.set(xlim=(0, 100), ylim=(tall, 0))
    sheet.axes.vlines((0, 50, 100), tall, 0, colors=sheet.colour(Tone.SURFACE), lw=2, zorder=0)
    for index, name in enumerate(scene.groups):
        middle = (index + 0.5) * slot
        sheet.write(name, 0, middle, room=names, tone=Tone.TEXT, side="right", shift=(-12, 0))
    for index, series in enumerate(scene.series):
        first = _GAP / 2 + (index + 0.5) * _BAR
        heights = [first + group * slot for group in range(len(scene.groups))]
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
        _BAR - 3,
        color=sheet.colour(_TONES[index]),
        hatch=_HATCHES[index],
        edgecolor=sheet.colour(Tone.SECOND_MARK) if index else "none",
        linewidth=0,
    )
    for height, value in zip(heights, values, strict=True):
        words, tone = ("–", Tone.MUTED) if value is None else (f"{value:.0f}", Tone.TEXT)
        sheet.write(words, value or 0, height, font=_VALUE, tone=tone, shift=(8, 0))


def _patch(sheet: Sheet, index: int) -> Patch:
    edge = sheet.colour(Tone.SECOND_MARK) if index else "none"
    face = sheet.colour(_TONES[index])
    return Patch(facecolor=face, edgecolor=edge, hatch=_HATCHES[index], linewidth=0)
