"""What remains in memory after many games: `python -m benchmarks.leaks --games 20000`.

The real client plays on a simulated Discord in this process, over HTTP and WebSocket, with many
users and channels: games against agents, between people and between agents, with hints, undos and
resignations. At the end no session, lock, task, view or interaction token may remain, and no class
of the bot may have more objects than after the first tenth of the games.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import sqlite3
import tempfile
from collections import Counter
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from random import Random
from time import perf_counter

from benchmarks.printing import table as markdown_table
from bot.run import online
from bot.settings import Settings
from tests.bot.discord_server import GUILD, TOKEN, DiscordServer
from tests.bot.support.wire.ledger import Ledger
from tests.bot.support.wire.tables import Table, button_for, is_over

TABLES = 40
"""Number of concurrent games."""
SETTLING = 30.0
"""Seconds within which the work of the last games must end."""
PAUSE = 0.2
"""Shortest pause of players after a new board in seconds."""
PATIENCE = 30.0
"""Seconds that players wait for a response before they abandon a game."""
ATTEMPTS = 20
"""Attempts to resign before players abandon a game."""
SLACK = 50
"""Allowed random difference between two counts of a class."""
KEPT_FOR_MINUTES = (
    "bot.discord.replies._Token", "discord.interactions.Interaction", "discord.message.Message",
)  # fmt: skip
"""Classes whose objects live as long as interaction tokens, 15 minutes, up to 1,000 boards."""
OWN_MODULES = ("bot.", "engine.core.game", "engine.core.limits", "engine.core.jobs")
LIBRARY_CLASSES = {
    "asyncio.locks.Lock", "_asyncio.Task", "_asyncio.Future", "discord.ui.view.View",
    "discord.ui.button.Button", "discord.interactions.Interaction", "discord.message.Message",
    "discord.file.File", "discord.http.Ratelimit",
}  # fmt: skip
FAMILIES = ("connect4", "gato", "boom")


@dataclass(frozen=True, slots=True)
class Remains:
    """Counts of objects after a tenth of the games and at the end."""

    games: int
    stuck: int
    """Games that were abandoned after a timeout."""
    running: int
    """Running games in the store at the end; each may have a session."""
    seconds: float
    early: Counter[str]
    late: Counter[str]

    @property
    def grown(self) -> dict[str, int]:
        """The classes with more objects at the end, and the increase."""
        more = {name: count - self.early[name] for name, count in self.late.items()}
        return {name: count for name, count in sorted(more.items()) if count > SLACK}

    def table(self) -> str:
        """The counts as a Markdown table: the main classes, then all classes that have grown."""
        asked = {
            "sessions": "bot.game.session.Session",
            "locks": "asyncio.locks.Lock",
            "tasks": "_asyncio.Task",
            "views": "discord.ui.view.View",
            "interaction tokens": "bot.discord.replies._Token",
            "interactions": "discord.interactions.Interaction",
        }
        rows: list[tuple[object, ...]]
        rows = [(what, self.early[name], self.late[name]) for what, name in asked.items()]
        rows += [(name, self.early[name], self.late[name]) for name in self.grown]
        rows.append(("running games in the store", "", self.running))
        stuck = f" ({self.stuck} stuck)" if self.stuck else ""
        title = f"{self.games:,} games{stuck}, {self.seconds:.0f} s"
        return markdown_table((title, "after a tenth", "at the end"), rows)


def counts() -> Counter[str]:
    """The number of objects of each checked class."""
    gc.collect()
    found: Counter[str] = Counter()
    for one in gc.get_objects():
        kind = type(one)
        name = f"{kind.__module__}.{kind.__qualname__}"
        if name in LIBRARY_CLASSES or name.startswith(OWN_MODULES):
            found[name] += 1
    # discord.py keeps a rate limit with a lock per channel and token for some minutes, and so does
    # each interaction that is kept (`bot.discord.replies`).
    kept = found.pop("discord.http.Ratelimit", 0) + found["discord.interactions.Interaction"]
    found["asyncio.locks.Lock"] -= kept
    return found


async def play_one(table: Table, rng: Random) -> None:
    """Begin a game, take random actions, and end it; a timeout is counted by the table."""
    table.move_away()
    try:
        await _play_through(table, rng)
    except TimeoutError:
        table.silent += 1


async def _play_through(table: Table, rng: Random) -> None:
    if rng.random() < 0.1:
        await _watch(table)
        return
    await table.begin()
    await asyncio.sleep(PAUSE)
    for action in rng.choices(("move", "hint", "undo"), (6, 1, 1), k=rng.choice((1, 2, 3, 8))):
        board = table.board
        if board is None or is_over(board):
            return
        if action == "move":
            await table.move(board)
        elif (button := button_for(board, action)) is not None:
            answered = table.server.interactions.answered
            token = await table.server.press(board, button, user_id=table.people[0])
            await table.server.until(partial(answered.__contains__, token))
    for _ in range(ATTEMPTS):
        if (board := table.board) is None or is_over(board):
            return
        await table.give_up(board)
    raise TimeoutError


async def _watch(table: Table) -> None:
    """Begin a game between agents and stop it."""
    server, user = table.server, table.people[0]
    token = await server.command(
        "watch", family="connect4", channel=table.channel, user_id=user, size="5x4"
    )
    await server.until(lambda: token in server.interactions.answered)
    # A busy bot first responds that it takes longer.
    await server.until(lambda: table.board)
    await asyncio.sleep(PAUSE)
    while (board := table.board) is not None and not is_over(board):
        stop = button_for(board, "stop")
        if stop is not None:
            await server.press(board, stop, user_id=user)
        await table.settled()


async def play_batch(tables: list[Table], rng: Random) -> None:
    """Play a game at each table, and clear the records of the simulated Discord."""
    await asyncio.gather(*(play_one(table, rng) for table in tables))
    server = tables[0].server
    server.requests.clear()
    server.board.clear()
    server.interactions.clear()
    tables[0].ledger.clear()
    del server.guilds[GUILD][1:]
    for each in tables:
        each.waits.clear()


async def run(games: int, folder: Path, tables: int = TABLES) -> Remains:
    """Play `games` games and count the remaining objects."""
    async with DiscordServer(keeps=1000) as server:
        settings = Settings(
            token=TOKEN,
            database_url=f"sqlite+aiosqlite:///{(folder / 'cuatro.db').as_posix()}",
            api_url=server.api_url,
            gateway_url=server.gateway_url,
            health_port=0,
            watch_vote=0,
        )
        bot = asyncio.create_task(online.serve(settings))
        try:
            await server.until(lambda: server.bots)
            found = await _play(server, games, tables)
            return replace(found, running=_running(folder / "cuatro.db"))
        finally:
            bot.cancel()
            await asyncio.gather(bot, return_exceptions=True)


async def _play(server: DiscordServer, games: int, number: int) -> Remains:
    # Objects that were there before are not counted.
    before = counts()
    rng, ledger = Random(1), Ledger(server)
    tables = [
        Table(
            *(server, ledger, Random(n), FAMILIES[n % 3]),
            between_people=n % 4 == 0,
            answer_seconds=PATIENCE,
        )
        for n in range(min(number, games))
    ]
    await play_batch(tables, rng)
    early, began, played = Counter[str](), perf_counter(), len(tables)
    while played < games:
        await play_batch(tables, rng)
        played += len(tables)
        if not early and played >= games / 10:
            early = await _settled(before)
    late = await _settled(before)
    stuck = sum(table.silent for table in tables)
    return Remains(played, stuck, 0, perf_counter() - began, early, late)


def _running(database: Path) -> int:
    """The number of running games in a database."""
    with closing(sqlite3.connect(database)) as connection:
        found = connection.execute("SELECT count(*) FROM games WHERE finished_at IS NULL")
        return int(found.fetchone()[0])


async def _settled(before: Counter[str]) -> Counter[str]:
    """Counts beyond `before` once no session remains, or after SETTLING seconds."""
    until = perf_counter() + SETTLING
    while True:
        await asyncio.sleep(SETTLING / 10)
        found = counts() - before
        if not found["bot.game.session.Session"] or perf_counter() > until:
            return found


def main() -> None:
    """Print the counts of remaining objects."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=20_000)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        print(asyncio.run(run(options.games, Path(folder))).table())


if __name__ == "__main__":
    main()
