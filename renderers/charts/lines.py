"""Percentages from game to game, with a line for each result."""

from __future__ import annotations

from collections.abc import Mapping
from statistics import fmean

from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator
from PIL import Image

from renderers.charts.sheet import KEY_HEIGHT, TEXT, Sheet, mark
from renderers.paint.text import legible
from renderers.paint.theme import MARGIN, WIDTH, Theme
from renderers.report_scene import LinesScene
from renderers.scene import Result

_PLOT = 100

_LEFT = MARGIN + 58

_WIDTH = WIDTH - MARGIN - 14 - _LEFT

_BOTTOM = 44

_NUMBER = 26
"""The distance from the axes down to the middle of the numbers, in pixels."""

_MOST = 24
"""The most points in a line; more games than that are averaged in spans."""

_DASHES = {Result.WON: "-", Result.DRAWN: ":", Result.LOST: "--"}


def draw_lines(scene: LinesScene, theme: Theme, labels: Mapping[Result, str]) -> Image.Image:
    """Draw a line chart without its title, in palette indices; its key names all `labels`."""
    axis = TEXT.width(legible(scene.axis)) + 20 if scene.axis else 0
    wide = _WIDTH - min(axis, _WIDTH // 3)
    high = KEY_HEIGHT + 14 + _PLOT + _BOTTOM
    sheet = Sheet((WIDTH, high), (_LEFT, _BOTTOM, wide, _PLOT), theme)
    last = max((number for line in scene.lines for number, _ in line.places), default=1)
    paths = [averaged(line.places, last) for line in scene.lines]
    high = any(value > 50 for path in paths for _, value in path)
    # At least half a game on either side keeps the first and last marks off the edges.
    edge = max((last - 1) * 0.02, 0.5)
    sheet.axes.set(xlim=(1 - edge, last + edge), ylim=(0, 100 if high else 50))
    _draw_scales(sheet, scene, last)
    for line, path in zip(scene.lines, paths, strict=True):
        drawn = _line(sheet, line.result, 12 if last <= _MOST else 10)
        drawn.set_data([x for x, _ in path], [y for _, y in path])
        drawn.set_clip_on(False)
        sheet.axes.add_line(drawn)
    _key(sheet, labels)
    return sheet.image()


def draw_key(theme: Theme, labels: Mapping[Result, str]) -> Image.Image:
    """Draw the key alone, if there is no line."""
    sheet = Sheet((WIDTH, KEY_HEIGHT), (0, 0, WIDTH, KEY_HEIGHT), theme)
    _key(sheet, labels)
    return sheet.image()


def _key(sheet: Sheet, labels: Mapping[Result, str]) -> None:
    sheet.key([_line(sheet, result, 14) for result in labels], list(labels.values()))


def _line(sheet: Sheet, result: Result, size: float) -> Line2D:
    return mark(sheet, result, size, linestyle=_DASHES[result], linewidth=2.5)


def averaged(
    places: tuple[tuple[int, float], ...], last: int, most: int = _MOST
) -> tuple[tuple[float, float], ...]:
    """Average the games in `most` equal spans from game 1 to game `last`.

    Each span that has games becomes one place, at the mean of their numbers and values. If `last`
    is at most `most`, the games stay unchanged.
    """
    if last <= most:
        return places
    spans: dict[int, list[tuple[int, float]]] = {}
    for number, value in places:
        spans.setdefault((number - 1) * most // last, []).append((number, value))
    return tuple(
        (fmean(number for number, _ in span), fmean(value for _, value in span))
        for span in spans.values()
    )


def _draw_scales(sheet: Sheet, scene: LinesScene, last: int) -> None:
    left, right = sheet.axes.get_xlim()
    _, top = sheet.axes.get_ylim()
    heights = (0, top / 2, top)
    sheet.rule(heights)
    for value in heights:
        sheet.write(f"{value:.0f}", left, value, side="right", shift=(-10, 0))
    for number in _numbers(last):
        sheet.write(str(number), number, 0, side="center", shift=(0, -_NUMBER))
    if scene.axis:
        sheet.write(scene.axis, right, 0, room=_WIDTH // 3 - 20, shift=(20, -_NUMBER))


def _numbers(last: int) -> list[int]:
    """Choose the games whose numbers are written: the first, the last and round ones between."""
    near = (last - 1) * 0.1
    round_ones = MaxNLocator(5, integer=True, min_n_ticks=1).tick_values(1, last)
    between = {round(number) for number in round_ones if 1 + near < number < last - near}
    return sorted({1, *between, last})
