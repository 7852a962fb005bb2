"""The picture of a card of statistics."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from PIL import Image, ImageChops

from renderers import (
    CHARCOAL,
    Align,
    CardScene,
    Course,
    Figure,
    Form,
    Result,
    Table,
    Tone,
    draw_card,
)

See = Callable[[bytes], Image.Image]

CARD = CardScene(
    title="Ángela Ñúñez",
    subtitle="Level 4 of 9",
    figures=(
        Figure("Games", "128"),
        Figure("Wins", "71"),
        Figure("Losses", "52"),
        Figure("Draws", "5"),
        Figure("Streak", "4"),
        Figure("Hints used", "17"),
    ),
    table=Table(
        ("Level", "Games", "Wins", "Draws", "Losses"),
        (("3", "34", "20", "2", "12"), ("4", "41", "18", "2", "21"), ("5", "9", "1", "0", "8")),
        highlight=1,
    ),
    footer="since 3 May 2026",
    note="Most wins begin in the middle column.",
)
COURSE = Course("Rating", (1500, 1530, 1480, 1512), "", (90, 80, 70, 60))
FORM = Form("Last games", (Result.WON, Result.LOST, Result.DRAWN), "won", "drawn", "lost")


def test_a_card_has_the_width_of_a_board_and_is_small(see: See) -> None:
    """A card is 680 pixels wide and takes at most 15 KB."""
    png = draw_card(CARD)
    assert see(png).width == 680
    assert len(png) <= 15 * 1024


@pytest.mark.parametrize(
    "change",
    [
        {"title": "Bo"},
        {"subtitle": "Level 5 of 9"},
        {"figures": (Figure("Games", "129"), *CARD.figures[1:])},
        {"figures": (Figure("Played", "128"), *CARD.figures[1:])},
        {"table": Table(("Level", "Games"), (("3", "34"),))},
        {"footer": "since 4 May 2026"},
        {"note": "Most losses do."},
        {"subtitle": ""},
        {"figures": ()},
        {"table": None},
        {"footer": ""},
        {"note": ""},
    ],
)
def test_everything_on_a_card_is_drawn(change: dict[str, Any]) -> None:
    """Another text anywhere, or one part less, gives another picture."""
    assert draw_card(replace(CARD, **change)) != draw_card(CARD)


@pytest.mark.parametrize("part", ["subtitle", "footer", "note"])
def test_an_empty_part_takes_no_room(see: See, part: str) -> None:
    """Without a part, a card is lower."""
    change: dict[str, Any] = {part: ""}
    less = see(draw_card(replace(CARD, **change)))
    assert less.height < see(draw_card(CARD)).height


def test_a_highlighted_row_is_marked_by_more_than_its_ground(see: See) -> None:
    """The row that stands out has a bar in front and bold words, and no other row changes."""
    assert CARD.table is not None
    plain = see(draw_card(replace(CARD, table=replace(CARD.table, highlight=None))))
    marked = see(draw_card(CARD))
    box = ImageChops.difference(plain, marked).getbbox()
    assert box is not None
    assert box[3] - box[1] <= 50
    assert CHARCOAL.rgb(Tone.FIRST) in {c for _, c in marked.crop(box).getcolors() or []}


def test_long_texts_keep_clear_of_the_edges(see: See) -> None:
    """However long every text is, the margins of the card stay empty."""
    words = "Wörter " * 40
    headers = tuple(words for _ in range(5))
    card = CardScene(
        words,
        words,
        tuple(Figure(words, words) for _ in range(5)),
        Table(headers, (headers, headers)),
        words,
        words,
    )
    picture = see(draw_card(card))
    page = CHARCOAL.rgb(Tone.PAGE)
    for left in (0, picture.width - 18):
        margin = picture.crop((left, 0, left + 18, picture.height))
        assert margin.getcolors() == [(18 * picture.height, page)]


def test_a_bare_title_is_a_card(see: See) -> None:
    """Nothing but the title is needed."""
    assert see(draw_card(CardScene("Ana", "", ()))).height > 0


@pytest.mark.parametrize(
    "change",
    [
        {"label": "Elo"},
        {"values": (1500, 1530, 1480, 1513)},
        {"values": (1501, 1530, 1480, 1512)},
        {"values": (1500, 1531, 1480, 1512)},
        {"values": (1500, 1530, 1479, 1512)},
        {"values": (1500, 1530, 1500, 1480, 1512), "deviations": ()},
        {"deviations": ()},
        {"deviations": (20, 20, 20, 20)},
    ],
)
def test_everything_of_a_course_is_drawn(change: dict[str, Any]) -> None:
    """First, last, highest and lowest value, the line between them and its band all show."""
    card = replace(CARD, course=COURSE)
    assert draw_card(replace(card, course=replace(COURSE, **change))) != draw_card(card)


def test_a_course_rises_to_the_right(see: See) -> None:
    """The mark of the last value is at the right end, higher up the higher it is."""
    heights = []
    for last in (1400, 1500, 1600):
        card = CardScene("Ana", "", (), course=Course("", (1400, 1600, last), ""))
        picture = see(draw_card(card))
        yellow = [
            y
            for y in range(picture.height)
            if picture.getpixel((568, y)) == CHARCOAL.rgb(Tone.FIRST)
        ]
        heights.append(sum(yellow) / len(yellow))
    assert heights[0] - heights[1] == pytest.approx(heights[1] - heights[2], abs=1)
    assert heights[0] - heights[1] > 30


@pytest.mark.parametrize("games", [1, 2, 1000])
def test_any_number_of_games_is_a_course(see: See, games: int) -> None:
    """One value and a thousand take the same room, and equal values do not divide by nothing."""
    course = Course("Rating", tuple(1500.0 for _ in range(games)), "", (350.0,) * games)
    few = see(draw_card(replace(CARD, course=COURSE)))
    png = draw_card(replace(CARD, course=course))
    assert see(png).size == few.size
    assert len(png) <= 20 * 1024


def test_a_course_must_be_whole() -> None:
    """No value, another number of deviations, and what no number line holds are refused."""
    with pytest.raises(ValueError, match="needs a value"):
        Course("Rating", (), "")
    with pytest.raises(ValueError, match="needs a deviation"):
        Course("Rating", (1, 2), "", (1,))
    with pytest.raises(ValueError, match="finite"):
        Course("Rating", (float("nan"),), "")
    with pytest.raises(ValueError, match="not below 0"):
        Course("Rating", (1,), "", (-1,))


def test_results_are_told_apart_by_shape_and_colour(see: See) -> None:
    """Without its colours a mark still differs from the others, and with them even more."""
    marks = []
    for result in Result:
        form = Form("", (result,), "", "", "")
        marks.append(see(draw_card(CardScene("", "", (), form=form))))
    page = CHARCOAL.rgb(Tone.PAGE)
    ground = Image.new("RGB", marks[0].size, page)
    shapes = {
        ImageChops.difference(mark, ground).convert("L").point([0] + [255] * 255).tobytes()
        for mark in marks
    }
    assert len(shapes) == len(Result)
    colours = (Tone.FIRST, Tone.MUTED, Tone.SECOND)
    for mark, tone in zip(marks, colours, strict=True):
        assert CHARCOAL.rgb(tone) in {colour for _, colour in mark.getcolors() or []}


def test_the_newest_result_is_at_the_right(see: See) -> None:
    """Another newest result changes only the last mark."""
    one = see(draw_card(CardScene("Ana", "", (), form=FORM)))
    changed = replace(FORM, results=(*FORM.results[:-1], Result.WON))
    box = ImageChops.difference(
        one, see(draw_card(CardScene("Ana", "", (), form=changed)))
    ).getbbox()
    assert box is not None
    assert box[0] > 680 - 18 - 40


def test_form_is_at_most_ten_games_and_may_be_none() -> None:
    """An eleventh game is refused, and without a game there is no row."""
    with pytest.raises(ValueError, match="at most ten"):
        replace(FORM, results=(Result.WON,) * 11)
    assert draw_card(replace(CARD, form=replace(FORM, results=()))) == draw_card(CARD)


LEADERS = Table(
    ("#", "Player", "Rating", "Games", "Won"),
    tuple((str(n), "Wörter " * 9, f"{1800 - n} ± 61", "128", "59 %") for n in range(1, 11)),
    sides=(Align.RIGHT, Align.LEFT, Align.RIGHT, Align.RIGHT, Align.RIGHT),
)


def test_endless_names_take_no_room_from_numbers(see: See) -> None:
    """In ten rows of five columns only the names are cut: every number differs when it changes."""
    card = CardScene("Leaders", "", (), LEADERS)
    for column, cell in ((2, "1799 ± 62"), (3, "129"), (4, "58 %")):
        row = [*LEADERS.rows[0]]
        row[column] = cell
        other = replace(LEADERS, rows=(tuple(row), *LEADERS.rows[1:]))
        assert draw_card(replace(card, table=other)) != draw_card(card)
    longer = replace(LEADERS, rows=((*LEADERS.rows[0][:1], "Wörter " * 8, *LEADERS.rows[0][2:]),))
    first = replace(LEADERS, rows=LEADERS.rows[:1])
    assert draw_card(replace(card, table=longer)) == draw_card(replace(card, table=first))


def test_a_column_goes_to_its_side(see: See) -> None:
    """Texts on the left begin below each other, and those on the right end so."""
    rows = (("1", "MM", "5"), ("2", "MMMM", "50"))
    boxes = []
    for side in Align:
        table = Table(("", "", ""), rows, sides=(Align.LEFT, side, Align.RIGHT))
        picture = see(draw_card(CardScene("", "", (), table)))
        ground = Image.new("RGB", picture.size, CHARCOAL.rgb(Tone.PAGE))
        ink = ImageChops.difference(picture, ground)
        pair = [ink.crop((60, top, 580, top + 50)).getbbox() for top in (84 + 48, 84 + 98)]
        boxes.append([box for box in pair if box])
    (short, long), (short_right, long_right) = boxes
    assert short[0] == long[0]
    assert short[2] < long[2]
    assert short_right[2] == long_right[2]
    assert short_right[0] > long_right[0]


def test_a_muted_row_steps_back(see: See) -> None:
    """Its words are of less weight, and no other row changes."""
    plain = see(draw_card(replace(CARD, table=LEADERS)))
    muted = see(draw_card(replace(CARD, table=replace(LEADERS, muted=frozenset({4})))))
    box = ImageChops.difference(plain, muted).getbbox()
    assert box is not None
    assert box[3] - box[1] <= 50
    assert CHARCOAL.rgb(Tone.TEXT) not in {c for _, c in muted.crop(box).getcolors() or []}


def test_a_table_must_be_a_rectangle_with_its_highlight_inside() -> None:
    """Rows that lack a text and highlights of no row are refused."""
    with pytest.raises(ValueError, match="for every header"):
        Table(("Level", "Games"), (("3",),))
    with pytest.raises(ValueError, match="no row 1"):
        Table(("Level",), (("3",),), highlight=1)
    with pytest.raises(ValueError, match="muted"):
        Table(("Level",), (("3",),), muted=frozenset({0, 1}))
    with pytest.raises(ValueError, match="a side each"):
        Table(("Level", "Games"), (), sides=(Align.LEFT,))
