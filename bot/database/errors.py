"""The errors of a database of any engine, retries, and isolation of failures.

A transaction that was undone because of a conflict is retried (`retry_on_conflict`). In a loop over
many items, a failure of one is logged and the others are still handled (`isolated`).
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from random import uniform
from typing import ParamSpec, TypeVar

logger = logging.getLogger(__name__)

TRIES = 6

PAUSE = 0.02
"""The longest pause before the second try, in seconds; it grows with every further try."""

BUSY, FULL, READ_ONLY, GONE, BROKEN = "busy", "full", "readonly", "gone", "broken"

UNCONFIRMED = "unconfirmed"

REASONS = (BUSY, FULL, READ_ONLY, GONE, BROKEN, UNCONFIRMED)

P = ParamSpec("P")
T = TypeVar("T")


class Unavailable(Exception):
    """The database cannot be used now; nothing has been changed, unless this is Unconfirmed.

    `reason` is `busy` (another program has locked it), `full` (the disk takes no more), `readonly`,
    `gone` (it was moved or replaced, or the server does not answer), `broken` (it cannot be used)
    or `unconfirmed`.
    """

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(detail)
        self.reason = reason


class TransactionConflict(Unavailable):
    """A concurrent transaction conflicted with this one, which can be retried at once."""

    def __init__(self, detail: str) -> None:
        super().__init__(BUSY, detail)


class Unconfirmed(Unavailable):
    """The connection was lost during a commit: the change may have been stored or not."""

    def __init__(self, detail: str) -> None:
        super().__init__(UNCONFIRMED, detail)


class CopyFailed(Exception):
    """A copy was not made or not restored, and nothing has changed; the text gives the reason."""


class CopyDamaged(CopyFailed):
    """The database to copy, or the one to replace, is damaged; nothing has changed."""


class Unfit(Exception):
    """The database cannot be opened; the text gives the reason and advice."""


class Truncated(Unfit):
    """Part of the database's file is missing."""


def retry_on_conflict(change: Callable[P, Awaitable[T]]) -> Callable[P, Awaitable[T]]:
    """Retry a function whenever a conflict undoes its transaction, a limited number of times.

    For functions that run one transaction and do nothing else.
    """

    @wraps(change)
    async def retried(*args: P.args, **kwargs: P.kwargs) -> T:
        for tried in range(1, TRIES):
            try:
                return await change(*args, **kwargs)
            except TransactionConflict:
                # A random pause, or the same two would conflict again.
                await asyncio.sleep(uniform(0.0, PAUSE * tried))
        return await change(*args, **kwargs)

    return retried


@contextmanager
def isolated(what: str, item: object) -> Iterator[None]:
    """Handle one item of many in the block; a failure is logged and ends only this block.

    A database that is unavailable fails all items alike, so that is raised. An exception that the
    caller needs to see has to be caught inside the block.

    Args:
        what: The kind of item and the action, such as `challenge to expire`.
        item: The id of the item.
    """
    try:
        yield
    except Unavailable:
        raise
    except Exception:
        logger.exception("%s %s was left out: it failed", what, item)
