"""What the bot works with, built once at the start and handed on."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from random import Random

from sqlalchemy.exc import OperationalError

from bot.play.challenges import Challenges
from bot.play.preferences import Preferences
from bot.play.reminders import Reminders
from bot.play.sessions import Sessions
from bot.play.statistics import Statistics
from bot.play.undos import Undos
from bot.play.workers import Workers
from bot.rating.evidence import evidence_of
from bot.settings import Settings, SettingsError
from bot.store import Store


@dataclass(frozen=True, slots=True)
class Services:
    """Everything that one process of the bot keeps and does, without Discord."""

    settings: Settings
    store: Store
    workers: Workers
    sessions: Sessions
    challenges: Challenges
    undos: Undos
    reminders: Reminders
    statistics: Statistics
    preferences: Preferences
    rng: Random

    def toss(self) -> bool:
        """Toss a coin."""
        return self.rng.random() < 0.5


@asynccontextmanager
async def open_services(settings: Settings, rng: Random | None = None) -> AsyncIterator[Services]:
    """Open the store and start the workers; close both at the end. Raises SettingsError.

    Args:
        settings: What to open and how many workers to start.
        rng: Where the agents' chance comes from; a seeded one makes games repeatable.
    """
    rng = rng or Random()
    store = Store(settings.database_url)
    workers = Workers(settings.workers)
    sessions = Sessions(
        store,
        workers,
        games_per_player=settings.games_per_player,
        turn_seconds=settings.turn_hours * 3600.0,
        evidence=evidence_of,
        rng=rng,
    )
    try:
        await _open(store, settings)
        yield Services(
            settings=settings,
            store=store,
            workers=workers,
            sessions=sessions,
            challenges=Challenges(store, sessions),
            undos=Undos(store, sessions),
            reminders=Reminders(store, sessions),
            statistics=Statistics(store),
            preferences=Preferences(store),
            rng=rng,
        )
    finally:
        sessions.close()
        workers.close()
        await store.close()


async def _open(store: Store, settings: Settings) -> None:
    try:
        await store.open()
    except OperationalError as error:
        raise SettingsError(
            f"DATABASE_URL {settings.database_url} cannot be opened: {error.orig}. Its folder must "
            "exist and be writable."
        ) from error
