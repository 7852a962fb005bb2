"""Playing without Discord: the offline server, typed commands, and restarts."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any, Protocol
from urllib.parse import SplitResult, urlsplit

import aiohttp
import pytest

from bot.app import open_services
from bot.feature import Services
from bot.local.local import OfflineReadiness, World, catch_up, greet, keep_time, open_world
from bot.local.page import local_zone, open_page
from bot.local.typed import commands_of
from bot.settings import Settings
from bot.store.records import GameSetup, agent, person
from bot.workers.workers import NotPrepared, Readiness
from tests.bot.asked import note_asked
from tests.bot.present import needs
from tests.builders import PATIENCE

Headers = dict[str, str]


class TypeLine(Protocol):
    """Types a line and waits until it has been answered."""

    async def __call__(self, line: str, by: int = 0) -> str:
        """Type a line as one of the people; returns what is wrong with it, or an empty text."""


async def test_a_game_is_found_again_after_a_restart(settings: Settings) -> None:
    """After a restart the local mode finds the stored game in the same channel."""
    async with open_services(settings, Random(1)) as services, open_world(services) as world:
        ana = world.people[0]
        await ana.slash(world.channel, "connect4 start", size="5x4", level="medium")
        await ana.slash(world.channel, "connect4 drop", column=3)
        channel_id, person_id = world.channel.id, ana.id
        moves = (await services.store.games.find(1)).moves  # type: ignore[union-attr]
    async with open_services(settings, Random(1)) as services, open_world(services) as world:
        ana = world.people[0]
        assert (world.channel.id, ana.id) == (channel_id, person_id)
        shown = await ana.slash(world.channel, "connect4 board")
        assert not shown.ephemeral
        assert shown.response is not None
        assert "Last move" in (shown.response.attachments[0].description or "")
        await ana.click(shown.response.message, label="1")
        game = await services.store.games.find(1)
        assert game is not None
        assert game.moves[: len(moves)] == moves
        assert len(game.moves) == len(moves) + 2


async def test_the_offline_discord_tells_the_real_time(settings: Settings) -> None:
    """The offline Discord's clock and the bot's clock agree, so deadlines are shown correctly."""
    async with open_services(settings) as services, open_world(services) as world:
        behind = datetime.now(UTC) - world.env.now()
        assert abs(behind.total_seconds()) < 60


async def test_the_bot_is_called_by_its_name(settings: Settings) -> None:
    """The offline bot's name is Cuatro."""
    async with open_services(settings) as services, open_world(services) as world:
        assert world.client.user is not None
        assert world.client.user.name == "Cuatro"


async def test_the_channel_greets_and_a_running_game_is_posted_again(settings: Settings) -> None:
    """The page opens with a welcome; after a restart a running game is posted below it."""
    async with open_services(settings, Random(1)) as services, open_world(services) as world:
        await greet(world, services)
        (welcome,) = world.channel.history()
        assert "Cuatro" in welcome.content
        assert [file.filename for file in welcome.attachments] == ["games.png"]
        await note_asked(services, world.people[0].id)
        await world.people[0].click(welcome, label="Play")
        game = await services.store.games.find(1)
        assert game is not None
        assert game.setup.auto
    async with open_services(settings, Random(1)) as services, open_world(services) as world:
        await greet(world, services)
        _, board = world.channel.history()
        assert "0 is empty" in (board.attachments[0].description or "")
        await world.people[0].click(board, label="4")
        game = await services.store.games.find(1)
        assert game is not None
        assert len(game.moves) == 2


@pytest.mark.parametrize(
    ("label", "family"), [("Gato 4x4", "gato"), ("BOOM", "boom"), ("Play", "connect4")]
)
async def test_every_game_begins_at_the_press_of_a_button(
    settings: Settings, label: str, family: str
) -> None:
    """Each button of the welcome begins its game; the person who pressed it moves first."""
    async with open_services(settings, Random(1)) as services, open_world(services) as world:
        await greet(world, services)
        ana = world.people[0]
        await note_asked(services, ana.id)
        await ana.click(world.channel.history()[0], label=label)
        session = await services.sessions.games.current(world.channel.id)
        assert session is not None
        assert session.game.key == family
        assert session.mover.user_id == ana.id


