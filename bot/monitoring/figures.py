"""Figures that are not counted as things happen, but looked up when somebody asks."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass

from bot.monitoring import checks
from bot.monitoring.checks import Link
from bot.monitoring.looks import Looks
from bot.monitoring.metrics import Metrics
from bot.store import Unsettled
from engine.core.registry import games as all_games


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
