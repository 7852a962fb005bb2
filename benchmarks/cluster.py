"""A cluster against threads: `python -m benchmarks.cluster [--moves N] [--jobs N] [--rounds N]`.

Starts clusters of one and of two worker processes on this machine, and asks them and the bot's own
threads for the same moves in turns, so that other load affects all alike. The overhead is the time
of a move minus the time reported by the search. Throughput is measured with all jobs requested at
once. CPU time in all processes is more reliable than wall time on a busy machine.
"""

from __future__ import annotations

import argparse
import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter, process_time

import psutil

from benchmarks.printing import MEDIAN, P99, head, quantile, row
from bot.workers.remote import RemoteEngine
from bot.workers.workers import Workers
from cluster.address import Address
from cluster.link import Link
from engine.core.analysis import SearchResult
from engine.core.jobs import Job
from engine.core.limits import Limit
from engine.core.registry import game_of
from engine.strength.roster import ChooseMove
from tests.bot.support.wire.parts import LocalCluster, Part, local_cluster

QUICK = "medium"
WARM = 5
"""First moves, which load kernels and are not counted."""
BUSY = Limit(nodes=300_000)
"""Node limit of the searches for throughput."""


def job_after(
    variant: str, number: int, agent: str, limit: Limit | None = None
) -> Job[SearchResult]:
    """A move of an agent after six random moves."""
    rng, game = Random(number), game_of("connect4", variant)
    position, moves = game.start(), []
    for _ in range(6):
        move = rng.choice(position.legal_moves())
        moves.append(game.label(move))
        position = position.play(move)
    return Job("connect4", variant, tuple(moves), ChooseMove(agent), number, limit)


@dataclass(frozen=True, slots=True)
class Setup:
    """A way to run searches: threads of this process, or a cluster."""

    workers: Workers
    parts: tuple[Part, ...] = ()
    """Further processes."""

    def core_seconds(self) -> float:
        """CPU seconds of this process and the further ones."""
        return process_time() + sum(cpu_seconds(part) for part in self.parts)


def cpu_seconds(part: Part) -> float:
    """CPU seconds of a process and its children."""
    parent = psutil.Process(part.pid)
    times = [one.cpu_times() for one in (parent, *parent.children(recursive=True))]
    return float(sum(one.user + one.system for one in times))


@asynccontextmanager
async def cluster_setup(workers: int, most: int | None) -> AsyncIterator[Setup]:
    """The bot's workers with a cluster."""
    async with connected_cluster(workers) as (dask, link):
        remote = RemoteEngine(link, most)
        link.start(remote.changed)
        await wait_for_workers(link, workers)
        threads = Workers(1, remote=remote)
        yield Setup(threads, (dask.scheduler, *dask.workers))
        threads.close()


@asynccontextmanager
async def connected_cluster(workers: int) -> AsyncIterator[tuple[LocalCluster, Link]]:
    """A cluster on this machine, and a link to it that is not started."""
    with TemporaryDirectory() as folder:
        async with local_cluster(Path(folder), workers) as dask:
            link = Link(Address(dask.address))
            yield dask, link
            await link.close()


async def wait_for_workers(link: Link, number: int) -> None:
    """Wait until at least `number` workers are connected."""
    while link.places < number:  # noqa: ASYNC110
        await asyncio.sleep(0.1)


async def overhead(workers: Workers, job: Job[SearchResult]) -> float:
    """The time of a move minus that of its search."""
    began = perf_counter()
    found = await workers.do(job)
    return perf_counter() - began - found.seconds


async def rate(workers: Workers, jobs: Sequence[Job[SearchResult]]) -> float:
    """Moves per second, all requested at once."""
    began = perf_counter()
    await asyncio.gather(*(workers.do(job) for job in jobs))
    return len(jobs) / (perf_counter() - began)


async def overheads(ways: Mapping[str, Setup], moves: int) -> None:
    """Print the overhead of a move in each place."""
    costs, cores = defaultdict[str, list[float]](list), defaultdict[str, float](float)
    for number in range(moves + WARM):
        for name, way in ways.items():
            before = way.core_seconds()
            cost = await overhead(way.workers, job_after("6x7", number, QUICK))
            if number >= WARM:
                costs[name].append(1000 * cost)
                cores[name] += 1000 * (way.core_seconds() - before)
    print(head(("way", "moves", "p50, p99 ms", "more than threads, p50, p99 ms", "core ms")))
    shares = (MEDIAN, P99)
    base = [quantile(costs["2 threads"], share) for share in shares]
    for name, found in costs.items():
        own = [quantile(found, share) for share in shares]
        beyond = ", ".join(f"{one - two:+.1f}" for one, two in zip(own, base, strict=True))
        times = ", ".join(f"{one:.1f}" for one in own)
        print(row((name, moves, times, beyond, f"{cores[name] / moves:.1f}")))


async def throughput(ways: Mapping[str, Setup], jobs: int, rounds: int) -> None:
    """Print the throughput of each place."""
    wanted = [job_after("8x8", number, "hard", BUSY) for number in range(jobs)]
    rates, cores = defaultdict[str, list[float]](list), defaultdict[str, list[float]](list)
    for turn in range(rounds + 1):
        for name, way in ways.items():
            before = way.core_seconds()
            found = await rate(way.workers, wanted)
            if turn:  # the first round loads kernels
                rates[name].append(found)
                cores[name].append(1000 * (way.core_seconds() - before) / jobs)
    print(head(("way", "moves a second", "of as many threads", "core ms a move", "of 1 thread")))
    for name, own in rates.items():
        peer = "2 threads" if name.startswith("2") else "1 thread"
        as_many = median(a / b for a, b in zip(own, rates[peer], strict=True))
        core = median(a / b for a, b in zip(cores[name], cores["1 thread"], strict=True))
        figures = (median(own), as_many, median(cores[name]), core)
        print(row((name, *(f"{figure:.2f}" for figure in figures))))


async def measure(options: argparse.Namespace) -> None:
    """Measure and print the overhead and the throughput."""
    async with AsyncExitStack() as stack:
        ways = {"1 thread": Setup(Workers(1)), "2 threads": Setup(Workers(2))}
        for way in ways.values():
            stack.callback(way.workers.close)
        ways["1 worker"] = await stack.enter_async_context(cluster_setup(1, options.most))
        ways["2 workers"] = await stack.enter_async_context(cluster_setup(2, options.most))
        await overheads({n: w for n, w in ways.items() if n.startswith("2")}, options.moves)
        print()
        await throughput(ways, options.jobs, options.rounds)


def main() -> None:
    """Print two Markdown tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--moves", type=int, default=500)
    parser.add_argument("--jobs", type=int, default=60, help="requested at once in each round")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--most", type=int, help="jobs in flight; default: one per worker")
    asyncio.run(measure(parser.parse_args()))


if __name__ == "__main__":
    main()