async def test_the_page_is_switched_to_spanish_and_stays_so(settings: Settings) -> None:
    """The language button translates the welcome and all answers, also after a restart."""
    async with open_services(settings, Random(1)) as services, open_world(services) as world:
        await greet(world, services)
        ana, (welcome,) = world.people[0], world.channel.history()
        await ana.click(welcome, label="Español")
        (welcome,) = world.channel.history()
        assert "Hola" in welcome.content
        assert [file.filename for file in welcome.attachments] == ["games.png"]
        helped = await ana.click(welcome, label="Más")
        assert helped.response is not None
        assert helped.ephemeral
        assert "**Jugar:**" in helped.response.content
        await note_asked(services, ana.id)
        await ana.click(welcome, label="Jugar")
        assert "Te toca, Ana." in world.channel.history()[-1].content
    async with open_services(settings, Random(1)) as services, open_world(services) as world:
        await greet(world, services)
        assert "Hola" in world.channel.history()[0].content
        refused = await world.people[0].slash(world.channel, "connect4 drop", column=9)
        assert refused.response is not None
        assert "columnas" in refused.response.content


async def test_the_language_button_replaces_a_language_of_the_settings(settings: Settings) -> None:
    """After a language was set in the settings, the one chosen later on the page applies."""
    async with open_services(settings, Random(1)) as services, open_world(services) as world:
        await greet(world, services)
        ana, preferences = world.people[0], services.store.preferences
        await preferences.set_person(ana.id, 0.0, language="en")
        await ana.click(world.channel.history()[0], label="Español")
        assert (await preferences.of_person(ana.id)).language == "es"
        refused = await ana.slash(world.channel, "connect4 drop", column=9)
        assert "En este canal" in refused.response.content
        bea = world.people[1]
        await bea.click(world.channel.history()[0], label="English")
        assert (await preferences.of_person(bea.id)).language is None


class SlowEngine(Readiness):
    """An engine that is ready when the test releases it."""

    def __init__(self) -> None:
        self.ready = asyncio.Event()
        self.asked = asyncio.Event()
        self.is_closed = False

    def is_ready(self, parts: Sequence[str]) -> bool:
        """Whether it is ready."""
        return self.ready.is_set()

    def seconds_left(self, parts: Sequence[str]) -> int | None:
        """Return nine seconds until the engine is ready."""
        return None if self.ready.is_set() else 9

    async def wait_for(self, parts: Sequence[str]) -> None:
        """Wait until the engine is ready."""
        self.asked.set()
        await self.ready.wait()
        if self.is_closed:
            raise NotPrepared

    def close(self) -> None:
        """End all waits."""
        self.is_closed = not self.ready.is_set()
        self.ready.set()


async def test_a_move_that_waits_for_the_engine_says_so_and_comes_by_itself(
    settings: Settings,
) -> None:
    """During a first start the person's move is shown with a note; the answer follows later."""
    slowly = SlowEngine()
    readiness = OfflineReadiness(slowly)
    async with (
        open_services(settings, Random(1), readiness=readiness) as services,
        open_world(services) as world,
    ):
        readiness.env = world.env
        await greet(world, services)
        ana = world.people[0]
        await note_asked(services, ana.id)
        await ana.click(world.channel.history()[0], label="Play")
        await ana.click(world.channel.history()[1], label="4")
        _, board = world.channel.history()
        assert "about 9 s" in board.content
        slowly.ready.set()
        await world.env.settle()
        _, board = world.channel.history()
        assert "Your turn, Ana." in board.content
        assert readiness.has_resumed


