"""A player's statistics and a report: a face, one large number, one chart, results as bars."""

from __future__ import annotations

from itertools import pairwise
from math import ceil, floor
from typing import NamedTuple

from PIL import Image

from renderers.card_scene import Course, Face, Figure, ReportScene, StatisticsScene
from renderers.cards.parts import (
    BAR,
    ROOM,
    SMALL,
    blank,
    draw_bar,
    draw_circle,
    draw_face,
    draw_footer,
    draw_icon,
    draw_panel,
    draw_tally,
    ink,
    path,
    write,
)
from renderers.paint import shapes
from renderers.paint.canvas import Canvas
from renderers.paint.palette import Ramp
from renderers.paint.text import Font, legible
from renderers.paint.theme import CLASSIC, MARGIN, WIDTH, Theme, Tone

_LARGE = 108

_CHART = (256, 284)
"""The top and the height of the chart."""

_BAR_TOP = 568

_SIDE = 104
"""The width of the numbers at the right of a chart."""

_PAD = 34

_END = WIDTH - MARGIN - _SIDE - 14
"""The right end of a course."""

_BOTTOM = 50
"""The height for the names of the two parts of a course."""

_LEAST_SPAN = 40
"""The least range of a chart: a change of a few points should not look like a collapse."""

_MOST = 90
"""The most points in a line: more would merge."""

_DOT = 6


def draw_statistics(scene: StatisticsScene, theme: Theme = CLASSIC) -> bytes:
    """Draw a player's statistics.

    Args:
        scene: What to show.
        theme: The colours.

    Returns:
        A PNG, 680 pixels wide and always as high.
    """
    canvas = blank(748, theme)
    _draw_person(canvas, scene.face, scene.title, scene.subtitle)
    right = _draw_number(canvas, scene.number)
    room = WIDTH - MARGIN - right - _rank_width(scene.rank)
    write(canvas, scene.number.label, right, 160, SMALL, ink(Tone.MUTED_TEXT), room=room)
    if scene.change is not None:
        _draw_change(canvas, scene, right, room)
    if scene.rank is not None:
        end = WIDTH - MARGIN - 4
        write(canvas, scene.rank.label, end, 160, SMALL, ink(Tone.MUTED_TEXT), anchor="right",
              room=220)  # fmt: skip
        write(canvas, scene.rank.value, end, 202, SMALL, ink(Tone.TEXT), bold=True,
              anchor="right", room=220)  # fmt: skip
    draw_panel(canvas, MARGIN, _CHART[0], ROOM, _CHART[1])
    if scene.course is not None:
        _draw_course(canvas, scene.course)
    else:
        _draw_progress(canvas, scene)
    draw_bar(canvas, scene.tally.counts, MARGIN, _BAR_TOP, ROOM)
    draw_tally(canvas, scene.tally, 626)
    draw_footer(canvas, scene.footer, 700)
    return canvas.png()


