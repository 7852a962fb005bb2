"""Whether ratings depend on the machine's load: the same games, idle and under load, bit by bit.

Usage: python -m benchmarks.ratings_under_load [--games 200]

Newcomers play seeded games against each other up to the move that ends them; then all games end at
once. Evidence from the moves of each is found while other threads keep every core busy, or not.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import os
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from time import perf_counter

from bot.app import open_services
from bot.feature import Services
from bot.settings import Settings
from bot.store.records import GameSetup, Rating, person
from engine.core.registry import game_of
from engine.strength.ladder import ladder_of, size_class

GAME = game_of("connect4", "6x7")


def moves_of(number: int) -> list[str]:
    """A whole game between two of the ladder's rungs, as players write it."""
    rng, position, moves = Random(number), GAME.start(), list[str]()
    rungs = ladder_of(GAME).rungs[:8]
    agents = rng.choice(rungs).agent, rng.choice(rungs).agent
    while position.outcome is None:
        move = agents[position.to_move - 1].choose(position, rng=rng).move
        moves.append(GAME.label(move))
        position = position.play(move)
    return moves


async def rate(games: list[list[str]], url: str) -> tuple[list[Rating], float]:
    """End all games at once; the ratings after that, and the seconds until all were rated."""
    async with open_services(Settings(database_url=url), Random(1), lambda: 1e9) as services:
        services.ratings.start()
        for number, moves in enumerate(games):
            await _play(services, number, moves[:-1])
        began = perf_counter()
        await asyncio.gather(*(_play_on(services, n, moves[-1]) for n, moves in enumerate(games)))
        users = [user for number in range(len(games)) for user in _players(number)]
        for user in users:
            await services.ratings.settled(user, 600.0)
        seconds = perf_counter() - began
        found = [await services.store.ratings.of(user, size_class(GAME)) for user in users]
    return [record.rating for record in found if record is not None], seconds


async def _play(services: Services, number: int, moves: list[str]) -> None:
    one, other = _players(number)
    await services.sessions.start(
        GameSetup(GAME.key, GAME.variant, number, 1, "en", person(one), person(other), one)
    )
    for move in moves:
        await _play_on(services, number, move)


async def _play_on(services: Services, number: int, move: str) -> None:
    session = await services.sessions.games.present(number)
    assert session.mover.user_id is not None
    await services.sessions.play(number, session.mover.user_id, move)


def _players(number: int) -> tuple[int, int]:
    return 1000 + 2 * number, 1001 + 2 * number


@contextmanager
def load(threads: int) -> Iterator[None]:
    """Keep cores busy."""
    stop = threading.Event()

    def burn() -> None:
        while not stop.is_set():
            hashlib.sha256(bytes(5_000_000))

    hogs = [threading.Thread(target=burn) for _ in range(threads)]
    for hog in hogs:
        hog.start()
    try:
        yield
    finally:
        stop.set()
        for hog in hogs:
            hog.join()


def main() -> None:
    """Print both runs and whether they agree."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=200)
    games = [moves_of(number) for number in range(parser.parse_args().games)]
    found = []
    with tempfile.TemporaryDirectory() as folder:
        for name, threads in (("idle", 0), ("loaded", 2 * (os.cpu_count() or 1))):
            url = f"sqlite+aiosqlite:///{Path(folder, name).as_posix()}.db"
            with load(threads):
                ratings, seconds = asyncio.run(rate(games, url))
            digest = hashlib.sha256(repr(ratings).encode()).hexdigest()[:16]
            print(f"{name}: {len(ratings)} ratings in {seconds:.1f} s, digest {digest}")
            found.append(ratings)
    differ = sum(one != other for one, other in zip(*found, strict=True))
    print(f"{differ} of {len(found[0])} ratings differ")


if __name__ == "__main__":
    main()