async def test_a_game_that_waits_for_the_engine_does_not_delay_closing(
    settings: Settings,
) -> None:
    """Closing while a move waits for the engine ends at once; the next run makes the move."""
    slowly = SlowEngine()
    readiness = OfflineReadiness(slowly)
    async with open_services(settings, Random(1), readiness=readiness) as services:
        order = GameSetup("connect4", "5x4", 1, None, "en-US", agent("easy"), person(7), 7)
        await services.sessions.start(order)
        waiting = asyncio.create_task(services.sessions.reply(1))
        await asyncio.wait_for(slowly.asked.wait(), 60)
        assert not waiting.done()
    assert await waiting is None


async def test_typed_commands_are_run_in_order(settings: Settings) -> None:
    """Typed commands run for the person who typed them, one after the other; the rest is talk."""
    async with typing(settings) as (world, services, type_line):
        lines = (
            "/connect4 start opponent:ana",
            "/connect4 start size:5x4 level:medium",
            "/connect4 drop 3",
            "/connect4 resign",
            "just talking",
        )
        answers = await asyncio.gather(*(type_line(line, by=1) for line in lines))
        assert answers == [""] * len(lines)
        seen = [message.content for message in world.channel.history(viewer=world.people[1])]
        assert any("Ana" in content for content in seen)
        game = await services.store.games.find(1)
        assert game is not None
        assert game.setup.first.user_id == world.people[1].id
        assert game.moves[0].move == "3"
        # Resigning asks first, typed as well.
        assert game.end is None
        talk = [m.content for m in world.channel.history() if not m.author.bot]
        assert talk == ["just talking"]


async def test_a_mistyped_line_is_answered_in_its_language(settings: Settings) -> None:
    """A line that is no command is answered with advice and leaves nothing in the channel."""
    async with typing(settings) as (world, _services, type_line):
        assert "has no `fly`" in await type_line("/connect4 fly")
        assert "no tiene `volar`" in await type_line("/conecta4 volar")
        assert not world.channel.history()
        assert not await type_line("/conecta4 empezar 5x4 fácil")
        (board,) = world.channel.history()
        assert "**Cuatro** (easy)" in board.content


async def test_offline_time_follows_the_real_time(settings: Settings) -> None:
    """However long an action took, the offline clock is at the real time afterwards."""
    async with open_services(settings) as services, open_world(services) as world:
        await asyncio.sleep(0.2)
        before = datetime.now(UTC)
        await catch_up(world)
        rounding = timedelta(milliseconds=10)
        assert before - rounding <= world.env.now() <= datetime.now(UTC) + rounding


@pytest.mark.parametrize("error", [TimeoutError("the bot is busy"), RuntimeError("broken")])
async def test_offline_time_goes_on_after_a_failure(settings: Settings, error: Exception) -> None:
    """A window that cannot be refreshed once does not stop offline time."""
    async with open_services(settings) as services, open_world(services) as world:
        refreshed = list[bool]()

        async def refresh() -> None:
            refreshed.append(True)
            if len(refreshed) == 1:
                raise error

        time = asyncio.create_task(keep_time(world, lambda: True, refresh))
        began = world.env.now()
        async with asyncio.timeout(PATIENCE):
            while len(refreshed) < 3 or world.env.now() == began:  # noqa: ASYNC110  # a clock
                await asyncio.sleep(0.1)
        assert not time.done()
        time.cancel()


@needs("voting")
async def test_periodic_tasks_run_on_the_page(settings: Settings) -> None:
    """What the bot does from time to time happens on the page, too, such as counting votes."""
    async with open_services(settings, Random(1)) as services, open_world(services) as world:
        ana = world.people[0]
        await ana.slash(world.channel, "together", size="5x4", level="easy", seconds=30)
        (board,) = world.channel.history()
        await ana.click(board, label="2")
        async with asyncio.timeout(PATIENCE):
            while "<t:" not in world.channel.history()[0].content:
                await asyncio.sleep(0.1)
                await catch_up(world)


