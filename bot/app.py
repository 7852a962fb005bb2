"""Everything the bot works with, built once at start-up and passed on."""

from __future__ import annotations

import pkgutil
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import entry_points
from random import Random
from typing import TYPE_CHECKING

from sqlalchemy import make_url

from bot import feature, features
from bot.board.messages import BoardButton, BoardLine
from bot.database.errors import Unavailable, Unfit
from bot.feature import Core, Feature, Parts
from bot.features.league.rules import League, LeagueQueue
from bot.features.privacy.rules import Erasure
from bot.features.proposals.rules import Draws, Swaps, Undos
from bot.features.statistics.rules import Statistics
from bot.features.voting.rules import Voting
from bot.game.clocks import AnchoredClock, Clock
from bot.i18n import ENTRY_POINTS
from bot.sessions.challenges import Challenges
from bot.sessions.ownership import Ownership
from bot.sessions.people import Limiter, Preferences
from bot.sessions.running import Alarm, RunningGames
from bot.sessions.searches import Searches
from bot.sessions.sessions import House, Sessions
from bot.sessions.settling import RatingQueue
from bot.sessions.timer import Deadline, Presence, TurnTimer
from bot.settings import Settings, SettingsError
from bot.store.records import TimeControl
from bot.store.rows import EndStep
from bot.store.store import Store
from bot.telemetry import SILENT, Meter
from bot.workers.remote import Elsewhere
from bot.workers.workers import AT_ONCE, Readiness, Workers

if TYPE_CHECKING:
    from cluster.link import Link


@dataclass(frozen=True, slots=True)
class Services(feature.Services):
    """The services, and those of features that do not register themselves yet."""

    undos: Undos
    draws: Draws
    voting: Voting
    swaps: Swaps
    statistics: Statistics
    league: League
    erasure: Erasure


def find_features() -> tuple[Feature, ...]:
    """All features: those in `bot.features`, and those of installed packages.

    A feature comes after those that it requires. Raises ValueError for one that requires a feature
    that is missing, and for two of one name.
    """
    found: dict[str, Feature] = {}
    modules = [
        import_module(f"{features.__name__}.{folder.name}")
        for folder in pkgutil.iter_modules(features.__path__)
    ]
    own = [module.FEATURE for module in modules if hasattr(module, "FEATURE")]
    for one in (*own, *(point.load() for point in entry_points(group=ENTRY_POINTS))):
        if found.setdefault(one.name, one) is not one:
            raise ValueError(f"two features are called {one.name}")
    ordered: dict[str, Feature] = {}

    def add(one: Feature) -> None:
        for name in one.requires:
            if name not in found:
                raise ValueError(f"the feature {one.name} requires {name}, which is missing")
            if name not in ordered:
                add(found[name])
        ordered[one.name] = one

    for name in sorted(found):
        if name not in ordered:
            add(found[name])
    return tuple(ordered.values())


def end_steps() -> tuple[EndStep, ...]:
    """What all features do in the transaction that ends a game."""
    return tuple(step for one in find_features() for step in one.at_end)


def build_parts(
    core: Core,
    lines: Iterable[BoardLine] = (),
    buttons: Iterable[BoardButton] = (),
    deadlines: Iterable[Deadline] = (),
) -> tuple[Parts, ...]:
    """Build all features, and hand what they contribute to those who use it.

    The other arguments are what features contribute that do not register themselves yet.
    """
    parts = tuple(one.build(core) for one in find_features())
    core.contributions.seal(parts)
    core.messages.contribute(
        (*lines, *(line for one in parts for line in one.board_lines)),
        (*buttons, *(button for one in parts for button in one.board_buttons)),
    )
    core.timer.contribute((*deadlines, *(due for one in parts for due in one.deadlines)))
    return parts


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
    store = Store(settings.database_url, meter, at_end=end_steps())
    elsewhere, link = _cluster(settings, meter)
    workers = Workers(settings.workers, readiness, elsewhere, meter)
    ownership = Ownership(store, clock, settings.shards)
    league, alarm = LeagueQueue(store, ownership, workers, meter=meter), alarm_kind(clock)
    ratings = RatingQueue(store, ownership, workers, then=league.wake, meter=meter)
    house = House(settings.games_per_player, TimeControl(settings.turn_hours * 3600.0))
    searches = Searches(workers, rng, meter=meter)
    limiter = Limiter(settings.limits, clock)
    games = RunningGames(store, ownership, searches, ratings, alarm, clock, meter)
    sessions = Sessions(
        store, games, ownership, searches, ratings, clock=clock, house=house, meter=meter
    )
    presence = Presence(store, games, ownership, clock)
    voting = Voting(store, games, ownership.id, clock)
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
            swaps=Swaps(store, games, ownership.id, clock),
            timer=TurnTimer(store, sessions, ownership, clock, presence),
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
