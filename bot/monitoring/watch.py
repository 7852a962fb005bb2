"""All that shows the running bot from outside, put together."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from functools import partial

from prometheus_client import generate_latest

from bot.monitoring import checks
from bot.monitoring.answers_due import AnswersDue
from bot.monitoring.checks import Link
from bot.monitoring.doors import health_door, metrics_door
from bot.monitoring.loop_lag import LoopLag
from bot.monitoring.metrics import Metrics
from bot.monitoring.vitals import Vital, Vitals
from bot.services import Services
from engine.games import FAMILIES


@dataclass(frozen=True, slots=True)
class Sources:
    """Where figures come from that are looked up when somebody asks."""

    link: Callable[[], Link]
    """How the connection to the gateway stands."""
    open_games: Callable[[], Awaitable[dict[str, int]]]
    """Running games by family."""
    answers_due: Callable[[], Awaitable[list[float]]]
    """For each agent's move that is due, the seconds since when."""
    boards_differing: Callable[[], Awaitable[int]]
    """How many boards do not show what is stored."""


def sources(
    services: Services, link: Callable[[], Link], differing: Callable[[], Awaitable[int]]
) -> Sources:
    """The sources of a bot: the gateway's link and the boards, beside what the services know."""
    due = AnswersDue(services.store, services.clock, services.settings.watch_pace)
    return Sources(link, services.store.games.count_by_family, due.waiting, differing)


@asynccontextmanager
async def watched(services: Services, metrics: Metrics, sources: Sources) -> AsyncIterator[None]:
    """Answer on the ports that are set, until the block ends."""
    settings = services.settings
    async with LoopLag(metrics) as lag:
        vitals = Vitals(
            (
                Vital("gateway", partial(checks.gateway, sources.link)),
                Vital("database", partial(checks.database, services.store)),
                Vital("file", partial(checks.file, services.store)),
                Vital("answers", partial(checks.answers, sources.answers_due)),
                Vital("loop", partial(checks.loop, lag)),
            )
        )
        collect = partial(_collect, metrics, sources, vitals, lag)
        try:
            async with health_door(settings, vitals.look), metrics_door(settings, collect):
                yield
        finally:
            await vitals.close()


async def _collect(metrics: Metrics, sources: Sources, vitals: Vitals, lag: LoopLag) -> bytes:
    """Look up what is not counted as it happens, and write everything as Prometheus reads it.

    What cannot be looked up is left as it was: the vitals tell that the database fails.
    """
    for reading in await vitals.look():
        metrics.vital.labels(reading.name).set(reading.is_well)
    metrics.worst_lag.set(lag.worst())
    with suppress(Exception):
        metrics.boards_differing.set(await sources.boards_differing())
        games = await sources.open_games()
        for family in FAMILIES:
            metrics.open_games.labels(family).set(games.get(family, 0))
        due = await sources.answers_due()
        metrics.answers_due.set(len(due))
        metrics.answers_overdue.set(sum(seconds > checks.OVERDUE for seconds in due))
    return generate_latest(metrics.registry)
