"""A quantity by group, with a mark for every game and a lane for each result.

The groups are the rows of the bar chart on its left, which names them.
"""

from __future__ import annotations

from collections import Counter

from matplotlib.ticker import MaxNLocator
from PIL import Image

from renderers.charts.bars import SLOT
from renderers.charts.sheet import KEY_HEIGHT, Sheet, mark
from renderers.paint.theme import MARGIN, Theme, Tone
from renderers.report_scene import Points, ScatterScene

_BELOW = 34
"""The height for the numbers of the scale, in pixels."""

_LEFT = 18

_SPREAD = 0.86
"""The share of a group's height that its marks occupy."""

_GOLDEN = 0.6180339887498949
"""Steps of this share of a lane spread marks evenly, in no visible pattern."""

_MANY = 150
"""The number of games from which marks are smaller."""


def draw_scatter(scene: ScatterScene, theme: Theme, width: int) -> Image.Image:
    """Draw a scatter chart without its title, key and names, in palette indices."""
    groups = len(scene.groups)
    tall = SLOT * groups
    box = (_LEFT, _BELOW, width - MARGIN - 22 - _LEFT, tall)
    sheet = Sheet((width, KEY_HEIGHT + tall + _BELOW), box, theme)
    most = max((value for cloud in scene.clouds for _, value in cloud.places), default=1)
    ticks = MaxNLocator(3, integer=True, min_n_ticks=2).tick_values(0, max(most, 1))
    sheet.axes.set(xlim=(0, max(ticks)), ylim=(groups - 0.5, -0.5))
    edges = [group - 0.5 for group in range(groups + 1)]
    sheet.rule(edges)
    sheet.axes.vlines(ticks, groups - 0.5, -0.5, colors=sheet.colour(Tone.PANEL), lw=2, zorder=0)
    for value in ticks:
        sheet.write(f"{value:.0f}", value, groups - 0.5, side="center", shift=(0, -_BELOW / 2))
    _draw_clouds(sheet, scene)
    return sheet.image()


def spread(cloud: Points, lane: int, lanes: int) -> tuple[tuple[float, float], ...]:
    """Spread the games of one result in its lane of every group.

    The same games always get the same places.
    """
    seen: Counter[int] = Counter()
    width = _SPREAD / lanes
    places: list[tuple[float, float]] = []
    for group, value in cloud.places:
        share = (0.5 + seen[group] * _GOLDEN) % 1
        seen[group] += 1
        places.append((value, group - _SPREAD / 2 + (lane + 0.08 + 0.84 * share) * width))
    return tuple(places)


def _draw_clouds(sheet: Sheet, scene: ScatterScene) -> None:
    count = sum(len(cloud.places) for cloud in scene.clouds)
    size = 8 if count >= _MANY else 12
    for lane, cloud in enumerate(scene.clouds):
        drawn = mark(sheet, cloud.result, size, linestyle="none", zorder=2)
        places = spread(cloud, lane, len(scene.clouds))
        drawn.set_data([x for x, _ in places], [y for _, y in places])
        # The mark of a game without moves is on the edge of the axes and should be complete.
        drawn.set_clip_on(False)
        sheet.axes.add_line(drawn)
