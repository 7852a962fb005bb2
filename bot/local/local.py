"""Playing without Discord: the bot on SimCord's offline Discord, on a local page or as a demo.

The demo is the game that the README shows.
"""

from __future__ import annotations

import asyncio
import logging
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from typing import Any

import discord
import simcord
from discord import app_commands
from rich.console import Console

from bot.app import app_of, open_services
from bot.feature import Services
from bot.i18n import ENGLISH, say_in
from bot.local.client import PageClient, page_client, page_welcome
from bot.local.page import game_names, open_page
from bot.local.typed import commands_of
from bot.sessions.running import Alarm
from bot.settings import Settings
from bot.workers.preparation import Preparation
from bot.workers.workers import Readiness
from engine.core.limits import Limit
from engine.core.search import search

logger = logging.getLogger(__name__)

BEAT, IDLE_BEAT = 0.5, 1.0
"""Seconds between two advances of offline time: while a game plays by itself, and otherwise."""

RETRY_SECONDS = 0.05
"""Seconds after which the offline Discord is asked again whether it is idle."""

SETTLE_SECONDS = 60.0
"""How long an action may take, its search included, before the page calls it stuck."""

DEMO_SIZE, DEMO_LEVEL = "6x7", "medium"

DEMO_SEED = 1
"""The seed of all randomness in the demo, so that the game is always the same."""

DEMO_PLAYER = Limit(depth=10)
"""How far the person of the demo looks ahead."""


@dataclass(frozen=True, slots=True)
class World:
    """The offline Discord: one server with one channel and two people."""

    env: simcord.Env
    client: PageClient
    channel: simcord.ChannelHandle
    people: tuple[simcord.MemberActor, simcord.MemberActor]


@asynccontextmanager
async def open_world(services: Services) -> AsyncIterator[World]:
    """Put the bot on an offline Discord.

    The server, the channel and the people are made before the bot connects, always in the same
    order, so their ids are the same at every start and stored games find their channel again. The
    messages of an earlier run are gone.
    """
    await services.store.boards.forget_messages()
    client = page_client(services)
    env = simcord.Env(client, check_errors=False, settle_timeout=SETTLE_SECONDS)
    guild = env.create_guild("Cuatro")
    channel = guild.create_text_channel("connect-4", topic=game_names(say_in(ENGLISH)))
    ana, bruno = (
        guild.add_member(env.create_user(name.lower(), global_name=name))
        for name in ("Ana", "Bruno")
    )
    # The times on the page, such as until when a move is due, count from now.
    env.backend.advance_clock((datetime.now(UTC) - env.now()).total_seconds())
    await env.start()
    assert client.user is not None
    await client.user.edit(username="Cuatro")
    try:
        with env.time_context():
            yield World(env, client, channel, (ana, bruno))
    finally:
        # SimCord would cancel what is running.
        await client.finish()
        await env.shutdown()


async def serve(settings: Settings, console: Console, preparation: Preparation) -> None:
    """Serve the page until cancelled or closed from the page; raises SettingsError.

    `preparation` loads the engine once the page is open; searches wait until it is done.
    """
    readiness = OfflineReadiness(preparation)
    async with (
        open_services(settings, readiness=readiness, alarm_kind=OfflineAlarm) as services,
        open_world(services) as world,
        open_page(
            world.env,
            world.channel,
            world.people,
            await commands_of(world.client.tree),
            locale=world.client.locale,
            port=settings.port,
        ) as (url, preview, page),
    ):
        readiness.env = world.env
        await greet(world, services)

        def switch(locale: discord.Locale) -> None:
            preview.locale = locale.value
            page.locale = locale

        world.client.on_locale = switch
        assert isinstance(services.alarm, OfflineAlarm)
        alarm = services.alarm

        def has_changed() -> bool:
            """Whether something has changed that not every window shows yet."""
            resumed, readiness.has_resumed = readiness.has_resumed, False
            return any((alarm.ring_if_due(), page.take_acted(), resumed))

        time = asyncio.create_task(keep_time(world, has_changed, preview.refresh))
        try:
            console.print("\nCuatro plays here, without Discord. Open this page in a browser:")
            console.print(f"\n    {url}\n", soft_wrap=True, highlight=False)
            console.print("Press a button there, or type. Ctrl-C stops; games are kept.")
            preparation.load()
            await preview.wait_closed()
        finally:
            time.cancel()


