"""The names above a board: complete, or replaced by a stand-in."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.core.game import Player
from renderers import BoardScene, is_writable
from renderers.boards.header import names_of, plate_box
from renderers.paint.text import legible
from tests.renderers.pictures import draw_board

STAND_INS = ("Player 1", "Player 2")
UNWRITABLE = ["王小明", "さくら", "김민준", "محمد", "🦊🎲", "王Li", "हिन्दी", ""]
SCENE = BoardScene((), (), ("", ""), None, "", stand_ins=STAND_INS)


def written(name: str) -> str:
    """The text that is written for the first player, with its lines joined."""
    return "".join(names_of(replace(SCENE, names=(name, "Bo")))[0].lines).replace(" ", "")


@pytest.mark.parametrize(
    "name",
    [
        "Cuatro (about 970)",
        "Cuatro (unos 1970)",
        "Cuatro (window, depth 6)",
        "Cuatro (tuples, nivel 7)",
        "Maximiliano Rodríguez de la O",
        "Ángela Ñúñez de la Concepción",
        "abcdefghijklmnopqrstuvwxyzabcdef",
        "Дмитрий Александрович Соколов",
        "xX_ElDestructorDeMundos_2011_Xx",
        "W" * 32,
    ],
)
def test_names_are_whole(name: str) -> None:
    """Usual names of any length are never cut: they take more lines."""
    assert written(name) == name.replace(" ", "")


@given(st.text(max_size=32))
def test_a_name_is_written_whole_or_not_at_all(name: str) -> None:
    """No name that Discord allows is cut: a stand-in replaces it instead."""
    assert written(name) in (legible(name).replace(" ", ""), "Player1")


@given(st.text(max_size=40), st.text(max_size=40))
def test_names_stay_on_their_plates(first: str, second: str) -> None:
    """Names take at most three lines, each narrower than the plate beside its token."""
    for name in names_of(replace(SCENE, names=(first, second))):
        assert 1 <= len(name.lines) <= 3
        left, _, right, _ = plate_box(Player.FIRST)
        assert all(name.font.width(line) <= right - left - 82 - 15 for line in name.lines)
        assert name.font.size >= 20 or len(name.lines) == 3


@pytest.mark.parametrize("name", UNWRITABLE)
def test_a_name_in_another_script_has_a_stand_in(
    make_scene: Callable[..., BoardScene], name: str
) -> None:
    """Names in Chinese, Japanese, Korean, Arabic or emoji are replaced by `Player 1`."""
    assert not is_writable(name)
    scene = make_scene(names=(name, "Bo"), stand_ins=STAND_INS)
    assert draw_board(scene) == draw_board(replace(scene, names=("Player 1", "Bo")))


@pytest.mark.parametrize("name", ["Ana 🦊", "Ángela", "Ελένη", "Łódź", "x_X 7"])
def test_ornaments_are_left_out_of_a_name_that_can_be_written(name: str) -> None:
    """Emoji are left out of a name that can otherwise be written."""
    assert is_writable(name)
    assert written(name) == legible(name).replace(" ", "")
