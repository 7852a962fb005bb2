"""All that shows the running bot from outside, put together."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from functools import partial

from prometheus_client import generate_latest

from bot.monitoring import checks
from bot.monitoring.answers_due import AnswersDue
from bot.monitoring.checks import Link
from bot.monitoring.doors import health_door, metrics_door
from bot.monitoring.figures import Figures, Sources
from bot.monitoring.loop_lag import LoopLag
from bot.monitoring.metrics import QUEUES, Metrics
from bot.monitoring.vitals import Vital, Vitals
from bot.services import Services
from bot.store import Unsettled


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
