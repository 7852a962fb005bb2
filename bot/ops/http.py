"""The HTTP ports for health and metrics, and figures that are read when somebody asks.

Some systems start a process again whenever it ends, such as Kubernetes with a StatefulSet. There a
process that has handed its shards over stays idle: it serves nothing, takes no shard back, and
answers health checks and Prometheus, so that it is not taken for dead.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from functools import partial
from http import HTTPStatus
from types import TracebackType
from typing import Self

from aiohttp import web
from prometheus_client import CONTENT_TYPE_PLAIN_0_0_4, generate_latest

from bot.app import Services
from bot.ops import checks
from bot.ops.checks import AnswersDue, Link, Looks, LoopLag, Reading, Vital, Vitals
from bot.ops.health import name_of
from bot.ops.metrics import QUEUES, Metrics
from bot.settings import Settings
from bot.store.owners import Unsettled
from engine.core.registry import games as all_games

logger = logging.getLogger(__name__)

AGAIN = 5.0
"""Seconds until the next attempt to open a port that somebody else has."""

ANOTHER = (
    "Another bot answers here, with another database. Ask with the settings and from the folder "
    "with which yours was started, or give it another CUATRO_HEALTH_PORT.\n"
)

Look = Callable[[], Awaitable[Sequence[Reading]]]


@dataclass(slots=True)
class Door:
    """One port with what it answers; a port that is taken is tried again until it is free.

    A bot that cannot be watched plays all the same.
    """

    setting: str
    """The name of the setting that says which port this is."""
    address: str
    port: int
    """0 for none."""
    routes: Sequence[web.RouteDef]
    _runner: web.AppRunner | None = None
    _opening: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        """Open the port, soon."""
        if self.port:
            app = web.Application()
            app.add_routes(self.routes)
            self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=1.0)
            await self._runner.setup()
            self._opening = asyncio.get_running_loop().create_task(self._open(self._runner))
        return self

    async def __aexit__(
        self, _kind: type[BaseException] | None, _error: object, _trace: TracebackType | None
    ) -> None:
        """Close it."""
        if self._opening is not None:
            self._opening.cancel()
            with suppress(asyncio.CancelledError):
                await self._opening
        if self._runner is not None:
            await self._runner.cleanup()

    async def _open(self, runner: web.AppRunner) -> None:
        is_told = False
        while True:
            try:
                await web.TCPSite(runner, self.address, self.port).start()
            except OSError as error:
                if not is_told:
                    logger.error(
                        "%s %s cannot be used yet: %s", self.setting, self.port, error.strerror
                    )
                is_told = True
                await asyncio.sleep(AGAIN)
            else:
                logger.info("%s %s is open on %s", self.setting, self.port, self.address)
                return


def health_door(settings: Settings, look: Look) -> Door:
    """The port for health checks: `/healthz` and `/readyz`."""
    mine = name_of(settings)

    async def alive(_request: web.Request) -> web.Response:
        return web.Response(text="alive\n")

    async def ready(request: web.Request) -> web.Response:
        if request.query.get("bot", mine) != mine:
            return web.Response(text=ANOTHER, status=HTTPStatus.MISDIRECTED_REQUEST)
        readings = await look()
        is_well = all(reading.is_well for reading in readings)
        status = HTTPStatus.OK if is_well else HTTPStatus.SERVICE_UNAVAILABLE
        return web.Response(text="".join(f"{one}\n" for one in readings), status=status)

    routes = [web.get("/healthz", alive), web.get("/readyz", ready)]
    return Door("CUATRO_HEALTH_PORT", settings.health_address, settings.health_port, routes)


def metrics_door(settings: Settings, collect: Callable[[], Awaitable[bytes]]) -> Door:
    """The port for Prometheus: `/metrics`."""

    async def metrics(_request: web.Request) -> web.Response:
        kind = {"Content-Type": CONTENT_TYPE_PLAIN_0_0_4}
        return web.Response(body=await collect(), headers=kind)

    routes = [web.get("/metrics", metrics)]
    return Door("CUATRO_METRICS_PORT", settings.metrics_address, settings.metrics_port, routes)


@dataclass(frozen=True, slots=True)
class Sources:
    """Where figures come from that are looked up when somebody asks."""

    links: Callable[[], Sequence[Link]]
    """How the connections to the gateway stand, one for each shard."""
    open_games: Callable[[], Awaitable[dict[str, int]]]
    """Running games by family."""
    answers_due: Callable[[], Awaitable[list[float]]]
    """For each agent's move that is due, the seconds since when."""
    boards_differing: Callable[[], Awaitable[int]]
    """How many boards do not show what is stored."""
    unsettled: Callable[[], Awaitable[dict[str, Unsettled]]]
    """How many finished games could not be rated or judged, by queue."""


