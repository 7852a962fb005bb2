"""Health checks and metrics of the running bot, answered over HTTP.

`/healthz` says that the process is alive, `/readyz` has a line for each health check, and
`/metrics` is read by Prometheus. Metrics that are not counted as things happen, such as the number
of running games, are looked up for each request.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from http import HTTPStatus
from time import monotonic
from typing import Any, TypeVar

from aiohttp import web
from prometheus_client import CONTENT_TYPE_PLAIN_0_0_4, generate_latest

from bot.database.errors import isolated
from bot.feature import Services
from bot.game.reading import UnreadableGame, read_game
from bot.ops.metrics import Metrics
from bot.sessions.timer import LONGEST_SILENCE
from bot.settings import Settings
from bot.workers.remote import State
from bot.workers.workers import Workers
from engine.core.registry import games

logger = logging.getLogger(__name__)

HEARTBEAT_GRACE = 15.0
"""Seconds that the gateway has for acknowledging a heartbeat."""

OVERDUE = 60.0
"""Seconds after which an agent's move is overdue."""

MAX_LAG, LAG_WINDOW = 1.0, 15.0
"""The most lag of a healthy event loop, and the time over which it is checked, in seconds."""

LAG_INTERVAL, LAG_KEPT = 0.25, 60.0
"""Seconds between two measurements of the event loop, and for which they are kept."""

CHECK_TIMEOUT = 5.0
"""Seconds that a request waits for a check."""

RETRY_SECONDS = 5.0
"""Seconds until the next attempt to open a port that is in use."""

WRONG_BOT = (
    "Another bot answers here, with another database. Ask with the settings and from the folder "
    "with which yours was started, or give it another CUATRO_HEALTH_PORT.\n"
)

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Link:
    """The state of a connection to Discord's gateway."""

    is_up: bool
    is_ready: bool = False
    """Whether Discord has sent the bot's servers since the start."""
    silence: float = 0.0
    """Seconds by which the acknowledgement of a heartbeat is late; 0 or less if it is not."""
    shard: int | None = None
    """The shard's number; None for a bot without shards."""
    exhausted_until: float | None = None
    """Until when Discord allows no more sessions, in seconds since 1970; None if it does."""

    @property
    def trouble(self) -> str | None:
        """Why no events arrive; None if they do."""
        if not self.is_up and self.exhausted_until is not None:
            until = datetime.fromtimestamp(self.exhausted_until, UTC)
            return f"not connected: Discord allows no more sessions until {until:%H:%M} UTC"
        if not self.is_up:
            return "not connected"
        if not self.is_ready:
            return "connected, and Discord has not answered yet"
        if self.silence > HEARTBEAT_GRACE:
            return f"no heartbeat has been acknowledged for {self.silence:.0f} s too long"
        return None


class Unwell(Exception):
    """A check failed; the text says why."""


class Degraded(Exception):
    """A part that the bot can do without does not work; the text says which."""


@dataclass(frozen=True, slots=True)
class Reading:
    """The result of one check."""

    name: str
    is_well: bool
    text: str
    is_degraded: bool = False
    """Whether the bot works, but without this part."""

    def __str__(self) -> str:
        """Format the result as one line, such as `ok    gateway: connected`."""
        word = "WARN" if self.is_degraded else "ok" if self.is_well else "FAILS"
        return f"{word:<5} {self.name}: {self.text}"


async def answers_due(services: Services, since: float) -> list[float]:
    """Return how many seconds each agent's move has been due, counted from `since` at the earliest.

    Moves were due while the bot was down, but nothing could answer them then.
    """
    now, pace = services.clock(), services.settings.watch_pace
    store, waiting = services.store.games, []
    # The timer visits a game in which an agent is to move at least this often.
    for due in await store.due(now + LONGEST_SILENCE, services.ownership.owner):
        # The timer ends games that cannot be read.
        with isolated("game to check for a due move", due.id), suppress(UnreadableGame):
            record = await store.find(due.id)
            session = record and read_game(record)
            if session and session.awaits_agent:
                rests = pace if session.is_watched else 0.0
                waiting.append(max(0.0, now - max(since, session.turn_began) - rests))
    return waiting


async def check_cluster(workers: Workers) -> str:
    """Check that the cluster does enough jobs at a time and that its circuit breaker is closed."""
    now = workers.cluster
    if now is None:
        return "none is set"
    places = f"{now.places} jobs at a time"
    if not now.places:
        raise Degraded("takes no jobs, they are done here")
    if now.state is not State.CLOSED:
        raise Degraded("loses jobs or is slow, they are done here until probes come back quickly")
    if now.places < now.wanted:
        raise Degraded(f"takes only {places}, not {now.wanted}")
    return f"takes {places}"


