"""After any failure on the way to Discord, boards come to show the stored games."""

from __future__ import annotations

import asyncio
import sqlite3
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, closing
from pathlib import Path
from typing import Any

import pytest
from discord import Client

from bot.board import boards, convergence, requests, runner
from bot.discord import background, client
from bot.i18n import say_in
from bot.run import online
from bot.settings import Settings
from bot.store import boards as shown_boards
from bot.store import rows
from tests.bot.databases import file_of
from tests.bot.discord_server import CHANNEL, DiscordServer
from tests.bot.present import needs
from tests.bot.run.processes import end, settings_for
from tests.bot.stand_in.faults import breaks, fails, limited
from tests.bot.stand_in.hurry import expect_no_more_servers
from tests.bot.support.wire import fault_scenes
from tests.bot.support.wire.boards import Truth, game_in, open_truth, shown_by
from tests.bot.support.wire.fault_scenes import PLACES, prepare, scenes_at, watch
from tests.bot.support.wire.tables import moves_on
from tests.builders import PATIENCE

pytestmark = pytest.mark.long

Json = dict[str, Any]
EDITS = f"/channels/{CHANNEL}/messages/"
ATTEMPTS = 4
"""How often a person tries something that is not answered."""


@pytest.fixture
def settings(server: DiscordServer, tmp_path: Path, settings: Settings) -> Settings:
    """Settings for the server, with all files in the test's own folder."""
    return settings_for(server, settings.database_url)


@pytest.fixture(autouse=True)
def _in_a_hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shorten the pauses before a reconnection, and before a board is shown again."""

    async def at_once(client: Client, shard_id: int | None, *, initial: bool = False) -> None:
        pass

    expect_no_more_servers(monkeypatch)
    monkeypatch.setattr(Client, "before_identify_hook", at_once)
    monkeypatch.setattr(convergence, "EVERY", 0.25)
    monkeypatch.setattr(convergence, "FIRST_PAUSE", 0.5)
    monkeypatch.setattr(fault_scenes, "LASTS", 1.0)
    monkeypatch.setattr(fault_scenes, "LOOKS", 0.3)
    for module in (rows, shown_boards):
        monkeypatch.setattr(module, "GRACE", 0.5)


@pytest.fixture
def _two_edits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Show every move against an agent in two edits, even if the answer comes at once."""
    monkeypatch.setattr(runner, "SKIP_WITHIN", 0.0)


@pytest.fixture
def _little_patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give up a hanging request earlier than usual, but later than the shortest rate limits end."""
    monkeypatch.setattr(background, "ANSWER", 3.0)


@asynccontextmanager
async def online_bot(
    settings: Settings, server: DiscordServer
) -> AsyncIterator[asyncio.Task[None]]:
    """The bot, from its connection until it is stopped as SIGTERM stops it."""
    before = asyncio.all_tasks()
    bot = asyncio.create_task(online.serve(settings))
    try:
        await server.until(lambda: server.bots or bot.done())
        assert not bot.done(), bot.exception()
        yield bot
    finally:
        await end(bot)
        await server.until(lambda: not server.bots)
        # As at the end of a process.
        for task in asyncio.all_tasks() - before:
            task.cancel()


async def start_game(server: DiscordServer, **options: str) -> Json:
    """Start a game and return the message that shows it."""
    return await server.start_game(**({"size": "5x4", "level": "easy"} | options))


async def is_right(server: DiscordServer, truth: Truth, least_moves: int = 0) -> bool:
    """Whether the latest game's board shows the stored game and allows only its moves."""
    *_, session = (await truth.sessions()).values()
    message = server.messages.get(str(session.message_id))
    if message is None or session.awaits_agent or len(session.moves) < least_moves:
        return False
    others = [m for m in server.board.in_channel(CHANNEL) if game_in(m) and m is not message]
    if any(moves_on(other) for other in others):
        return False
    return not shown_by(message).differences(await truth.board(session))


async def wait_until_correct(server: DiscordServer, truth: Truth, least_moves: int = 0) -> None:
    """Wait until the latest game's board is right."""
    async with asyncio.timeout(PATIENCE):
        while not await is_right(server, truth, least_moves):  # noqa: ASYNC110  # there is no event
            await asyncio.sleep(0.1)


@pytest.mark.usefixtures("_two_edits", "_little_patience")
@pytest.mark.parametrize("place", PLACES)
async def test_every_fault_ends_in_a_right_board(
    place: str, server: DiscordServer, settings: Settings, tmp_path: Path
) -> None:
    """If any request fails in any way, the board is soon right without any further action."""
    scenes = scenes_at([place])
    prepare(server, scenes)
    async with (
        online_bot(settings, server),
        open_truth(server, file_of(settings.database_url), tmp_path) as truth,
    ):
        await watch(server, truth, scenes, PATIENCE)
    assert {scene.name: scene.wrong for scene in scenes if scene.seconds is None} == {}


