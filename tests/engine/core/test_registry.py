"""The registry of games."""

from __future__ import annotations

import pytest

from engine.core.game import UnknownVariant
from engine.core.registry import (
    compiled_modules,
    default_game,
    game_called,
    game_of,
    games,
    package_of,
    parts,
)
from engine.games.boom.rules import Boom
from engine.games.connect4.rules import Connect4
from engine.games.gato.rules import Gato


def test_connect4_is_a_game() -> None:
    """Connect 4 has all its sizes, and 6x7 is its usual variant."""
    family = games()["connect4"]
    assert family.variants == Connect4.SIZES
    assert family.usual == "6x7"


def test_boom_is_a_game() -> None:
    """Conecta-4 BOOM has both variants, and the simulator's is the usual one."""
    family = games()["boom"]
    assert family.variants == ("7x7", "7x7-draw")
    assert family.usual == "7x7"
    assert game_of("boom", "7x7-draw") == Boom(stuck_is_draw=True)
    assert family.prove(Boom().start(), seconds=1.0) is None
    assert family.solver(Boom()) is None


def test_a_game_is_found_by_key_and_variant() -> None:
    """A key and a variant identify a game."""
    assert game_of("connect4", "5x8") == Connect4(5, 8)


def test_an_unknown_game_is_no_game() -> None:
    """An unknown key raises KeyError and an unknown variant UnknownVariant."""
    with pytest.raises(KeyError):
        game_of("connect5", "6x7")
    with pytest.raises(UnknownVariant):
        game_of("connect4", "9x9")


def test_the_longest_game_of_each_is_known() -> None:
    """The longest game of each usual variant is known: a full board, or 200 movements in BOOM."""
    longest = {key: one.longest(one.from_variant(one.usual)) for key, one in games().items()}
    assert longest == {"connect4": 42, "gato": 16, "boom": 200}


def test_games_are_listed_in_a_fixed_order() -> None:
    """The shipped games come first, the default one before all, and the mapping is read-only."""
    assert list(games())[:3] == ["connect4", "gato", "boom"]
    assert default_game() is games()["connect4"]
    assert games() is games()
    with pytest.raises(TypeError):
        games()["other"] = default_game()  # type: ignore[index]


def test_a_position_and_its_game_have_the_same_package() -> None:
    """A package is found from a game and from a position."""
    for game in (Connect4(5, 4), Gato(), Boom()):
        assert package_of(game) is package_of(game.start()) is games()[game.key]


@pytest.mark.parametrize(
    ("text", "game"),
    [
        ("6x7", Connect4()),
        (" 5x4 ", Connect4(5, 4)),
        ("connect4", Connect4()),
        ("connect4:8x8", Connect4(8, 8)),
        ("gato", Gato()),
        ("boom", Boom()),
        ("boom:7x7-draw", Boom(stuck_is_draw=True)),
    ],
)
def test_an_argument_names_a_game(text: str, game: object) -> None:
    """A key means the usual variant, and a bare variant one of the default game."""
    assert game_called(text) == game


@pytest.mark.parametrize("text", ["", "chess", "boom:6x7", "connect4:", "9x9"])
def test_an_unknown_game_argument_is_refused(text: str) -> None:
    """Any other text raises UnknownVariant."""
    with pytest.raises(UnknownVariant):
        game_called(text)


def test_every_compiled_module_belongs_to_one_part() -> None:
    """Parts are found by their names, and list their modules in compilation order."""
    assert all(part.name == name for name, part in parts().items())
    modules = compiled_modules()
    assert len(set(modules)) == len(modules)
    assert modules[0] == "engine.core.compiled.bits"
