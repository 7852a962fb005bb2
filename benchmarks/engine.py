"""How fast the search is, compared to plain Python: `python -m benchmarks.engine`."""

from __future__ import annotations

import statistics
import time
from threading import Thread

from benchmarks.printing import figures
from engine.cli.bench import run_bench
from engine.core.game import Position
from engine.core.limits import Limit, Stop
from engine.core.registry import game_of
from engine.core.search import analyse

REPETITIONS = 20
PLAIN_DEPTH = 6


def plain_negamax(position: Position, depth: int) -> int:
    """Return the nodes of a full search by the plain rules; its speed is the base of the ratio."""
    nodes = 1
    if depth and position.outcome is None:
        for move in position.legal_moves():
            nodes += plain_negamax(position.play(move), depth - 1)
    return nodes


def rate_of_plain_search() -> float:
    """Nodes per second of the plain search on the empty 6x7 board."""
    began = time.process_time()
    nodes = plain_negamax(game_of("connect4", "6x7").start(), PLAIN_DEPTH)
    return nodes / (time.process_time() - began)


def rate_of_kernel() -> tuple[int, float]:
    """The total nodes of the bench (its signature), and its nodes per second of CPU time."""
    nodes, began = 0, time.process_time()
    for _package, _entry, found in run_bench():
        nodes += found.nodes
    return nodes, nodes / (time.process_time() - began)


def depth_eight() -> tuple[float, float]:
    """Median and worst milliseconds of a search to depth 8 on the empty 6x7 board."""
    position = game_of("connect4", "6x7").start()
    times = []
    for _ in range(REPETITIONS):
        began = time.perf_counter()
        analyse(position, Limit(depth=8))
        times.append(1000 * (time.perf_counter() - began))
    return statistics.median(times), max(times)


def stop_latency() -> float:
    """The longest time from setting a stop flag to the end of a search on 8x8, in milliseconds."""
    position, worst = game_of("connect4", "8x8").start(), 0.0
    for _ in range(REPETITIONS):
        stop, ended = Stop(), list[float]()
        search = Thread(
            target=lambda stop=stop, ended=ended: (
                analyse(position, Limit(), stop),
                ended.append(time.perf_counter()),
            )
        )
        search.start()
        time.sleep(0.1)
        began = time.perf_counter()
        stop.set()
        search.join()
        worst = max(worst, 1000 * (ended[0] - began))
    return worst


def main() -> None:
    """Print a Markdown table."""
    rates = [rate_of_kernel() for _ in range(3)]
    signature, best = rates[0][0], max(rate for _, rate in rates)
    plain = rate_of_plain_search()
    median, worst = depth_eight()
    rows = {
        "alpha-beta, one core, best of three": f"{best:,.0f} nodes/s",
        "plain rules in Python, same run": f"{plain:,.0f} nodes/s",
        "ratio": f"{best / plain:,.0f}",
        "signature of the bench": f"{signature:,} nodes",
        "depth 8 on the empty 6x7 board, median": f"{median:.1f} ms",
        f"depth 8 on the empty 6x7 board, worst of {REPETITIONS}": f"{worst:.1f} ms",
        f"stop flag to the end of a search, worst of {REPETITIONS}": f"{stop_latency():.1f} ms",
    }
    print(figures("engine", rows))


if __name__ == "__main__":
    main()
