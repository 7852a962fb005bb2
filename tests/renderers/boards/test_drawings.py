"""The drawing of each game."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from engine.core.game import Drawing
from renderers import BoardScene, draw
from renderers.boards.drawings import DRAWINGS
from tests.renderers.pictures import draw_board, draw_grid


def test_connect_4_is_drawn_as_a_board_with_holes(scene: BoardScene) -> None:
    """Connect 4 is drawn as a board with holes."""
    assert draw(Drawing.DISCS, scene) == draw_board(scene)


def test_boom_is_drawn_as_a_board_with_holes(make_scene: Callable[..., BoardScene]) -> None:
    """BOOM is drawn as a board with holes, which can hold bombs."""
    scene = make_scene("....\n....\nA..B\n1..2")
    assert draw(Drawing.DISCS, scene) == draw_board(scene)


def test_gato_is_drawn_as_a_grid(make_scene: Callable[..., BoardScene]) -> None:
    """Gato is drawn as crosses and circles on a flat grid."""
    scene = make_scene("1...\n.2..\n....\n....")
    assert draw(Drawing.MARKS, scene) == draw_grid(scene)


def test_every_drawing_has_a_style() -> None:
    """Every drawing has a style, and the mapping is read-only."""
    assert set(Drawing) == DRAWINGS.keys()
    with pytest.raises(TypeError):
        DRAWINGS[Drawing.DISCS] = DRAWINGS[Drawing.MARKS]  # type: ignore[index]
