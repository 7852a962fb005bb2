"""Composition: opens the core, finds and builds the features, and connects both to a client."""

from __future__ import annotations

import asyncio
import pkgutil
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import fields
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from random import Random
from typing import TYPE_CHECKING, Any, TypeVar, cast, overload

import discord
from sqlalchemy import make_url

from bot import features
from bot.board import convergence
from bot.board.apart import Apart
from bot.board.boards import Boards, OldBoards
from bot.board.buttons import ButtonHandler
from bot.board.challenge_form import ChallengeForms
from bot.board.challenges import ChallengeHandler
from bot.board.convergence import Convergence, UnreadableNotices
from bot.board.help import HelpHandler
from bot.board.menus import BoardMenus, text_entry
from bot.board.messages import BoardMessages
from bot.board.moves import GameHandler, MoveHandler
from bot.board.pings import TurnPings
from bot.board.refusals import view_below
from bot.board.requests import BoardRequests
from bot.board.runner import GameRunner, Playback, TurnTimeouts
from bot.board.starting import GameStarter, NewGameHandler
from bot.board.welcome import greet
from bot.database.errors import Unavailable, Unfit
from bot.discord.answering import Answering, Arrivals, DiscordTime
from bot.discord.background import Task
from bot.discord.client import CuatroClient
from bot.discord.commands import ChosenGame, game_group, global_commands
from bot.discord.names import NameBook
from bot.discord.replies import InteractionTokens
from bot.discord.routes import Route, Router
from bot.drills.discord import DrillHandler
from bot.feature import Contributions, Core, Events, Feature, Parts, Services, the_only
from bot.game.clocks import AnchoredClock, Clock
from bot.game.session import Session
from bot.i18n import ENTRY_POINTS
from bot.sessions.ownership import Ownership
from bot.sessions.people import Challenges, Limiter
from bot.sessions.running import Alarm, RunningGames
from bot.sessions.searches import Searches
from bot.sessions.sessions import Sessions
from bot.sessions.settling import RatingQueue
from bot.sessions.timer import Hooks, Presence, TurnTimer, nothing
from bot.settings import Settings, SettingsError
from bot.store.records import TimeControl
from bot.store.rows import EndStep
from bot.store.store import Store
from bot.telemetry import SILENT, Meter
from bot.workers.remote import RemoteEngine
from bot.workers.workers import AT_ONCE, Readiness, Workers
from engine.core.kept import TABLES
from engine.core.registry import games

if TYPE_CHECKING:
    from cluster.link import Link


@cache
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
    """The steps that all features add to the transaction that ends a game."""
    return tuple(step for one in find_features() for step in one.at_end)


def build_features(core: Core) -> tuple[Parts, ...]:
    """Build all features, and pass their contributions to the features that use them."""
    parts = tuple(one.build(core) for one in find_features())
    core.drills.drills.contribute(item for one in parts for item in one.drills.items())
    core.contributions.seal(parts)
    core.messages.contribute(
        (line for one in parts for line in one.board_lines),
        (button for one in parts for button in one.board_buttons),
        the_only(one.continuation for one in parts),
    )
    core.sessions.holding.contribute(find for one in parts for find in one.holds)
    deadlines = (due for one in parts for due in one.deadlines)
    core.timer.contribute((core.sessions.holding.settle, *deadlines))
    core.ratings.contribute(queue for one in parts for queue in one.queues)
    core.challenges.contribute(find for one in parts for find in one.objections)
    return parts


