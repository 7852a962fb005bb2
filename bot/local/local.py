"""Playing without Discord: this very bot on SimCord's offline Discord, shown in a browser.

SimCord serves a page for developers. This serves the same page at another port, with a script and a
style of our own in it, and hands every other request on.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Self
from urllib.parse import urlsplit

import aiohttp
import simcord
from aiohttp import web
from discord import Locale
from rich.console import Console

from bot.app import app_of, open_services
from bot.feature import Services
from bot.i18n import ENGLISH, say_in
from bot.local.typed import TypedLines, TypingClient, once_idle, page_welcome, typing_client
from bot.sessions.running import Alarm
from bot.settings import Settings, SettingsError
from bot.workers.preparation import Preparation
from bot.workers.workers import Readiness
from engine.core.registry import games

BEAT, IDLE_BEAT = 0.5, 15.0
"""Seconds between two looks at what goes on by itself: while something does, and otherwise."""

SETTLE_SECONDS = 60.0
"""How long an action may take, its search included, before the page calls it stuck."""


@dataclass(frozen=True, slots=True)
class World:
    """The offline Discord: one server with one channel and two people."""

    env: simcord.Env
    client: TypingClient
    channel: simcord.ChannelHandle
    people: tuple[simcord.MemberActor, simcord.MemberActor]


@asynccontextmanager
async def open_world(services: Services) -> AsyncIterator[World]:
    """Put the bot on an offline Discord.

    The server, the channel and the people are made before the bot connects, always in the same
    order, so their ids are the same at every start and stored games find their channel again.
    The messages of an earlier run are gone with it.
    """
    await services.store.games.forget_messages()
    client = typing_client(services)
    names = [say_in(ENGLISH)(f"game.{key}") for key in games()]
    env = simcord.Env(client, check_errors=False, settle_timeout=SETTLE_SECONDS)
    guild = env.create_guild("Cuatro")
    channel = guild.create_text_channel("connect-4", topic=", ".join(names))
    ana, bruno = (
        guild.add_member(env.create_user(name.lower(), global_name=name))
        for name in ("Ana", "Bruno")
    )
    # What the page shows of time, such as until when a move is due, counts from now.
    env.backend.advance_clock((datetime.now(UTC) - env.now()).total_seconds())
    await env.start()
    assert client.user is not None
    await client.user.edit(username="Cuatro")
    try:
        with env.time_context():
            yield World(env, client, channel, (ana, bruno))
    finally:
        # SimCord would cut short what is under way.
        await client.finish()
        await env.shutdown()


async def keep_time(
    world: World,
    readiness: OfflineReadiness,
    alarm: OfflineAlarm,
    refresh: Callable[[], Awaitable[None]],
) -> None:
    """Let games to watch and challenges go on, and what has waited; never returns.

    Offline the clock of what waits stands still between people's actions, and the page shows what
    changed meanwhile only when it is told to. While the clock is moved on the page takes no
    action, so that is done seldom where nothing is being shown.
    """
    passed = 0.0
    while True:
        await asyncio.sleep(BEAT)
        passed += BEAT
        if alarm.look() or readiness.went_on:
            readiness.went_on = False
            await once_idle(refresh)
        if not app_of(world.client).playback.is_busy and passed < IDLE_BEAT:
            continue
        before = len(world.env.http_requests)
        await once_idle(world.env.advance_time, passed)
        passed = 0.0
        if len(world.env.http_requests) > before:
            await once_idle(refresh)


async def greet(world: World, services: Services) -> None:
    """Post what the channel begins with: the welcome, and the game that was being played.

    The messages of the run before are gone. A game in which an agent is to move is shown by the
    client itself, with that move.
    """
    channel = world.client.get_partial_messageable(world.channel.id)
    await channel.send(**page_welcome(world.client.locale))
    session = await services.sessions.games.current(world.channel.id)
    if session is not None and not session.awaits_agent:
        await app_of(world.client).core.boards.show(session)


@asynccontextmanager
async def open_page(world: World, port: int) -> AsyncIterator[tuple[Page, simcord.Preview]]:
    """Serve the page; raises SettingsError where the port cannot be used."""
    locale = world.client.locale.value
    async with world.env.preview(
        world.channel, viewers=world.people, layout="channel", locale=locale
    ) as preview:
        page = Page(preview.url, port)
        try:
            await page.__aenter__()
        except OSError as error:
            raise SettingsError(
                f"CUATRO_PORT {port} cannot be used: {error.strerror or error}. Set another port, "
                "or 0 for any free one."
            ) from error
        try:
            yield page, preview
        finally:
            await page.__aexit__()


async def serve(settings: Settings, console: Console, preparation: Preparation) -> None:
    """Serve the page until cancelled or closed from the page; raises SettingsError.

    What needs a part of the engine that `preparation` has not got ready yet waits for it.
    """
    readiness = OfflineReadiness(preparation)
    async with (
        open_services(settings, readiness=readiness, alarm_kind=OfflineAlarm) as services,
        open_world(services) as world,
        open_page(world, settings.port) as (page, preview),
    ):
        readiness.env = world.env
        await greet(world, services)

        def switch(locale: Locale) -> None:
            preview.locale = locale.value

        world.client.on_locale = switch
        assert isinstance(services.alarm, OfflineAlarm)
        people = {person.id: person for person in world.people}
        lines = TypedLines(world.client, world.channel, people, preview.refresh)
        tasks = (
            asyncio.create_task(lines.run()),
            asyncio.create_task(keep_time(world, readiness, services.alarm, preview.refresh)),
        )
        try:
            console.print("\nCuatro plays here, without Discord. Open this page in a browser:")
            console.print(f"\n    {page.url}\n", soft_wrap=True, highlight=False)
            console.print("Press a button there, or type. Ctrl-C stops; games are kept.")
            preparation.load()
            await preview.wait_closed()
        finally:
            for task in tasks:
                task.cancel()


class OfflineAlarm(Alarm):
    """Rings when it is looked at and a time has come, and sets no timer.

    The offline Discord calls an action done once nothing more is about to happen by itself, and a
    timer that rings within a minute counts as that: people would wait for it at every move.
    """

    def look(self) -> bool:
        """Ring if it is time; whether it was."""
        is_due = self._at is not None and self._at <= self._clock()
        if is_due:
            self._due()
        return is_due

    def _wait(self, seconds: float) -> None:
        """Wait for whoever looks."""


class OfflineReadiness(Readiness):
    """Hands everything on, and lets the page go on meanwhile.

    The offline Discord calls an action done once the bot has nothing left to do. A move that waits
    for the engine would keep the page from showing anything, so that wait is declared as one.
    """

    def __init__(self, inner: Readiness) -> None:
        """Ask `inner`; `env` is set once there is an offline Discord."""
        self._inner = inner
        self.env: simcord.Env | None = None
        self.went_on = False
        """Whether somebody has stopped waiting since this was last set to False."""

    def load(self) -> None:
        """Begin to load what is compiled."""
        self._inner.load()

    def is_ready(self, parts: Sequence[str]) -> bool:
        """Whether these parts can be used now."""
        return self._inner.is_ready(parts)

    def seconds_left(self, parts: Sequence[str]) -> int | None:
        """About how long these parts still take; None if they can be used in a moment or now."""
        return self._inner.seconds_left(parts)

    async def of(self, parts: Sequence[str]) -> None:
        """Wait until these parts can be used; raises NotPrepared where they never will be."""
        if self._inner.is_ready(parts):
            return
        try:
            await self._wait(parts)
        finally:
            self.went_on = True

    async def _wait(self, parts: Sequence[str]) -> None:
        if self.env is not None:
            try:
                await self.env.external_wait(self._inner.of(parts), reason="the engine")
            except simcord.SetupError:
                # Nothing that the page waits for asks: then there is nothing to declare.
                pass
            else:
                return
        await self._inner.of(parts)

    def close(self) -> None:
        """Prepare nothing more, and let nobody wait any longer."""
        self._inner.close()


HEAD = '<link rel="stylesheet" href="/cuatro.css"><script type="module" src="/cuatro.js"></script>'

OWN = {
    "/cuatro.js": ("page.js", "application/javascript"),
    "/cuatro.css": ("page.css", "text/css"),
}
"""Our own files by path: their names beside this one, and their types."""

LOOPBACK = "127.0.0.1"

KEPT = ("Content-Type", "X-Simcord-Capability", "X-Simcord-Context")
"""The request's headers that are handed on."""

