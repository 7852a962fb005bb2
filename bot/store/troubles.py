"""How a database fails, whatever engine it is kept in."""

from __future__ import annotations

BUSY, FULL, READ_ONLY, GONE, BROKEN = "busy", "full", "readonly", "gone", "broken"
UNCONFIRMED = "unconfirmed"
REASONS = (BUSY, FULL, READ_ONLY, GONE, BROKEN, UNCONFIRMED)


class Unavailable(Exception):
    """The database cannot be used now; nothing has been changed, unless this is Unconfirmed.

    `reason` is `busy` (somebody else has locked it), `full` (the disk takes no more), `readonly`,
    `gone` (it is not where it was, another one is, or the server does not answer), `broken` (what
    is there cannot be used) or `unconfirmed`.
    """

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(detail)
        self.reason = reason


class Collided(Unavailable):
    """Another change at the same time came in between; the same one can be made again at once."""

    def __init__(self, detail: str) -> None:
        super().__init__(BUSY, detail)


class Unconfirmed(Unavailable):
    """The connection was lost during a commit: the change may have been stored or not."""

    def __init__(self, detail: str) -> None:
        super().__init__(UNCONFIRMED, detail)


class CopyFailed(Exception):
    """A copy was not made or not put in place, and nothing has changed; the text says why."""


class CopyDamaged(CopyFailed):
    """What was to be copied is damaged, or what it was to be copied to; nothing has changed."""


class Unfit(Exception):
    """What is at the database's address cannot be opened; the text says why and what to do."""


class CutShort(Unfit):
    """Part of the file at the database's address is missing."""
