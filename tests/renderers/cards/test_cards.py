"""Cards: nothing is clipped, everything shows, and no result depends on colour alone."""

from __future__ import annotations

import sys
from dataclasses import replace
from subprocess import run
from typing import Any

import pytest
from PIL import Image

from renderers import THEMES, Face, Leader, Result, Tally, card_alt_text, draw_card
from renderers.cards.parts import HEADING, fitted
from renderers.paint.canvas import Canvas
from renderers.paint.text import Font
from renderers.paint.theme import WIDTH
from tests.renderers.example_cards import (
    CARDS,
    HISTORY,
    LEADERS,
    LEAGUE,
    PAIR,
    REPORT,
    STATISTICS,
    TALLY,
)
from tests.renderers.eyes import See, changed

NAMES = (
    "María José Fernández de la Cruz",
    "xX_ElDestructorDeMundos_2011_Xx",
    "W" * 32,
    "Ángela",
)


@pytest.fixture
def written(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, int, int, int]]:
    """The words that are written from now on, with their left and right ends and their middle."""
    found: list[tuple[str, int, int, int]] = []
    write = Canvas.write

    def note(
        self: Canvas, words: str, x: int, middle: int, font: Font, ramp: Any, anchor: Any = "left"
    ) -> None:
        width = font.width(words)
        left = x - {"left": 0, "middle": width // 2, "right": width}[anchor]
        if words:
            found.append((words, left, left + width, middle))
            assert middle + font.size // 2 < self.image.height
        write(self, words, x, middle, font, ramp, anchor)

    monkeypatch.setattr(Canvas, "write", note)
    return found


@pytest.mark.parametrize("name", NAMES)
def test_no_name_is_clipped(written: list[tuple[str, int, int, int]], name: str) -> None:
    """Names of any length are written whole and within the picture, and no texts overlap."""
    face = Face(name, 3)
    rows = tuple(Leader(rank, face, name, "1312", -127) for rank in range(1, 9))
    past = tuple(replace(row, title=f"Perdiste contra {name}") for row in HISTORY.rows)
    league = tuple(replace(row, name=name, results="138-13-121") for row in LEAGUE.rows)
    levels = tuple(replace(level, name=name) for level in REPORT.levels)
    for scene in (
        replace(STATISTICS, title=name, face=face),
        replace(LEADERS, rows=rows, own=replace(rows[0], rank=1024, is_reader=True)),
        replace(HISTORY, rows=past),
        replace(LEAGUE, rows=league),
        replace(REPORT, title=name, levels=levels),
        replace(PAIR, title=name, details=(name, name)),
    ):
        written.clear()
        draw_card(scene)
        text = "".join(words.replace(" ", "") for words, *_ in written)
        assert name.replace(" ", "") in text
        assert "…" not in text
        for index, (words, left, right, middle) in enumerate(written):
            assert left >= 0, words
            assert right <= WIDTH, words
            for other, start, end, level in written[index + 1 :]:
                assert abs(middle - level) > 12 or end <= left or right <= start, (words, other)


def test_long_words_take_a_second_line_before_they_become_small() -> None:
    """Words shrink to the usual smallest type, then break at a space, and shrink further last."""
    assert fitted("Ana", 200, 40).font == Font(40)
    assert fitted("Ana Belén Cuevas", 240, 40).font.size in range(28, 40)
    broken = fitted("María José Fernández", 190, 40, lines=2)
    assert (broken.lines, broken.font.size) == (("María José", "Fernández"), 28)
    assert fitted("ElDestructorDeMundos", 190, 28, lines=2).lines == ("ElDestructor", "DeMundos")
    parts = fitted("auto (~840) · 5x4 · 3 moves", 260, 28, lines=2)
    assert parts.lines == ("auto (~840)", "5x4 · 3 moves")
    wide = fitted("W" * 32, 300, 28, lines=2)
    assert "".join(wide.lines) == "W" * 32
    assert all(wide.font.width(line) <= 300 for line in wide.lines)


@pytest.mark.parametrize(
    "subtitle",
    ["página 1", "Conecta 4 (grande) · 1,234 partidas · página 1 de 124", "página " * 12],
)
def test_nothing_hides_a_part_of_a_heading(see: See, subtitle: str) -> None:
    """A line below a title keeps clear of the title and of the panel below it, however long."""
    plain, full = (see(draw_card(replace(HISTORY, subtitle=one))) for one in ("", subtitle))
    box = changed(plain, full)
    titled = changed(plain, see(draw_card(replace(HISTORY, title="", subtitle=""))))
    assert box is not None
    assert titled is not None
    assert titled[3] <= box[1]
    assert box[3] < HEADING


@pytest.mark.parametrize("kind", CARDS)
@pytest.mark.parametrize("theme", THEMES)
def test_every_card_can_be_drawn_in_every_theme(see: See, kind: str, theme: str) -> None:
    """A card is 680 wide, its sides are between 3 to 4 and 4 to 3, and its file is small."""
    png = draw_card(CARDS[kind], THEMES[theme])
    picture = see(png)
    assert picture.width == WIDTH
    assert 3 / 4 <= picture.width / picture.height <= 4 / 3
    assert len(png) < 24 * 1024


def test_results_differ_without_colour(see: See) -> None:
    """Won, drawn and lost games differ in shape, in a list as in the bar of results."""
    row = replace(HISTORY.rows[0], board=None, change=None, title="", details="")
    badges = []
    for result in (*Result, None):
        scene = replace(HISTORY, rows=(replace(row, result=result),))
        badges.append(see(draw_card(scene)).crop((30, 120, 110, 210)).convert("1"))
    assert len({badge.tobytes() for badge in badges}) == 4
    bars = []
    for counts in ((1, 0, 0), (0, 1, 0), (0, 0, 1)):
        card = replace(STATISTICS, tally=Tally(counts, TALLY.texts))
        bars.append(see(draw_card(card)).crop((20, 566, 660, 592)).convert("L"))
    ends = [bar.point(lambda value: 255 * (value > 90)) for bar in bars]
    assert len({end.tobytes() for end in ends}) == 3


@pytest.mark.parametrize(
    "change",
    [
        {"change": -27},
        {"change": 0},
        {"change": None},
        {"rank": None},
        {"footer": "61 games"},
        {"course": replace(STATISTICS.course, values=(900.0, 950.0), placement=0)},
        {"course": replace(STATISTICS.course, values=(900.0,) * 3, placement=3)},
        {"course": None, "progress": (3, 5), "note": "2 more games"},
    ],
)
def test_every_part_of_a_card_shows(see: See, change: dict[str, Any]) -> None:
    """Each part changes the picture, whose size stays the same."""
    card = replace(STATISTICS, **change)
    first, other = see(draw_card(STATISTICS)), see(draw_card(card))
    assert first.size == other.size
    assert changed(first, other) is not None


def test_a_course_of_one_game_or_of_equal_numbers_is_drawn() -> None:
    """A course needs no second value and no change."""
    for values, placement in (((1500.0,), 0), ((1500.0,), 1), ((1500.0,) * 9, 2)):
        course = replace(STATISTICS.course, values=values, placement=placement)
        assert draw_card(replace(STATISTICS, course=course))


def test_the_reader_is_the_one_lit_row(see: See) -> None:
    """The row of the person who asked is lit, in the list or below it."""
    lit = (255, 255, 255)

    def share(picture: Image.Image, top: int) -> float:
        band = picture.crop((40, top, 640, top + 40)).convert("RGB")
        counts = {colour: n for n, colour in band.getcolors(1 << 20) or []}
        return counts.get(lit, 0) / (600 * 40)

    rows = tuple(replace(row, is_reader=row.rank == 2) for row in LEADERS.rows)
    inside = see(draw_card(replace(LEADERS, rows=rows, own=None)))
    below = see(draw_card(LEADERS))
    assert share(inside, 190) > 0.5
    assert share(inside, 126) < 0.2
    assert share(below, 366) > 0.5


def test_the_alternative_text_has_every_number() -> None:
    """A blind reader gets all words and numbers of a card, with the sign of every change."""
    assert card_alt_text(STATISTICS) == (
        "Ana. Connect 4. rating: 1065 (+27 this week). rank: 4 of 38. Rating from 880 to 1003, "
        "lowest 880, highest 1066. 34 wins, 5 draws, 21 losses. "
        "60 games since March 3 · best win: hard."
    )
    leaders = card_alt_text(LEADERS)
    assert "2: Carla, 1287, -12. 3: Ñandú, 1198, 0. 23: Ana (you), 1065, +27." in leaders
    history = card_alt_text(HISTORY)
    assert "You lost to Beto, 12 moves · today, -11." in history
    assert "easy – hard, 1-0 · yesterday, not rated." in history
    league = card_alt_text(LEAGUE)
    assert "1: perfect, W-D-L: 38-3-1, Wins: 94 %." in league
    assert "57 % of games won. easy: 95 %. hard: 36 %." in card_alt_text(REPORT)
    assert "You could: column 5. You played: column 7." in card_alt_text(PAIR)
    assert card_alt_text(CARDS["lines"]) == "Three finished lines."


@pytest.mark.parametrize("kind", CARDS)
def test_no_alternative_text_exceeds_the_limit(kind: str) -> None:
    """Long names shorten the text by whole items, to at most 1,024 characters."""
    scene = CARDS[kind]
    if kind == "leaders":
        scene = replace(
            LEADERS,
            rows=(replace(LEADERS.rows[0], name="W" * 200),) * 9,
        )
        assert card_alt_text(scene).endswith(" …")
    assert 0 < len(card_alt_text(scene)) <= 1024


def test_importing_the_renderers_does_not_load_pillow() -> None:
    """Importing the scenes and the drawing functions does not load Pillow; drawing does."""
    code = "import sys, renderers; sys.exit('PIL' in sys.modules)"
    assert run([sys.executable, "-c", code], check=False).returncode == 0
