"""Each registered game is played and rated once through the real program."""

from __future__ import annotations

import os
import signal
import sqlite3
import sys
from collections.abc import AsyncIterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from shutil import copyfile

import pytest
import pytest_asyncio

import bot.__main__ as program
from bot.show.texts import has_sizes
from engine.core.registry import game_of, games
from engine.strength.ladder import size_class
from tests.bot.databases import address_of
from tests.bot.discord_server import TOKEN, DiscordServer, Json
from tests.children import Child

pytestmark = [pytest.mark.long, pytest.mark.asyncio(loop_scope="module")]


@dataclass(frozen=True, slots=True)
class Started:
    """The running program, connected to a Discord."""

    server: DiscordServer
    file: Path
    """The program's database."""


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def started(
    tmp_path_factory: pytest.TempPathFactory, migrated: Path
) -> AsyncIterator[Started]:
    """`cuatro` in a separate process on SQLite, which prepares the engine as at every start."""
    folder = tmp_path_factory.mktemp("started")
    file = Path(copyfile(migrated, folder / "games.db"))
    usual = {k: v for k, v in os.environ.items() if not k.startswith(("DISCORD_", "CUATRO_"))}
    async with DiscordServer() as server:
        async with Child(
            *(sys.executable, "-m", "bot"),
            env=usual
            | {
                "PYTHONPATH": str(Path(program.__file__).parents[1]),
                "DISCORD_TOKEN": TOKEN,
                "DISCORD_API_URL": server.api_url,
                "DISCORD_GATEWAY_URL": server.gateway_url,
                "DATABASE_URL": address_of(file),
                "CUATRO_HEALTH_PORT": "0",
            },
            cwd=folder,
            stop=signal.SIGTERM,
            patience=60,
        ) as child:
            await child.brings(server.until(lambda: server.bots))
            yield Started(server, file)
        assert child.status in (0, -15, 143), child.output


@pytest.mark.parametrize("family", games())
async def test_a_registered_game_is_played_and_rated(started: Started, family: str) -> None:
    """The first possible move is made by button until the game ends; then a rating is shown."""
    server = started.server
    variant = games()[family].variants[0]
    options = {"size": variant} if has_sizes(family) else {}
    board = await server.start_game(family=family, level="easy", **options)

    def is_turn(after: int) -> bool:
        return is_over() or any(number > after for number, _ in moves())

    def moves() -> list[tuple[int, str]]:
        """The possible moves on the board, each with its number and its button's id."""
        free = (one["custom_id"] for one in buttons(server.messages[board["id"]]))
        return [(int(i.split(":")[3]), i) for i in free if i.startswith("cuatro:move:")]

    def is_over() -> bool:
        ids = [one["custom_id"] for one in buttons(server.messages[board["id"]])]
        return any(one.startswith("cuatro:rematch:") for one in ids)

    number = 0
    await server.until(lambda: is_turn(0))
    while not is_over():
        number, button = moves()[0]
        await server.answer(await server.press(server.messages[board["id"]], button))
        await server.until(lambda made=number: is_turn(made))
    assert number > 2, "it was played"

    def rating() -> bool:
        content = str(server.messages[board["id"]]["content"])
        return "more games and you get a rating." in content

    await server.until(rating)
    with closing(sqlite3.connect(started.file)) as database:
        (found,) = database.execute(
            "SELECT ratings.ladder, ratings.games FROM ratings JOIN rating_changes USING"
            " (user_id, ladder) JOIN games ON games.id = rating_changes.game_id"
            " WHERE games.family = ?",
            (family,),
        ).fetchall()
    assert found == (size_class(game_of(family, variant)), 1)


def buttons(message: Json) -> list[Json]:
    """The enabled buttons of a message."""
    rows = message.get("components", [])
    return [one for row in rows for one in row["components"] if not one.get("disabled")]
