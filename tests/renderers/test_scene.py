"""Scenes refuse inconsistent data."""

from __future__ import annotations

from dataclasses import replace

import pytest

from renderers import Align, Course, Form, Result, Table, draw_card
from tests.renderers.example_card import CARD
from tests.renderers.eyes import MakeScene

FORM = Form("Last games", (Result.WON, Result.LOST, Result.DRAWN), "won", "drawn", "lost")


def test_a_scene_must_be_a_rectangle_with_a_label_for_each_column(make_scene: MakeScene) -> None:
    """Rows of different lengths and missing labels are refused."""
    with pytest.raises(ValueError, match="same number"):
        make_scene("....\n...\n....\n....")
    with pytest.raises(ValueError, match="columns need"):
        make_scene(column_labels=("1",))
    with pytest.raises(ValueError, match="rows need"):
        make_scene(row_labels=("1",))


def test_a_course_must_be_complete() -> None:
    """Courses without values, too few deviations and numbers that are not finite are refused."""
    with pytest.raises(ValueError, match="needs a value"):
        Course("Rating", (), "")
    with pytest.raises(ValueError, match="needs a deviation"):
        Course("Rating", (1, 2), "", (1,))
    with pytest.raises(ValueError, match="finite"):
        Course("Rating", (float("nan"),), "")
    with pytest.raises(ValueError, match="not below 0"):
        Course("Rating", (1,), "", (-1,))


def test_form_is_at_most_ten_games_and_may_be_none() -> None:
    """An eleventh game is refused, and without games there is no row."""
    with pytest.raises(ValueError, match="at most ten"):
        replace(FORM, results=(Result.WON,) * 11)
    assert draw_card(replace(CARD, form=replace(FORM, results=()))) == draw_card(CARD)


def test_a_table_must_be_a_rectangle_with_its_highlight_inside() -> None:
    """Rows of the wrong length, and rows and sides that do not exist, are refused."""
    with pytest.raises(ValueError, match="for every header"):
        Table(("Level", "Games"), (("3",),))
    with pytest.raises(ValueError, match="no row 1"):
        Table(("Level",), (("3",),), highlight=1)
    with pytest.raises(ValueError, match="muted"):
        Table(("Level",), (("3",),), muted=frozenset({0, 1}))
    with pytest.raises(ValueError, match="a side each"):
        Table(("Level", "Games"), (), sides=(Align.LEFT,))