@pytest.mark.usefixtures("_little_patience")
async def test_the_next_run_shows_what_the_last_one_could_not(
    server: DiscordServer, settings: Settings, tmp_path: Path
) -> None:
    """Boards that differ from the store at the end of a run are shown at the start of the next."""
    async with online_bot(settings, server):
        board = await start_game(server)
        rule = server.faults.on("PATCH", EDITS, breaks(503), times=None)
        await server.press(board, moves_on(board)[0].custom_id)
        await server.until(lambda: rule.hits > 1)
    server.faults.clear()
    async with (
        online_bot(settings, server),
        open_truth(server, file_of(settings.database_url), tmp_path) as truth,
    ):
        await wait_until_correct(server, truth, least_moves=2)


async def test_an_invisible_start_is_undone(server: DiscordServer, settings: Settings) -> None:
    """If neither an answer nor a message can be sent, no game is left running."""
    async with online_bot(settings, server):
        answer = server.faults.on("POST", "/callback", fails(50013), times=None)
        post = server.faults.on("POST", "/messages", fails(50013), times=None)
        await server.command("start", size="5x4", level="easy")
        await server.until(lambda: answer.hits and post.hits)
        for _ in range(600):
            if ended(settings) == ["aborted"]:
                break
            await asyncio.sleep(0.1)
        server.faults.clear()
        assert ended(settings) == ["aborted"]
        await start_game(server)


def ended(settings: Settings) -> list[str | None]:
    """The endings of the games."""
    with closing(sqlite3.connect(file_of(settings.database_url))) as database:
        return [row[0] for row in database.execute("SELECT ending FROM games ORDER BY id")]


