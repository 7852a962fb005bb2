"""A quantity by group, with a mark for every game and a lane for each result."""

from __future__ import annotations

from collections import Counter

from matplotlib.ticker import MaxNLocator
from PIL import Image

from renderers.charts.sheet import KEY_HEIGHT, TEXT, Sheet, mark
from renderers.paint.measures import MARGIN, WIDTH
from renderers.paint.text import Font, legible
from renderers.paint.theme import Theme
from renderers.report_scene import Points, ScatterScene

_PLOT = 240
_LEFT = MARGIN + 52
_WIDTH = WIDTH - MARGIN - _LEFT
_NAME = 36
"""The height of a line of names below the axes, in pixels."""
_NAMES = (TEXT, Font(20))
_SPREAD = 0.9
"""The share of a group's width that its marks take."""
_GOLDEN = 0.6180339887498949
"""Steps of this share of a lane spread marks out evenly, in no visible pattern."""
_MANY = 150
"""The number of games from which marks are smaller."""


def draw_scatter(scene: ScatterScene, theme: Theme) -> Image.Image:
    """Draw a scatter chart without its title, in palette indices."""
    slot = _WIDTH / max(len(scene.groups), 1)
    font, staggered = _name_style(scene, slot)
    bottom = _NAME * (2 if staggered else 1)
    sheet = Sheet(KEY_HEIGHT + 14 + _PLOT + bottom, (_LEFT, bottom, _WIDTH, _PLOT), theme)
    most = max((value for cloud in scene.clouds for _, value in cloud.places), default=1)
    ticks = MaxNLocator(4, integer=True, min_n_ticks=2).tick_values(0, max(most, 1))
    sheet.axes.set(xlim=(-0.5, len(scene.groups) - 0.5), ylim=(0, max(ticks)))
    sheet.rule(ticks)
    for value in ticks:
        sheet.write(f"{value:.0f}", -0.5, value, side="right", shift=(-10, 0))
    _write_names(sheet, scene.groups, slot, font, staggered)
    _draw_clouds(sheet, scene)
    sheet.key(
        [mark(sheet, cloud.result, 12, linestyle="none") for cloud in scene.clouds],
        [cloud.label for cloud in scene.clouds],
    )
    return sheet.image()


def spread(cloud: Points, lane: int, lanes: int) -> tuple[tuple[float, float], ...]:
    """Spread the games of one result out in its lane of every group.

    The same games always get the same places.
    """
    seen: Counter[int] = Counter()
    width = _SPREAD / lanes
    places: list[tuple[float, float]] = []
    for group, value in cloud.places:
        share = (0.5 + seen[group] * _GOLDEN) % 1
        seen[group] += 1
        places.append((group - _SPREAD / 2 + (lane + 0.08 + 0.84 * share) * width, value))
    return tuple(places)


def _write_names(
    sheet: Sheet, names: tuple[str, ...], slot: float, font: Font, staggered: bool
) -> None:
    for index, name in enumerate(names):
        drop = 24 + (_NAME - 6 if staggered and index % 2 else 0)
        middle = _LEFT + (index + 0.5) * slot
        # A staggered name may reach over its neighbours' slots, but not into the margins.
        ends = 2 * min(middle - MARGIN, WIDTH - MARGIN - middle)
        room = min(slot * (2 if staggered else 1) - 8, ends)
        sheet.write(name, index, 0, room=room, font=font, side="center", shift=(0, -drop))


def _draw_clouds(sheet: Sheet, scene: ScatterScene) -> None:
    count = sum(len(cloud.places) for cloud in scene.clouds)
    size = 8 if count >= _MANY else 12
    for lane, cloud in enumerate(scene.clouds):
        drawn = mark(sheet, cloud.result, size, linestyle="none", zorder=2)
        places = spread(cloud, lane, len(scene.clouds))
        drawn.set_data([x for x, _ in places], [y for _, y in places])
        # The mark of a game without moves is on the edge of the axes and should be whole.
        drawn.set_clip_on(False)
        sheet.axes.add_line(drawn)


def _name_style(scene: ScatterScene, slot: float) -> tuple[Font, bool]:
    """Choose the largest font that fits every name, and whether names alternate between lines."""
    names = [legible(name) for name in scene.groups]
    for font in _NAMES:
        if all(font.width(name) <= slot - 8 for name in names):
            return font, False
    return _NAMES[-1], True
