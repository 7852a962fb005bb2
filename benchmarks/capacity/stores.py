"""Time of writes, and storage and memory of games, in both kinds of database."""

from __future__ import annotations

import asyncio
import gc
import sqlite3
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from pathlib import Path
from random import Random
from statistics import median
from time import perf_counter

import asyncpg

from benchmarks.capacity.figures import Size, Writes
from benchmarks.store_writes import WRITERS, open_games, write_moves
from bot.app import open_services
from bot.feature import Services
from bot.settings import UNLIMITED, Settings
from bot.store.records import GameSetup, agent, person
from bot.store.store import Store
from engine.core.registry import game_of
from engine.core.registry import games as all_games
from tests.bot.support.postgres import in_full, postgres
from tests.bot.support.wire.sampled import memory

MOVES = 40
"""Moves per writer."""
RUNNING = 1000
"""Number of running games for the measurement of memory."""
AT_ONCE = 20
"""Number of concurrent games, each of another user."""


async def write_speed(address: str) -> Writes:
    """Append moves in a new database: one writer, then fifteen."""
    store = Store(address)
    await store.open()
    try:
        games = await open_games(store, 2 * WRITERS)
        await write_moves(store, games.pop(), MOVES)  # opens connections and fills caches
        alone = await write_moves(store, games.pop(), 2 * MOVES)
        began = perf_counter()
        await asyncio.gather(*(write_moves(store, game, MOVES) for game in games[:WRITERS]))
        return Writes(median(alone), (perf_counter() - began) / (WRITERS * MOVES))
    finally:
        await store.close()


async def play_games(services: Services, games: int) -> int:
    """Finish games of all kinds against `easy`; returns the number of moves of both sides."""
    made = 0
    for first in range(0, games, AT_ONCE):
        numbers = range(first, min(games, first + AT_ONCE))
        made += sum(await asyncio.gather(*(_play(services, number) for number in numbers)))
    for user_id in range(1, AT_ONCE + 1):
        await services.ratings.settled(user_id, 120)
    return made


async def _play(services: Services, number: int) -> int:
    rng, family = Random(number), list(all_games().values())[number % len(all_games())]
    game, user_id, channel = (
        game_of(family.key, family.usual),
        number % AT_ONCE + 1,
        10_000 + number,
    )
    seats = person(user_id), agent("easy")
    session = await services.sessions.start(
        GameSetup(game.key, game.variant, channel, 9, "en", *seats, user_id)
    )
    await services.sessions.games.show_in(session, 10**18 + number)
    while not session.is_over:
        move = game.label(rng.choice(session.position.legal_moves()))
        session = await services.sessions.play(channel, user_id, move)
        while (answered := await services.sessions.reply(channel)) is not None:
            session = answered
    return len(session.moves)


async def begin_games(services: Services, games: int) -> float:
    """Bytes of memory per running game with four moves."""
    gc.collect()
    before = memory()
    for first in range(0, games, AT_ONCE):
        await asyncio.gather(*(_begin(services, first + number) for number in range(AT_ONCE)))
    gc.collect()
    return (memory() - before) / games


async def _begin(services: Services, number: int) -> None:
    channel, people = 50_000 + number, (100_000 + 2 * number, 100_001 + 2 * number)
    seats = person(people[0]), person(people[1])
    order = GameSetup("connect4", "6x7", channel, 9, "en", *seats, people[0])
    await services.sessions.start(order)
    for at, move in enumerate("4433"):
        await services.sessions.play(channel, people[at % 2], move)


@asynccontextmanager
async def opened(address: str) -> AsyncIterator[Services]:
    """Services on a database, without rate limits."""
    settings = Settings(database_url=address, workers=1, limits=UNLIMITED, games_per_player=100)
    async with open_services(settings, Random(1)) as services:
        services.ratings.start()
        yield services


def sqlite_used(file: Path) -> tuple[int, int]:
    """Bytes and rows of a database file."""
    with closing(sqlite3.connect(file)) as connection:
        pages, free, size = (
            connection.execute(f"PRAGMA {what}").fetchone()[0]
            for what in ("page_count", "freelist_count", "page_size")
        )
        names = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
        counts = [connection.execute(f'SELECT COUNT(*) FROM "{n}"').fetchone()[0] for (n,) in names]  # noqa: S608  # names of tables from the database
        return (pages - free) * size, sum(counts)


async def postgres_used(address: str) -> int:
    """Bytes of all tables with their indexes."""
    connection = await asyncpg.connect(address.replace("+asyncpg", ""))
    try:
        await connection.execute("VACUUM FULL")
        total = "SELECT SUM(pg_total_relation_size(oid)) FROM pg_class WHERE relkind = 'r'"
        own = " AND relnamespace = 'public'::regnamespace"
        return int(await connection.fetchval(total + own))
    finally:
        await connection.close()


async def measure(games: int) -> tuple[Writes, Writes, Size, float]:
    """Writes to SQLite and PostgreSQL, storage of a game, and memory of a running one."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        sqlite = await write_speed(f"sqlite+aiosqlite:///{(folder / 'writes.db').as_posix()}")
        file = folder / "games.db"
        async with opened(f"sqlite+aiosqlite:///{file.as_posix()}") as services:
            await play_games(services, 60)
            bytes_before, rows_before = sqlite_used(file)
            moves = await play_games(services, games)
            bytes_after, rows_after = sqlite_used(file)
            running = await begin_games(services, RUNNING)
    with postgres() as address:
        server = await write_speed(in_full(address))
    with postgres() as address:
        async with opened(in_full(address)) as services:
            await play_games(services, 60)
            before = await postgres_used(in_full(address))
            await play_games(services, games)
            after = await postgres_used(in_full(address))
    size = Size(
        rows=(rows_after - rows_before) / games,
        sqlite_bytes=(bytes_after - bytes_before) / games,
        postgres_bytes=(after - before) / games,
        moves=moves / games,
    )
    return sqlite, server, size, running