async def test_an_old_board_is_replaced(
    server: DiscordServer, settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A board whose message will soon be too old to be edited is posted again."""
    monkeypatch.setattr(boards, "OLD", 1.0)
    async with (
        online_bot(settings, server),
        open_truth(server, file_of(settings.database_url), tmp_path) as truth,
    ):
        board = await start_game(server)
        await asyncio.sleep(1.1)
        await server.press(board, moves_on(board)[0].custom_id)
        await wait_until_correct(server, truth, least_moves=2)
        newest = [m for m in server.board.in_channel(CHANNEL) if game_in(m)][-1]
        assert newest["id"] != board["id"]
        assert server.messages[board["id"]]["components"] == []


@pytest.fixture
def _waits_for_news(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make pauses so long that only an event can cause a retry."""
    monkeypatch.setattr(convergence, "FIRST_PAUSE", 600.0)
    monkeypatch.setattr(convergence, "LONGEST_PAUSE", 600.0)


@pytest.mark.usefixtures("_waits_for_news")
async def test_a_thread_that_is_open_again_gets_its_board(
    server: DiscordServer, settings: Settings, tmp_path: Path
) -> None:
    """When the gateway reports that a thread is open again, its board is shown without a pause."""
    async with (
        online_bot(settings, server),
        open_truth(server, file_of(settings.database_url), tmp_path) as truth,
    ):
        board = await start_game(server)
        await server.archive(CHANNEL)
        await server.press(board, moves_on(board)[0].custom_id)
        await postponed(settings)
        await server.reopen(CHANNEL)
        await wait_until_correct(server, truth, least_moves=2)


@pytest.mark.usefixtures("_waits_for_news")
async def test_any_request_brings_the_board_back(
    server: DiscordServer, settings: Settings, tmp_path: Path
) -> None:
    """Any interaction in a channel causes a retry of its failed boards."""
    async with (
        online_bot(settings, server),
        open_truth(server, file_of(settings.database_url), tmp_path) as truth,
    ):
        board = await start_game(server)
        # Neither an edit nor an answer to the press shows it, whichever is tried first.
        places = (("PATCH", "/messages/"), ("POST", "/webhooks/"))
        rules = [server.faults.on(*place, fails(50001), times=None) for place in places]
        await server.press(board, moves_on(board)[0].custom_id)
        await postponed(settings)
        for rule in rules:
            rule.times = rule.hits
        await server.command("help")
        await wait_until_correct(server, truth, least_moves=2)


@pytest.mark.usefixtures("_waits_for_news")
async def test_a_limit_is_retried_when_discord_says(
    server: DiscordServer, settings: Settings, tmp_path: Path
) -> None:
    """Several short rate limits in a row do not delay a board as failures do."""
    async with (
        online_bot(settings, server),
        open_truth(server, file_of(settings.database_url), tmp_path) as truth,
    ):
        token = await server.command("start", size="5x4", level="easy")
        await server.answer(token)
        server.interactions.expire(token)
        # More than a single request retries.
        rule = server.faults.on("PATCH", EDITS, limited(0.2), times=8)
        await server.command("drop", column=2)
        await server.until(lambda: rule.hits == 8)
        await wait_until_correct(server, truth, least_moves=2)


@pytest.mark.usefixtures("_little_patience")
async def test_a_message_that_is_limited_for_good_is_replaced(
    server: DiscordServer, settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A board whose edits keep running into rate limits is posted again."""
    monkeypatch.setattr(requests, "MAX_REFUSALS", 2)
    async with (
        online_bot(settings, server),
        open_truth(server, file_of(settings.database_url), tmp_path) as truth,
    ):
        token = await server.command("start", size="5x4", level="easy")
        await server.answer(token)
        server.interactions.expire(token)
        board = server.message_of(token)
        rule = server.faults.on("PATCH", EDITS + board["id"], limited(0.5), times=None)
        await server.command("drop", column=2)
        await server.until(lambda: server.sent("POST", EDITS.removesuffix("/")))
        rule.times = rule.hits
        await wait_until_correct(server, truth, least_moves=2)
        assert not moves_on(server.messages[board["id"]])


async def postponed(settings: Settings) -> None:
    """Wait until the game's board is postponed after a failure."""
    async with asyncio.timeout(PATIENCE):
        while True:
            with closing(sqlite3.connect(file_of(settings.database_url))) as database:
                (until,) = database.execute("SELECT show_at FROM games").fetchone()
            if until > time.time() + 60.0:
                return
            await asyncio.sleep(0.05)


async def test_an_edit_that_is_overtaken_is_not_sent(
    server: DiscordServer, settings: Settings, tmp_path: Path
) -> None:
    """While edits have to wait, only the newest board is sent, and no limit is exceeded."""
    server.limits.set("PATCH", "/channels/{channel}/messages/{message}", 1, 4.0)
    async with (
        online_bot(settings, server),
        open_truth(server, file_of(settings.database_url), tmp_path) as truth,
    ):
        token = await server.command("start", size="6x7", level="easy")
        await server.answer(token)
        server.interactions.expire(token)
        board = server.message_of(token)
        for column in ("1", "2", "3"):
            await play(server, truth, column)
        await wait_until_correct(server, truth, least_moves=6)
        assert server.messages[board["id"]]["edits"] == len(server.sent("PATCH", EDITS))
        assert len(server.sent("PATCH", EDITS)) < 5
        assert server.limits.refused == 0


async def test_where_edits_have_to_wait_the_press_itself_leads_to_the_board(
    server: DiscordServer, settings: Settings, tmp_path: Path
) -> None:
    """A rate limit of the channel does not delay the boards of people who press buttons."""
    server.limits.set("PATCH", "/channels/{channel}/messages/{message}", 1, 600.0)
    async with (
        online_bot(settings, server),
        open_truth(server, file_of(settings.database_url), tmp_path) as truth,
    ):
        board = await start_game(server, size="6x7")
        for moves in (2, 4, 6):
            now = server.messages[board["id"]]
            await server.press(now, moves_on(now)[0].custom_id)
            await wait_until_correct(server, truth, least_moves=moves)
        assert server.limits.refused == 0


async def play(server: DiscordServer, truth: Truth, column: str) -> None:
    """Drop a stone by command, and wait until the agent has answered."""
    *_, before = (await truth.sessions()).values()
    await server.command("drop", column=int(column))
    async with asyncio.timeout(PATIENCE):
        while True:
            *_, session = (await truth.sessions()).values()
            if len(session.moves) >= len(before.moves) + 2:
                return
            await asyncio.sleep(0.05)


async def test_a_move_that_comes_too_late_is_not_made(
    server: DiscordServer, settings: Settings, tmp_path: Path
) -> None:
    """A move that can no longer be acknowledged in time is not made.

    The same move in time is made.
    """
    async with (
        online_bot(settings, server),
        open_truth(server, file_of(settings.database_url), tmp_path) as truth,
    ):
        board = await start_game(server)
        move = moves_on(board)[0].custom_id
        late = await server.answer(await server.press(board, move, age=5.0))
        assert late.payload["data"]["content"] == say_in("en")("error.too_late")
        assert [len(game.moves) for game in (await truth.sessions()).values()] == [0]
        await server.press(board, move)
        await wait_until_correct(server, truth, least_moves=2)


@pytest.mark.parametrize(
    "name", ["resign", pytest.param("undo", marks=needs("proposals")), "start"]
)
async def test_no_action_is_done_too_late(
    server: DiscordServer, settings: Settings, tmp_path: Path, name: str
) -> None:
    """Other actions that can no longer be acknowledged change nothing, and their answers say so."""
    async with (
        online_bot(settings, server),
        open_truth(server, file_of(settings.database_url), tmp_path) as truth,
    ):
        board = await start_game(server)
        await server.press(board, moves_on(board)[0].custom_id)
        await wait_until_correct(server, truth, least_moves=2)
        answer = await server.answer(await server.command(name, age=5.0))
        assert answer.payload["data"]["content"] == say_in("en")("error.too_late_typed")
        (game,) = (await truth.sessions()).values()
        assert (game.end, len(game.moves)) == (None, 2)


@pytest.mark.usefixtures("_two_edits")
async def test_an_answer_under_way_is_shown_before_the_end(
    server: DiscordServer, settings: Settings, tmp_path: Path
) -> None:
    """A bot that is stopped while an agent searches shows the answer before it ends."""
    async with online_bot(settings, server) as bot:
        board = await start_game(server)
        async with open_truth(server, file_of(settings.database_url), tmp_path) as truth:
            await server.press(board, moves_on(board)[0].custom_id)
            await server.until(lambda: server.sent("PATCH", EDITS))
            await end(bot)
            assert await is_right(server, truth, least_moves=2)


@needs("hints")
async def test_a_hint_under_way_gets_a_word(server: DiscordServer, settings: Settings) -> None:
    """A person who waits for a hint while the bot is stopped is asked to request it again."""
    async with online_bot(settings, server) as bot:
        board = await start_game(server, size="8x8")
        (hint,) = [one for one in ids_of(board) if one.startswith("cuatro:hint:")]
        asked = await server.press(board, hint)
        await server.answer(asked)
        # Whether the hint is free is found out first.
        await server.until(lambda: ids_of(server.message_of(asked)))
        anyway, _ = ids_of(server.message_of(asked))
        token = await server.press(server.message_of(asked), anyway)
        await server.answer(token)
        await end(bot)
    said = [one.payload["content"] for one in server.sent("PATCH", f"/{token}/")]
    assert len(said) == 1
    assert "restarting" in said[0]


def ids_of(message: Json) -> list[str]:
    """The ids of a message's buttons."""
    return [one["custom_id"] for row in message["components"] for one in row["components"]]


async def hang_up(server: DiscordServer) -> None:
    """The gateway closes the connection."""
    await server.hang_up()


async def forget(server: DiscordServer) -> None:
    """The gateway closes the connection and forgets the session."""
    server.gateway.forgets = True
    await server.hang_up()


async def op_7(server: DiscordServer) -> None:
    """The gateway asks to reconnect."""
    await server.gateway.ask_to_reconnect()


async def op_9(server: DiscordServer) -> None:
    """The gateway calls the session invalid."""
    await server.gateway.invalidate()


async def op_9_resumable(server: DiscordServer) -> None:
    """The gateway calls the session invalid, but it can be resumed."""
    await server.gateway.invalidate(resumable=True)


async def silence(server: DiscordServer) -> None:
    """The gateway acknowledges no heartbeat."""
    server.gateway.acknowledges = False
    await server.until(lambda: len(server.greetings) > 1)
    server.gateway.acknowledges = True


async def answered(server: DiscordServer, ask: Callable[[], Awaitable[str]]) -> Any:
    """The answer to an action, which is repeated if it is lost with a connection."""
    for _ in range(ATTEMPTS - 1):
        try:
            return await server.answer(await ask(), PATIENCE / ATTEMPTS)
        except TimeoutError:
            continue
    return await server.answer(await ask(), PATIENCE / ATTEMPTS)


@pytest.mark.parametrize(
    "trouble", [hang_up, forget, op_7, op_9, op_9_resumable, silence], ids=lambda one: one.__name__
)
async def test_the_gateway_may_fail_in_every_way(
    trouble: Any,
    server: DiscordServer,
    settings: Settings,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """After any failure of the gateway moves and commands are answered again."""
    if trouble is silence:
        # Only there, since a busy bot would take itself for disconnected.
        monkeypatch.setattr(client, "HEARTBEAT_TIMEOUT", 1.0)
        server.gateway.interval = 0.2
    async with (
        online_bot(settings, server),
        open_truth(server, file_of(settings.database_url), tmp_path) as truth,
    ):
        board = await start_game(server)
        await trouble(server)
        await server.until(lambda: len(server.greetings) > 1 and server.bots)
        await answered(server, lambda: server.press(board, moves_on(board)[0].custom_id))
        await wait_until_correct(server, truth, least_moves=2)
        answer = await answered(server, lambda: server.command("help"))
        assert answer.payload["data"]["content"]
