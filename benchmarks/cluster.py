"""A cluster against threads: `python -m benchmarks.cluster [--moves N] [--jobs N] [--rounds N]`.

Starts two clusters on this machine, of one and of two worker processes, and asks them and the bot's
own threads for the same moves in turns, so that whatever else the machine does hits all alike. What
a way costs is the time of a move less the time that the search itself says it took. How much gets
done is measured with all jobs asked for at once, as when many games wait. The time of the processor
that a move takes, in all processes together, says more where other programs are busy.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import signal
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter, process_time

import psutil

from bot.workers.remote import RemoteEngine
from bot.workers.workers import Workers
from cluster.address import Address
from cluster.link import Link
from engine.core.jobs import Job
from engine.core.limits import Limit
from engine.core.registry import game_of
from engine.strength.roster import ChooseMove

ROOT = Path(__file__).parents[1]
QUICK = "medium"
WARM = 5
"""The first moves load what they need."""
BUSY = Limit(nodes=300_000)
"""What each search of the second part visits at most, at the ladder's strongest searching rung."""


def job_after(variant: str, number: int, agent: str, limit: Limit | None = None) -> Job:
    """A move of an agent after six moves at random."""
    rng, game = Random(number), game_of("connect4", variant)
    position, moves = game.start(), []
    for _ in range(6):
        move = rng.choice(position.legal_moves())
        moves.append(game.label(move))
        position = position.play(move)
    return Job("connect4", variant, tuple(moves), ChooseMove(agent), number, limit)


@dataclass(frozen=True, slots=True)
class Way:
    """Where moves are searched for."""

    workers: Workers
    processes: tuple[psutil.Process, ...] = ()
    """Those that work for it beside this one."""

    def core_seconds(self) -> float:
        """Time that all its processes have had of the processor."""
        found = process_time()
        for parent in self.processes:
            for process in (parent, *parent.children(recursive=True)):
                times = process.cpu_times()
                found += times.user + times.system
        return found


def started(folder: Path, workers: int) -> list[subprocess.Popen[bytes]]:
    """A scheduler, which writes its address into `scheduler.json`, and its workers."""
    file = str(folder / "scheduler.json")
    scheduler = ["scheduler", "--host", "127.0.0.1", "--port", "0", "--scheduler-file", file]
    worker = [
        "worker", "--scheduler-file", file, "--nworkers", str(workers), "--nthreads", "1",
        "--memory-limit", "0", "--local-directory", str(folder), "--preload", "cluster.worker",
    ]  # fmt: skip
    return [
        subprocess.Popen(
            [sys.executable, "-m", "dask", *words, "--no-dashboard"],
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        for words in (scheduler, worker)
    ]


@asynccontextmanager
async def cluster_of(workers: int, most: int | None) -> AsyncIterator[Way]:
    """The bot's workers with a cluster behind them."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "scheduler.json"
        processes = started(Path(folder), workers)
        try:
            while not file.exists() or not file.read_text("utf-8").strip().endswith("}"):  # noqa: ASYNC110
                await asyncio.sleep(0.1)
            link = Link(Address(json.loads(file.read_text("utf-8"))["address"]))
            remote = RemoteEngine(link, most)
            link.start(remote.changed)
            while link.places < workers:  # noqa: ASYNC110
                await asyncio.sleep(0.1)
            threads = Workers(1, remote=remote)
            yield Way(threads, tuple(psutil.Process(process.pid) for process in processes))
            threads.close()
            await link.close()
        finally:
            for process in processes:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()


async def seconds_beyond(workers: Workers, job: Job) -> float:
    """How much longer a move took than its search."""
    began = perf_counter()
    found = await workers.do(job)
    return perf_counter() - began - found.seconds


async def rate(workers: Workers, jobs: Sequence[Job]) -> float:
    """Moves a second, all asked for at once."""
    began = perf_counter()
    await asyncio.gather(*(workers.do(job) for job in jobs))
    return len(jobs) / (perf_counter() - began)


async def overheads(ways: Mapping[str, Way], moves: int) -> None:
    """Print what each way costs a move."""
    costs, cores = defaultdict(list), Counter[str]()
    for number in range(moves + WARM):
        for name, way in ways.items():
            before = way.core_seconds()
            cost = await seconds_beyond(way.workers, job_after("6x7", number, QUICK))
            if number >= WARM:
                costs[name].append(1000 * cost)
                cores[name] += 1000 * (way.core_seconds() - before)
    print("| way | moves | p50 ms | p99 ms | more than threads, p50 | p99 | core ms |")
    print("| --- | ---: | ---: | ---: | ---: | ---: | ---: |")
    base = at(costs["2 threads"])
    for name, found in costs.items():
        p50, p99 = at(found)
        beyond = f"{p50 - base[0]:+.1f} ms | {p99 - base[1]:+.1f} ms"
        print(
            f"| {name} | {moves} | {p50:.1f} | {p99:.1f} | {beyond} | {cores[name] / moves:.1f} |"
        )


def at(found: list[float]) -> tuple[float, float]:
    """The median, and what one in a hundred exceeds."""
    ordered = sorted(found)
    return ordered[len(ordered) // 2], ordered[min(int(0.99 * len(ordered)), len(ordered) - 1)]


async def throughput(ways: Mapping[str, Way], jobs: int, rounds: int) -> None:
    """Print how much each way gets done."""
    wanted = [job_after("8x8", number, "hard", BUSY) for number in range(jobs)]
    rates, cores = defaultdict(list), defaultdict(list)
    for turn in range(rounds + 1):
        for name, way in ways.items():
            before = way.core_seconds()
            found = await rate(way.workers, wanted)
            if turn:  # the first round loads what they need
                rates[name].append(found)
                cores[name].append(1000 * (way.core_seconds() - before) / jobs)
    print("| way | moves a second | of as many threads | core ms a move | of 1 thread |")
    print("| --- | ---: | ---: | ---: | ---: |")
    for name, found in rates.items():
        peer = "2 threads" if name.startswith("2") else "1 thread"
        as_many = median(a / b for a, b in zip(found, rates[peer], strict=True))
        core = median(a / b for a, b in zip(cores[name], cores["1 thread"], strict=True))
        figures = f"{median(found):.1f} | {as_many:.2f} | {median(cores[name]):.1f} | {core:.2f}"
        print(f"| {name} | {figures} |")


async def measure(options: argparse.Namespace) -> None:
    """Measure everything."""
    async with AsyncExitStack() as stack:
        ways = {"1 thread": Way(Workers(1)), "2 threads": Way(Workers(2))}
        for way in ways.values():
            stack.callback(way.workers.close)
        ways["1 worker"] = await stack.enter_async_context(cluster_of(1, options.most))
        ways["2 workers"] = await stack.enter_async_context(cluster_of(2, options.most))
        await overheads({n: w for n, w in ways.items() if n.startswith("2")}, options.moves)
        print()
        await throughput(ways, options.jobs, options.rounds)


def main() -> None:
    """Print two Markdown tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--moves", type=int, default=500)
    parser.add_argument("--jobs", type=int, default=60, help="asked for at once in each round")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--most", type=int, help="jobs in flight; as many as workers if left out")
    asyncio.run(measure(parser.parse_args()))


if __name__ == "__main__":
    main()
