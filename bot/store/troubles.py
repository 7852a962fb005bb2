"""How a database fails, whatever engine it is kept in."""

from __future__ import annotations

BUSY, FULL, READ_ONLY, GONE, BROKEN = "busy", "full", "readonly", "gone", "broken"
REASONS = (BUSY, FULL, READ_ONLY, GONE, BROKEN)


class Unavailable(Exception):
    """The database cannot be used now; nothing has been changed.

    `reason` is `busy` (somebody else has locked it), `full` (the disk takes no more), `readonly`,
    `gone` (it is not where it was, or another one is) or `broken` (what is there cannot be used).
    """

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(detail)
        self.reason = reason


class Collided(Unavailable):
    """Another change at the same time came in between; the same one can be made again at once."""

    def __init__(self, detail: str) -> None:
        super().__init__(BUSY, detail)


class CopyFailed(Exception):
    """A copy was not made or not put in place, and nothing has changed; the text says why."""


class Unfit(Exception):
    """What is at the database's address cannot be opened; the text says why and what to do."""
