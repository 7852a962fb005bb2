"""The plate of an exercise: what to find, whose turn it is, and how hard it is."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from renderers import BoardScene, Task
from renderers.boards.layout import PLATE, TOP
from renderers.paint.theme import WIDTH
from tests.renderers.eyes import See, changed, inside
from tests.renderers.pictures import draw_board

TASK = Task("Win in 3 moves", "Your turn. Which move?", 2)
HEADER = (0, 0, WIDTH, TOP + PLATE + 16)


def test_a_task_takes_the_place_of_the_players(see: See, scene: BoardScene) -> None:
    """Only the head of the picture differs, and the picture keeps its size."""
    usual, asked = see(draw_board(scene)), see(draw_board(replace(scene, task=TASK)))
    assert usual.size == asked.size
    assert inside(changed(usual, asked), HEADER)


@pytest.mark.parametrize(
    "change", [{"title": "Win in 2 moves"}, {"question": "Te toca."}, {"stars": 3}, {"stars": 0}]
)
def test_every_part_of_a_task_shows(see: See, scene: BoardScene, change: dict[str, Any]) -> None:
    """Task, question and difficulty each change the picture."""
    one = see(draw_board(replace(scene, task=TASK)))
    other = see(draw_board(replace(scene, task=replace(TASK, **change))))
    assert inside(changed(one, other), HEADER)


def test_a_long_task_is_written_whole(see: See, scene: BoardScene) -> None:
    """A long task takes two lines."""
    task = replace(TASK, title="Tu rival se equivocó: solo una jugada gana, y es la última")
    assert see(draw_board(replace(scene, task=task))).width == WIDTH


def test_a_difficulty_has_at_most_three_stars() -> None:
    """Four stars and negative ones are refused."""
    for stars in (-1, 4):
        with pytest.raises(ValueError, match="stars"):
            Task("", "", stars)


def test_a_finished_board_shows_no_task(scene: BoardScene) -> None:
    """Once the game is over the players are shown again."""
    over = replace(scene, active=None)
    assert draw_board(replace(over, task=TASK)) == draw_board(over)
