"""The picture of a report: a table and three charts below each other."""

from __future__ import annotations

from threading import Lock
from typing import NamedTuple

from PIL import Image

from renderers.blocks.heading import draw_titles, titles_height
from renderers.blocks.note import draw_note, note_height
from renderers.blocks.small_print import draw_small_print
from renderers.blocks.table import SMALL as SMALL_TABLE
from renderers.blocks.table import draw_table, table_height
from renderers.blocks.turned_table import turned
from renderers.paint.canvas import Canvas
from renderers.paint.page import MARGIN, WIDTH
from renderers.paint.palette import Ramp
from renderers.paint.png import SMALL
from renderers.paint.text import Font, fit, legible
from renderers.paint.theme import CHARCOAL, Theme, Tone
from renderers.report_scene import ReportScene

_HEADINGS = (Font(28, bold=True), Font(24, bold=True))
_HEADING = 44
_GAP = 22
_FOOTER = 48
_one_at_a_time = Lock()
"""Matplotlib promises nothing for drawings in several threads; two would be no faster anyway."""


class _Chart(NamedTuple):
    title: str
    image: Image.Image

    @property
    def height(self) -> int:
        return _HEADING + self.image.height


def draw_report(scene: ReportScene, theme: Theme = CHARCOAL) -> bytes:
    """Draw a report; the first one takes longer, for it loads Matplotlib.

    Args:
        scene: What to show.
        theme: The colours.

    Returns:
        A PNG, 680 pixels wide like the boards, and as high as its content.
    """
    charts = _charts(scene, theme)
    tables = turned(scene.table, SMALL_TABLE)
    heights = [note_height(scene.note)]
    heights += [table_height(table, SMALL_TABLE) for table in tables]
    heights += [chart.height for chart in charts]
    height = titles_height(scene.subtitle) + sum(block + _GAP for block in heights if block)
    canvas = Canvas.blank(WIDTH, height + (_FOOTER if scene.footer else 0), theme, Tone.PAGE)
    top = draw_titles(canvas, scene.title, scene.subtitle)
    if scene.note:
        draw_note(canvas, scene.note, top)
        top += heights[0] + _GAP
    for table in tables:
        draw_table(canvas, table, top, theme, SMALL_TABLE)
        top += table_height(table, SMALL_TABLE) + _GAP
    for chart in charts:
        _draw_chart(canvas, chart, top)
        top += chart.height + _GAP
    draw_small_print(canvas, scene.footer, top + _FOOTER // 2 - 8)
    return canvas.png(SMALL)


def _charts(scene: ReportScene, theme: Theme) -> list[_Chart]:
    """Draw those charts that have anything to show."""
    if scene.bars.empty and scene.lines.empty and scene.scatter.empty:
        return []
    # Matplotlib takes most of a second to load, which no other picture should wait for.
    from renderers.charts.bars import draw_bars
    from renderers.charts.lines import draw_lines
    from renderers.charts.scatter import draw_scatter

    charts: list[_Chart] = []
    with _one_at_a_time:
        if not scene.bars.empty:
            charts.append(_Chart(scene.bars.title, draw_bars(scene.bars, theme)))
        if not scene.lines.empty:
            charts.append(_Chart(scene.lines.title, draw_lines(scene.lines, theme)))
        if not scene.scatter.empty:
            charts.append(_Chart(scene.scatter.title, draw_scatter(scene.scatter, theme)))
    return charts


def _draw_chart(canvas: Canvas, chart: _Chart, top: int) -> None:
    title, font = fit(legible(chart.title), WIDTH - 2 * MARGIN, *_HEADINGS)
    canvas.write(title, MARGIN, top + _HEADING // 2, font, Ramp(Tone.PAGE, Tone.TEXT))
    canvas.put(chart.image, 0, top + _HEADING)
