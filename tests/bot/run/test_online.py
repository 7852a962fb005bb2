"""The bot on a Discord with the real protocol, connected by discord.py's own client."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from shutil import copyfile
from time import monotonic
from typing import Any

import pytest

from bot.board.boards import Boards
from bot.board.runner import BOARD_INTERVAL, SKIP_WITHIN
from bot.game.session import Session
from bot.run import online
from bot.sessions.sessions import Sessions
from bot.settings import Settings
from engine.core.registry import games
from tests.bot.databases import address_of
from tests.bot.discord_server import (
    AUTOCOMPLETE,
    CHANNEL,
    LATER_MESSAGE,
    LATER_UPDATE,
    MESSAGE,
    SUGGESTIONS,
    UPDATE,
    DiscordServer,
    Request,
)
from tests.bot.present import FEATURES
from tests.bot.run.processes import end, settings_for
from tests.bot.stand_in.hurry import expect_no_more_servers
from tests.builders import PATIENCE

Json = dict[str, Any]
SHOW, REPLY = Boards.show, Sessions.reply
GUILDS = 1
"""The intent for servers and channels alone."""
PNG = b"\x89PNG\r\n\x1a\n"


@pytest.fixture
def settings(server: DiscordServer, tmp_path: Path, migrated: Path) -> Settings:
    """Settings for the server, with all files in the test's own folder."""
    file = Path(copyfile(migrated, tmp_path / "games.db"))
    return settings_for(server, address_of(file))


@pytest.fixture(autouse=True)
def _no_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without this, discord.py waits two seconds for more servers before it is ready."""
    expect_no_more_servers(monkeypatch)


@asynccontextmanager
async def online_bot(settings: Settings, server: DiscordServer) -> AsyncIterator[None]:
    """The bot, from its connection until it is stopped."""
    before = asyncio.all_tasks()
    bot = asyncio.create_task(online.serve(settings))
    listens = asyncio.create_task(server.until(lambda: server.bots))
    try:
        await asyncio.wait((bot, listens), return_when=asyncio.FIRST_COMPLETED)
        assert not bot.done(), bot.exception()
        yield
        await _finish_interactions()
    finally:
        listens.cancel()
        await end(bot)
        await server.until(lambda: not server.bots)
        # As at the end of a process.
        for task in asyncio.all_tasks() - before:
            task.cancel()


async def _finish_interactions() -> None:
    """Let the bot finish its requests, found by the names of discord.py's tasks."""
    names = ("CommandTree-invoker", "discord-ui-")
    busy = [task for task in asyncio.all_tasks() if task.get_name().startswith(names)]
    if busy:
        await asyncio.wait(busy, timeout=60)


def commands_sent(server: DiscordServer) -> list[Request]:
    """The requests with the bot's commands."""
    return server.sent("PUT", "/commands")


def edits(server: DiscordServer) -> list[Request]:
    """The board edits through the channel."""
    return server.sent("PATCH", f"/channels/{CHANNEL}/messages/")


def answers(server: DiscordServer) -> list[Request]:
    """The edits that show an agent's move, with enabled move buttons."""
    return [
        edit
        for edit in edits(server)
        if move_buttons(edit.payload) and not move_buttons(edit.payload)[0]["disabled"]
    ]


def now_with(message: Json, edit: Request) -> Json:
    """A message with the buttons of an edit of it."""
    return {**message, "components": edit.payload["components"]}


def buttons(payload: Json) -> Iterator[Json]:
    """The buttons of a message."""
    for row in payload.get("components") or []:
        yield from row["components"]


def move_buttons(payload: Json) -> list[Json]:
    """The buttons that make moves."""
    return [one for one in buttons(payload) if one["custom_id"].startswith("cuatro:move:")]


def action_id(payload: Json, action: str) -> str:
    """The id of the button for something other than a move."""
    ids = (one["custom_id"] for one in buttons(payload))
    return next(one for one in ids if one.startswith(f"cuatro:{action}:"))


async def start_game(server: DiscordServer, **options: str) -> Json:
    """Start a game and return the message that shows it."""
    return await server.start_game(**options)


async def test_it_identifies_for_servers_alone(server: DiscordServer, settings: Settings) -> None:
    """The bot identifies with the intent for servers and no privileged one."""
    async with online_bot(settings, server):
        (identify,) = server.greetings
    assert identify["intents"] == GUILDS


