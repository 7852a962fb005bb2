"""Time of concurrent writes to SQLite: `python -m benchmarks.store_writes`.

Fifteen writers append moves to one game each; then two hundred games end at once. The result
depends mostly on the disk, which `--folder` selects.
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
from collections.abc import Awaitable
from pathlib import Path
from time import perf_counter

from bot.app import end_steps
from bot.store.records import Ending, EndRecord, GameSetup, MoveRecord, SeatRecord
from bot.store.store import Store

WRITERS, MOVES, ENDS = 15, 40, 200


async def open_games(store: Store, games: int) -> list[int]:
    """Begin `games` games, each in its own channel."""
    seats = SeatRecord(1, None), SeatRecord(None, "easy")
    return [
        await store.games.add(GameSetup("connect4", "6x7", channel, None, "en", *seats, 1), 1.0)
        for channel in range(1, games + 1)
    ]


async def timed(work: Awaitable[object]) -> float:
    """The seconds that something takes."""
    began = perf_counter()
    await work
    return perf_counter() - began


async def write_moves(store: Store, game_id: int, moves: int) -> list[float]:
    """Append moves to a game; returns the seconds of each."""
    move = MoveRecord(1, 1, "4", False, 2.0, 1.0, None, None, None, False)
    numbers = range(1, moves + 1)
    return [await timed(store.games.append(game_id, n, move, look_at=None)) for n in numbers]


def print_times(what: str, seconds: list[float], whole: float) -> None:
    """Print a line of figures."""
    ordered = sorted(seconds)
    half, most = ordered[len(ordered) // 2], ordered[int(len(ordered) * 0.99)]
    print(
        f"{what}: p50 {half * 1e3:.1f} ms, p99 {most * 1e3:.1f} ms, longest "
        f"{ordered[-1] * 1e3:.1f} ms, {len(ordered) / whole:.0f} a second"
    )


async def measure(folder: Path) -> None:
    """Measure in a new database in a folder."""
    store = Store(f"sqlite+aiosqlite:///{(folder / 'writes.db').as_posix()}", at_end=end_steps())
    await store.open()
    try:
        games = await open_games(store, ENDS)
        for writers in (1, WRITERS):
            chosen, games = games[:writers], games[writers:]
            began = perf_counter()
            runs = await asyncio.gather(*(write_moves(store, game, MOVES) for game in chosen))
            took = perf_counter() - began
            print_times(f"{writers} writers", [seconds for run in runs for seconds in run], took)
        began, end = perf_counter(), EndRecord(Ending.RESIGNED, 2, 3.0)
        ends = (timed(store.games.finish(game, end, counts=True)) for game in games)
        times = await asyncio.gather(*ends)
        print_times(f"{len(games)} ends at once", times, perf_counter() - began)
    finally:
        await store.close()


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, help="a folder on the disk to measure")
    with tempfile.TemporaryDirectory(dir=parser.parse_args().folder) as folder:
        asyncio.run(measure(Path(folder)))


if __name__ == "__main__":
    main()
