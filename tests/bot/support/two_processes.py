"""Two processes that make moves in the same games of one database at the same time.

Both always ask for the next move of the same game, so most requests come too late. Afterwards each
stored move must be one that exactly one process saw stored.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import signal
import sys
from dataclasses import dataclass
from random import Random
from time import perf_counter
from typing import TYPE_CHECKING

from bot.game.refusal import Control, Refusal
from bot.settings import UNLIMITED, Settings
from bot.store.games import MoveTaken
from bot.store.records import GameSetup, MoveRecord, SeatRecord
from bot.store.store import Store
from tests.builders import ROOT
from tests.children import Child

if TYPE_CHECKING:
    from bot.feature import Services

MOVES = 42
"""Moves per game."""
AT_ONCE = 4
"""Concurrent clicks in each process."""
PLAYERS = (1, 2)
"""Ids of the players, one for each process."""
SHORTEST = 7
"""Moves of the shortest legal game."""


@dataclass(frozen=True, slots=True)
class Contest:
    """The results of all clicks."""

    clicks: int
    acknowledged: int
    """Clicks that a process was answered are stored."""
    stored: int
    """Moves in the database."""
    doubles: int
    """Moves that were acknowledged for more than one click."""
    lost: int
    """Moves that were acknowledged and are not stored, or are another's."""
    seconds: float


async def contend(address: str, clicks: int, through: str = "store") -> Contest:
    """Have two processes click `clicks` times in all on the games of a new database."""
    store = Store(address)
    await store.open()
    # Games against oneself are not rated, so nothing is evaluated meanwhile.
    players = PLAYERS if through == "store" else PLAYERS[:1] * 2
    seats = SeatRecord(players[0], None), SeatRecord(players[1], None)
    try:
        for channel in range(1, clicks // (MOVES if through == "store" else SHORTEST) + 2):
            opening = GameSetup("connect4", "6x7", channel, None, "en", *seats, 1)
            await store.games.add(opening, 1.0)
        began = perf_counter()
        by_process = await asyncio.gather(
            *(_process(address, player, clicks // 2, through) for player in PLAYERS)
        )
        seconds = perf_counter() - began
        compared = _compared if through == "store" else _counted
        return await compared(store, by_process, clicks // 2 * 2, seconds)
    finally:
        await store.close()


async def _process(address: str, player: int, clicks: int, through: str) -> set[tuple[int, int]]:
    """Run one process; returns the acknowledged moves, by game and number."""
    call = [
        "-m",
        "tests.bot.support.two_processes",
        "--player",
        str(player),
        "--clicks",
        str(clicks),
    ]
    command = (sys.executable, *call, "--address", address, "--through", through)
    async with Child(*command, cwd=ROOT, stop=signal.SIGKILL) as child:
        ended = await asyncio.to_thread(child.wait, 60 + clicks)
    if ended.status:
        raise ChildProcessError(f"a process ended with {ended.status}: {ended.err}")
    return {(game, number) for game, number in json.loads(ended.out)}


async def _compared(
    store: Store, by_process: list[set[tuple[int, int]]], clicks: int, seconds: float
) -> Contest:
    stored: dict[tuple[int, int], int | None] = {}
    for game in await store.games.running():
        for number, move in enumerate(game.moves, 1):
            stored[game.id, number] = move.user_id
    lost = sum(
        stored.get(move) != player
        for player, moves in zip(PLAYERS, by_process, strict=True)
        for move in moves
    )
    acknowledged = sum(map(len, by_process))
    doubles = len(by_process[0] & by_process[1])
    return Contest(clicks, acknowledged, len(stored), doubles, lost, seconds)


async def _counted(
    store: Store, by_process: list[set[tuple[int, int]]], clicks: int, seconds: float
) -> Contest:
    """Compare stored moves with acknowledged clicks; each process moves for both players."""
    stored: set[tuple[int, int]] = set()
    for game_id in range(1, clicks // SHORTEST + 2):
        game = await store.games.find(game_id)
        assert game is not None
        stored.update((game_id, number) for number in range(1, len(game.moves) + 1))
    doubles, acknowledged = len(by_process[0] & by_process[1]), sum(map(len, by_process))
    return Contest(
        clicks,
        acknowledged,
        len(stored),
        doubles,
        len((by_process[0] | by_process[1]) - stored),
        seconds,
    )


async def press(address: str, player: int, clicks: int) -> list[tuple[int, int]]:
    """Press buttons of the first running game; returns the acknowledged moves."""
    # Loaded late, because a process that only writes to the store starts quicker without it.
    from bot.app import open_services

    settings = Settings(database_url=address, workers=1, limits=UNLIMITED)
    left, made, rng = iter(range(clicks)), list[tuple[int, int]](), Random(player)

    async def click_on(services: Services, channels: list[int]) -> None:
        for _ in left:
            while (session := await services.sessions.games.current(here := channels[0])) is None:
                if channels[0] == here:
                    channels.pop(0)
            control, user = Control(session.id, session.number), session.mover.user_id
            assert user is not None
            column, channel = str(rng.randint(1, 7)), session.channel_id
            try:
                after = await services.sessions.play(channel, user, column, control=control)
            except Refusal:
                continue
            made.append((after.id, len(after.moves)))

    async with open_services(settings) as services:
        channels = [game.setup.channel_id for game in await services.store.games.running()]
        await asyncio.gather(*(click_on(services, channels) for _ in range(AT_ONCE)))
    return made


async def click(address: str, player: int, clicks: int) -> list[tuple[int, int]]:
    """Store the next move of the first game that is not full; returns the stored moves."""
    store = Store(address)
    await store.open()
    games = [game.id for game in await store.games.running()]
    left, made = iter(range(clicks)), []

    async def click_on() -> None:
        for _ in left:
            game_id, number = await _next(store, games)
            move = MoveRecord(player, player, "4", False, 2.0, 1.0)
            try:
                await store.games.append(game_id, number, move, look_at=None)
            except MoveTaken:
                continue
            made.append((game_id, number))

    try:
        await asyncio.gather(*(click_on() for _ in range(AT_ONCE)))
    finally:
        await store.close()
    return made


async def _next(store: Store, games: list[int]) -> tuple[int, int]:
    """The current game and its next move; full games are dropped."""
    while True:
        game_id = games[0]
        found = await store.games.find(game_id)
        assert found is not None
        if len(found.moves) < MOVES:
            return game_id, len(found.moves) + 1
        if games[0] == game_id:
            games.pop(0)


def main() -> None:
    """Run one of the two processes, and print the moves that it saw stored."""
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("--player", "--clicks"):
        parser.add_argument(name, type=int, required=True)
    for name in ("--address", "--through"):
        parser.add_argument(name, required=True)
    given = parser.parse_args()
    go = click if given.through == "store" else press
    print(json.dumps(asyncio.run(go(given.address, given.player, given.clicks))))  # noqa: T201


if __name__ == "__main__":
    main()
