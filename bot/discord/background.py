"""Requests to Discord with a limit on their time, periodic tasks and work in the background.

discord.py waits inside its requests: for a rate limit to pass, and between tries. Whoever waits for
one cannot tell that from a request that has been sent. aiohttp's tracing can.
"""

from __future__ import annotations

import asyncio
import logging
import math
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
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
    """Runs work in tasks of its own."""

    def __init__(self) -> None:
        """Run nothing yet."""
        self._tasks: set[asyncio.Task[None]] = set()

    def run(self, work: Coroutine[Any, Any, None]) -> None:
        """Run something; kept alive until it is done."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def stop(self, grace: float = GRACE) -> None:
        """Let what runs finish within `grace` seconds, and cancel what has not by then."""
        tasks = tuple(self._tasks)
        if not tasks:
            return
        _, late = await asyncio.wait(tasks, timeout=grace)
        for task in late:
            task.cancel()
        await asyncio.gather(*late, return_exceptions=True)


EDIT = "PATCH"
"""The method of the requests that change a message."""

LONGEST_WAIT = 15.0
"""Seconds for which edits are limited; only those of old messages are limited for longer."""


class Limited(OSError):
    """Discord allows this request again only in so many seconds."""

    def __init__(self, seconds: float, *, everywhere: bool) -> None:
        """A limit of this request, or of all requests `everywhere`."""
        super().__init__(f"limited for {seconds:.1f} s")
        self.seconds = seconds
        self.everywhere = everywhere


class Overtaken(Exception):
    """A request was given up before it was sent, for a newer one."""


@dataclass(slots=True)
class Flight:
    """One request."""

    is_out: bool = False
    """Whether it has been sent and its answer is not there yet."""
    settled: asyncio.Event = field(default_factory=asyncio.Event)
    """Set as soon as there is nothing to wait for any more: it was taken, or must wait too long."""
    is_taken: bool = False
    limit: Limited | None = None
    retry_at: float | None = None
    """When Discord takes the request again, by the monotonic clock, if its last answer said so."""
    is_overtaken: bool = False
    rests: float = 0.0
    """Seconds in which Discord takes no more edits there, after this one."""
    holds_all: bool = False
    """Whether discord.py lets no request out until a limit has passed that this one has met."""
    task: asyncio.Task[Any] | None = None

    def land(self, _task: asyncio.Task[Any]) -> None:
        """Forget the request, which is over."""
        self.task = None

    def overtake(self) -> None:
        """Give the request up, unless it is out or has been answered."""
        if not self.is_out and not self.is_taken and self.task is not None:
            self.is_overtaken = True
            self.task.cancel()


_present: ContextVar[Flight | None] = ContextVar("flight", default=None)


def with_flights(trace: aiohttp.TraceConfig) -> aiohttp.TraceConfig:
    """Have the trace of the client's HTTP session tell flights how they are doing."""
    trace.on_request_start.append(_sent)
    trace.on_request_end.append(_answered)
    trace.on_request_exception.append(_failed)
    return trace


async def fly(
    client: discord.Client, flight: Flight, request: Callable[[], Awaitable[Any]]
) -> None:
    """Make a request; returns as soon as Discord has taken it, however long discord.py rests then.

    Raises Overtaken, Limited, TimeoutError, or what the request raises.
    """
    present = _present.set(flight)
    try:
        task = flight.task = asyncio.ensure_future(_limited(client, request))
    finally:
        _present.reset(present)
    # What aiohttp keeps of a request knows the flight, and would keep the board that it carried.
    task.add_done_callback(flight.land)
    settled = asyncio.ensure_future(flight.settled.wait())
    try:
        await asyncio.wait({task, settled}, return_when=asyncio.FIRST_COMPLETED)
        await _landed(flight, task)
    finally:
        settled.cancel()
        if not flight.is_taken:
            task.cancel()


async def _landed(flight: Flight, task: asyncio.Task[Any]) -> None:
    if flight.is_taken:
        # It only rests; whatever becomes of that concerns nobody.
        task.add_done_callback(lambda done: done.cancelled() or done.exception())
        return
    if flight.limit is not None:
        raise flight.limit
    if flight.is_overtaken:
        raise Overtaken
    try:
        await task
    except (TimeoutError, discord.HTTPException) as error:
        if flight.retry_at is None:
            raise
        left = max(0.0, flight.retry_at - monotonic())
        raise Limited(left, everywhere=flight.holds_all) from error


async def _limited(client: discord.Client, request: Callable[[], Awaitable[Any]]) -> None:
    async with time_limit(client):
        await request()


@asynccontextmanager
async def time_limit(client: discord.Client) -> AsyncIterator[None]:
    """Give the requests in the block no more time than an answer may take; raises TimeoutError."""
    flight = _present.get() or Flight()
    present = _present.set(flight)
    try:
        async with asyncio.timeout(ANSWER):
            yield
    except (TimeoutError, asyncio.CancelledError):
        if flight.holds_all:
            # discord.py 2.7.1 clears this while it waits for a limit on all requests to pass.
            # Stopped there it never sets it again, and every later request waits for ever.
            client.http._global_over.set()
        raise
    except KeyError as error:
        # discord.py 2.7.1 takes it for granted that a 429 says when to come back.
        raise Limited(math.inf, everywhere=False) from error
    finally:
        _present.reset(present)


async def _sent(
    _session: object, _context: object, params: aiohttp.TraceRequestStartParams
) -> None:
    flight = _present.get()
    if flight is not None:
        flight.holds_all = False
        flight.retry_at = None
        flight.is_out = params.method == EDIT


async def _answered(
    _session: object, _context: object, params: aiohttp.TraceRequestEndParams
) -> None:
    flight = _present.get()
    if flight is None:
        return
    flight.is_out = False
    headers, status = params.response.headers, params.response.status
    is_limited = status == 429
    flight.holds_all = is_limited and "X-RateLimit-Global" in headers
    if params.method != EDIT:
        # Such as a question who somebody is.
        return
    if status < 300:
        flight.is_taken = True
        if headers.get("X-RateLimit-Remaining") == "0":
            flight.rests = float(headers.get("X-RateLimit-Reset-After", 0))
        flight.settled.set()
    elif is_limited:
        wait = float(headers.get("Retry-After", 0))
        flight.retry_at = monotonic() + wait
        if wait > ANSWER / 2:
            flight.limit = Limited(wait, everywhere=flight.holds_all)
            flight.settled.set()


async def _failed(
    _session: object, _context: object, _params: aiohttp.TraceRequestExceptionParams
) -> None:
    flight = _present.get()
    if flight is not None:
        flight.is_out = False


logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Task:
    """Something that is done again and again."""

    name: str
    seconds: float
    """The pause between two runs."""
    run: Callable[[], Awaitable[None]]


class Ticker:
    """Runs a task at a fixed interval.

    A run that fails is logged, and the next one comes all the same. Stopping never cancels a run
    halfway: a cancelled query would leave its connection to the database open.
    """

    def __init__(self, task: Callable[[], Awaitable[None]], seconds: float) -> None:
        """Run `task` as soon as the ticker starts, and then every `seconds`."""
        self._task = task
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
        async with self._running:
            try:
                await self._task()
            except Unavailable:
                # The database has logged why; the next tick tries again.
                pass
            except Exception:
                logger.exception("a periodic task failed")
