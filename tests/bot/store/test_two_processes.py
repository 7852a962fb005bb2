"""Two processes on one database."""

from __future__ import annotations

from tests.bot.support.two_processes import contend


async def test_two_processes_never_store_a_move_twice(address: str) -> None:
    """Of two processes that make the same move, one stores it and only that one acknowledges it."""
    found = await contend(address, 200)
    assert (found.doubles, found.lost) == (0, 0)
    assert 0 < found.acknowledged == found.stored < found.clicks
