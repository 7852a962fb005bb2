"""Everything the bot works with, built once at start-up and passed on."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING

from sqlalchemy import make_url

from bot.database.errors import Unavailable, Unfit
from bot.features.league.rules import League, LeagueQueue
from bot.features.privacy.rules import Erasure
from bot.features.proposals.rules import Draws, Swaps, Undos
from bot.features.statistics.rules import Statistics
from bot.features.voting.rules import Voting
from bot.game.clocks import AnchoredClock, Clock
from bot.sessions.challenges import Challenges
from bot.sessions.ownership import Ownership
from bot.sessions.people import Limiter, Preferences
from bot.sessions.running import Alarm
from bot.sessions.searches import Searches
from bot.sessions.sessions import House, Sessions
from bot.sessions.settling import RatingQueue
from bot.sessions.timer import Presence, TurnTimer
from bot.settings import Settings, SettingsError
from bot.store.records import TimeControl
from bot.store.store import Store
from bot.telemetry import SILENT, Meter
from bot.workers.remote import Elsewhere
from bot.workers.workers import AT_ONCE, Readiness, Workers

if TYPE_CHECKING:
    from cluster.link import Link


@dataclass(frozen=True, slots=True)
class Services:
    """All state and services of one process, without Discord."""

    settings: Settings
    store: Store
    workers: Workers
    sessions: Sessions
    challenges: Challenges
    undos: Undos
    draws: Draws
    voting: Voting
    swaps: Swaps
    timer: TurnTimer
    ownership: Ownership
    presence: Presence
    alarm: Alarm
    ratings: RatingQueue
    clock: Clock
    statistics: Statistics
    league: League
    preferences: Preferences
    limiter: Limiter
    erasure: Erasure
    rng: Random
    meter: Meter

    def toss(self) -> bool:
        """Toss a coin."""
        return self.rng.random() < 0.5


@asynccontextmanager
async def open_services(
    settings: Settings,
    rng: Random | None = None,
    clock: Clock | None = None,
    readiness: Readiness = AT_ONCE,
    alarm_kind: Callable[[Clock], Alarm] = Alarm,
    meter: Meter = SILENT,
    *,
    looks_after: bool = True,
) -> AsyncIterator[Services]:
    """Open the store and start the workers; close both on exit. Raises SettingsError.

    Args:
        settings: What to open and how many workers to start.
        rng: The only source of randomness; a seeded one makes games repeatable.
        clock: The only clock: everything stored or due goes by it. None for one that does not jump
            with the machine's.
        readiness: Says when the engine can be used.
        alarm_kind: What rings when a turn has taken too long.
        meter: Is told what happens, for whoever watches the bot from outside.
        looks_after: Whether this process looks after games; one that does not takes none.
    """
    rng, clock = rng or Random(), clock or AnchoredClock()
    store = Store(settings.database_url, meter)
    elsewhere, link = _cluster(settings, meter)
    workers = Workers(settings.workers, readiness, elsewhere, meter)
    ownership = Ownership(store, clock, settings.shards)
    league, alarm = LeagueQueue(store, ownership, workers, meter=meter), alarm_kind(clock)
    ratings = RatingQueue(store, ownership, workers, then=league.wake, meter=meter)
    house = House(settings.games_per_player, TimeControl(settings.turn_hours * 3600.0))
    searches = Searches(workers, rng, meter=meter)
    limiter = Limiter(settings.limits, clock)
    sessions = Sessions(
        store, ownership, searches, ratings, alarm, clock=clock, house=house, meter=meter
    )
    presence = Presence(store, sessions, ownership, clock)
    voting = Voting(store, sessions, ownership.id, clock)
    shards = settings.shards
    try:
        await _open(store, settings)
        if store.database.is_shared and isinstance(clock, AnchoredClock):
            # Whoever works on one database goes by one time, whatever their machines say.
            clock.anchor(await store.database.time())
        assert house.clock is not None
        await store.games.set_default_clock(house.clock)
        if looks_after:
            await presence.start()
            await store.ratings.retry_parked()
            await store.league.retry_parked()
        if link is not None:
            link.start()
        yield Services(
            settings=settings,
            store=store,
            workers=workers,
            sessions=sessions,
            challenges=Challenges(store, sessions, clock, limiter, shards=shards),
            undos=Undos(store, sessions, clock, limiter, shards=shards),
            draws=Draws(store, sessions, clock, limiter, shards=shards),
            voting=voting,
            swaps=Swaps(store, sessions, ownership.id, clock),
            timer=TurnTimer(store, sessions, ownership, clock, presence, voting),
            ownership=ownership,
            presence=presence,
            alarm=alarm,
            ratings=ratings,
            clock=clock,
            statistics=Statistics(store, clock),
            league=League(store, league),
            preferences=Preferences(store, clock),
            limiter=limiter,
            erasure=Erasure(store, sessions, ratings, voting, clock, shards=shards),
            rng=rng,
            meter=meter,
        )
    except Unavailable as error:
        # Such as damaged pages of a table that only the start itself has to read.
        raise _unusable(store, settings, error) from error
    finally:
        readiness.close()
        alarm.stop()
        await ratings.close()
        await league.close()
        await sessions.close()
        if elsewhere is not None:
            await elsewhere.close()
        if link is not None:
            await link.close()
        # Last, as nothing is this process's any more after that.
        await presence.stop()
        workers.close()
        await store.close()


def _cluster(settings: Settings, meter: Meter) -> tuple[Elsewhere | None, Link | None]:
    """The engine on a cluster and the way there, if one is set."""
    if settings.cluster is None:
        return None, None
    # Imported here because Dask is installed and loaded only where it is used.
    from cluster.address import Address
    from cluster.link import Link

    link = Link(Address(settings.cluster, *(settings.cluster_tls or ())))
    elsewhere = Elsewhere(link, settings.cluster_jobs, meter, wanted=settings.cluster_places)
    link.on_places = elsewhere.changed
    return elsewhere, link


async def _open(store: Store, settings: Settings) -> None:
    try:
        await store.open()
    except Unfit as error:
        raise SettingsError(f"DATABASE_URL {_place(settings)} cannot be used. {error}") from error
    except Unavailable as error:
        raise _unusable(store, settings, error) from error


def _unusable(store: Store, settings: Settings, error: Unavailable) -> SettingsError:
    """What to tell whoever started the process about a database that it cannot go on with."""
    where, what = _place(settings), store.database.advice(error.reason)
    return SettingsError(f"DATABASE_URL {where} cannot be used now: {error}. {what}")


def _place(settings: Settings) -> str:
    return make_url(settings.database_url).render_as_string()
