"""One page of a list, as the buttons that turn to it name it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Page:
    """One page of a list."""

    kind: str
    """`history`, or the leaderboard of a `server` or `everywhere`."""
    family: str
    number: int
    """Counted from 0."""
    whom: int
    """The user whose history it is, or the server; 0 outside of servers."""
    size: str = ""
    """The name of the size class that is listed; empty for all sizes."""
