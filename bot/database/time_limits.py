"""Time limits for the database: tight while a person waits for an answer, looser otherwise.

Discord accepts no first answer to an interaction after three seconds. So the task that answers an
interaction works under tight limits until it has been acknowledged. All other work, including the
tasks that such a task starts, has more time, but never unlimited time.

Only a server can fall silent, so the limits apply to PostgreSQL. A locked SQLite file reports that
it is locked, and is waited for as `Database.writing` describes.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from time import monotonic
from typing import Any


@dataclass(frozen=True, slots=True)
class TimeLimits:
    """Limits in seconds."""

    contact: float
    """For operations that are cheap for the server: connect, begin, commit and roll back."""
    transaction: float | None
    """For everything between taking a connection and returning it; None for no limit."""
    lock: float
    """For waiting for rows locked by other transactions; the server enforces this limit."""

    def at_most(self, seconds: float) -> TimeLimits:
        """Limits for a caller who waits `seconds` for locks and hardly longer for an answer.

        Contact gets at least half a second, so that a busy machine is not taken for a silent
        server.
        """
        contact = min(self.contact, max(seconds, 0.5))
        transaction = seconds + 0.5 if self.transaction is None else self.transaction
        return TimeLimits(contact, min(transaction, seconds + 0.5), min(self.lock, seconds))

    def for_one_query(self) -> TimeLimits:
        """Limits for one query: before the acknowledgement it gets only the time for contact.

        Long queries, such as those of reports, run after the acknowledgement.
        """
        return replace(self, transaction=self.contact) if self is UNANSWERED else self


UNANSWERED = TimeLimits(contact=1.5, transaction=5.0, lock=1.2)
"""While an interaction has not been acknowledged. Silence is noticed at the first contact; only a
server that falls silent in the middle of a transaction is waited for longer, and by then the
interaction has been acknowledged (`bot.discord.replies`)."""

ACKNOWLEDGED = TimeLimits(contact=1.5, transaction=30.0, lock=5.0)
"""Once an interaction has been acknowledged; long reports are read then."""

BACKGROUND = TimeLimits(contact=5.0, transaction=60.0, lock=30.0)
"""Work for which no person waits."""

UNHURRIED = TimeLimits(contact=60.0, transaction=None, lock=30.0)
"""Migrations and transfers."""


@dataclass(slots=True, eq=False)
class Request:
    """An interaction that is being answered."""

    task: asyncio.Task[Any] | None
    """The task that answers it: the only one to which its limits apply."""
    is_acknowledged: Callable[[], bool]
    trouble: Exception | None = None
    """The error that every use of the database raises for this request; None if it may use it."""
    has_stored: bool = False
    """Whether any task has stored something while it was being answered."""

    @property
    def limits(self) -> TimeLimits:
        """The limits that apply now."""
        if self.task is not asyncio.current_task():
            return BACKGROUND
        return ACKNOWLEDGED if self.is_acknowledged() else UNANSWERED


_request: ContextVar[Request | None] = ContextVar("request", default=None)

_connecting: ContextVar[TimeLimits] = ContextVar("connecting", default=UNHURRIED)

_connected_by: ContextVar[float | None] = ContextVar("connected_by", default=None)


@contextmanager
def answering_person(
    is_acknowledged: Callable[[], bool], trouble: Exception | None = None
) -> Iterator[Request]:
    """Run the block under the limits for a person who waits for an answer.

    With `trouble` it cannot use the database: every use fails with that error.
    """
    request = Request(asyncio.current_task(), is_acknowledged, trouble)
    token = _request.set(request)
    try:
        yield request
    finally:
        # Tasks that it has started keep their context; they no longer belong to the request.
        request.task = None
        _request.reset(token)


def present_limits() -> TimeLimits:
    """The limits for the present task's use of the database."""
    request = _request.get()
    return BACKGROUND if request is None else request.limits


def require_allowed() -> None:
    """Raise the `trouble` of the present request, if it has any."""
    request = _request.get()
    if request is not None and request.task is not None and request.trouble is not None:
        raise request.trouble


def is_hurried() -> bool:
    """Whether the present task answers a person."""
    request = _request.get()
    return request is not None and request.task is asyncio.current_task()


def note_stored() -> None:
    """Note that something has been stored on behalf of the present request, if there is one."""
    request = _request.get()
    if request is not None:
        request.has_stored = True


@contextmanager
def connecting_within(limits: TimeLimits) -> Iterator[None]:
    """Apply limits to the connection that is taken in the block, until it is returned."""
    token = _connecting.set(limits)
    by = _connected_by.set(monotonic() + limits.contact)
    try:
        yield
    finally:
        _connected_by.reset(by)
        _connecting.reset(token)


def limits_for_connecting() -> TimeLimits:
    """The limits for a connection that is being taken."""
    return _connecting.get()


def seconds_for_connecting() -> float:
    """How many seconds are left for making a connection that is being taken."""
    by = _connected_by.get()
    return UNHURRIED.contact if by is None else by - monotonic()