def core_parts(core: Core, features: Sequence[Parts]) -> Parts:
    """The commands and buttons of the core itself; `features` are the parts of all features."""
    channel_moves = the_only(one.channel_moves for one in features)
    sessions, boards, runner = core.sessions, core.boards, core.runner
    challenges = core.challenge_posts
    starter = GameStarter(sessions, runner, core.limiter)
    new_games = NewGameHandler(
        core.answering,
        sessions,
        core.names,
        starter,
        boards,
        challenges,
        core.limiter,
        core.toss,
        core.chosen,
        core.settings.watch_vote if channel_moves else None,
        tuple(one.question for one in features if one.question is not None),
        the_only(one.begin_series for one in features),
        the_only(one.offer_to_anyone for one in features),
        core.contributions.match_lengths,
    )
    form_buttons = [button for one in features for button in one.form_buttons]
    forms = ChallengeForms(
        core.answering, challenges, new_games, sessions.default_clock, form_buttons
    )
    preferences = core.store.preferences
    moves = MoveHandler(
        core.answering, sessions, boards, runner, preferences, core.messages, channel_moves
    )
    running = GameHandler(
        core.answering,
        sessions,
        boards,
        runner,
        core.names,
        core.limiter,
        core.mentions,
        challenges,
        [section for one in features for section in one.games_sections],
        [find for one in features for find in one.waiting_lines],
    )
    help_buttons = [button for one in features for button in one.help_buttons]
    help_ = HelpHandler(cast("CuatroClient", core.client).tree, core.mentions, help_buttons)
    beside = ButtonHandler(core.answering, sessions.games, boards, starter)
    return Parts(
        commands=(*new_games.commands, *moves.commands, *running.commands),
        global_commands=(
            *forms.global_commands,
            *new_games.global_commands,
            *running.global_commands,
            *help_.global_commands,
        ),
        menus=(forms.menu(), text_entry(core.board_menus, core.messages)),
        routes=(
            *new_games.routes,
            *forms.routes,
            *moves.routes,
            *running.routes,
            *help_.routes,
            *beside.routes,
            *runner.routes,
            *challenges.routes(),
            *core.drills.routes,
        ),
        events=Events(guild_joined=lambda guild: greet(guild, core.contributions.greeting_buttons)),
    )


CLOSE_QUESTIONS_EVERY = 15.0
"""Seconds between two checks for challenges and requests whose time is up."""


