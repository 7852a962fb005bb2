"""Query plans of statistics."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import insert, text

from bot.features.statistics.store import (
    best_win_query,
    crowns_query,
    numbers_query,
    unaided_query,
)
from bot.store.store import Store
from bot.store.tables import UnaidedRow
from tests.bot.databases import plan
from tests.bot.store.test_plans import CLASSIC, SIZES, fill

pytestmark = pytest.mark.sqlite


def unaided_row(n: int) -> dict[str, Any]:
    """The losses of a person's own moves in a game."""
    return {"game_id": n + 1, "user_id": 1 + n % 100, "ladder": CLASSIC, "at": float(n),
            "judged": 9, "loss": 0.5}  # fmt: skip


@pytest.mark.parametrize("is_analysed", [False, True])
async def test_no_query_reads_a_whole_table(store: Store, is_analysed: bool) -> None:
    """Among ten thousand games an index answers every query, with and without statistics."""
    await fill(store)
    async with store.database.writing() as connection:
        await connection.execute(insert(UnaidedRow), [unaided_row(n) for n in range(10_000)])
        if is_analysed:
            await connection.execute(text("ANALYZE"))
        crowns = await plan(connection, crowns_query(7, SIZES))
        unaided = await plan(connection, unaided_query(7, 3.0))
        best = await plan(connection, best_win_query(7, SIZES))
        numbers = await plan(connection, numbers_query((7, 8), SIZES, 3.0))
    assert not [step for step in (*crowns, *unaided, *best) if step.startswith("SCAN")]
    assert not [step for step in numbers if step.startswith("SCAN RatingChange")], numbers
    for steps in (crowns, best, numbers):
        assert any("ix_rating_changes_course" in step for step in steps), steps
    assert any("ix_unaided_course" in step for step in unaided), unaided
    assert not [step for step in unaided if "TEMP B-TREE" in step], unaided
