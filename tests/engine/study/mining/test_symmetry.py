"""Positions that are equal up to symmetry."""

from __future__ import annotations

import pytest

from engine.core.game import Game, replay
from engine.core.registry import game_called
from engine.games.gato.rules import LINES
from engine.study.mining.miner import ID_LENGTH, LETTERS, canonical, id_of, images

CLASSIC, GATO, BOOM = map(game_called, ("6x7", "gato", "boom"))


@pytest.mark.parametrize(
    ("game", "one", "same", "other"),
    [
        (CLASSIC, "4455667", "4433221", "4455666"),
        (CLASSIC, "1234", "3214", "2134"),
        (GATO, "a1b2c1", "d1c2b1", "b2a1c1"),
        (GATO, "a1b1", "b2a2", "b1a1"),
        (BOOM, "112", "776", "771"),
    ],
    ids=["mirrored", "transposed", "turned", "rearranged", "boom"],
)
def test_symmetric_and_transposed_positions_have_one_name(
    game: Game, one: str, same: str, other: str
) -> None:
    """Symmetric and transposed positions have the same id, and other positions another."""
    first, second, third = (replay(game, game.moves(text)) for text in (one, same, other))
    assert canonical(first) == canonical(second) != canonical(third)
    assert id_of(first) == id_of(second) != id_of(third)
    assert set(id_of(first)) <= set(LETTERS)
    assert len(id_of(first)) == ID_LENGTH


def test_ids_never_change() -> None:
    """Ids never change, because stored answers and links use them."""
    assert id_of(replay(CLASSIC, CLASSIC.moves("6643315733414416455"))) == "GKSSNF"


def test_boom_positions_differ_by_the_next_bomb() -> None:
    """In BOOM the same stones are another position if the next one is a bomb."""
    plain, later = replay(BOOM, BOOM.moves("11")), replay(BOOM, BOOM.moves("11"))
    assert canonical(plain) == canonical(later)
    assert canonical(plain).endswith("@2")


def test_gato_has_32_symmetries() -> None:
    """Gato has 32 symmetries: the board's eight, combined with permutations of rows and columns."""
    assert len(set(images(GATO))) == 32
    for image in images(GATO):
        moved = {sum(1 << image[at] for at in range(16) if line >> at & 1) for line in LINES}
        assert moved == set(LINES)
