"""A league beside services that run without a client."""

from __future__ import annotations

from dataclasses import dataclass

from bot.feature import Services
from bot.features.league.rules import League, LeagueQueue
from bot.features.league.store import LeagueGames
from bot.telemetry import SILENT, Meter


@dataclass(frozen=True)
class Judging:
    """The queue of due games, their judge and the resulting league."""

    games: LeagueGames
    queue: LeagueQueue
    league: League


def judging(services: Services, meter: Meter = SILENT) -> Judging:
    """Judge games after each rating round, as the bot does."""
    games = LeagueGames(services.store.database)
    queue = LeagueQueue(
        games, services.store.games, services.ownership, services.workers, meter=meter
    )
    services.ratings.contribute((queue.queue,))
    return Judging(games, queue, League(games, queue))
