"""Requests to Discord with a limit on their time, periodic tasks and work in the background.

discord.py waits inside its requests: for rate limits, and between attempts. Its caller cannot
distinguish a waiting request from one that has been sent; aiohttp's tracing can.
"""

from __future__ import annotations

import asyncio
import logging
import math
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from datetime import timedelta
from time import monotonic
from typing import Any

import aiohttp
import discord
from discord.ext import tasks

from bot.database.errors import Unavailable
from bot.discord.replies import ANSWER

GRACE = 8.0
"""Seconds that running work has to finish before it is cancelled: a query that is cancelled halfway
would leave its connection to the database open."""


class Background:
    """Runs background tasks."""

    def __init__(self) -> None:
        """Begin without tasks."""
        self._tasks: set[asyncio.Task[None]] = set()

    def run(self, work: Coroutine[Any, Any, None]) -> None:
        """Run a coroutine in a task, and keep a reference to the task until it is done."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def stop(self, grace: float = GRACE) -> None:
        """Wait up to `grace` seconds for running tasks, then cancel the others."""
        tasks = tuple(self._tasks)
        if not tasks:
            return
        _, late = await asyncio.wait(tasks, timeout=grace)
        for task in late:
            task.cancel()
        await asyncio.gather(*late, return_exceptions=True)


EDIT = "PATCH"
"""The HTTP method of edits."""

LONGEST_WAIT = 15.0
"""Seconds for which edits are limited; only those of old messages are limited for longer."""


class Limited(OSError):
    """A rate limit: Discord accepts this request only after some seconds."""

    def __init__(self, seconds: float, *, everywhere: bool) -> None:
        """A limit of this request, or of all requests `everywhere`."""
        super().__init__(f"limited for {seconds:.1f} s")
        self.seconds = seconds
        self.everywhere = everywhere


class Superseded(Exception):
    """A request was given up before it was sent, because of a newer one."""


@dataclass(slots=True)
class TracedRequest:
    """One request, and its state according to the trace of the HTTP session."""

    is_sent: bool = False
    """Whether it has been sent and not yet answered."""
    settled: asyncio.Event = field(default_factory=asyncio.Event)
    """Set once the request was accepted, or would have to wait too long."""
    is_accepted: bool = False
    limit: Limited | None = None
    retry_at: float | None = None
    """When Discord accepts it again, by the monotonic clock; None if unknown."""
    is_superseded: bool = False
    pause: float = 0.0
    """Seconds after this edit in which Discord accepts no other edit there."""
    blocks_all: bool = False
    """Whether this request met a global rate limit: until it passes, discord.py sends nothing."""
    task: asyncio.Task[Any] | None = None

    def supersede(self) -> None:
        """Cancel the request, unless it has been sent or answered."""
        if not self.is_sent and not self.is_accepted and self.task is not None:
            self.is_superseded = True
            self.task.cancel()

    def _forget_task(self, _task: asyncio.Task[Any]) -> None:
        self.task = None


_present: ContextVar[TracedRequest | None] = ContextVar("traced_request", default=None)


def with_tracing(trace: aiohttp.TraceConfig) -> aiohttp.TraceConfig:
    """Make the trace of the client's HTTP session record the state of traced requests."""
    trace.on_request_start.append(_sent)
    trace.on_request_end.append(_answered)
    trace.on_request_exception.append(_failed)
    return trace


async def make_request(
    client: discord.Client, traced: TracedRequest, request: Callable[[], Awaitable[Any]]
) -> None:
    """Make a request; returns once Discord has accepted it, even if discord.py waits after that.

    Raises Superseded, Limited, TimeoutError, or what the request raises.
    """
    present = _present.set(traced)
    try:
        task = traced.task = asyncio.ensure_future(_limited(client, request))
    finally:
        _present.reset(present)
    # aiohttp keeps what the trace refers to, which would include the board that the task holds.
    task.add_done_callback(traced._forget_task)
    settled = asyncio.ensure_future(traced.settled.wait())
    try:
        await asyncio.wait({task, settled}, return_when=asyncio.FIRST_COMPLETED)
        await _result_of(traced, task)
    finally:
        settled.cancel()
        if not traced.is_accepted:
            task.cancel()