async def test_a_slow_answer_comes_in_a_second_picture(
    server: DiscordServer, settings: Settings
) -> None:
    """The first edit shows the person's stone with all moves disabled, a later one the answer.

    No book covers this board, so perfect play takes a second or two. On a busy machine the answer
    may be found before the first edit is sent, and replaces it: so of three moves, one is enough.
    """
    thinking: list[Request] = []
    async with online_bot(settings, server):
        board = await start_game(server, size="8x8", level="perfect")
        for number in range(3):
            await server.press(board, move_buttons(board)[3]["custom_id"])
            answered = await server.until(lambda n=number: answers(server)[n:])
            thinking = [one for one in edits(server) if "I'm thinking" in one.payload["content"]]
            if thinking:
                break
            board = now_with(board, answered[0])
    assert thinking[0].at < answered[0].at
    assert all(one["disabled"] for one in move_buttons(thinking[0].payload))
    assert "<t:" not in thinking[0].payload["content"]
    assert "Your turn" in answered[0].payload["content"]


async def test_boards_of_a_game_are_shown_with_pauses(
    server: DiscordServer, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An answer that comes soon after the picture of a move is shown half a second later.

    What is measured is when the bot begins to show each, because requests may arrive late.
    """
    begun = dict[int, float]()

    async def noted(boards: Boards, session: Session) -> None:
        begun.setdefault(len(session.moves), monotonic())
        await SHOW(boards, session)

    async def thoughtful(sessions: Sessions, channel_id: int) -> Session | None:
        answered = await REPLY(sessions, channel_id)
        if answered is not None:
            await asyncio.sleep(2 * SKIP_WITHIN)
        return answered

    async with online_bot(settings, server):
        board = await start_game(server, size="5x4", level="easy")
        await server.press(board, move_buttons(board)[3]["custom_id"])
        (answered,) = await server.until(lambda: answers(server))
        monkeypatch.setattr(Boards, "show", noted)
        monkeypatch.setattr(Sessions, "reply", thoughtful)
        board = now_with(board, answered)
        await server.press(board, move_buttons(board)[0]["custom_id"])
        await server.until(lambda: answers(server)[1:])
    assert begun[4] - begun[3] > 0.99 * BOARD_INTERVAL


SLASH = 1
"""The kind of a slash command, as Discord numbers them."""


async def test_commands_are_sent_when_they_have_changed(
    server: DiscordServer, settings: Settings
) -> None:
    """The first start sends the commands; a second one with the same database does not."""
    async with online_bot(settings, server):
        (sent,) = commands_sent(server)
        names = [command["name"] for command in sent.payload]
        assert [name for name in names if name in games()] == list(games())
        assert "Challenge to Connect 4" in names
    async with online_bot(settings, server):
        assert len(server.greetings) == 2
    assert commands_sent(server) == [sent]


async def test_sync_sends_commands_again(server: DiscordServer, settings: Settings) -> None:
    """`sync` sends the commands each time, without connecting to the gateway."""
    await online.sync(settings)
    await online.sync(settings)
    first, second = commands_sent(server)
    assert first.payload == second.payload
    assert server.greetings == []


async def test_start_is_answered_at_once(server: DiscordServer, settings: Settings) -> None:
    """`/connect4 start` is answered without being deferred, with a picture and buttons."""
    async with online_bot(settings, server):
        token = await server.command("start", size="5x4", level="medium")
        answer = await server.answer(token)
    assert answer.payload["type"] == MESSAGE
    data = answer.payload["data"]
    (attachment,), (picture,) = data["attachments"], answer.files.values()
    assert picture.startswith(PNG)
    assert attachment["filename"] in answer.files
    assert 0 < len(attachment["description"]) <= 1024
    assert [button["label"] for button in move_buttons(data)] == ["1", "2", "3", "4"]
    assert not any(button.get("disabled") for button in move_buttons(data))


async def test_a_pressed_move_is_shown_and_answered(
    server: DiscordServer, settings: Settings
) -> None:
    """A press is deferred, and the board with the answer follows."""
    async with online_bot(settings, server):
        board = await start_game(server, size="5x4", level="medium")
        token = await server.press(board, move_buttons(board)[1]["custom_id"])
        deferred = await server.answer(token)
        await server.until(lambda: answers(server))
    assert deferred.payload["type"] == LATER_UPDATE
    for edit in edits(server):
        assert edit.path.endswith(f"/messages/{board['id']}")
        (attachment,), (picture,) = edit.payload["attachments"], edit.files.values()
        assert picture.startswith(PNG)
        assert 0 < len(attachment["description"]) <= 1024
    (answered,) = answers(server)
    assert [button["disabled"] for button in move_buttons(answered.payload)] == [False] * 4
    assert answered.payload["attachments"] != board["attachments"]


async def test_a_dropped_connection_is_resumed(server: DiscordServer, settings: Settings) -> None:
    """When the gateway closes the connection, the bot resumes its session and answers as before."""
    async with online_bot(settings, server):
        await server.hang_up()
        await server.until(lambda: len(server.greetings) == 2 and server.bots)
        await start_game(server, size="5x4", level="easy")
    identify, resume = server.greetings
    assert "intents" in identify
    assert "session_id" in resume


async def play_all(server: DiscordServer) -> None:
    """Use every command and button in the language with the longest texts on the largest board."""
    language = {"locale": "es-ES"}
    for name, given in (("help", {}), ("drop", {"column": 1}), ("start", {"size": "9x9"})):
        await server.answer(await server.command(name, **language, **given))
    await server.answer(await server.command("start", kind=AUTOCOMPLETE, size=""))
    board = await start_game(server, size="8x8", level="easy", **language)
    await server.press(board, move_buttons(board)[0]["custom_id"])
    await server.until(lambda: answers(server))
    await server.command("drop", column=2, **language)
    await server.until(lambda: len(server.sent("PATCH", "/@original")) == 1)
    if "hints" in FEATURES:
        asked = await server.press(board, action_id(board, "hint"))
        await server.answer(asked)
        await server.until(lambda: len(server.sent("PATCH", "/@original")) == 2)
        anyway, _ = buttons(server.message_of(asked))
        await server.press(server.message_of(asked), anyway["custom_id"])
        await server.until(lambda: len(server.sent("PATCH", "/@original")) == 3)
    await server.answer(await server.command("board", **language))
    sure = await server.press(board, action_id(board, "resign"))
    await server.answer(sure)
    button, _keep = buttons(server.message_of(sure))
    await server.press(server.message_of(sure), button["custom_id"])
    await server.until(lambda: "rematch" in str(edits(server)[-1].payload))
    over = server.messages[edits(server)[-1].path.rsplit("/", 1)[-1]]
    rematch, *_ = buttons(over)
    await server.answer(await server.press(over, rematch["custom_id"]))
    await server.resign(**language)
    if "statistics" in FEATURES:
        await server.answer(await server.command("stats", **language))


async def test_all_that_is_sent_keeps_the_limits(server: DiscordServer, settings: Settings) -> None:
    """All texts, rows and files that the bot sends are within Discord's limits."""
    async with online_bot(settings, server):
        await play_all(server)
    kinds = {request.payload["type"] for request in server.sent("POST", "/callback")}
    assert kinds >= {MESSAGE, LATER_MESSAGE, LATER_UPDATE, UPDATE, SUGGESTIONS}
    (commands,) = commands_sent(server)
    groups = [command for command in commands.payload if command["type"] == SLASH]
    assert sum(map(_check_command, groups)) > 10
    messages = [one for one in server.requests if one.method in ("POST", "PATCH")]
    assert sum(map(_check_message, messages)) > 10


def _check_command(command: Json) -> int:
    """Check a command or option with its parts; returns their number."""
    names = (command["name"], *(command.get("name_localizations") or {}).values())
    texts = (command["description"], *(command.get("description_localizations") or {}).values())
    assert all(1 <= len(name) <= 32 and name == name.lower() for name in names)
    assert all(1 <= len(text) <= 100 for text in texts)
    choices, options = command.get("choices") or [], command.get("options") or []
    assert len(choices) <= 25
    assert len(options) <= 25
    for choice in choices:
        words = (choice["name"], *(choice.get("name_localizations") or {}).values())
        assert all(1 <= len(word) <= 100 for word in words)
    return 1 + sum(map(_check_command, options))


def _check_message(request: Request) -> int:
    """Check the message in a request; returns the number of checked messages."""
    payload = request.payload
    data = payload.get("data") or {} if "/callback" in request.path else payload
    assert len(data.get("content") or "") <= 2000
    assert len(data.get("choices") or []) <= 25
    rows = data.get("components") or []
    assert len(rows) <= 5
    assert all(1 <= len(row["components"]) <= 5 for row in rows)
    ids = [button["custom_id"] for button in buttons(data)]
    assert len(ids) == len(set(ids))
    assert all(1 <= len(one) <= 100 for one in ids)
    assert all(1 <= len(button["label"]) <= 80 for button in buttons(data))
    attachments = data.get("attachments") or []
    assert sorted(one["filename"] for one in attachments) == sorted(request.files)
    assert all(1 <= len(one["description"]) <= 1024 for one in attachments)
    assert all(len(blob) <= 10_485_760 for blob in request.files.values())
    return 1


async def test_a_connection_that_overlooks_its_cancellation_ends() -> None:
    """Work that loses a cancellation, as `asyncio.wait_for` may, is cancelled again soon."""
    begun, overlooked = asyncio.Event(), asyncio.Event()

    async def overlook() -> None:
        try:
            begun.set()
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            overlooked.set()
        await asyncio.Event().wait()

    running = asyncio.create_task(online.until_cancelled(overlook()))
    await begun.wait()
    running.cancel()
    await asyncio.wait({running}, timeout=PATIENCE)
    assert overlooked.is_set()
    assert running.cancelled()
