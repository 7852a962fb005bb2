"""The working memory of a search."""

from __future__ import annotations

import pytest

from engine.core.compiled.bits import board_word, bottom_word
from engine.games.connect4.compiled.memory import (
    BOARD,
    BOTTOM,
    COLUMNS,
    HIDDEN,
    ROWS,
    SCRATCH,
    SQUARES,
    STARTS,
    TABLE,
    WINS,
    new_memory,
)
from engine.games.connect4.rules import Connect4
from tests.builders import SIZES


@pytest.mark.parametrize("game", SIZES, ids=Connect4.SIZES)
def test_memory_describes_the_board(game: Connect4) -> None:
    """The head of the memory holds the board, its size and the start of every line."""
    memory = new_memory(game.rows, game.columns, 0)
    assert int(memory[BOARD]) == board_word(game.rows, game.columns)
    assert int(memory[BOTTOM]) == bottom_word(game.columns)
    assert [int(memory[at]) for at in (ROWS, COLUMNS, SQUARES)] == [
        game.rows,
        game.columns,
        game.rows * game.columns,
    ]
    lines = {
        sum(1 << (start + step * i) for i in range(4))
        for direction, step in enumerate((1, 8, 9, 7))
        for start in range(64)
        if int(memory[STARTS + direction]) >> start & 1
    }
    assert lines == set(game.fours)


@pytest.mark.parametrize("bits", [0, 1, 14])
def test_a_table_has_as_many_entries_as_asked_for(bits: int) -> None:
    """The table follows the head with two words per entry and begins empty."""
    memory = new_memory(6, 7, bits)
    assert memory.size == TABLE + 2 * 2**bits
    assert not memory[TABLE:].any()
    assert SCRATCH + 8 * 64 <= WINS
    assert WINS + 8 * 64 <= HIDDEN