async def greet(world: World, services: Services) -> None:
    """Post the first messages of the channel: the welcome, and the game that was being played.

    A game in which an agent is to move is shown by the client itself, with that move.
    """
    channel = world.client.get_partial_messageable(world.channel.id)
    text, view, files = await page_welcome(world.client, world.client.locale)
    await channel.send(text, view=view, files=files)
    session = await services.sessions.games.current(world.channel.id)
    if session is not None and not session.awaits_agent:
        await app_of(world.client).core.boards.show(session)


async def keep_time(
    world: World, has_changed: Callable[[], bool], refresh: Callable[[], Awaitable[None]]
) -> None:
    """Keep offline time at the real time, so that what is due happens; never returns.

    Offline time does not pass by itself, and a window shows others' actions only when it is
    refreshed. The page takes no action while time is advanced, so that is rare unless a game is
    running by itself.
    """
    waited = 0.0
    while True:
        await asyncio.sleep(BEAT)
        waited += BEAT
        if has_changed():
            await once_idle(refresh)
        if not app_of(world.client).playback.is_busy and waited < IDLE_BEAT:
            continue
        before = len(world.env.http_requests)
        await once_idle(catch_up, world)
        waited = 0.0
        if len(world.env.http_requests) > before:
            await once_idle(refresh)


async def catch_up(world: World) -> None:
    """Advance offline time to the real time."""
    behind = (datetime.now(UTC) - world.env.now()).total_seconds()
    if behind > 0:
        await world.env.advance_time(behind)


async def once_idle(work: Callable[..., Awaitable[Any]], *args: Any) -> None:
    """Do something as soon as the offline Discord is not busy with something else.

    A failure is logged: without the next beat, offline time would stop, and so would every
    game that waits for it.
    """
    while True:
        try:
            await work(*args)
        except simcord.SetupError as error:
            if "overlaps" not in str(error):
                logger.warning("the local page was not refreshed: %s", error)
                return
            await asyncio.sleep(RETRY_SECONDS)
        except TimeoutError as error:
            # The bot was busy for longer than SETTLE_SECONDS; offline time has advanced in part.
            logger.warning("the local page was not refreshed in time: %s", error)
            return
        except Exception:
            logger.exception("the local page was not refreshed")
            return
        else:
            return


class OfflineAlarm(Alarm):
    """Rings when it is checked and a time has come, and sets no timer.

    The offline Discord calls an action done once nothing more is about to happen by itself, and a
    timer that rings within a minute counts as that: people would wait for it at every move.
    """

    def ring_if_due(self) -> bool:
        """Ring if it is time; returns whether it was."""
        is_due = self._at is not None and self._at <= self._clock()
        if is_due:
            self._due()
        return is_due

    def _wait(self, seconds: float) -> None:
        """Set no timer."""


class OfflineReadiness(Readiness):
    """Forwards everything to another `Readiness`, and keeps the page usable meanwhile.

    The offline Discord calls an action done once the bot has nothing left to do. A move that waits
    for the engine would block the page, so that wait is declared as an external one.
    """

    def __init__(self, inner: Readiness) -> None:
        """Forward to `inner`; `env` is set once there is an offline Discord."""
        self._inner = inner
        self.env: simcord.Env | None = None
        self.has_resumed = False
        """Whether a wait has ended since this was last set to False."""

    def load(self) -> None:
        """Start to load what is compiled."""
        self._inner.load()

    def is_ready(self, parts: Sequence[str]) -> bool:
        """Whether these parts can be used now."""
        return self._inner.is_ready(parts)

    def seconds_left(self, parts: Sequence[str]) -> int | None:
        """About how long these parts still take; None if they can be used in a moment or now."""
        return self._inner.seconds_left(parts)

    async def wait_for(self, parts: Sequence[str]) -> None:
        """Wait until these parts can be used; raises NotPrepared if they never will be."""
        if self._inner.is_ready(parts):
            return
        try:
            if self.env is not None:
                # This fails if no action of the page is waiting, and need not be declared then.
                with suppress(simcord.SetupError):
                    await self.env.external_wait(self._inner.wait_for(parts), reason="the engine")
                    return
            await self._inner.wait_for(parts)
        finally:
            self.has_resumed = True

    def close(self) -> None:
        """Stop preparing, and end all waits."""
        self._inner.close()