async def _result_of(traced: TracedRequest, task: asyncio.Task[Any]) -> None:
    if traced.is_accepted:
        # discord.py only waits from now on; the outcome does not matter.
        task.add_done_callback(lambda done: done.cancelled() or done.exception())
        return
    if traced.limit is not None:
        raise traced.limit
    if traced.is_superseded:
        raise Superseded
    try:
        await task
    except (TimeoutError, discord.HTTPException) as error:
        if traced.retry_at is None:
            raise
        left = max(0.0, traced.retry_at - monotonic())
        raise Limited(left, everywhere=traced.blocks_all) from error


async def _limited(client: discord.Client, request: Callable[[], Awaitable[Any]]) -> None:
    async with time_limit(client):
        await request()


@asynccontextmanager
async def time_limit(client: discord.Client) -> AsyncIterator[None]:
    """Limit the requests in the block to the time that an answer may take; raises TimeoutError."""
    traced = _present.get() or TracedRequest()
    present = _present.set(traced)
    try:
        async with asyncio.timeout(ANSWER):
            yield
    except (TimeoutError, asyncio.CancelledError):
        if traced.blocks_all:
            # discord.py 2.7.1 clears this event while it waits for a global rate limit. If it is
            # cancelled there, it never sets the event again, and every later request hangs.
            client.http._global_over.set()
        raise
    except KeyError as error:
        # discord.py 2.7.1 assumes that a 429 says when to retry.
        raise Limited(math.inf, everywhere=False) from error
    finally:
        _present.reset(present)


async def _sent(
    _session: object, _context: object, params: aiohttp.TraceRequestStartParams
) -> None:
    traced = _present.get()
    if traced is not None:
        traced.blocks_all = False
        traced.retry_at = None
        traced.is_sent = params.method == EDIT


async def _answered(
    _session: object, _context: object, params: aiohttp.TraceRequestEndParams
) -> None:
    traced = _present.get()
    if traced is None:
        return
    traced.is_sent = False
    headers, status = params.response.headers, params.response.status
    is_limited = status == 429
    traced.blocks_all = is_limited and "X-RateLimit-Global" in headers
    if params.method != EDIT:
        # Such as a request for the name of a person.
        return
    if status < 300:
        traced.is_accepted = True
        if headers.get("X-RateLimit-Remaining") == "0":
            traced.pause = float(headers.get("X-RateLimit-Reset-After", 0))
        traced.settled.set()
    elif is_limited:
        wait = float(headers.get("Retry-After", 0))
        traced.retry_at = monotonic() + wait
        if wait > ANSWER / 2:
            traced.limit = Limited(wait, everywhere=traced.blocks_all)
            traced.settled.set()


async def _failed(
    _session: object, _context: object, _params: aiohttp.TraceRequestExceptionParams
) -> None:
    traced = _present.get()
    if traced is not None:
        traced.is_sent = False


logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Task:
    """A periodic task."""

    name: str
    seconds: float
    """The pause between two runs."""
    run: Callable[[], Awaitable[None]]


class Ticker:
    """Runs a task at a fixed interval.

    A run that fails is logged, and the next one takes place as usual. Runs that the machine has
    missed, such as while it was suspended, are not made up for. Stopping never cancels a run: a
    cancelled query would leave its connection to the database open.
    """

    def __init__(self, task: Callable[[], Awaitable[None]], seconds: float) -> None:
        """Run `task` as soon as the ticker starts, and then every `seconds`."""
        self._task = task
        self._pause = timedelta(seconds=seconds)
        self._running = asyncio.Lock()
        self._loop = tasks.loop(seconds=seconds)(self._tick)

    def start(self) -> None:
        """Start ticking."""
        self._loop.start()

    async def stop(self) -> None:
        """Stop ticking; returns once a run under way has finished."""
        loop = self._loop.get_task()
        async with self._running:
            self._loop.cancel()
        if loop is not None:
            await asyncio.gather(loop, return_exceptions=True)

    async def _tick(self) -> None:
        now, following = discord.utils.utcnow(), self._loop.next_iteration
        if following is not None and following < now:
            # discord.py 2.7.1 would run the task without pauses until it is back on schedule.
            self._loop._next_iteration = now + self._pause  # type: ignore[assignment]
        async with self._running:
            try:
                await self._task()
            except Unavailable:
                # The database has logged why; the next tick tries again.
                pass
            except Exception:
                logger.exception("a periodic task failed")
