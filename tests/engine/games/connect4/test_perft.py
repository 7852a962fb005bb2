"""Move sequence counts of the compiled rules."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from engine.cli.main import count_by_depth
from engine.games.connect4.rules import Connect4


@pytest.mark.parametrize(("size", "deepest"), [("6x7", 10), ("4x4", 16), ("5x4", 20)])
def test_counts_are_as_known(
    size: str, deepest: int, known_counts: Mapping[tuple[str, int], tuple[int, int, int]]
) -> None:
    """At each depth there are exactly as many move sequences as enumeration finds."""
    expected = [(depth, known_counts[size, depth][2]) for depth in range(deepest + 1)]
    assert list(count_by_depth(Connect4.from_variant(size).start(), deepest)) == expected


def test_published_counts_of_the_classic_board() -> None:
    """From the empty 6x7 board there are 39,394,572 sequences of nine and 268,031,646 of ten."""
    counts = dict(count_by_depth(Connect4().start(), 10))
    assert (counts[9], counts[10]) == (39_394_572, 268_031_646)


@pytest.mark.parametrize("size", ["4x4", "5x4"])
def test_nothing_is_counted_beyond_the_last_square(size: str) -> None:
    """No sequence is longer than there are squares on the board."""
    position = Connect4.from_variant(size).start()
    squares = position.game.rows * position.game.columns
    assert list(count_by_depth(position, squares + 2))[-2:] == [(squares + 1, 0), (squares + 2, 0)]


@pytest.mark.parametrize("size", Connect4.SIZES)
def test_early_on_every_column_is_open(size: str) -> None:
    """Before a line can be made or a column filled, every column is open at every move."""
    game = Connect4.from_variant(size)
    expected = [(depth, game.columns**depth) for depth in range(5)]
    assert list(count_by_depth(game.start(), 4)) == expected
