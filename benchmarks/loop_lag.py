"""Event-loop lag during searches: `python -m benchmarks.loop_lag`."""

from __future__ import annotations

import asyncio
import time
from functools import partial
from random import Random

from benchmarks.printing import head, row, spread
from bot.workers.pool import Pool
from bot.workers.workers import Workers
from engine.core.limits import Limit
from engine.core.registry import game_of, package_of
from engine.core.search import search
from renderers import BoardScene, draw

SECONDS = 10.0
TICK = 0.005


async def lags(seconds: float) -> list[float]:
    """The delay of each sleep in milliseconds."""
    late, end = [], time.perf_counter() + seconds
    while time.perf_counter() < end:
        began = time.perf_counter()
        await asyncio.sleep(TICK)
        late.append(1000 * (time.perf_counter() - began - TICK))
    return late


async def search_on(pool: Pool, variant: str) -> None:
    """Search one board after the other."""
    position = game_of("connect4", variant).start()
    while True:
        await pool.run(partial(search, position, Limit(seconds=1.0), rng=Random(1)))


async def draw_on(workers: Workers) -> None:
    """Draw a picture ten times a second, as a busy server would."""
    position = game_of("connect4", "6x7").start()
    scene = BoardScene(
        cells=tuple(map(tuple, position.cells())),
        column_labels=position.game.column_names,
        names=("Ana", "Cuatro"),
        active=position.to_move,
        status="Ana to move",
    )
    while True:
        await workers.draw(draw, package_of(position).drawing, scene)
        await asyncio.sleep(0.1)


async def measure(searches: int) -> list[float]:
    """Lags with this number of searches and a stream of pictures."""
    workers, pool = Workers(2), Pool(2, "search")
    work = [search_on(pool, variant) for variant in ("6x7", "8x8")[:searches]]
    tasks = [asyncio.create_task(job) for job in [*work, draw_on(workers)]]
    await asyncio.sleep(1.5)  # the first pictures and searches load kernels
    found = await lags(SECONDS)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    workers.close()
    pool.shutdown()
    return sorted(found)


def main() -> None:
    """Print a Markdown table."""
    print(head(("event-loop lag", "p50, p99, worst ms")))
    for searches in (0, 2):
        found = asyncio.run(measure(searches))
        print(row((f"{searches} searches, pictures", spread(found))))


if __name__ == "__main__":
    main()
