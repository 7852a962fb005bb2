"""The picture of a report: a table and three charts."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import pytest

from renderers import (
    CLASSIC,
    BarsScene,
    LinesScene,
    Points,
    Result,
    ScatterScene,
    Series,
    Tone,
    draw_report,
)
from renderers.paint.palette import palette_of
from tests.builders import ROOT
from tests.renderers.eyes import See
from tests.renderers.reports import LEVELS, report


@pytest.mark.parametrize("games", [0, 1, 12, 1000])
def test_a_report_has_the_width_of_a_board_and_is_small(see: See, games: int) -> None:
    """A report of any number of games is 680 pixels wide and at most 60 KB."""
    png = draw_report(report(games))
    assert see(png).width == 680
    assert len(png) <= 60 * 1024


def test_the_same_report_is_always_the_same_picture() -> None:
    """The same report gives the same bytes, also in four threads at once."""
    scenes = [report(games) for games in (5, 40, 5, 40, 5, 40, 5, 40)]
    alone = [draw_report(scene) for scene in scenes[:2]]
    with ThreadPoolExecutor(4) as threads:
        assert list(threads.map(draw_report, scenes)) == alone * 4


def test_importing_the_renderers_does_not_load_matplotlib() -> None:
    """Importing the renderers, and drawing a card with a course, does not load Matplotlib."""
    code = (
        "import sys, renderers as r;"
        "r.draw_card(r.CardScene('a', '', (), course=r.Course('b', (1.0, 2.0), '')));"
        "sys.exit('matplotlib' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=False).returncode == 0


def test_no_state_of_pyplot_is_used() -> None:
    """Drawing charts never loads `pyplot`."""
    code = (
        "import sys; sys.path.insert(1, 'tests/renderers');"
        "from reports import report; from renderers import draw_report;"
        "draw_report(report(3));"
        "sys.exit('matplotlib.pyplot' in sys.modules or 'matplotlib' not in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=False).returncode == 0


def test_a_report_has_only_the_colours_of_all_pictures(see: See) -> None:
    """A report has only the colours of the palette of all pictures."""
    colours = {colour for _, colour in see(draw_report(report(60))).getcolors(1 << 20) or []}
    assert colours <= set(palette_of(CLASSIC).colours)


@pytest.mark.parametrize(
    "change",
    [
        {"title": "Gato"},
        {"subtitle": ""},
        {"footer": ""},
        {"note": "Few games so far."},
        {"bars": BarsScene("Won (%)", ("easy",), (Series("people", (50,)),))},
        {"lines": LinesScene("Hints", "", (Points("won", Result.WON, ((1, 3),)),))},
        {"scatter": ScatterScene("Moves", ("easy",), (Points("won", Result.WON, ((0, 7),)),))},
    ],
)
def test_everything_in_a_report_is_drawn(change: dict[str, Any]) -> None:
    """Changing any part gives a different picture."""
    assert draw_report(replace(report(12), **change)) != draw_report(report(12))


def test_charts_without_data_take_no_space(see: See) -> None:
    """A report without games is its titles, its note and its footer."""
    empty = see(draw_report(report(0, "No games yet.")))
    assert empty.height == 460
    assert empty.crop((0, 0, 680, 200)).getcolors() != [(680 * 200, CLASSIC.rgb(Tone.BACKGROUND))]
    one = see(draw_report(report(1)))
    less = replace(report(1), lines=LinesScene("Hints", "", (Points("won", Result.WON, ()),)))
    assert see(draw_report(less)).height < one.height


def test_long_texts_keep_clear_of_the_edges(see: See) -> None:
    """Texts of any length leave the margins of a report empty."""
    words = "Wörter " * 40
    names = tuple(words for _ in LEVELS)
    some = Points(words, Result.WON, ((1, 50),)), Points(words, Result.LOST, ((2, 60),))
    scene = replace(
        report(12),
        title=words,
        subtitle=words,
        footer=words,
        note=words,
        bars=BarsScene(words, names, (Series(words, (50, 60, 70, 80, 100)),) * 2),
        lines=LinesScene(words, words, some),
        scatter=ScatterScene(words, names, some),
    )
    picture = see(draw_report(scene))
    page = CLASSIC.rgb(Tone.BACKGROUND)
    for left in (0, picture.width - 12):
        margin = picture.crop((left, 0, left + 12, picture.height))
        assert margin.getcolors() == [(12 * picture.height, page)]


def test_text_is_never_parsed_as_a_formula() -> None:
    """Dollars, backslashes and unknown characters are drawn or dropped, never parsed."""
    words = "$\\frac{1$ 🎲 $x$"
    some = (Points(words, Result.WON, ((0, 7),)),)
    scene = replace(
        report(3),
        bars=BarsScene(words, (words,), (Series(words, (50,)),)),
        lines=LinesScene(words, words, (Points(words, Result.WON, ((1, 7),)),)),
        scatter=ScatterScene(words, (words,), some),
    )
    assert draw_report(scene)
