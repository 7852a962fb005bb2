"""The picture of a report: a table and three charts below each other."""

from __future__ import annotations

from threading import Lock

from PIL import Image

from renderers.blocks.block import Block
from renderers.blocks.note import note_block
from renderers.blocks.table import TABLE, table_block
from renderers.blocks.turned_table import turned
from renderers.cards.page import draw_page
from renderers.paint.canvas import Canvas
from renderers.paint.measures import MARGIN, WIDTH
from renderers.paint.palette import Ramp
from renderers.paint.text import Font, fit, legible
from renderers.paint.theme import CHARCOAL, Theme, Tone
from renderers.report_scene import ReportScene

_TITLES = (Font(28, bold=True), Font(24, bold=True))
_TITLE_HEIGHT = 44
_one_at_a_time = Lock()
"""Matplotlib does not promise to draw safely in several threads, and two would be no faster."""


def draw_report(scene: ReportScene, theme: Theme = CHARCOAL) -> bytes:
    """Draw a report; the first one takes longer because it loads Matplotlib.

    Args:
        scene: What to show.
        theme: The colours.

    Returns:
        A PNG, 680 pixels wide like the boards and as high as its content.
    """
    tables = [table_block(table, TABLE) for table in turned(scene.table, TABLE)]
    blocks = [note_block(scene.note), *tables, *_chart_blocks(scene, theme)]
    return draw_page(scene.title, scene.subtitle, blocks, scene.footer, theme)


def _chart_blocks(scene: ReportScene, theme: Theme) -> list[Block]:
    """Draw the charts that have anything to show."""
    if scene.bars.empty and scene.lines.empty and scene.scatter.empty:
        return []
    # Matplotlib takes most of a second to load, and no other picture should wait for that.
    from renderers.charts.bars import draw_bars
    from renderers.charts.lines import draw_lines
    from renderers.charts.scatter import draw_scatter

    blocks: list[Block] = []
    with _one_at_a_time:
        if not scene.bars.empty:
            blocks.append(_chart_block(scene.bars.title, draw_bars(scene.bars, theme)))
        if not scene.lines.empty:
            blocks.append(_chart_block(scene.lines.title, draw_lines(scene.lines, theme)))
        if not scene.scatter.empty:
            blocks.append(_chart_block(scene.scatter.title, draw_scatter(scene.scatter, theme)))
    return blocks


def _chart_block(title: str, chart: Image.Image) -> Block:
    def draw(canvas: Canvas, top: int) -> None:
        words, font = fit(legible(title), WIDTH - 2 * MARGIN, *_TITLES)
        canvas.write(words, MARGIN, top + _TITLE_HEIGHT // 2, font, Ramp(Tone.PAGE, Tone.TEXT))
        canvas.put(chart, 0, top + _TITLE_HEIGHT)

    return Block(_TITLE_HEIGHT + chart.height, draw)
