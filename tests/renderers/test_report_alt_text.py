"""Alternative texts of reports."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from renderers import (
    BarsScene,
    LinesScene,
    Points,
    ReportScene,
    Result,
    ScatterScene,
    Series,
    Table,
    report_alt_text,
)
from tests.renderers.reports import report

LEVELS = ("easy", "hard")
SCENE = ReportScene(
    "Connect 4",
    "all games",
    Table(("Level", "Games", "Time"), (("easy", "7", "2:10"), ("hard", "1", "5:00"))),
    BarsScene("Won (%)", LEVELS, (Series("people", (57.1, 0.0)), Series("engine", (42.9, None)))),
    LinesScene(
        "Hints (%)",
        "game",
        (
            Points("won", Result.WON, ((1, 50.0), (2, 30.0), (6, 0.0))),
            Points("lost", Result.LOST, ((8, 12.4),)),
        ),
    ),
    ScatterScene(
        "Moves",
        LEVELS,
        (
            Points("won", Result.WON, ((0, 9), (0, 21))),
            Points("drawn", Result.DRAWN, ()),
            Points("lost", Result.LOST, ((0, 8), (1, 30))),
        ),
    ),
    "since May",
    "Few games so far!",
)


def test_a_report_is_read_item_by_item() -> None:
    """The table is read by columns, then means of lines, ranges of clouds, and bars."""
    assert report_alt_text(SCENE) == (
        "Connect 4. all games. Few games so far! Games: easy 7, hard 1. Time: easy 2:10, hard 5:00."
        " Hints (%). won: 1–2 40, 5–6 0. lost: 7–8 12."
        " Moves. won: easy 9–21. lost: easy 8, hard 30."
        " Won (%). people: easy 57, hard 0. engine: easy 43. since May."
    )


def test_charts_without_data_are_left_out() -> None:
    """A report without games is its titles, its note and its footer."""
    assert report_alt_text(report(0, "No games yet.")) == (
        "Connect 4. all games. No games yet. since 3 May 2026."
    )


def test_a_long_report_keeps_its_table_and_ends_after_a_whole_item() -> None:
    """Items that do not fit are dropped from the end, beginning with the bars."""
    long = replace(SCENE, bars=BarsScene("Won", ("a" * 90,) * 9, (Series("people", (1,) * 9),)))
    text = report_alt_text(long)
    assert text.endswith("hard 30. Won. …")
    assert len(text) <= 1024


@pytest.mark.parametrize("last", [1, 2, 3, 5, 7, 1000])
def test_the_spans_of_a_line_cover_every_game_once(last: int) -> None:
    """At most four consecutive spans cover all games, each once."""
    places = tuple((number, 50.0) for number in range(1, last + 1))
    lines = LinesScene("Hints", "", (Points("won", Result.WON, places),))
    line = report_alt_text(replace(SCENE, lines=lines)).split("won: ")[1].split(".")[0]
    spans = [span.split()[0].split("–") for span in line.split(", ")]
    assert len(spans) <= 4
    edges = [(int(span[0]), int(span[-1])) for span in spans]
    numbers = [number for low, high in edges for number in range(low, high + 1)]
    assert numbers == list(range(1, last + 1))


@given(st.text(max_size=300), st.integers(0, 40), st.integers(1, 12))
def test_no_report_exceeds_the_limit(words: str, games: int, levels: int) -> None:
    """The text of any report has at most 1,024 characters."""
    names = (words,) * levels
    scene = replace(
        report(games, words),
        title=words,
        table=Table(names, (names,) * levels),
        bars=BarsScene(words, names, (Series(words, (50.0,) * levels),)),
    )
    assert len(report_alt_text(scene)) <= 1024
