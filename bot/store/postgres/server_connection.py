"""A connection to a PostgreSQL server that is closed once the server has been silent for too long.

A server that is frozen, or that has failed over without closing its connections, keeps the TCP
connection open and sends nothing. Waiting for it is of no use, and neither is cancelling the query:
that takes another connection to the same server, and the first one stays blocked until it answers.
So a timer aborts the connection, which makes whatever waits for it fail at once as if the network
had closed it, and the pool opens another one.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import MutableSet
from contextlib import suppress
from typing import Any

import asyncpg

from bot.store.time_limits import UNHURRIED, TimeLimits

logger = logging.getLogger(__name__)

CLOSING = 0.5
"""Seconds that a server may take to say goodbye."""
IDLE = 10_000
"""Milliseconds after which the server undoes a transaction in which it is asked nothing more."""
LOCK_WAITS = 30_000
"""Milliseconds that a statement waits for rows that others have locked, unless told otherwise."""


class ServerConnection(asyncpg.Connection):  # type: ignore[misc]  # the driver has no types
    """A connection with time limits."""

    def __init__(self, *args: Any, **options: Any) -> None:
        """Connect as the driver does."""
        super().__init__(*args, **options)
        self.limits: TimeLimits = UNHURRIED
        self.siblings: MutableSet[ServerConnection] = set()
        """All connections of the same pool."""
        self._used_since: float | None = None
        self._timer: asyncio.TimerHandle | None = None

    def begin_use(self, limits: TimeLimits) -> None:
        """Apply limits from now on; called when the connection is taken from the pool."""
        self.limits = limits
        self._used_since = self._loop.time()
        if limits.transaction is not None:
            silent = limits.transaction <= limits.contact
            give_up = self._server_is_silent if silent else self._takes_too_long
            self._timer = self._loop.call_later(limits.transaction, give_up)

    def end_use(self) -> None:
        """Stop the clock; called when the connection is returned."""
        self.limits, self._used_since = UNHURRIED, None
        self._stop_timer()

    async def execute(self, query: str, *args: Any, timeout: float | None = None) -> str:  # noqa: ASYNC109  # the driver's name
        """Run a command without results; the driver begins and ends transactions with this."""
        if query.startswith("BEGIN") and self.limits.transaction is not None:
            # In the same message: it costs no round trip. Where the network is lost the server is
            # not told that this side has given up, and would keep its rows locked.
            query += f" SET LOCAL idle_in_transaction_session_timeout = {IDLE};"
            if self.limits.lock * 1000 < LOCK_WAITS:
                query += f" SET LOCAL lock_timeout = {max(1, round(self.limits.lock * 1000))};"
        timer = self._loop.call_later(self.limits.contact, self._server_is_silent)
        try:
            return str(await super().execute(query, *args, timeout=timeout))
        finally:
            timer.cancel()

    async def close(self, *, timeout: float | None = None) -> None:  # noqa: ASYNC109  # the driver's name
        """Disconnect; a server that does not answer is not waited for."""
        self._stop_timer()
        with suppress(TimeoutError):
            await super().close(timeout=min(CLOSING, timeout or CLOSING))

    def terminate(self) -> None:
        """Disconnect at once; whatever waits for an answer fails."""
        self._stop_timer()
        super().terminate()

    def _takes_too_long(self) -> None:
        """Give up one transaction; the server may be busy with it."""
        if not self.is_closed():
            logger.warning("the database has not done with a transaction in time: it is undone")
            self.terminate()

    def _server_is_silent(self) -> None:
        """Give up this connection, and all others from which nothing was heard meanwhile.

        After a failover they all lead nowhere, and one request after the other would find out.
        """
        if self.is_closed():
            return
        logger.warning("the database server does not answer: its connections are made anew")
        before = self._loop.time() - self.limits.contact
        for one in (self, *self.siblings):
            if not one.is_closed() and (one._used_since or 0.0) <= before:
                one.terminate()
        if not self.is_closed():
            self.terminate()

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