def draw_report(scene: ReportScene, theme: Theme = CLASSIC) -> bytes:
    """Draw a report of many games.

    Args:
        scene: What to show.
        theme: The colours.

    Returns:
        A PNG, 680 pixels wide and at least 510 high.
    """
    step, top = 62, 256
    panel = max(step * len(scene.levels) + 16, 130)
    canvas = blank(top + panel + 138, theme)
    _draw_person(canvas, scene.face, scene.title, scene.subtitle)
    right = _draw_number(canvas, scene.number)
    write(canvas, scene.number.label, right, 184, SMALL, ink(Tone.MUTED_TEXT),
          room=WIDTH - MARGIN - right, lines=2)  # fmt: skip
    draw_panel(canvas, MARGIN, top, ROOM, panel)
    for index, level in enumerate(scene.levels):
        middle = top + (panel - step * len(scene.levels)) // 2 + step * index + step // 2
        words, muted = Ramp(Tone.PANEL, Tone.TEXT), Ramp(Tone.PANEL, Tone.MUTED_TEXT)
        write(canvas, level.name, MARGIN + 20, middle, SMALL, words, bold=True, room=190, lines=2)
        draw_bar(canvas, level.counts, MARGIN + 222, middle - BAR // 2, 310)
        write(canvas, level.text, WIDTH - MARGIN - 20, middle, SMALL, muted, anchor="right",
              room=80)  # fmt: skip
    draw_tally(canvas, scene.tally, top + panel + 40)
    draw_footer(canvas, scene.footer, top + panel + 100)
    return canvas.png()


def _rank_width(rank: Figure | None) -> int:
    """The width of the rank, with the space before it."""
    if rank is None:
        return 0
    label, value = Font(SMALL).width(rank.label), Font(SMALL, bold=True).width(rank.value)
    return min(max(label, value), 220) + 24


def _draw_person(canvas: Canvas, face: Face | None, title: str, subtitle: str) -> None:
    left = MARGIN + 4
    if face is not None:
        draw_face(canvas, face, 72, 68, 42, rim=True)
        left = 134
    room = WIDTH - MARGIN - left
    write(canvas, title, left, 48, 40, ink(Tone.TEXT), bold=True, room=room)
    write(canvas, subtitle, left, 92, SMALL, ink(Tone.MUTED_TEXT), room=room)


def _draw_number(canvas: Canvas, number: Figure) -> int:
    """Write the large number; return where the text beside it begins."""
    words = legible(number.value)
    size = _LARGE
    while Font(size, bold=True).width(words) > 330:
        size -= 2
    font = Font(size, bold=True)
    canvas.write(words, MARGIN - 2, 184, font, ink(Tone.TEXT))
    return MARGIN + 2 + font.width(words) + 26


def _draw_change(canvas: Canvas, scene: StatisticsScene, left: int, room: int) -> None:
    change = scene.change or 0
    tone = Tone.GOOD if change > 0 else Tone.BAD if change < 0 else Tone.NEUTRAL
    name = "up" if change > 0 else "down" if change < 0 else "same"
    draw_icon(canvas, name, left + 11, 202, 11, tone)
    write(canvas, scene.change_text, left + 30, 204, SMALL, ink(tone), bold=True, room=room - 30,
          lines=2)  # fmt: skip


def _draw_progress(canvas: Canvas, scene: StatisticsScene) -> None:
    """Draw the placement games: full circles for those that were played."""
    top, height = _CHART
    middle = top + height // 2
    if scene.progress is not None:
        played, of = scene.progress
        left = WIDTH // 2 - (of - 1) * 44
        for index in range(of):
            x, y = left + 88 * index, middle - 34
            draw_circle(canvas, x, y, 30, Tone.CHART_LINE)
            if index >= played:
                draw_circle(canvas, x, y, 25, Tone.PANEL)
        middle += 50
    ramp = Ramp(Tone.PANEL, Tone.TEXT)
    write(canvas, scene.note, WIDTH // 2, middle, SMALL, ramp, anchor="middle", room=ROOM - 60,
          lines=2)  # fmt: skip


class _Scale(NamedTuple):
    """The scales of a course, from games and values to pixels of the picture."""

    low: float
    high: float
    last: int
    placement: int
    edge: float
    """Where the ground of the placement games ends: it is wide enough for its name."""

    def x(self, index: int) -> float:
        left, right = float(MARGIN + _PAD), float(_END)
        if index < self.placement:
            right = self.edge - 14
            return left + (right - left) * ((index + 0.5) / self.placement)
        left = self.edge + 12 if self.placement else left
        rated = self.last - self.placement
        return left + (right - left) * ((index - self.placement) / rated if rated else 1)

    def y(self, value: float) -> float:
        top, bottom = _CHART[0] + 40, _CHART[0] + _CHART[1] - _BOTTOM - 22
        return bottom - (bottom - top) * (value - self.low) / (self.high - self.low)


def _draw_course(canvas: Canvas, course: Course) -> None:
    scale = _scale(course)
    top, height = _CHART
    edge = _placement_edge(canvas, course, scale)
    for value in _round_numbers(scale):
        y = round(scale.y(value))
        rule = Image.new("L", (WIDTH - 2 * MARGIN - _SIDE - 20, 2), 255)
        canvas.cover(rule, MARGIN + 16, y - 1, Tone.GRID)
        if abs(y - scale.y(course.values[-1])) > 30:
            write(canvas, str(value), WIDTH - MARGIN - 16, y, SMALL,
                  Ramp(Tone.PANEL, Tone.MUTED_TEXT), anchor="right", room=_SIDE - 20)  # fmt: skip
    points = [(scale.x(i), scale.y(course.values[i])) for i in _shown(course)]
    placed = [point for point in points if point[0] < edge]
    rated = [point for point in points if point[0] >= edge] if placed else points
    # The line of the rated games begins at the end of the dotted one.
    _draw_dots(canvas, [*placed, *rated[:1]])
    if len(rated) > 1:
        line = path(WIDTH, top + height, rated, 6)
        canvas.cover(line, 0, 0, Tone.CHART_LINE)
    for across, down in placed:
        draw_circle(canvas, round(across), round(down), 7, Tone.MUTED_TEXT)
        draw_circle(canvas, round(across), round(down), 3.5, Tone.CHART_FILL)
    end, level = round(points[-1][0]), round(points[-1][1])
    draw_circle(canvas, end, level, 13, Tone.PANEL)
    draw_circle(canvas, end, level, 9.5, Tone.CHART_LINE)
    write(canvas, f"{course.values[-1]:.0f}", WIDTH - MARGIN - 16, level, SMALL,
          Ramp(Tone.PANEL, Tone.TEXT), bold=True, anchor="right", room=_SIDE - 16)  # fmt: skip
    _name_parts(canvas, course, edge)


def _scale(course: Course) -> _Scale:
    low, high = min(course.values), max(course.values)
    spare = max(_LEAST_SPAN - (high - low), 0) / 2
    last = len(course.values) - 1
    edge: float = 0
    if course.placement > last:
        edge = WIDTH - MARGIN
    elif course.placement:
        named = MARGIN + 40 + Font(SMALL).width(legible(course.labels[0]))
        share = (_END - MARGIN - _PAD) * course.placement / (last + 1)
        edge = min(max(named, MARGIN + _PAD + share), WIDTH / 2)
    return _Scale(low - spare, high + spare, last, course.placement, edge)


def _placement_edge(canvas: Canvas, course: Course, scale: _Scale) -> int:
    """Draw the paler ground of the placement games; return where it ends."""
    top, height = _CHART
    if not course.placement:
        return 0
    edge = round(scale.edge)
    inset = 3 if canvas.theme.is_outlined else 0
    shape = shapes.panel(ROOM - 2 * inset, height - 2 * inset, 22 - inset)
    ground = shape.crop((0, 0, edge - MARGIN - inset, height - 2 * inset))
    canvas.cover(ground, MARGIN + inset, top + inset, Tone.CHART_FILL)
    return edge


def _name_parts(canvas: Canvas, course: Course, edge: int) -> None:
    """Name both parts of a course where there is room for their names."""
    middle, (first, second) = _CHART[0] + _CHART[1] - 28, course.labels
    if Font(SMALL).width(legible(first)) <= edge - MARGIN - 30:
        write(canvas, first, MARGIN + 20, middle, SMALL, Ramp(Tone.CHART_FILL, Tone.MUTED_TEXT))
    left = max(edge, MARGIN) + 16
    if edge < WIDTH - MARGIN and Font(SMALL).width(legible(second)) <= WIDTH - MARGIN - left:
        write(canvas, second, left, middle, SMALL, Ramp(Tone.PANEL, Tone.MUTED_TEXT))


def _round_numbers(scale: _Scale) -> list[int]:
    """Two round numbers, or one, for the lines of a chart."""
    for step in (10, 20, 50, 100, 200, 500, 1000):
        found = [step * n for n in range(ceil(scale.low / step), floor(scale.high / step) + 1)]
        if len(found) <= 2:
            return found
    return []


def _shown(course: Course) -> list[int]:
    """Choose the points of the line: evenly spaced ones, the highest, the lowest and the last."""
    values, count = course.values, len(course.values)
    step = max(-(-count // _MOST), 1)
    ends = (values.index(min(values)), values.index(max(values)), count - 1)
    return sorted({*range(course.placement), *range(0, count, step), *ends})


def _draw_dots(canvas: Canvas, points: list[tuple[float, float]]) -> None:
    """Draw a dotted line through points."""
    dot = shapes.disc(_DOT + 2, _DOT / 2)
    for (x, y), (end, low) in pairwise(points):
        steps = max(int(((end - x) ** 2 + (low - y) ** 2) ** 0.5 // 11), 1)
        for step in range(1, steps):
            left, top = x + (end - x) * step / steps, y + (low - y) * step / steps
            canvas.cover(dot, round(left) - 4, round(top) - 4, Tone.MUTED_TEXT)