class Figures:
    """Sets the metrics that are looked up in the store.

    What cannot be looked up, or not in time, is left as it was: the vitals tell that the database
    fails. One of them writes, so it may have to wait while the others can still be read.
    """

    def __init__(self, metrics: Metrics, sources: Sources) -> None:
        """Set `metrics` to what the `sources` say."""
        self._metrics = metrics
        self._sources = sources
        self._looks: Looks[None] = Looks()

    async def look(self) -> None:
        """Look everything up."""
        links = self._sources.links()
        waits = any(not link.is_up and link.exhausted_until is not None for link in links)
        self._metrics.sessions_exhausted.set(waits)
        for link in links:
            if link.shard is not None:
                self._metrics.shard_up.labels(str(link.shard)).set(link.trouble is None)
        await asyncio.gather(
            self._looks.at("boards", self._boards),
            self._looks.at("games", self._games),
            self._looks.at("answers", self._answers),
            self._looks.at("unsettled", self._unsettled),
        )

    async def close(self) -> None:
        """Let the looks under way finish."""
        await self._looks.close()

    async def _boards(self) -> None:
        with suppress(Exception):
            self._metrics.boards_differing.set(await self._sources.boards_differing())

    async def _games(self) -> None:
        with suppress(Exception):
            games = await self._sources.open_games()
            for family in all_games():
                self._metrics.open_games.labels(family).set(games.get(family, 0))

    async def _unsettled(self) -> None:
        with suppress(Exception):
            for queue, found in (await self._sources.unsettled()).items():
                self._metrics.unsettled_games.labels(queue, "failing").set(found.failing)
                self._metrics.unsettled_games.labels(queue, "parked").set(found.parked)

    async def _answers(self) -> None:
        with suppress(Exception):
            due = await self._sources.answers_due()
            self._metrics.answers_due.set(len(due))
            overdue = sum(seconds > checks.OVERDUE for seconds in due)
            self._metrics.answers_overdue.set(overdue)


def sources(
    services: Services,
    links: Callable[[], Sequence[Link]],
    differing: Callable[[], Awaitable[int]],
) -> Sources:
    """The sources of a bot: the gateway's links and the boards, beside what the services know."""
    pace = services.settings.watch_pace
    due = AnswersDue(services.store, services.ownership, services.clock, pace)
    store = services.store

    async def unsettled() -> dict[str, Unsettled]:
        found = await asyncio.gather(store.ratings.unsettled(), store.league.unsettled())
        return dict(zip(QUEUES, found, strict=True))

    return Sources(links, store.games.count_by_family, due.waiting, differing, unsettled)


@asynccontextmanager
async def watched(services: Services, metrics: Metrics, sources: Sources) -> AsyncIterator[None]:
    """Answer on the ports that are set, until the block ends."""
    settings = services.settings
    metrics.shards.set(0 if settings.shards is None else settings.shards.count)
    async with LoopLag(metrics) as lag:
        looked_at = [
            Vital("gateway", partial(checks.gateway, sources.links)),
            Vital("database", partial(checks.database, services.store)),
            Vital("file", partial(checks.file, services.store)),
            Vital("answers", partial(checks.answers, sources.answers_due)),
            Vital("loop", partial(checks.loop, lag)),
        ]
        if settings.cluster is not None:
            looked_at.append(Vital("cluster", partial(checks.cluster, services.workers)))
        vitals = Vitals(looked_at)
        figures = Figures(metrics, sources)
        collect = partial(_collect, metrics, figures, vitals, lag)
        try:
            async with health_door(settings, vitals.look), metrics_door(settings, collect):
                yield
        finally:
            await asyncio.gather(vitals.close(), figures.close())


async def _collect(metrics: Metrics, figures: Figures, vitals: Vitals, lag: LoopLag) -> bytes:
    """Look at everything that is not counted as it happens, and write it as Prometheus reads it."""
    readings, _ = await asyncio.gather(vitals.look(), figures.look())
    for reading in readings:
        metrics.vital.labels(reading.name).set(reading.is_well and not reading.is_degraded)
    metrics.worst_lag.set(lag.worst())
    return generate_latest(metrics.registry)


async def wait_to_be_stopped(settings: Settings) -> None:
    """Answer on the ports that are set, until cancelled."""
    metrics = Metrics()
    metrics.handed_over.set(1)
    reading = Reading("shards", True, "handed over to a newer process; this one can be stopped")

    async def look() -> Sequence[Reading]:
        return (reading,)

    async def collect() -> bytes:
        return generate_latest(metrics.registry)

    logger.info("the shards are handed over; this process serves nothing and can be stopped")
    async with health_door(settings, look), metrics_door(settings, collect):
        await asyncio.Event().wait()
