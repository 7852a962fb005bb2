"""A process that has handed its shards over and waits to be stopped.

Some start a process again whenever it ends, such as Kubernetes with a StatefulSet. There this
takes the place of a bot that a newer one has replaced: it serves nothing, takes no shard back, and
answers health checks and Prometheus, so that nobody takes it for dead.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence

from prometheus_client import generate_latest

from bot.monitoring.doors import health_door, metrics_door
from bot.monitoring.metrics import Metrics
from bot.monitoring.vitals import Reading
from bot.settings import Settings

logger = logging.getLogger(__name__)


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
