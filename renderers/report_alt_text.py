"""A report in words: its table, and what its charts show."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from statistics import fmean

from renderers.report_scene import BarsScene, LinesScene, Points, ReportScene, ScatterScene
from renderers.scene import Table
from renderers.sentences import cut, sentence

_SPANS = 4
"""The most spans of games into which a line is summed up."""


def report_alt_text(scene: ReportScene) -> str:
    """Describe a report in at most 1,024 characters; a longer text ends after a whole item.

    The table is read column by column, with the name of every level. A line of percentages becomes
    the means of up to four spans of games, and a cloud the range at every level. The bars come
    last, since the table usually says the same.
    """
    items = [scene.title, scene.subtitle, scene.note, *_table(scene.table), *_lines(scene.lines)]
    items += [*_scatter(scene.scatter), *_bars(scene.bars), scene.footer]
    return cut(sentence(item) for item in items)


def _table(table: Table) -> Iterator[str]:
    if not table.rows or not table.headers:
        return
    levels, *columns = zip(*table.rows, strict=True)
    for header, cells in zip(table.headers[1:], columns, strict=True):
        yield _listed(header, zip(levels, cells, strict=True))


def _bars(scene: BarsScene) -> Iterator[str]:
    if scene.empty:
        return
    yield scene.title
    for series in scene.series:
        pairs = zip(scene.groups, series.values, strict=True)
        yield _listed(series.label, ((g, f"{v:.0f}") for g, v in pairs if v is not None))


def _lines(scene: LinesScene) -> Iterator[str]:
    if scene.empty:
        return
    yield scene.title
    last = max(number for line in scene.lines for number, _ in line.places)
    for line in scene.lines:
        yield _listed(line.label, _spans(line, last))


def _spans(line: Points, last: int) -> Iterator[tuple[str, str]]:
    count = min(_SPANS, last)
    for span, group in groupby(line.places, lambda place: (place[0] - 1) * count // last):
        mean = fmean(value for _, value in group)
        # Span s holds the games n with (n - 1) * count // last == s.
        low, high = -(-span * last // count) + 1, -(-(span + 1) * last // count)
        yield (f"{low}–{high}" if low < high else str(low)), f"{mean:.0f}"


def _scatter(scene: ScatterScene) -> Iterator[str]:
    if scene.empty:
        return
    yield scene.title
    for cloud in scene.clouds:
        ranges: list[tuple[str, str]] = []
        for index, name in enumerate(scene.groups):
            values = [value for group, value in cloud.places if group == index]
            if values:
                low, high = f"{min(values):.0f}", f"{max(values):.0f}"
                ranges.append((name, low if low == high else f"{low}–{high}"))
        yield _listed(cloud.label, ranges)


def _listed(label: str, pairs: Iterator[tuple[str, str]] | list[tuple[str, str]]) -> str:
    listed = ", ".join(f"{name} {value}" for name, value in pairs)
    if not listed:
        return ""
    return f"{label}: {listed}" if label else listed