class App:
    """The bot as its client serves it; see `bot.discord.client.Application`."""

    def __init__(
        self,
        client: CuatroClient,
        services: Services,
        arrivals: Arrivals,
        routes: tuple[Route, ...] = (),
        on_resumed: Callable[[], Awaitable[None]] = nothing,
    ) -> None:
        """Build everything that a client needs; for the arguments see `make_client`."""
        self._client = client
        self._services = services
        self._is_finishing = False
        store, sessions = services.store, services.sessions
        time, names, tokens = DiscordTime(), NameBook(client), InteractionTokens()
        old = OldBoards(client)
        answering = Answering(
            client,
            sessions,
            names,
            time,
            arrivals,
            services.meter,
            view_below,
            preferences=store.preferences,
        )
        messages = BoardMessages(services.workers, names, store)
        requests = BoardRequests(client, messages, tokens)
        contributions = Contributions()
        apart = Apart(lambda: contributions.openings)
        boards = Boards(sessions, requests, old, tokens, time, apart.can_go_on)
        notices = UnreadableNotices(client, store, old, time)
        pings = TurnPings(client, sessions, store, names, services.clock)
        self.playback = Playback()
        runner = GameRunner(messages, sessions, boards, pings, self.playback, apart)
        self.timeouts = TurnTimeouts(services.timer, services.alarm, services.clock, runner, pings)
        self.convergence = Convergence(
            store, sessions, services.ownership, boards, requests, old, notices, services.clock
        )
        self.core = Core(
            **{one.name: getattr(services, one.name) for one in fields(Services)},
            client=client,
            answering=answering,
            names=names,
            messages=messages,
            boards=boards,
            runner=runner,
            challenge_posts=ChallengeHandler(
                client,
                answering,
                services.challenges,
                names,
                runner,
                lambda: contributions.challenge_buttons,
            ),
            drills=DrillHandler(services.workers, services.limiter, contributions.position_buttons),
            notices=notices,
            contributions=contributions,
            board_menus=BoardMenus(answering, sessions.games),
            chosen=ChosenGame(store.results),
            mentions=client.mentions,
        )
        self.answering = answering
        self._hooks = Hooks(
            recovered=self._resume,
            suspended=arrivals.suspended,
            before_refund=self.convergence.note,
            resumed=on_resumed,
        )
        of_features = build_features(self.core)
        self.parts = (core_parts(self.core, of_features), *of_features)
        self._events = [one.events for one in self.parts if one.events is not None]
        factories = [factory for one in self.parts for factory in one.commands]
        declared = (made for one in self.parts for made in one.global_commands)
        self.commands = (
            *(game_group(game, factories, answering) for game in games().values()),
            *global_commands(declared, answering),
            *(menu for one in self.parts for menu in one.menus),
        )
        found = (*routes, *(r for one in self.parts for r in one.routes))
        self.router = Router(found, answering, self.commands)
        self.tasks = (
            Task("playback", services.settings.watch_pace, self.playback.advance),
            Task("challenges", CLOSE_QUESTIONS_EVERY, self._expire_challenges),
            Task("boards", convergence.EVERY, self._converge),
            *(task for one in self.parts for task in one.tasks),
        )

    async def begin(self) -> None:
        """Prepare, before the client connects."""
        await self.convergence.begin()
        self._services.sessions.games.start(self._resume_one)
        self._services.presence.start(self._hooks)
        self._services.ratings.start(self._show_rated)
        self.timeouts.start()

    async def connected(self) -> None:
        """Call the features' handlers for a new connection, and make the agents' due moves."""
        for one in self._events:
            if one.connected is not None:
                self._client.background.run(one.connected())
        await self.core.runner.resume_all()

    async def finish(self) -> None:
        """Stop the timer and the convergence of boards; runs under way finish."""
        self._is_finishing = True
        await asyncio.gather(self.timeouts.stop(), self.convergence.stop())

    async def finished(self) -> None:
        """Store which boards are shown, so that the next run shows only the others again."""
        with suppress(Unavailable):
            await self.convergence.note()

    async def guild_joined(self, guild: discord.Guild) -> None:
        """Greet a server that has just added the bot."""
        for one in self._events:
            if one.guild_joined is not None:
                self._client.background.run(one.guild_joined(guild))

    async def guild_left(self, guild: discord.Guild) -> None:
        """Note that a server has removed the bot."""
        for one in self._events:
            if one.guild_left is not None:
                self._client.background.run(one.guild_left(guild))

    def channel_reached(self, channel_id: int) -> None:
        """Try again to show what could not be shown in a channel."""
        self.convergence.reached(channel_id)

    async def thread_deleted(self, channel_id: int) -> None:
        """Let a game go on elsewhere, or end, whose thread has been deleted."""
        session = await self.core.sessions.games.current(channel_id)
        if session is not None:
            await self.core.boards.show(session)

    def _show_rated(self, session: Session) -> None:
        """Show a game's board again, with the change of ratings."""
        if not self._is_finishing:
            self._client.background.run(self.core.boards.show(session))

    def _resume(self) -> None:
        """Resume background work, now that the database is available again."""
        if not self._is_finishing:
            self._services.ratings.wake()
            self._client.background.run(self.timeouts.check())
            self._client.resume()

    def _resume_one(self, session: Session) -> None:
        """Resume a game taken over from another process: an agent moves if it is its turn."""
        if not self._is_finishing:
            self._client.background.run(self.core.runner.resume(session))

    async def _expire_challenges(self) -> None:
        """Close expired challenges, after downtime has been refunded."""
        await self._services.presence.settle()
        await self.core.challenge_posts.expire()

    async def _converge(self) -> None:
        """Show the boards that are out of date, if the client is connected."""
        if self._client.is_ready():
            await self.convergence.sweep()


def app_of(client: CuatroClient) -> App:
    """The App of a client that `make_client` has built."""
    return cast("App", client.app)


ClientT = TypeVar("ClientT", bound=CuatroClient)


@overload
def make_client(services: Services, **options: Any) -> CuatroClient: ...


@overload
def make_client(services: Services, kind: type[ClientT], **options: Any) -> ClientT: ...


def make_client(
    services: Services,
    kind: type[Any] = CuatroClient,
    *,
    is_timed: bool = False,
    routes: tuple[Route, ...] = (),
    on_resumed: Callable[[], Awaitable[None]] = nothing,
    **options: Any,
) -> Any:
    """Return a client of class `kind` that serves the games of `services`, with all features.

    Args:
        services: Storage, the engine and the running games.
        kind: The client's class; its constructor takes what `CuatroClient` does.
        is_timed: Whether interactions can come too late, as on Discord itself.
        routes: Further buttons and menus.
        on_resumed: Called after the process was suspended, before it goes on.
        options: Further arguments of the client's constructor.
    """
    arrivals = Arrivals(services.clock, is_measured=is_timed)
    client = kind(services.store, services.presence, arrivals, **options)
    client.serve(App(client, services, arrivals, routes, on_resumed))
    return client


