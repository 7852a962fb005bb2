"""Changes that came upon another one at the same time, on databases where writers work abreast.

How a database fails, whatever engine it is kept in.

Loops over many items: the failure of one is logged, and the others get their turn.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from random import uniform
from typing import ParamSpec, TypeVar

TRIES = 6

PAUSE = 0.02
"""Seconds before the second try at most; more before each one after that."""

Given = ParamSpec("Given")

Result = TypeVar("Result")


def again(change: Callable[Given, Awaitable[Result]]) -> Callable[Given, Awaitable[Result]]:
    """Make a change again if the database undid it because of another one at the same time.

    For functions of one transaction and nothing else.
    """

    @wraps(change)
    async def made(*args: Given.args, **named: Given.kwargs) -> Result:
        for tried in range(1, TRIES):
            try:
                return await change(*args, **named)
            except Collided:
                # By chance, or two that met once would meet again.
                await asyncio.sleep(uniform(0.0, PAUSE * tried))
        return await change(*args, **named)

    return made


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


logger = logging.getLogger(__name__)


@contextmanager
def isolated(what: str, item: object) -> Iterator[None]:
    """Do something for one item of many; a failure is logged and ends only this block.

    A database that is unavailable fails all items alike: that is raised. So is what the block
    raises to be told apart by its caller, if it is caught inside.

    Args:
        what: What kind of item it is, and what is done with it, such as `challenge to expire`.
        item: Its id.
    """
    try:
        yield
    except Unavailable:
        raise
    except Exception:
        logger.exception("%s %s was left out: it failed", what, item)
