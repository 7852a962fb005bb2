"""Series that tests begin, play and read."""

from __future__ import annotations

from typing import Any

from bot.feature import Services
from bot.features.series.rules import SeriesPlay
from bot.features.series.store import NewSeries, Series, SeriesStore
from bot.store.records import GameRecord, GameSetup, agent
from tests.bot.builders import ANA

GUILD, CHANNEL, MESSAGE = 9, 1, 500


def new(asker: int | None = ANA, guild_id: int | None = GUILD, **others: Any) -> NewSeries:
    """A series of four games on 5x4."""
    values: dict[str, Any] = {"channel_id": CHANNEL, "games": 4, "seed": 7, "began_at": 100.0}
    values |= {"first_agent": "easy", "second_agent": "medium", **others}
    return NewSeries("connect4", "5x4", guild_id=guild_id, locale="en", asker=asker, **values)


def order(first: str = "easy", second: str = "medium", **others: Any) -> GameSetup:
    """The request for a series."""
    values = {"channel_id": CHANNEL, "guild_id": GUILD, "started_by": ANA, **others}
    seats = {"first": agent(first), "second": agent(second)}
    return GameSetup("connect4", "5x4", locale="en", **seats, **values)


def playing(services: Services) -> SeriesPlay:
    """Plays series with these services."""
    stored = SeriesStore(services.store.database)
    return SeriesPlay(services.store, stored, services.workers, services.clock, services.rng)


async def begun(services: Services, play: SeriesPlay, games: int = 4, **others: Any) -> Series:
    """A series that has a message."""
    series = await play.begin(order(**others), games)
    await play.posted(series.id, MESSAGE)
    return await stored(services, series.id)


async def stored(services: Services, series_id: int) -> Series:
    """A series as it is stored."""
    found = await SeriesStore(services.store.database).find(series_id)
    assert found is not None
    return found


async def shown(services: Services, series: Series) -> float:
    """Act as if the message was edited; returns when it can be edited again."""
    await SeriesStore(services.store.database).showed(series, 0.0)
    return 0.0


async def sweep(services: Services, play: SeriesPlay, times: int = 1) -> None:
    """Play slices."""
    for _ in range(times):
        await play.sweep(services.ownership, lambda series: shown(services, series))


async def finish(services: Services, play: SeriesPlay, series_id: int) -> Series:
    """Play until a series has ended."""
    for _ in range(100):
        series = await stored(services, series_id)
        if series.ended_at is not None:
            return series
        await sweep(services, play)
    raise AssertionError("the series does not end")


async def games_of(services: Services) -> list[GameRecord]:
    """All stored games, the oldest first."""
    found = []
    game_id = 1
    while (game := await services.store.games.find(game_id)) is not None:
        found.append(game)
        game_id += 1
    return found
