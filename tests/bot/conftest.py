"""A real store, real workers and an offline Discord for the bot's tests."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from shutil import copyfile
from typing import Any

import discord
import pytest
import simcord
from discord.gateway import DiscordWebSocket
from discord.http import Route
from discord.webhook.async_ import async_context
from sqlalchemy import create_engine

from bot.app import App, app_of, end_steps, find_features, make_client, open_services
from bot.board.convergence import EVERY
from bot.database import time_limits
from bot.database.schema import upgrade
from bot.database.sqlite import SQLITE
from bot.discord.client import CuatroClient
from bot.feature import Services
from bot.settings import UNLIMITED, Settings
from bot.store.store import Store
from engine.core.limits import Limit
from engine.core.search import search
from tests.bot.clock import StepClock
from tests.bot.databases import Server, a_server, address_of
from tests.bot.offline_discord import OfflineDiscord
from tests.bot.running import run_services
from tests.builders import PATIENCE
from tests.conftest import DATABASES

# Features declare tables, which must all exist in a test database as well.
find_features()


@pytest.fixture(scope="session")
def migrated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty, migrated database file; copying it is much faster than migrating again."""
    return empty_database(tmp_path_factory.mktemp("template") / "migrated.db")


def empty_database(file: Path) -> Path:
    """Create a SQLite database of the newest version; returns its file."""
    engine = create_engine(f"sqlite:///{file.as_posix()}")
    SQLITE.prepare(engine)
    with engine.execution_options(writes=True, migrates=True).begin() as connection:
        upgrade(connection)
    engine.dispose()
    return file


@pytest.fixture(autouse=True)
def _usual_answers() -> Iterator[None]:
    """After each test discord.py answers interactions in its usual way again.

    SimCord shuts down and pytest-asyncio resets context variables, but the latter does not if the
    fixture fails. Without this, all later answers would go to the offline Discord of that test.
    """
    usual = async_context.get()
    yield
    async_context.set(usual)


@pytest.fixture(autouse=True)
def _usual_addresses() -> Iterator[None]:
    """After each test discord.py uses its usual addresses again."""
    base, gateway = Route.BASE, DiscordWebSocket.DEFAULT_GATEWAY
    yield
    Route.BASE, DiscordWebSocket.DEFAULT_GATEWAY = base, gateway


@pytest.fixture(autouse=True)
def _usual_logging() -> Iterator[None]:
    """After each test loggers are as before, also if it has run a command that sets them up."""
    factory = logging.getLogRecordFactory()
    loggers = [logging.getLogger(name) for name in ("discord", "alembic", "bot.board.starting")]
    levels = [logger.level for logger in loggers]
    yield
    for logger, level in zip(loggers, levels, strict=True):
        logger.setLevel(level)
    logging.setLogRecordFactory(factory)


DATABASE_FOLDERS = {"sessions", "ratings", "workers", "board", "drills", "features", "discord"}
"""Folders of tests that run on any database."""

BOTH = {"database", "store"}
"""Tests that always run on both databases."""


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run tests marked `databases` on both databases, and other tests on the chosen ones."""
    folder = metafunc.definition.path.relative_to(Path(__file__).parent).parts[0]
    if folder in BOTH or metafunc.definition.get_closest_marker("databases"):
        on_both(metafunc)
    elif folder in DATABASE_FOLDERS:
        on_both(metafunc, ("sqlite",))


def on_both(metafunc: pytest.Metafunc, usually: Sequence[str] = DATABASES) -> None:
    """Run a test on both or the chosen databases, unless it is about SQLite."""
    if metafunc.definition.get_closest_marker("sqlite"):
        return
    chosen = metafunc.config.getoption("--database")
    on = usually if chosen is None else DATABASES if chosen == "both" else (chosen,)
    if "database_kind" in metafunc.fixturenames and tuple(on) != ("sqlite",):
        marks = {"sqlite": (), "postgres": (pytest.mark.postgres,)}
        kinds = [pytest.param(name, marks=marks[name]) for name in on]
        metafunc.parametrize("database_kind", kinds, indirect=True)


@pytest.fixture
def database_kind(request: pytest.FixtureRequest) -> str:
    """The kind of database that the test runs on."""
    return str(getattr(request, "param", "sqlite"))


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[Server]:
    """One PostgreSQL for all tests of a process."""
    with a_server() as started:
        yield started


@pytest.fixture(scope="session")
def server(postgres_server: Server) -> Server:
    """The PostgreSQL server that tests use unless they override it."""
    return postgres_server


@pytest.fixture
def address(
    database_kind: str,
    tmp_path: Path,
    migrated: Path,
    request: pytest.FixtureRequest,
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[str]:
    """The address of an empty database for one test, with all its tables.

    Where no person waits, a server on a busy machine has as long to answer as everything else.
    """
    if database_kind == "postgres":
        limits = replace(time_limits.BACKGROUND, contact=PATIENCE)
        monkeypatch.setattr(time_limits, "BACKGROUND", limits)
        with request.getfixturevalue("postgres_server").copy() as copied:
            yield copied
    else:
        file = copyfile(migrated, tmp_path / "test.db")
        yield address_of(file)


@pytest.fixture
async def store(address: str) -> AsyncIterator[Store]:
    """An open store on a database for one test."""
    opened = Store(address, at_end=end_steps())
    await opened.open()
    yield opened
    await opened.close()


@pytest.fixture
def settings(address: str) -> Settings:
    """Settings with a database for one test."""
    # Watched games begin at once, except in tests of the vote before them; and nothing is searched
    # on an opponent's time, except in tests of that.
    changed = {"workers": 2, "limits": UNLIMITED, "watch_vote": 0, "ponder_seconds": 0}
    return replace(Settings(), database_url=address, **changed)


@pytest.fixture
def clock() -> StepClock:
    """The bot's clock: the real time until a test moves it forward."""
    return StepClock()


