"""The picture of a report: three charts. Its table is part of the message's text."""

from __future__ import annotations

from threading import Lock

from PIL import Image

from renderers.blocks.text import Block, note_block
from renderers.cards.card import draw_page
from renderers.paint.canvas import Canvas
from renderers.paint.palette import Ramp
from renderers.paint.text import Font, legible, wrap
from renderers.paint.theme import CLASSIC, MARGIN, WIDTH, Theme, Tone
from renderers.report_scene import ReportScene

_TITLE = Font(28, bold=True)

_TITLE_LINE = 34

_TITLE_LINES = 2

_one_at_a_time = Lock()
"""Matplotlib does not guarantee that drawing in several threads is safe, and two would be no
faster."""


def draw_report(scene: ReportScene, theme: Theme = CLASSIC) -> bytes:
    """Draw a report; the first one takes longer because it loads Matplotlib.

    Args:
        scene: What to show.
        theme: The colours.

    Returns:
        A PNG, 680 pixels wide like the boards and as high as its content, but at least 460.
    """
    blocks = [note_block(scene.note), *_chart_blocks(scene, theme)]
    return draw_page(scene.title, scene.subtitle, blocks, scene.footer, theme)


def _chart_blocks(scene: ReportScene, theme: Theme) -> list[Block]:
    """Draw the charts that have data: two beside each other and one below."""
    if scene.bars.empty and scene.lines.empty and scene.scatter.empty:
        return []
    # Matplotlib takes most of a second to load, and no other picture should wait for that.
    from renderers.charts.bars import BARS, draw_bars
    from renderers.charts.lines import draw_key, draw_lines
    from renderers.charts.scatter import draw_scatter

    beside: list[tuple[str, Image.Image]] = []
    blocks: list[Block] = []
    with _one_at_a_time:
        if not scene.bars.empty:
            beside.append((scene.bars.title, draw_bars(scene.bars, theme)))
        if not scene.scatter.empty:
            chart = draw_scatter(scene.scatter, theme, WIDTH - BARS)
            beside.append((scene.scatter.title, chart))
        if beside:
            blocks.append(_charts_block(beside))
        if not (scene.lines.empty and scene.scatter.empty):
            # One key explains the marks of both charts.
            charted = (*scene.scatter.clouds, *scene.lines.lines)
            labels = {points.result: points.label for points in charted}
            if scene.lines.empty:
                below = ("", draw_key(theme, labels))
            else:
                below = (scene.lines.title, draw_lines(scene.lines, theme, labels))
            blocks.append(_charts_block([below]))
    return blocks


def _charts_block(charts: list[tuple[str, Image.Image]]) -> Block:
    """Return charts with their titles beside each other."""
    titles = [
        wrap(legible(title), chart.width - 2 * MARGIN + 4, _TITLE, _TITLE_LINES)
        for title, chart in charts
    ]
    heading = max(len(title) for title in titles) * _TITLE_LINE

    def draw(canvas: Canvas, top: int) -> None:
        left = 0
        for lines, (_, chart) in zip(titles, charts, strict=True):
            for index, line in enumerate(lines):
                middle = top + index * _TITLE_LINE + _TITLE_LINE // 2
                canvas.write(line, left + MARGIN, middle, _TITLE, Ramp(Tone.BACKGROUND, Tone.TEXT))
            canvas.put(chart, left, top + heading)
            left += chart.width

    return Block(heading + max(chart.height for _, chart in charts), draw)
