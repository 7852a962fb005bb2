"""The list of games."""

from __future__ import annotations

import pytest

from engine.core.game import UnknownVariant
from engine.core.registry import game_of, games
from engine.games.boom.rules import Boom
from engine.games.connect4.rules import Connect4


def test_connect4_is_a_game() -> None:
    """Connect 4 is there in all its sizes, and 6x7 is what people mean without one."""
    family = games()["connect4"]
    assert family.variants == Connect4.SIZES
    assert family.usual == "6x7"


def test_boom_is_a_game() -> None:
    """Conecta-4 BOOM is there in both variants, the simulator's being the usual one."""
    family = games()["boom"]
    assert family.variants == ("7x7", "7x7-draw")
    assert family.usual == "7x7"
    assert game_of("boom", "7x7-draw") == Boom(stuck_is_draw=True)
    assert family.prove(Boom().start(), seconds=1.0) is None
    assert family.solver(Boom()) is None


def test_a_game_is_found_by_key_and_variant() -> None:
    """A key and a variant name a game."""
    assert game_of("connect4", "5x8") == Connect4(5, 8)


def test_an_unknown_game_is_no_game() -> None:
    """An unknown key raises KeyError and an unknown variant UnknownVariant."""
    with pytest.raises(KeyError):
        game_of("connect5", "6x7")
    with pytest.raises(UnknownVariant):
        game_of("connect4", "9x9")


def test_the_longest_game_of_each_is_known() -> None:
    """Boards are filled; bombs end by a rule of ours."""
    longest = {key: one.longest(one.from_variant(one.usual)) for key, one in games().items()}
    assert longest == {"connect4": 42, "gato": 16, "boom": 200}