class Monitor:
    """The health checks and looked-up metrics of one bot.

    A check is never cancelled, since a cancelled query would leave its connection to the database
    open. One that takes too long goes on, and the next request waits for the same one.
    """

    def __init__(
        self,
        services: Services,
        metrics: Metrics,
        links: Callable[[], Sequence[Link]],
        differing: Callable[[], Awaitable[int]],
    ) -> None:
        """Monitor a bot.

        Args:
            services: The bot's services.
            metrics: Its metrics.
            links: Returns the state of the connections to the gateway, one for each shard.
            differing: Counts boards that do not show what is stored.
        """
        self._services = services
        self._metrics = metrics
        self._links = links
        self._differing = differing
        self._running: dict[str, asyncio.Task[Any]] = {}
        self._lags: deque[tuple[float, float]] = deque(maxlen=int(LAG_KEPT / LAG_INTERVAL))
        """When the event loop's lag was measured, and the lag."""
        self._answers_due = partial(answers_due, services, services.clock())
        self._checks: dict[str, Callable[[], Awaitable[str]]] = {
            "gateway": self._gateway,
            "database": self._database,
            "file": self._file,
            "answers": self._answers,
            "loop": self._loop,
        }
        if services.settings.cluster is not None:
            self._checks["cluster"] = partial(check_cluster, services.workers)

    @asynccontextmanager
    async def open(self) -> AsyncIterator[None]:
        """Answer on the configured ports until the block ends."""
        settings = self._services.settings
        self._metrics.shards.set(0 if settings.shards is None else settings.shards.count)
        async with running(self._measure_lag()):
            try:
                async with open_ports(settings, self.readings, self.scrape):
                    yield
            finally:
                if self._running:
                    await asyncio.wait(self._running.values())

    async def readings(self) -> Sequence[Reading]:
        """Return the results of all checks; takes little longer than `CHECK_TIMEOUT` at most."""
        readings = (self._once(name, partial(self._read, name)) for name in self._checks)
        late = f"no answer within {CHECK_TIMEOUT:g} s"
        return [
            reading or Reading(name, False, late)
            for name, reading in zip(self._checks, await asyncio.gather(*readings), strict=True)
        ]

    async def scrape(self) -> bytes:
        """Return all metrics in Prometheus's text format.

        A metric that cannot be looked up in time stays as it was: the readings say what fails.
        """
        links = self._links()
        exhausted = any(not link.is_up and link.exhausted_until is not None for link in links)
        self._metrics.sessions_exhausted.set(exhausted)
        for link in links:
            if link.shard is not None:
                self._metrics.shard_up.labels(str(link.shard)).set(link.trouble is None)
        setters = (self._set_boards, self._set_games, self._set_answers, self._set_unsettled)

        async def look_up(setter: Callable[[], Awaitable[None]]) -> None:
            with suppress(Exception):
                await setter()

        lookups = (self._once(one.__name__, partial(look_up, one)) for one in setters)
        readings, _ = await asyncio.gather(self.readings(), asyncio.gather(*lookups))
        for reading in readings:
            self._metrics.vital.labels(reading.name).set(
                reading.is_well and not reading.is_degraded
            )
        self._metrics.worst_lag.set(self._worst_lag(LAG_KEPT))
        return generate_latest(self._metrics.registry)

    async def _once(self, name: str, check: Callable[[], Coroutine[Any, Any, T]]) -> T | None:
        """Run a check, or wait for the running one of this name; None if that takes too long."""
        task: asyncio.Task[T] | None = self._running.get(name)
        if task is None:
            task = self._running[name] = asyncio.get_running_loop().create_task(check())
            task.add_done_callback(lambda _: self._running.pop(name, None))
        await asyncio.wait({task}, timeout=CHECK_TIMEOUT)
        return task.result() if task.done() else None

    async def _measure_lag(self) -> None:
        """Measure how late the event loop is, by how much short sleeps are too long."""
        while True:
            began = monotonic()
            await asyncio.sleep(LAG_INTERVAL)
            now = monotonic()
            lag = max(0.0, now - began - LAG_INTERVAL)
            self._lags.append((now, lag))
            self._metrics.lagged(lag)

    def _worst_lag(self, seconds: float) -> float:
        since = monotonic() - seconds
        return max((lag for at, lag in self._lags if at >= since), default=0.0)

    async def _read(self, name: str) -> Reading:
        try:
            return Reading(name, True, await self._checks[name]())
        except Degraded as error:
            return Reading(name, True, str(error), is_degraded=True)
        except Unwell as error:
            return Reading(name, False, str(error))
        except Exception as error:  # noqa: BLE001  # any error is a result of the check
            return Reading(name, False, " ".join(f"{type(error).__name__}: {error}".split()))

    async def _gateway(self) -> str:
        """Check that all shards are connected and every heartbeat is acknowledged."""
        links = self._links()
        troubles = [
            trouble if link.shard is None else f"shard {link.shard} {trouble}"
            for link in links
            if (trouble := link.trouble) is not None
        ]
        if troubles:
            raise Unwell("; ".join(troubles))
        shards = f" on {len(links)} shards" if links[0].shard is not None else ""
        return f"connected{shards}, heartbeats are acknowledged"

    async def _database(self) -> str:
        """Check that a test write reaches the disk."""
        trouble = await self._services.store.database.health()
        if trouble is not None:
            raise Unwell(str(trouble))
        return "a test write is on disk"

    async def _file(self) -> str:
        """Check by device and inode that the database's file is still the one that was opened.

        A deleted file can be written to for as long as it is open, and all of that is lost.
        """
        if not await asyncio.to_thread(self._services.store.database.place.is_same):
            raise Unwell("the database's file is gone, or another one than was opened")
        return "still the one that was opened"

    async def _answers(self) -> str:
        """Check that no agent's move is overdue."""
        late = [seconds for seconds in await self._answers_due() if seconds > OVERDUE]
        if late:
            raise Unwell(f"{len(late)} overdue, the oldest for {max(late):.0f} s")
        return "none is overdue"

    async def _loop(self) -> str:
        """Check that the event loop was not blocked lately."""
        worst = self._worst_lag(LAG_WINDOW)
        if worst > MAX_LAG:
            raise Unwell(f"held up for {worst:.1f} s")
        return f"at most {1000 * worst:.0f} ms late"

    async def _set_boards(self) -> None:
        self._metrics.boards_differing.set(await self._differing())

    async def _set_games(self) -> None:
        running = await self._services.store.games.count_by_family()
        for family in games():
            self._metrics.open_games.labels(family).set(running.get(family, 0))

    async def _set_answers(self) -> None:
        due = await self._answers_due()
        self._metrics.answers_due.set(len(due))
        self._metrics.answers_overdue.set(sum(seconds > OVERDUE for seconds in due))

    async def _set_unsettled(self) -> None:
        for queue, unsettled in (await self._services.ratings.unsettled()).items():
            self._metrics.unsettled_games.labels(queue, "failing").set(unsettled.failing)
            self._metrics.unsettled_games.labels(queue, "parked").set(unsettled.parked)


