"""The HTTP ports on which the bot answers for itself."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from http import HTTPStatus
from types import TracebackType
from typing import Self

from aiohttp import web
from prometheus_client import CONTENT_TYPE_PLAIN_0_0_4

from bot.monitoring.health import name_of
from bot.monitoring.vitals import Reading
from bot.settings import Settings

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