class _Transcript:
    """Writes the pictures and the text of the demo into a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.lines = ["# A game with Cuatro", ""]
        self.pictures = 0

    async def picture(self, name: str, attachment: discord.Attachment) -> None:
        """Save an attachment under its number and name, with its alternative text."""
        self.pictures += 1
        file = f"{self.pictures:02}-{name}{Path(attachment.filename).suffix}"
        blob = await attachment.read()
        await asyncio.to_thread((self.folder / file).write_bytes, blob)
        self.lines += [f"![{attachment.description}]({file})", ""]

    def say(self, who: str, text: str) -> None:
        """Add what a person typed or pressed, or what the bot answered."""
        self.lines += [f"**{who}**: {text}", ""]


async def play_demo(folder: Path, console: Console) -> None:
    """Play the demo and write its pictures and `transcript.md` into `folder`."""
    await asyncio.to_thread(folder.mkdir, parents=True, exist_ok=True)
    transcript = _Transcript(folder)
    with tempfile.TemporaryDirectory() as scratch:
        database = Path(scratch, "demo.db").as_posix()
        settings = replace(Settings(), database_url=f"sqlite+aiosqlite:///{database}")
        async with (
            open_services(settings, Random(DEMO_SEED)) as services,
            open_world(services) as world,
        ):
            await _play(world, services, transcript)
    text = "\n".join(transcript.lines)
    await asyncio.to_thread((folder / "transcript.md").write_text, text, encoding="utf-8")
    pictures = transcript.pictures
    console.print(f"{pictures} pictures and transcript.md are in {folder}", soft_wrap=True)


async def _play(world: World, services: Services, transcript: _Transcript) -> None:
    ana, channel, rng = world.people[0], world.channel, Random(DEMO_SEED)

    def board() -> discord.Message:
        """Return the newest message that is not private and has a picture."""
        return [m for m in channel.history() if m.attachments and not m.flags.ephemeral][-1]

    # Features bring some of the commands.
    group = world.client.tree.get_command("connect4")
    assert isinstance(group, app_commands.Group)
    transcript.say("Ana", f"`/connect4 start size:{DEMO_SIZE} level:{DEMO_LEVEL}`")
    await ana.slash(channel, "connect4 start", size=DEMO_SIZE, level=DEMO_LEVEL)
    await transcript.picture("start", board().attachments[0])
    turn = 0
    while (session := await services.sessions.games.current(channel.id)) is not None:
        turn += 1
        if turn == 3 and group.get_command("hint"):
            await _take_hint(ana, channel, transcript)
        move = session.game.label(search(session.position, DEMO_PLAYER, rng=rng).move)
        if turn % 2:
            transcript.say("Ana", f"presses **{move}**")
            await ana.click(board(), label=move)
        else:
            transcript.say("Ana", f"`/connect4 drop {move}`")
            await ana.slash(channel, "connect4 drop", column=int(move))
        transcript.say("Cuatro", board().content.replace("\n", " · "))
        await transcript.picture(f"turn-{turn}", board().attachments[0])
    if group.get_command("stats"):
        stats = await ana.slash(channel, "connect4 stats")
        assert stats.response is not None
        transcript.say("Ana", "`/connect4 stats`")
        await transcript.picture("stats", stats.response.attachments[0])


async def _take_hint(
    ana: simcord.MemberActor, channel: simcord.ChannelHandle, transcript: _Transcript
) -> None:
    hint = await ana.slash(channel, "connect4 hint", level="move")
    assert hint.response is not None
    transcript.say("Ana", "`/connect4 hint level:move`")
    transcript.say("Cuatro", hint.response.content)
    label = say_in(ENGLISH)("button.show")
    await ana.click(hint.response.message, label=label)
    # The hint replaces the question.
    shown = channel.history(viewer=ana)[-1]
    transcript.say("Ana", f"presses **{label}**")
    transcript.say("Cuatro", shown.content)
    await transcript.picture("hint", shown.attachments[0])
