"""Which drawing shows which game."""

from __future__ import annotations

import pytest

from renderers import DRAWINGS, BoardScene, draw, draw_board


def test_connect_4_is_drawn_as_a_board_with_holes(scene: BoardScene) -> None:
    """A caller that knows only the game's key gets that game's picture."""
    assert draw("connect4", scene) == draw_board(scene)


def test_a_game_without_a_drawing_is_refused(scene: BoardScene) -> None:
    """An unknown key raises KeyError, and nobody can add one in passing."""
    with pytest.raises(KeyError):
        draw("chess", scene)
    with pytest.raises(TypeError):
        DRAWINGS["chess"] = draw_board  # type: ignore[index]