async def test_the_page_answers_only_its_own_windows(settings: Settings) -> None:
    """Without the secret of the address, or from another page, nothing can be read or typed."""
    async with (
        open_services(settings) as services,
        open_world(services) as world,
        serving(world) as url,
        aiohttp.ClientSession() as client,
    ):
        for headers, status in (
            ({}, 401),
            ({"X-Simcord-Capability": "guessed"}, 401),
            ({"X-Simcord-Capability": url.fragment, "Origin": "https://example.org"}, 403),
            ({"X-Simcord-Capability": url.fragment}, 200),
        ):
            page = f"http://{url.netloc}/cuatro/page"
            async with client.get(page, headers=headers) as answer:
                assert answer.status == status


@pytest.mark.parametrize(
    ("zone", "key"), [("America/Bogota", "America/Bogota"), ("nowhere/at/all", None)]
)
def test_times_are_those_of_the_machine(
    monkeypatch: pytest.MonkeyPatch, zone: str, key: str | None
) -> None:
    """The page shows times of day in the machine's zone, and an unknown one is not used."""
    monkeypatch.setenv("TZ", zone)
    found = local_zone()
    assert found == (key or found)
    assert found != "nowhere/at/all"


@asynccontextmanager
async def serving(world: World) -> AsyncIterator[SplitResult]:
    """The page's address."""
    commands = await commands_of(world.client.tree)
    async with open_page(
        world.env, world.channel, world.people, commands, locale=world.client.locale, port=0
    ) as (url, _preview, _page):
        yield urlsplit(url)


async def open_window(client: aiohttp.ClientSession, url: SplitResult, user_id: int) -> Headers:
    """Open a person's window; returns the headers of its requests."""
    headers = {"X-Simcord-Capability": url.fragment}
    body = {"viewer_id": str(user_id)}
    async with client.post("/api/pages", json=body, headers=headers) as answer:
        window = (await answer.json())["context"]["id"]
    return {**headers, "X-Simcord-Context": window}


@asynccontextmanager
async def typing(settings: Settings) -> AsyncIterator[tuple[World, Services, TypeLine]]:
    """A world in which lines are typed on the page; each returns what is wrong with it, or ""."""
    async with (
        open_services(settings, Random(1)) as services,
        open_world(services) as world,
        serving(world) as url,
        aiohttp.ClientSession(f"http://{url.netloc}") as client,
    ):
        windows = [await open_window(client, url, person.id) for person in world.people]

        async def type_line(line: str, by: int = 0) -> str:
            body = {"line": line}
            async with client.post("/cuatro/line", json=body, headers=windows[by]) as answer:
                return str((await answer.json()).get("wrong", ""))

        yield world, services, type_line


async def test_a_line_waits_for_what_its_window_is_about_to_show(settings: Settings) -> None:
    """A line that is sent while the window is about to show other messages is still run."""
    async with (
        open_services(settings, Random(1)) as services,
        open_world(services) as world,
        serving(world) as url,
        aiohttp.ClientSession(f"http://{url.netloc}") as client,
    ):
        window = await open_window(client, url, world.people[0].id)

        async def post(path: str, body: object) -> dict[str, Any]:
            async with client.post(path, json=body, headers=window) as answer:
                found: dict[str, Any] = await answer.json()
            return found

        async with client.get("/api/state", headers=window) as answer:
            state = await answer.json()
        turned = {
            "kind": "viewer",
            "viewer_id": str(world.people[0].id),
            "protocol_version": state["protocolVersion"],
            "sequence": 1,
            "request_id": "turned",
            "generation": state["context"]["generation"],
            "bot_generation": state["botGeneration"],
            "published_revision": state["publishedRevision"],
        }
        started, shown, helped = await asyncio.gather(
            post("/cuatro/line", {"line": "/connect4 start 5x4 easy"}),
            post("/api/action", turned),
            post("/cuatro/line", {"line": "/help"}),
        )
        assert not shown["rejected"]
        assert (started, helped) == ({}, {})
