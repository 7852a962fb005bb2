"""A game of another distribution, installed and played through the real program."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import sqlite3
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, closing
from pathlib import Path
from shutil import copyfile, copytree, ignore_patterns

import pytest

from tests.bot.databases import address_of
from tests.bot.discord_server import LATER_MESSAGE, MESSAGE, TOKEN, DiscordServer, Json
from tests.bot.present import FEATURES
from tests.bot.support.command_limits import require_within_limits
from tests.builders import ROOT
from tests.children import Child

pytestmark = pytest.mark.long

EXAMPLE = ROOT / "examples" / "popout"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the installed example, built offline with installed packages."""
    folder = tmp_path_factory.mktemp("installed")
    # Building writes into the sources, so it uses a copy.
    source = copytree(EXAMPLE, folder / "popout", ignore=ignore_patterns("build", "*.egg-info"))
    offline = ("--no-index", "--no-deps", "--no-build-isolation", "--disable-pip-version-check")
    made = subprocess.run(
        [sys.executable, "-m", "pip", "install", *offline, "--target", folder / "site", source],
        capture_output=True,
        text=True,
        check=False,
    )
    assert made.returncode == 0, made.stdout + made.stderr
    return folder / "site"


@pytest.fixture
def broken(site: Path, tmp_path: Path) -> Iterator[Path]:
    """The same installation without one of its texts."""
    copy = copytree(site, tmp_path / "site")
    texts = copy / "popout" / "texts" / "es.po"
    without = texts.read_text("utf-8").replace("hint.area.popout.pop", "hint.other")
    texts.write_text(without, "utf-8")
    return copy