DROPPED = ("Content-Length", "Transfer-Encoding", "Content-Encoding", "Date", "Server")
"""The answer's headers that are written anew."""

UNTIMELY = {"busy", "stale-revision"}
"""For these reasons SimCord refuses an action that it would take a moment later."""

ATTEMPTS, AGAIN = 20, 0.1
"""How often it is asked again, and after how many seconds."""

LONGEST = 120.0
"""Seconds that an answer may take: somebody's move, with the search after it."""

MOST = 27 * 1024 * 1024
"""Bytes of a request, as SimCord allows."""


class Page:
    """Serves the page on the loopback address: `async with Page(inner, port) as page`."""

    def __init__(self, inner: str, port: int) -> None:
        """Show the page that is served at the address `inner` at `port`; 0 takes a free one."""
        parts = urlsplit(inner)
        self._inner = f"{parts.scheme}://{parts.netloc}"
        self._secret = parts.fragment
        self._port = port

    @property
    def url(self) -> str:
        """The address, which is a secret: whoever has it can play."""
        return f"http://{LOOPBACK}:{self._port}/#{self._secret}"

    async def __aenter__(self) -> Self:
        """Start to serve; raises OSError where the port cannot be used."""
        self._client = aiohttp.ClientSession(
            timeout=aiohttp.ClientTimeout(total=LONGEST), auto_decompress=False
        )
        app = web.Application(client_max_size=MOST)
        app.router.add_route("*", "/{path:.*}", self._answer)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=1)
        try:
            await self._runner.setup()
            await web.TCPSite(self._runner, LOOPBACK, self._port).start()
        except OSError:
            await self.__aexit__()
            raise
        self._port = self._runner.addresses[0][1]
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._runner.cleanup()
        await self._client.close()

    async def _answer(self, request: web.Request) -> web.Response:
        # Whatever page a browser shows could send requests here; only this one may.
        hosts = {f"{name}:{self._port}" for name in (LOOPBACK, "localhost")}
        origin = request.headers.get("Origin")
        if request.host not in hosts or origin not in {None, *(f"http://{h}" for h in hosts)}:
            raise web.HTTPForbidden
        if request.path == "/favicon.ico":
            return web.Response(status=204)
        if request.path in OWN:
            name, kind = OWN[request.path]
            text = Path(__file__).with_name(name).read_text("utf-8")
            return web.Response(text=text, content_type=kind, headers={"Cache-Control": "no-store"})
        return await self._hand_on(request)

    async def _hand_on(self, request: web.Request) -> web.Response:
        headers = {name: request.headers[name] for name in KEPT if name in request.headers}
        body = await request.read()
        try:
            answer = await self._ask(request.method, request.path_qs, headers, body)
            if request.path == "/api/action" and request.content_type == "application/json":
                answer = await self._insist(answer, headers, body)
        except aiohttp.ClientError as error:
            raise web.HTTPBadGateway from error
        if request.path == "/":
            answer.body = answer.body.replace(b"</head>", f"{HEAD}</head>".encode(), 1)
        return web.Response(status=answer.status, body=answer.body, headers=answer.headers)

    async def _ask(
        self, method: str, path: str, headers: Mapping[str, str], body: bytes = b""
    ) -> _Answer:
        """Ask SimCord."""
        address = f"{self._inner}{path}"
        async with self._client.request(method, address, headers=headers, data=body) as answer:
            told = {k: v for k, v in answer.headers.items() if k not in DROPPED}
            return _Answer(answer.status, told, await answer.read())

    async def _insist(self, answer: _Answer, headers: Mapping[str, str], body: bytes) -> _Answer:
        """Do what somebody has done after all, where SimCord was busy or had something newer.

        It takes no action for a state that has changed by itself a moment ago, and people would
        find that a button did nothing. Buttons here name the move that they are for.
        """
        for _ in range(ATTEMPTS):
            if not answer.is_untimely:
                break
            await asyncio.sleep(AGAIN)
            state = await self._ask("GET", "/api/state", headers)
            if state.status != web.HTTPOk.status_code:
                break
            action = {
                **json.loads(body),
                "published_revision": json.loads(state.body).get("publishedRevision"),
            }
            answer = await self._ask(
                "POST", "/api/action", headers, json.dumps(action).encode("utf-8")
            )
        return answer


@dataclass(slots=True)
class _Answer:
    """What SimCord answers."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def is_untimely(self) -> bool:
        """Whether an action was refused only because of when it came."""
        if self.status == web.HTTPBadRequest.status_code:
            return True
        told = json.loads(self.body) if self.status == web.HTTPOk.status_code else {}
        codes = {one.get("code") for one in told.get("diagnostics", [])}
        return bool(told.get("rejected")) and bool(codes & UNTIMELY)
