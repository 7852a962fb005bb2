"""The list of games."""

from __future__ import annotations

import pytest

from engine.connect4 import Connect4
from engine.game import UnknownVariant
from engine.games import FAMILIES, game_of


def test_connect4_is_a_game() -> None:
    """Connect 4 is there in all its sizes, and 6x7 is what people mean without one."""
    family = FAMILIES["connect4"]
    assert family.variants == Connect4.SIZES
    assert family.usual == "6x7"


def test_a_game_is_found_by_key_and_variant() -> None:
    """A key and a variant name a game."""
    assert game_of("connect4", "5x8") == Connect4(5, 8)


def test_an_unknown_game_is_no_game() -> None:
    """An unknown key raises KeyError and an unknown variant UnknownVariant."""
    with pytest.raises(KeyError):
        game_of("connect5", "6x7")
    with pytest.raises(UnknownVariant):
        game_of("connect4", "9x9")
