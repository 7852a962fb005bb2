"""What remains in memory after many games: `python -m benchmarks.leaks --games 20000`.

The real client plays on the stand-in for Discord in this process, over HTTP and WebSocket, as many
people in many channels: games against agents, between people and between agents, with hints, undos
and resignations, none of which is left running. Then no session, lock, task, view or lifeline may
remain, and no object of the bot's own classes may have become more than after the first tenth.
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
from pathlib import Path
from random import Random
from time import perf_counter

from bot.run import online
from bot.settings import Settings
from tests.bot.discord_server import GUILD, TOKEN, DiscordServer
from tests.bot.support.wire.ledger import Ledger
from tests.bot.support.wire.tables import Table, button_for, is_over

TABLES = 40
"""Games at once."""
SETTLING = 30.0
"""Seconds within which what the last games have begun comes to its end."""
PAUSE = 0.2
"""Seconds that people look at a new board at least."""
PATIENCE = 30.0
"""Seconds that people wait for an answer before they leave a game as it is."""
ATTEMPTS = 20
"""How often people try to resign before they leave a game as it is."""
SLACK = 50
"""By how many objects of a class two counts may differ by chance."""
KEPT_FOR_MINUTES = (
    "bot.discord.replies._Line", "discord.interactions.Interaction", "discord.message.Message",
)  # fmt: skip
"""What lives as long as the tokens of interactions do, a quarter of an hour, up to 1,000 boards."""
OURS = ("bot.", "engine.core.game", "engine.core.limits", "engine.core.jobs")
THEIRS = {
    "asyncio.locks.Lock", "_asyncio.Task", "_asyncio.Future", "discord.ui.view.View",
    "discord.ui.button.Button", "discord.interactions.Interaction", "discord.message.Message",
    "discord.file.File", "discord.http.Ratelimit",
}  # fmt: skip
FAMILIES = ("connect4", "gato", "boom")


@dataclass(frozen=True, slots=True)
class Remains:
    """How much there is of what, early and at the end."""

    games: int
    stuck: int
    """Games that did not go on in time, and were left as they are."""
    running: int
    """Games that are running in the store at the end; each may have a session."""
    seconds: float
    early: Counter[str]
    late: Counter[str]

    @property
    def grown(self) -> dict[str, int]:
        """The classes of which there are more at the end, and how many more."""
        more = {name: count - self.early[name] for name, count in self.late.items()}
        return {name: count for name, count in sorted(more.items()) if count > SLACK}

    def table(self) -> str:
        """The counts as a Markdown table: what people ask for first, then whatever has grown."""
        asked = {
            "sessions": "bot.game.session.Session",
            "locks": "asyncio.locks.Lock",
            "tasks": "_asyncio.Task",
            "views": "discord.ui.view.View",
            "lifelines": "bot.discord.replies._Line",
            "interactions": "discord.interactions.Interaction",
        }
        rows = [(what, self.early[name], self.late[name]) for what, name in asked.items()]
        rows += [(name, self.early[name], self.late[name]) for name in self.grown]
        lines = [f"| {what} | {early} | {late} |" for what, early, late in rows]
        lines.append(f"| running games in the store | | {self.running} |")
        stuck = f" ({self.stuck} stuck)" if self.stuck else ""
        title = (
            f"| {self.games:,} games{stuck}, {self.seconds:.0f} s | after a tenth | at the end |"
        )
        return "\n".join([title, "| --- | ---: | ---: |", *lines])


def counts() -> Counter[str]:
    """How many objects there are of each class that is looked at."""
    gc.collect()
    found: Counter[str] = Counter()
    for one in gc.get_objects():
        kind = type(one)
        name = f"{kind.__module__}.{kind.__qualname__}"
        if name in THEIRS or name.startswith(OURS):
            found[name] += 1
    # discord.py remembers a rate limit for each channel and token, some minutes long, with a lock.
    # So has an interaction that is kept (`bot.discord.replies`).
    kept = found.pop("discord.http.Ratelimit", 0) + found["discord.interactions.Interaction"]
    found["asyncio.locks.Lock"] -= kept
    return found


async def play_one(table: Table, rng: Random) -> None:
    """Begin a game, do this and that in it, and end it."""
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
            token = await table.server.press(board, button, user_id=table.people[0])
            await table.server.until(lambda one=token: one in table.server.interactions.answered)
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
    # A bot with much to do answers with a word to wait first.
    await server.until(lambda: table.board)
    await asyncio.sleep(PAUSE)
    while (board := table.board) is not None and not is_over(board):
        stop = button_for(board, "stop")
        if stop is not None:
            await server.press(board, stop, user_id=user)
        await table.settled()


async def play_batch(tables: list[Table], rng: Random) -> None:
    """Play a game at each table, and forget on the stand-in what was said."""
    await asyncio.gather(*(play_one(table, rng) for table in tables))
    server = tables[0].server
    server.requests.clear()
    server.board.clear()
    server.interactions.clear()
    tables[0].ledger.clear()
    del server.guilds[GUILD][1:]
    for table in tables:
        table.waits.clear()


async def run(games: int, folder: Path, tables: int = TABLES) -> Remains:
    """Play so many games and count what remains."""
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
    # What others have left in this process is not what is looked for.
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
    """How many games are running in a database."""
    with closing(sqlite3.connect(database)) as connection:
        found = connection.execute("SELECT count(*) FROM games WHERE finished_at IS NULL")
        return int(found.fetchone()[0])


async def _settled(before: Counter[str]) -> Counter[str]:
    """What there is more than `before` once no session remains, or after SETTLING seconds."""
    until = perf_counter() + SETTLING
    while True:
        await asyncio.sleep(SETTLING / 10)
        found = counts() - before
        if not found["bot.game.session.Session"] or perf_counter() > until:
            return found


def main() -> None:
    """Print what has remained and what has grown."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=20_000)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        print(asyncio.run(run(options.games, Path(folder))).table())


if __name__ == "__main__":
    main()
