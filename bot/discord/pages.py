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
    asker: int = 0
    """Who asked for the list and may turn its pages; 0 on lists from before this was kept."""

    def is_of(self, user_id: int, guild_id: int | None) -> bool:
        """Whether this is a page for somebody to turn, where they are."""
        if self.kind == "history":
            return self.whom == user_id
        return self.whom == (guild_id or 0) and self.asker in (0, user_id)
