"""The compiled search of Gato compared with the exact values of all positions."""

from __future__ import annotations

import numpy as np
import pytest

from engine.games.gato.kernel import load
from tests.engine.games.gato.gato_positions import GatoPositions

# Almost without a table, the opening takes long.
TABLES = [(bits, ply) for bits, first in ((4, 5), (16, 0)) for ply in range(first, 16)]


@pytest.mark.parametrize(("table_bits", "ply"), TABLES)
def test_a_search_to_the_end_finds_the_exact_value(
    ply: int, table_bits: int, gato_positions: GatoPositions
) -> None:
    """Searched to the last square, a position has the value that enumeration gives it."""
    flag = np.zeros(1, np.uint8)
    for position in gato_positions.some(ply, 10 if ply < 6 else 50, seed=ply):
        kernel = load(position, table_bits)
        kernel.allow(None)
        found = kernel.score_moves(kernel.deepest, 0, position.legal_moves(), flag)
        assert found is not None
        assert set(found.values()) == {gato_positions.score(position)}
