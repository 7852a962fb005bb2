"""A finished game as scenes and in words."""

from __future__ import annotations

import pytest

from bot.features.replays import moves_text, replay_picture, replay_scenes
from bot.i18n import say_in
from bot.show.scenes import board_scene
from engine.core.game import Player
from tests.bot.finished_games import BOMBS, played

NAMES, ENGLISH, SPANISH = {1: "Ana", 2: "Bea"}, say_in("en"), say_in("es")


def test_only_the_end_shows_the_winner() -> None:
    """There is a scene for each position and one with the winning line.

    Only the last has a winner.
    """
    session = played("connect4", "5x4", "1212121", "line", 1)
    *before, end = replay_scenes(session, board_scene(session, NAMES, ENGLISH))
    assert len(before) == 8
    assert not any(scene.line or scene.winner or scene.active for scene in before)
    assert not any(scene.remark or scene.footer for scene in (*before, end))
    assert (len(end.line), end.winner, end.last) == (4, Player.FIRST, before[-1].last)
    assert [len(scene.last) for scene in before] == [0, 1, 1, 1, 1, 1, 1, 1]


def test_a_bomb_explodes_before_its_row_is_gone() -> None:
    """An explosion's scene marks what it removes, and the next scene lacks it."""
    session = played("boom", "7x7", BOMBS, "line", 1)
    film = replay_scenes(session, board_scene(session, NAMES, ENGLISH))
    explosions = [number for number, scene in enumerate(film) if scene.removed]
    assert len(explosions) == BOMBS.count("B")
    assert len(film) == 1 + len(BOMBS) + len(explosions) + 1
    for number in explosions:
        assert film[number].cells == film[number - 1].cells
        assert film[number].cells != film[number + 1].cells


@pytest.mark.parametrize(
    ("say", "expected"), [(ENGLISH, "Moves: 1, 2, 1."), (SPANISH, "Jugadas: 1, 2, 1.")]
)
def test_all_moves_are_listed(say: object, expected: str) -> None:
    """All moves are listed before the last board, in either language, also if there are none."""
    session = played("connect4", "5x4", "121", "resigned", 2)
    gif, text = replay_picture(session, NAMES, say)  # type: ignore[arg-type]
    assert gif.startswith(b"GIF89a")
    assert expected in text
    assert "Bea" in text
    assert moves_text(session.until(0), ENGLISH).endswith("–")