@pytest.fixture
async def services(
    settings: Settings, clock: StepClock, request: pytest.FixtureRequest
) -> AsyncIterator[Services]:
    """A store on a real file, worker threads and sessions with a fixed seed."""
    # The client of a venue starts them itself.
    opening = open_services if "venue" in request.fixturenames else run_services
    async with opening(settings, Random(7), clock) as opened:
        yield opened


@dataclass
class Venue:
    """An offline server with two channels and three people, and the bot on it."""

    env: simcord.Env
    client: CuatroClient
    services: Services
    channel: simcord.ChannelHandle
    other_channel: simcord.ChannelHandle
    ana: simcord.MemberActor
    bea: simcord.MemberActor
    mod: simcord.MemberActor
    later_runs: AsyncExitStack
    expected_errors: int = 0
    locale: str = "en-US"

    @property
    def app(self) -> App:
        """The app of the present client."""
        return app_of(self.client)

    async def restart(self, away: float = 0.0) -> None:
        """Replace the bot with a fresh one on the same database; nothing in memory survives.

        No process runs for `away` seconds in between.
        """
        # The old process ends in the store; its memory takes no part any more.
        await self.services.presence.stop()
        if away:
            assert isinstance(self.services.clock, StepClock)
            self.services.clock.forward(away)
        self.services = await self.later_runs.enter_async_context(
            open_services(self.services.settings, Random(8), self.services.clock)
        )
        self.client = make_client(self.services)
        await self.env.restart_bot(self.client)

    async def let_pass(self, seconds: float) -> None:
        """Let time pass for the games' clocks, and do each kind of periodic work that is due once.

        `env.advance_time` does it as often as it would be done, which takes long.
        """
        assert isinstance(self.services.clock, StepClock)
        self.services.clock.forward(seconds)
        # The alarm follows the real time, so its work is started here.
        await self.env.jump(seconds, self.app.timeouts.check())
        # Boards follow what periodic work has changed.
        await self.env.advance_time(EVERY)

    def board(self, channel: simcord.ChannelHandle | None = None) -> discord.Message:
        """The newest public message with a picture."""
        history = (channel or self.channel).history()
        return [m for m in history if m.attachments and not m.flags.ephemeral][-1]

    def edits(self) -> list[dict[str, Any]]:
        """The bodies of all edits of channel messages so far, the oldest first."""
        return [
            request.json
            for request in self.env.http_requests
            if request.method == "PATCH" and request.path.startswith("/channels/")
        ]

    def speak(self, locale: str, **instead: Any) -> None:
        """Give all people a client in this language; the offline Discord has only English.

        With `instead` their interactions contain these values, for any choice in a menu.
        """
        connection, self.locale = self.env.bot._connection, locale
        received = connection.parse_interaction_create

        def parse(data: Any) -> None:
            received({**data, "locale": locale, "data": {**data["data"], **instead}})

        connection.parsers["INTERACTION_CREATE"] = parse

    async def hint(self, actor: simcord.MemberActor) -> simcord.InteractionResult:
        """Ask for a hint, the first one in a rated game of Connect 4, and confirm it."""
        asked = await actor.slash(self.channel, "connect4 hint", level="move")
        return await actor.click(asked.response.message, label="Show the hint")

    async def resign(
        self,
        actor: simcord.MemberActor,
        channel: simcord.ChannelHandle | None = None,
        family: str = "connect4",
    ) -> simcord.InteractionResult:
        """Resign by command, or stop a game, and confirm that where it is asked."""
        asked = await actor.slash(channel or self.channel, f"{family} resign")
        assert asked.response is not None
        if not asked.response.message.components:
            return asked
        button = asked.response.message.components[0].children[0]
        return await actor.click(asked.response.message, custom_id=button.custom_id)

    async def best_move(self, channel: simcord.ChannelHandle | None = None) -> str:
        """A good move for the side to move, in the players' notation."""
        session = await self.services.sessions.games.current((channel or self.channel).id)
        assert session is not None
        return session.game.label(search(session.position, Limit(depth=9), rng=Random(1)).move)


@asynccontextmanager
async def open_venue(services: Services) -> AsyncIterator[Venue]:
    """Put a bot with these services on a fresh offline server."""
    client = make_client(services)
    env = OfflineDiscord(client, settle_timeout=PATIENCE)
    await env.start()
    guild = env.create_guild("Test")
    moderators = guild.create_role(
        "Moderators", permissions=discord.Permissions(manage_messages=True)
    )
    people = {
        name: guild.add_member(
            env.create_user(name.lower(), global_name=name),
            roles=[moderators] if name == "Mod" else [],
        )
        for name in ("Ana", "Bea", "Mod")
    }
    channels = guild.create_text_channel("games"), guild.create_text_channel("more-games")
    async with AsyncExitStack() as later_runs:
        opened = Venue(env, client, services, *channels, *people.values(), later_runs)
        yield opened
        # SimCord would cancel work in progress.
        await opened.client.finish()
        await env.shutdown()
    if env.error_cursor != opened.expected_errors:
        env.raise_errors()


@pytest.fixture
async def venue(services: Services) -> AsyncIterator[Venue]:
    """An offline server with the bot on it; errors that the bot swallows fail the test."""
    async with open_venue(services) as opened:
        yield opened