@asynccontextmanager
async def running(work: Coroutine[Any, Any, None]) -> AsyncIterator[None]:
    """Run `work` beside a block and cancel it at the block's end."""
    task = asyncio.get_running_loop().create_task(work)
    try:
        yield
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


@asynccontextmanager
async def _port(
    setting: str, address: str, port: int, *routes: web.RouteDef
) -> AsyncIterator[None]:
    """Answer on a port until the block ends; port 0 is none.

    A port that is in use is tried again until it is free: a bot that cannot be monitored still
    plays.
    """
    if not port:
        yield
        return
    app = web.Application()
    app.add_routes(routes)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=1.0)
    await runner.setup()

    async def open_port() -> None:
        is_logged = False
        while True:
            try:
                await web.TCPSite(runner, address, port).start()
            except OSError as error:
                if not is_logged:
                    logger.error("%s %s cannot be used yet: %s", setting, port, error.strerror)
                is_logged = True
                await asyncio.sleep(RETRY_SECONDS)
            else:
                logger.info("%s %s is open on %s", setting, port, address)
                return

    try:
        async with running(open_port()):
            yield
    finally:
        await runner.cleanup()


@asynccontextmanager
async def open_ports(
    settings: Settings,
    read: Callable[[], Awaitable[Sequence[Reading]]],
    scrape: Callable[[], Awaitable[bytes]],
) -> AsyncIterator[None]:
    """Answer health checks and Prometheus on the configured ports until the block ends."""
    own = settings.fingerprint

    async def alive(_request: web.Request) -> web.Response:
        return web.Response(text="alive\n")

    async def ready(request: web.Request) -> web.Response:
        if request.query.get("bot", own) != own:
            return web.Response(text=WRONG_BOT, status=HTTPStatus.MISDIRECTED_REQUEST)
        readings = await read()
        is_well = all(reading.is_well for reading in readings)
        status = HTTPStatus.OK if is_well else HTTPStatus.SERVICE_UNAVAILABLE
        return web.Response(text="".join(f"{one}\n" for one in readings), status=status)

    async def metrics(_request: web.Request) -> web.Response:
        headers = {"Content-Type": CONTENT_TYPE_PLAIN_0_0_4}
        return web.Response(body=await scrape(), headers=headers)

    health = settings.health_address, settings.health_port
    prometheus = settings.metrics_address, settings.metrics_port
    async with (
        _port("CUATRO_HEALTH_PORT", *health, web.get("/healthz", alive), web.get("/readyz", ready)),
        _port("CUATRO_METRICS_PORT", *prometheus, web.get("/metrics", metrics)),
    ):
        yield


async def wait_to_be_stopped(settings: Settings) -> None:
    """Answer health checks of a process that has handed over its shards, until cancelled.

    Kubernetes with a StatefulSet, for example, restarts a process whenever it ends. So this process
    stays: it takes no shard back, and answers so that it is not taken for dead.
    """
    metrics = Metrics()
    metrics.handed_over.set(1)
    reading = Reading("shards", True, "handed over to a newer process; this one can be stopped")

    async def read() -> Sequence[Reading]:
        return (reading,)

    async def scrape() -> bytes:
        return generate_latest(metrics.registry)

    logger.info("the shards are handed over; this process serves nothing and can be stopped")
    async with open_ports(settings, read, scrape):
        await asyncio.Event().wait()