@asynccontextmanager
async def open_services(
    settings: Settings,
    rng: Random | None = None,
    clock: Clock | None = None,
    readiness: Readiness = AT_ONCE,
    alarm_kind: Callable[[Clock], Alarm] = Alarm,
    meter: Meter = SILENT,
    *,
    takes_games: bool = True,
) -> AsyncIterator[Services]:
    """Open the store and start the workers; close both on exit. Raises SettingsError.

    Args:
        settings: What to open and how many workers to start.
        rng: The only source of randomness; a seeded one makes games repeatable.
        clock: The time of everything stored or due; None for a clock that does not jump with the
            machine's.
        readiness: Tells when the engine can be used.
        alarm_kind: The class of the timer for turns.
        meter: Counts what happens, for monitoring.
        takes_games: Whether this process registers itself and takes ownership of games.
    """
    rng, clock = rng or Random(), clock or AnchoredClock()
    store = Store(settings.database_url, meter, at_end=end_steps())
    remote, link = _cluster(settings, meter)
    TABLES.resize(settings.table_mib << 20)
    workers = Workers(settings.workers, readiness, remote, meter, settings.ponder_seconds)
    ownership = Ownership(store, clock, settings.shards)
    ratings, alarm = RatingQueue(store, ownership, workers, meter=meter), alarm_kind(clock)
    default_clock = TimeControl(settings.turn_hours * 3600.0)
    searches = Searches(workers, rng, meter=meter, habits=dict(settings.habits))
    limiter = Limiter(settings.limits, clock)
    games = RunningGames(store, ownership, searches, ratings, alarm, clock, meter)
    sessions = Sessions(
        store,
        games,
        ownership,
        searches,
        ratings,
        clock=clock,
        games_per_player=settings.games_per_player,
        default_clock=default_clock,
        rng=rng,
        meter=meter,
    )
    presence = Presence(store, games, ownership, clock)
    shards = settings.shards
    try:
        await _open(store, settings, games.forget)
        if store.database.is_shared and isinstance(clock, AnchoredClock):
            # All processes on one database use its time, as their machines' clocks may differ.
            clock.anchor(await store.database.time())
        await store.games.set_default_clock(default_clock)
        if takes_games:
            await presence.enter()
        if link is not None and remote is not None:
            link.start(remote.changed)
        yield Services(
            settings=settings,
            store=store,
            workers=workers,
            sessions=sessions,
            challenges=Challenges(store, sessions, clock, limiter, shards=shards),
            timer=TurnTimer(store, sessions, ownership, clock, presence),
            ownership=ownership,
            presence=presence,
            alarm=alarm,
            ratings=ratings,
            clock=clock,
            limiter=limiter,
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
        await sessions.close()
        if remote is not None:
            await remote.close()
        if link is not None:
            await link.close()
        # Last, because this process owns no games after that.
        await presence.stop()
        workers.close()
        await store.close()


def _cluster(settings: Settings, meter: Meter) -> tuple[RemoteEngine | None, Link | None]:
    """The engine on a cluster and the connection to it; None for both if no cluster is set."""
    if settings.cluster is None:
        return None, None
    # Imported here because Dask is installed and loaded only where it is used.
    from cluster.address import Address
    from cluster.link import Link

    link = Link(Address(settings.cluster, *(settings.cluster_tls or ())))
    remote = RemoteEngine(link, settings.cluster_jobs, meter, wanted=settings.cluster_places)
    return remote, link


async def _open(store: Store, settings: Settings, on_reopened: Callable[[], None]) -> None:
    try:
        await store.open(on_reopened)
    except Unfit as error:
        raise SettingsError(f"DATABASE_URL {_place(settings)} cannot be used. {error}") from error
    except Unavailable as error:
        raise _unusable(store, settings, error) from error


def _unusable(store: Store, settings: Settings, error: Unavailable) -> SettingsError:
    """The error for a database that cannot be used, with advice."""
    where, what = _place(settings), store.database.advice(error.reason)
    return SettingsError(f"DATABASE_URL {where} cannot be used now: {error}. {what}")


def _place(settings: Settings) -> str:
    return make_url(settings.database_url).render_as_string()
