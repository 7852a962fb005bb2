"""The bot on a Discord that speaks the real protocol: discord.py's own client is what connects."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from discord.gateway import DiscordWebSocket
from discord.http import Route

from bot import heartbeat, online
from bot.settings import Settings, SettingsError
from tests.bot.discord_server import (
    AUTOCOMPLETE,
    CHANNEL,
    LATER_UPDATE,
    MESSAGE,
    SUGGESTIONS,
    TOKEN,
    DiscordServer,
    Request,
)

Json = dict[str, Any]
GUILDS = 1
"""The intent to hear of servers and channels, and of nothing else."""
BUTTON = 2
PNG = b"\x89PNG\r\n\x1a\n"


@pytest.fixture(autouse=True)
def _usual_addresses(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever a test points discord.py at, the next one finds its usual addresses."""
    monkeypatch.setattr(Route, "BASE", Route.BASE)
    monkeypatch.setattr(DiscordWebSocket, "DEFAULT_GATEWAY", DiscordWebSocket.DEFAULT_GATEWAY)


@pytest.fixture
async def server() -> AsyncIterator[DiscordServer]:
    """A Discord to connect to."""
    async with DiscordServer() as server:
        yield server


@pytest.fixture
def settings(server: DiscordServer, tmp_path: Path) -> Settings:
    """Settings that lead to the server and keep everything in the test's own folder."""
    return Settings(
        token=TOKEN,
        database_url=f"sqlite+aiosqlite:///{(tmp_path / 'games.db').as_posix()}",
        api_url=server.api_url,
        gateway_url=server.gateway_url,
        workers=1,
        heartbeat=tmp_path / "heartbeat",
    )


@asynccontextmanager
async def online_bot(settings: Settings, server: DiscordServer) -> AsyncIterator[None]:
    """The bot, from its connection until it is stopped."""
    bot = asyncio.create_task(online.serve(settings))
    listens = asyncio.create_task(server.until(lambda: server.bots))
    try:
        await asyncio.wait((bot, listens), return_when=asyncio.FIRST_COMPLETED)
        assert not bot.done(), bot.exception()
        yield
    finally:
        listens.cancel()
        bot.cancel()
        with suppress(asyncio.CancelledError):
            await bot
        await server.until(lambda: not server.bots)


def commands_sent(server: DiscordServer) -> list[Request]:
    """What the server was told of the bot's commands."""
    return server.sent("PUT", "/commands")


def edits(server: DiscordServer) -> list[Request]:
    """The edits of boards through their channel."""
    return server.sent("PATCH", f"/channels/{CHANNEL}/messages/")


def buttons(payload: Json) -> Iterator[Json]:
    """The buttons of a message."""
    for row in payload.get("components") or []:
        yield from row["components"]


def move_buttons(payload: Json) -> list[Json]:
    """The buttons that make moves."""
    return [one for one in buttons(payload) if one["custom_id"].startswith("cuatro:move:")]


async def start_game(server: DiscordServer, **options: str) -> Json:
    """Start a game and return the message that shows it."""
    token = await server.command("start", **options)
    answer = await server.answer(token)
    assert answer.payload["type"] == MESSAGE, answer.payload
    return server.message_of(token)


async def test_it_identifies_for_servers_alone(server: DiscordServer, settings: Settings) -> None:
    """The bot asks for the intent to hear of its servers and for no privileged one."""
    async with online_bot(settings, server):
        (identify,) = server.identifies
    assert identify["intents"] == GUILDS


async def test_commands_are_sent_when_they_have_changed(
    server: DiscordServer, settings: Settings
) -> None:
    """The first start sends the commands, a second with the same database does not."""
    async with online_bot(settings, server):
        (sent,) = commands_sent(server)
        assert [command["name"] for command in sent.payload] == ["connect4"]
    async with online_bot(settings, server):
        assert len(server.identifies) == 2
    assert commands_sent(server) == [sent]


async def test_sync_sends_commands_again(server: DiscordServer, settings: Settings) -> None:
    """`sync` sends the commands each time, without connecting to the gateway."""
    await online.sync(settings)
    await online.sync(settings)
    first, second = commands_sent(server)
    assert first.payload == second.payload
    assert server.identifies == []


async def test_start_is_answered_at_once(server: DiscordServer, settings: Settings) -> None:
    """`/connect4 start` is answered in Discord's three seconds with a picture and buttons."""
    async with online_bot(settings, server):
        token = await server.command("start", size="5x4", level="medium")
        answer = await server.answer(token, seconds=3)
    assert answer.payload["type"] == MESSAGE
    data = answer.payload["data"]
    (attachment,), (picture,) = data["attachments"], answer.files.values()
    assert picture.startswith(PNG)
    assert attachment["filename"] in answer.files
    assert 0 < len(attachment["description"]) <= 1024
    assert [button["label"] for button in move_buttons(data)] == ["1", "2", "3", "4"]
    assert not any(button.get("disabled") for button in buttons(data))


async def test_a_pressed_move_is_shown_and_answered(
    server: DiscordServer, settings: Settings
) -> None:
    """A press is deferred; the board follows with its moves disabled, then with the answer."""
    async with online_bot(settings, server):
        board = await start_game(server, size="5x4", level="medium")
        token = await server.press(board, move_buttons(board)[1]["custom_id"])
        deferred = await server.answer(token, seconds=3)
        await server.until(lambda: len(edits(server)) == 2)
    assert deferred.payload["type"] == LATER_UPDATE
    thinking, answered = edits(server)
    for edit in (thinking, answered):
        assert edit.path.endswith(f"/messages/{board['id']}")
        (attachment,), (picture,) = edit.payload["attachments"], edit.files.values()
        assert picture.startswith(PNG)
        assert 0 < len(attachment["description"]) <= 1024
    assert [button["disabled"] for button in move_buttons(thinking.payload)] == [True] * 4
    assert [button["disabled"] for button in move_buttons(answered.payload)] == [False] * 4
    assert thinking.payload["attachments"] != answered.payload["attachments"]


async def test_an_owed_move_is_made_after_a_restart(
    server: DiscordServer, settings: Settings
) -> None:
    """A game that was left while Cuatro was thinking goes on by itself at the next start."""
    async with online_bot(settings, server):
        board = await start_game(server, size="6x7", level="expert")
        token = await server.press(board, move_buttons(board)[3]["custom_id"])
        await server.answer(token)
    before = len(edits(server))
    async with online_bot(settings, server):
        await server.until(lambda: len(edits(server)) >= before + 2)
    last = edits(server)[-1]
    assert last.path.endswith(f"/messages/{board['id']}")
    assert not any(button["disabled"] for button in move_buttons(last.payload))
