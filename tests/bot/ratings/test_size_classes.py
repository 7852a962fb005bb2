"""Size classes, which share a ladder, and the ways to name them."""

from __future__ import annotations

import pytest

from bot.game.refusal import Refusal
from bot.ratings.levels import class_from_text, class_of, classes_of
from bot.show.texts import size_from_text
from engine.core.registry import game_of, games
from engine.strength.ladder import size_class


@pytest.mark.parametrize("family", games())
def test_every_variant_is_in_one_class(family: str) -> None:
    """Every variant belongs to one size class, and the classes match the ladders."""
    found = [variant for size in classes_of(family) for variant in size.variants]
    assert sorted(found) == sorted(games()[family].variants)
    for variant in found:
        size = class_of(family, variant)
        assert size.ladder == size_class(game_of(family, variant))
        assert size.usual in size.variants


def test_classes_have_names() -> None:
    """Classes are named from the smallest boards on; a single class needs no name."""
    assert [size.name for size in classes_of("connect4")] == ["small", "classic", "large"]
    assert [size.name for size in classes_of("boom")] == [""]
    assert class_of("connect4", "8x8").usual == "8x8"
    assert class_of("connect4", "4x7").usual == "6x7"


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        *((typed, None) for typed in (None, "", " ", "all", "Todos", "todos los tamaños")),
        *((typed, "small") for typed in ("small", "chico", "5x4", "5×4", " 4X4 ")),
        *((typed, "classic") for typed in ("Classic", "clásico", "CLASICO", "connect4-classic")),
        *((typed, "large") for typed in ("large", "grande", "8x8", "7x7")),
    ],
)
def test_a_class_goes_by_its_name_or_a_size(typed: str | None, name: str | None) -> None:
    """A class is found by its name or by a size, in every language, with or without accents."""
    found = size_from_text("connect4", typed)
    assert (found.name if found else None) == name


def test_an_unknown_size_is_refused() -> None:
    """A board that cannot be played on and an unknown word are refused."""
    for typed in ("9x9", "huge", "6"):
        with pytest.raises(Refusal, match="unknown_size"):
            class_from_text("connect4", typed)
