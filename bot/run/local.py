"""Playing without Discord: this very bot on SimCord's offline Discord, shown in a browser."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime

import simcord
from discord import Locale
from rich.console import Console

from bot.run.language import page_welcome
from bot.run.offline_alarm import OfflineAlarm
from bot.run.offline_readiness import OfflineReadiness
from bot.run.page import Page
from bot.run.preparation import Preparation
from bot.run.typed import TypedLines, TypingClient, once_idle
from bot.services import Services, open_services
from bot.settings import Settings, SettingsError
from bot.words import ENGLISH, say_in
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
    client = TypingClient(services)
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
        if not world.client.handlers.playback.is_busy and passed < IDLE_BEAT:
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
    greeting = page_welcome(world.client.locale)
    channel = world.client.get_partial_messageable(world.channel.id)
    await channel.send(greeting.content, view=greeting.view)
    session = await services.sessions.current(world.channel.id)
    if session is not None and not session.awaits_agent:
        await world.client.handlers.boards.show(session)


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
