"""The working memory of a Gato search."""

from __future__ import annotations

import pytest

from engine.games.gato.compiled.memory import SCRATCH, TABLE, new_memory


@pytest.mark.parametrize("bits", [0, 1, 14])
def test_a_table_has_as_many_entries_as_asked_for(bits: int) -> None:
    """The table follows the head with one word per entry; everything begins empty."""
    memory = new_memory(bits)
    assert memory.size == TABLE + 2**bits
    assert not memory.any()
    assert SCRATCH + 16 * 17 <= TABLE
