"""Scenes refuse inconsistent data."""

from __future__ import annotations

from dataclasses import replace

import pytest

from renderers import LeagueRow, LevelResults, Tally
from tests.renderers.example_cards import COURSE, HISTORY, LEADERS, LEAGUE, REPORT, small_board
from tests.renderers.eyes import MakeScene


def test_a_scene_must_be_a_rectangle_with_a_label_for_each_column(make_scene: MakeScene) -> None:
    """Rows of different lengths and missing labels are refused."""
    with pytest.raises(ValueError, match="same number"):
        make_scene("....\n...\n....\n....")
    with pytest.raises(ValueError, match="columns need"):
        make_scene(column_labels=("1",))
    with pytest.raises(ValueError, match="rows need"):
        make_scene(row_labels=("1",))


def test_a_course_must_be_complete() -> None:
    """Courses without values, with impossible placement and with infinite numbers are refused."""
    with pytest.raises(ValueError, match="needs a value"):
        replace(COURSE, values=(), placement=0)
    with pytest.raises(ValueError, match="cannot be placement"):
        replace(COURSE, values=(1.0, 2.0), placement=3)
    with pytest.raises(ValueError, match="finite"):
        replace(COURSE, values=(float("nan"),), placement=0)


def test_cards_show_something() -> None:
    """Lists and reports without rows are refused: an empty one is a sentence, not a picture."""
    for scene in (LEADERS, HISTORY, LEAGUE):
        with pytest.raises(ValueError, match="needs a"):
            replace(scene, rows=())
    with pytest.raises(ValueError, match="needs a level"):
        replace(REPORT, levels=())


def test_numbers_of_games_are_possible() -> None:
    """Negative numbers of games, levels without games and impossible shares are refused."""
    with pytest.raises(ValueError, match="no numbers"):
        Tally((1, -1, 0), ("", "", ""))
    with pytest.raises(ValueError, match="no results"):
        LevelResults("easy", (0, 0, 0), "")
    with pytest.raises(ValueError, match="no share"):
        LeagueRow("easy", "", 0.5, (0.6, 0.7), "")


def test_a_small_board_is_a_rectangle() -> None:
    """Rows of different lengths are refused."""
    with pytest.raises(ValueError, match="same number"):
        small_board(".. ...")