def test_an_installed_game_passes_the_suite_of_all_games(site: Path) -> None:
    """An installed game passes its own tests, and those of every registered game."""
    suite = [ROOT / "tests" / "engine" / name for name in ("games/conformance", "core")]
    # All tests of the example have this word in their path.
    chosen = ("-v", "-n", "0", "-p", "no:cacheprovider", "-k", "popout", *suite, EXAMPLE / "tests")
    ran = subprocess.run(
        [sys.executable, "-m", "pytest", *chosen],
        cwd=ROOT,
        env={**_environment(), "PYTHONPATH": os.pathsep.join(map(str, (site, ROOT)))},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout
    own = (EXAMPLE / "tests" / "test_popout.py").read_text("utf-8")
    names = re.findall(r"^def (test_\w+)", own, re.MULTILINE)
    assert [name for name in names if f"test_popout.py::{name}" not in ran.stdout] == []
    for folder in ("conformance", "core"):
        assert re.search(rf"{folder}/\w+\.py::\S*popout\S* PASSED", ran.stdout), folder


async def test_it_is_played_judged_reviewed_and_rated(site: Path, database: Path) -> None:
    """A game by command and button ends and is reviewed and rated; then a hint works."""
    async with DiscordServer() as server:
        async with _started(server, database, site):
            (sent,) = server.sent("PUT", "/commands")
            require_within_limits(sent.payload, longer=1.3)
            game = _Game(server, await server.start_game(family="popout", level="easy"))
            await server.answer(await server.command("drop", family="popout", column=4))
            await server.until(lambda: game.number > 1)
            await server.answer(await server.command("pop", family="popout", column=4))
            await server.until(lambda: game.number > 3)
            while not game.is_over:
                await game.play_on()
            assert "4" in game.message["attachments"][0]["description"]

            def rating() -> bool:
                return "more games and you get a rating." in str(game.message["content"])

            await server.until(rating)
            if "reviews" in FEATURES:
                review = await game.private("review")
                assert "Your game against me" in str(review["content"])
                if "replays" in FEATURES:
                    ids = [
                        one["custom_id"]
                        for row in review["components"]
                        for one in row["components"]
                    ]
                    pressed = await server.press(review, next(i for i in ids if ":replay:" in i))
                    await server.answer(pressed)
                    replay = await server.until(lambda: _complete(server.message_of(pressed)))
                    assert replay["attachments"]
            lists = {"statistics": ("stats", "leaderboard", "history"), "league": ("league",)}
            for name in (name for one, names in lists.items() if one in FEATURES for name in names):
                answer = await server.answer(await server.command(name, family="popout"))
                assert answer.payload["type"] in (MESSAGE, LATER_MESSAGE), name

            second = _Game(server, await server.start_game(family="popout", level="medium"))
            await second.play_on()
            if "hints" in FEATURES:
                await _hint(server)

        with closing(sqlite3.connect(database)) as stored:
            rated = stored.execute(
                "SELECT ratings.ladder, ratings.games FROM ratings JOIN rating_changes"
                " USING (user_id, ladder) JOIN games ON games.id = rating_changes.game_id"
            ).fetchall()
            judged = stored.execute("SELECT ladder FROM unaided").fetchall()
        assert rated == [("popout", 1)]
        assert judged == [("popout",)]

        # If it is left out or missing, the game is unknown to this version.
        async with _started(server, database, site, CUATRO_GAMES_WITHOUT="popout"):
            await server.until(lambda: not second.buttons)


async def _hint(server: DiscordServer) -> None:
    """Ask for a hint and confirm it."""
    token = await server.command("hint", family="popout", level="area")
    await server.answer(token)
    # It must be confirmed, because it makes the game unrated.
    await server.until(lambda: server.message_of(token).get("components"))
    offered = server.message_of(token)
    (confirm, *_) = offered["components"][0]["components"]
    shown = await server.press(offered, confirm["custom_id"])
    await server.answer(shown)
    hint = await server.until(lambda: _complete(server.message_of(shown)))
    assert "Look at the" in hint["content"]


async def test_a_broken_package_stops_the_start(broken: Path, database: Path) -> None:
    """A broken package stops the start with status 2.

    One sentence names the game, the missing part and the way to start without it.
    """
    async with DiscordServer() as server:
        async with _start(server, database, broken) as child:
            ended = await asyncio.to_thread(child.wait)
        assert ended.status == 2
        (line,) = ended.err.splitlines()
        assert line.startswith("cuatro: the game popout: texts: es.po has no hint.area.popout.pop")
        assert "CUATRO_GAMES_WITHOUT=popout" in line
        async with _started(server, database, broken, CUATRO_GAMES_WITHOUT="popout"):
            (sent,) = await server.until(lambda: server.sent("PUT", "/commands"))
            names = {one["name"] for one in sent.payload}
    assert "gato" in names
    assert "popout" not in names


@pytest.fixture
def database(migrated: Path, tmp_path: Path) -> Path:
    """An empty database of the newest version."""
    return Path(copyfile(migrated, tmp_path / "games.db"))


class _Game:
    """A game on a channel's board, played by its buttons."""

    def __init__(self, server: DiscordServer, board: Json) -> None:
        self._server, self._id = server, board["id"]

    @property
    def message(self) -> Json:
        """The board's present message."""
        return self._server.messages[self._id]

    @property
    def buttons(self) -> list[str]:
        """The ids of the enabled buttons."""
        rows = self.message.get("components", [])
        return [
            one["custom_id"]
            for row in rows
            for one in row["components"]
            if not one.get("disabled") and one.get("custom_id")
        ]

    @property
    def moves(self) -> list[str]:
        """The ids of the move buttons."""
        return [one for one in self.buttons if one.startswith("cuatro:move:")]

    @property
    def number(self) -> int:
        """The number of moves made, if a person is to move; 0 if no move is possible now."""
        return max((int(one.split(":")[3]) for one in self.moves), default=0)

    @property
    def is_over(self) -> bool:
        """Whether another game can be begun."""
        return any(one.startswith("cuatro:rematch:") for one in self.buttons)

    async def play_on(self) -> None:
        """Make the first possible move, and wait for the answer."""
        await self._server.until(lambda: self.moves)
        number = self.number
        token = await self._server.press(self.message, self.moves[0])
        await self._server.answer(token)
        await self._server.until(lambda: self.is_over or self.number > number)

    async def private(self, action: str) -> Json:
        """Press a button of a finished game, and return the private answer."""
        button = next(one for one in self.buttons if one.startswith(f"cuatro:{action}:"))
        token = await self._server.press(self.message, button)
        await self._server.answer(token)
        server = self._server
        return await server.until(lambda: _complete(server.message_of(token)))


def _complete(message: Json) -> Json | None:
    """Return a message once it has a picture."""
    return message if message.get("attachments") else None


@asynccontextmanager
async def _started(
    server: DiscordServer, database: Path, site: Path, **more: str
) -> AsyncIterator[None]:
    """Run `cuatro` in a separate process, from its connection until it is stopped."""
    before = len(server.greetings)
    async with _start(server, database, site, **more) as child:
        connected = server.until(lambda: len(server.greetings) > before and server.bots)
        await child.brings(connected)
        yield
    assert child.status in (0, -15, 143)


def _start(server: DiscordServer, database: Path, site: Path, **more: str) -> Child:
    return Child(
        *(sys.executable, "-m", "bot"),
        env=_environment()
        | {
            "PYTHONPATH": os.pathsep.join(map(str, (site, ROOT))),
            "DISCORD_TOKEN": TOKEN,
            "DISCORD_API_URL": server.api_url,
            "DISCORD_GATEWAY_URL": server.gateway_url,
            "DATABASE_URL": address_of(database),
            "CUATRO_HEALTH_PORT": "0",
        }
        | more,
        cwd=database.parent,
        stop=signal.SIGTERM,
        patience=60,
    )


def _environment() -> dict[str, str]:
    """This process's environment without the bot's settings."""
    return {k: v for k, v in os.environ.items() if not k.startswith(("DISCORD_", "CUATRO_"))}
