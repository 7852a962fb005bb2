"""Recent form, drawn on a card."""

from __future__ import annotations

from dataclasses import replace

from PIL import Image, ImageChops

from renderers import CLASSIC, CardScene, Form, Result, Tone, draw_card
from tests.renderers.eyes import See

FORM = Form("Last games", (Result.WON, Result.LOST, Result.DRAWN), "won", "drawn", "lost")


def test_results_differ_in_shape_and_colour(see: See) -> None:
    """The marks of results differ without their colours, and each has a colour of its own."""
    marks = []
    for result in Result:
        form = Form("", (result,), "", "", "")
        marks.append(see(draw_card(CardScene("", "", (), form=form))))
    page = CLASSIC.rgb(Tone.BACKGROUND)
    ground = Image.new("RGB", marks[0].size, page)
    shapes = {
        ImageChops.difference(mark, ground).convert("L").point([0] + [255] * 255).tobytes()
        for mark in marks
    }
    assert len(shapes) == len(Result)
    colours = (Tone.DISC_1, Tone.MUTED_TEXT, Tone.DISC_2)
    for mark, tone in zip(marks, colours, strict=True):
        assert CLASSIC.rgb(tone) in {colour for _, colour in mark.getcolors() or []}


def test_the_newest_result_is_at_the_right(see: See) -> None:
    """Changing the newest result changes only the last mark."""
    one = see(draw_card(CardScene("Ana", "", (), form=FORM)))
    changed = replace(FORM, results=(*FORM.results[:-1], Result.WON))
    box = ImageChops.difference(
        one, see(draw_card(CardScene("Ana", "", (), form=changed)))
    ).getbbox()
    assert box is not None
    assert box[0] >= 18 + 16 + 2 * 28
    assert box[2] <= 18 + 16 + 3 * 28
