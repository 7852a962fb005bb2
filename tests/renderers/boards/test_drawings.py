"""Which drawing shows which game."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from engine.core.game import Drawing
from renderers import BoardScene, draw
from renderers.boards.drawings import DRAWINGS
from tests.renderers.pictures import draw_board, draw_grid


def test_connect_4_is_drawn_as_a_board_with_holes(scene: BoardScene) -> None:
    """A caller that knows only a game's key gets that game's picture."""
    assert draw(Drawing.DISCS, scene) == draw_board(scene)


def test_boom_is_drawn_as_a_board_with_holes(make_scene: Callable[..., BoardScene]) -> None:
    """BOOM's stones fall as in Connect 4, and a board with holes can show bombs."""
    scene = make_scene("....\n....\nA..B\n1..2")
    assert draw(Drawing.DISCS, scene) == draw_board(scene)


def test_gato_is_drawn_as_a_grid(make_scene: Callable[..., BoardScene]) -> None:
    """Gato has crosses and circles on a flat grid."""
    scene = make_scene("1...\n.2..\n....\n....")
    assert draw(Drawing.MARKS, scene) == draw_grid(scene)


def test_every_drawing_has_a_style() -> None:
    """No game can name a drawing that cannot be drawn, and the mapping cannot be changed."""
    assert set(Drawing) == DRAWINGS.keys()
    with pytest.raises(TypeError):
        DRAWINGS[Drawing.DISCS] = DRAWINGS[Drawing.MARKS]  # type: ignore[index]
