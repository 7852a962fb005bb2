"""Ways to a board through interactions, which live for a quarter of an hour."""

from __future__ import annotations

from typing import Any

A_QUARTER = 901.0
"""Seconds after which a token has expired."""


async def test_what_has_expired_is_not_kept(venue: Any) -> None:
    """A way to a board is forgotten once its token has expired, also where nobody asks for it."""
    kept = venue.client.handlers.boards.lifelines._lines
    await venue.ana.slash(venue.channel, "connect4 start", size="5x4", level="easy")
    assert list(kept) == [1]
    await venue.env.advance_time(A_QUARTER)
    await venue.bea.slash(venue.other_channel, "connect4 start", size="5x4", level="easy")
    assert list(kept) == [2]
