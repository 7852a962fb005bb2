"""Tables, drawn on a card."""

from __future__ import annotations

from dataclasses import replace

from PIL import Image, ImageChops

from renderers import CLASSIC, Align, CardScene, Table, Tone, draw_card
from tests.renderers.example_card import CARD
from tests.renderers.eyes import See

LEADERS = Table(
    ("#", "Player", "Rating", "Games", "Won"),
    tuple((str(n), "Wörter " * 9, f"{1800 - n} ± 61", "128", "59 %") for n in range(1, 11)),
    sides=(Align.RIGHT, Align.LEFT, Align.RIGHT, Align.RIGHT, Align.RIGHT),
)


def test_a_highlighted_row_is_marked_by_more_than_its_ground(see: See) -> None:
    """The highlighted row has a bar in front, and no other row changes."""
    assert CARD.table is not None
    plain = see(draw_card(replace(CARD, table=replace(CARD.table, highlight=None))))
    marked = see(draw_card(CARD))
    box = ImageChops.difference(plain, marked).getbbox()
    assert box is not None
    assert box[3] - box[1] <= 50
    assert CLASSIC.rgb(Tone.DISC_1) in {c for _, c in marked.crop(box).getcolors() or []}


def test_long_names_take_no_space_from_numbers(see: See) -> None:
    """In ten rows of five columns only names are cut, so every change of a number is visible."""
    card = CardScene("Leaders", "", (), LEADERS)
    for column, cell in ((2, "1799 ± 62"), (3, "129"), (4, "58 %")):
        row = [*LEADERS.rows[0]]
        row[column] = cell
        other = replace(LEADERS, rows=(tuple(row), *LEADERS.rows[1:]))
        assert draw_card(replace(card, table=other)) != draw_card(card)
    longer = replace(LEADERS, rows=((*LEADERS.rows[0][:1], "Wörter " * 8, *LEADERS.rows[0][2:]),))
    first = replace(LEADERS, rows=LEADERS.rows[:1])
    assert draw_card(replace(card, table=longer)) == draw_card(replace(card, table=first))


def test_columns_are_aligned(see: See) -> None:
    """Texts aligned left begin at the same place, and texts aligned right end at the same place."""
    rows = (("1", "MM", "5"), ("2", "MMMM", "50"))
    boxes = []
    for side in Align:
        table = Table(("", "", ""), rows, sides=(Align.LEFT, side, Align.RIGHT))
        picture = see(draw_card(CardScene("", "", (), table)))
        ground = Image.new("RGB", picture.size, CLASSIC.rgb(Tone.BACKGROUND))
        ink = ImageChops.difference(picture, ground)
        pair = [ink.crop((60, top, 580, top + 42)).getbbox() for top in (68 + 40, 68 + 82)]
        boxes.append([box for box in pair if box])
    (short, long), (short_right, long_right) = boxes
    assert short[0] == long[0]
    assert short[2] < long[2]
    assert short_right[2] == long_right[2]
    assert short_right[0] > long_right[0]


def test_a_muted_row_recedes(see: See) -> None:
    """A muted row's text is muted, and no other row changes."""
    plain = see(draw_card(replace(CARD, table=LEADERS)))
    muted = see(draw_card(replace(CARD, table=replace(LEADERS, muted=frozenset({4})))))
    box = ImageChops.difference(plain, muted).getbbox()
    assert box is not None
    assert box[3] - box[1] <= 50
    assert CLASSIC.rgb(Tone.TEXT) not in {c for _, c in muted.crop(box).getcolors() or []}
