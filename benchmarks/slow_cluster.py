"""A cluster that hangs or is far away: `python -m benchmarks.slow_cluster [--seconds N]`.

One player after the other asks for a perfect move: first of the bot's own threads alone, then with
a cluster whose workers are suspended (SIGSTOP), then with one that is half a second away, each way.
The waits of the first and of the second minute are printed apart. Meanwhile the metrics are read
once a second, and the alert `CuatroClusterIsSlow` is evaluated against them as Prometheus would;
when the fault is over it has to clear. Exits with 1 if in the second minute one wait in a hundred
is longer than 1.2 times that of local threads, or the alert does not come or go.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import signal
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic

import psutil
from prometheus_client import generate_latest

from benchmarks.cluster import at, job_after, started
from bot.ops.metrics import Metrics
from bot.workers.remote import RemoteEngine
from bot.workers.workers import Workers
from cluster.address import Address
from cluster.link import Link
from tests.bot.ops.rules import Scrape, is_raised, rules

ALERT = "CuatroClusterIsSlow"
FASTEST = 1.2
"""How much longer than with local threads the slowest moves may take."""
LATENCY = 0.5
CLEARS_WITHIN = 120.0
"""Seconds that the alert has for clearing: the longest backoff, the probes and a scrape."""
JOBS = 40
"""Different positions that are asked for in turn."""


class Proxy:
    """A TCP proxy that delays what it passes on, each way."""

    def __init__(self, port: int) -> None:
        self._to = port
        self._tasks: set[asyncio.Task[None]] = set()
        self.delay = 0.0
        self.port = 0

    async def __aenter__(self) -> Proxy:
        self._server = await asyncio.start_server(self._pass_on, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_error: object) -> None:
        self._server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _pass_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there, back = await asyncio.open_connection("127.0.0.1", self._to)
        for one, other in ((reader, back), (there, writer)):
            waiting: asyncio.Queue[tuple[float, bytes]] = asyncio.Queue()
            for work in (self._read(one, waiting), self._write(other, waiting)):
                task = asyncio.create_task(work)
                self._tasks.add(task)
                task.add_done_callback(self._tasks.discard)

    async def _read(
        self, reader: asyncio.StreamReader, waiting: asyncio.Queue[tuple[float, bytes]]
    ) -> None:
        data = b"-"
        while data:
            try:
                data = await reader.read(65_536)
            except OSError:
                data = b""
            waiting.put_nowait((monotonic() + self.delay, data))

    @staticmethod
    async def _write(
        writer: asyncio.StreamWriter, waiting: asyncio.Queue[tuple[float, bytes]]
    ) -> None:
        with suppress(OSError):
            while True:
                due, data = await waiting.get()
                await asyncio.sleep(max(0.0, due - monotonic()))
                if not data:
                    break
                writer.write(data)
                await writer.drain()
        writer.close()


@dataclass(slots=True)
class Watch:
    """Evaluates the alert once a second, as Prometheus would."""

    metrics: Metrics
    began: float = field(default_factory=monotonic)
    fired: list[tuple[float, bool]] = field(default_factory=list)
    """When the alert has come and gone, in seconds from the beginning."""

    async def run(self) -> None:
        """Scrape for ever."""
        rule = rules().get(ALERT)
        if rule is None:
            return  # a version without this alert
        lasts = float(rule.get("for", "0s").removesuffix("s"))
        since: float | None = None
        while True:
            now = Scrape(generate_latest(self.metrics.registry).decode())
            if is_raised(rule["expr"], now, now):
                since = monotonic() if since is None else since
            else:
                since = None
            is_firing = since is not None and monotonic() - since >= lasts
            if is_firing != self.is_firing:
                self.fired.append((monotonic() - self.began, is_firing))
            await asyncio.sleep(1)

    @property
    def is_firing(self) -> bool:
        """Whether it fires now."""
        return bool(self.fired) and self.fired[-1][1]


@dataclass(frozen=True, slots=True)
class Cluster:
    """Workers of the bot with a cluster behind a proxy."""

    workers: Workers
    proxy: Proxy
    processes: tuple[psutil.Process, ...]
    watch: Watch

    def signal_workers(self, number: signal.Signals) -> None:
        """Send a signal to the worker processes, not to the scheduler."""
        parent = self.processes[1]
        for process in (*parent.children(recursive=True), parent):
            process.send_signal(number)


@asynccontextmanager
async def cluster_of(workers: int) -> AsyncIterator[Cluster]:
    """A cluster that is well, for the block."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "scheduler.json"
        processes = started(Path(folder), workers)
        try:
            while not file.exists() or not file.read_text("utf-8").strip().endswith("}"):  # noqa: ASYNC110
                await asyncio.sleep(0.1)
            port = int(json.loads(file.read_text("utf-8"))["address"].rpartition(":")[2])
            async with Proxy(port) as proxy:
                link, metrics = Link(Address(f"tcp://127.0.0.1:{proxy.port}")), Metrics()
                remote = RemoteEngine(link, meter=metrics)
                link.start(remote.changed)
                while link.places < workers:  # noqa: ASYNC110
                    await asyncio.sleep(0.1)
                threads = Workers(1, remote=remote, meter=metrics)
                watch = Watch(metrics)
                watching = asyncio.create_task(watch.run())
                found = tuple(psutil.Process(process.pid) for process in processes)
                yield Cluster(threads, proxy, found, watch)
                watching.cancel()
                threads.close()
                await remote.close()
                await link.close()
        finally:
            for process in processes:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()


async def waits(workers: Workers, seconds: float) -> list[float]:
    """How long each perfect move took, asked for one after the other for some time."""
    found, end, number = [], monotonic() + seconds, 0
    while monotonic() < end:
        job = job_after("8x8", number % JOBS, "perfect")
        began = monotonic()
        await workers.do(job)
        found.append(monotonic() - began)
        number += 1
    return found


def show(name: str, found: list[float], local: list[float]) -> bool:
    """Print a row; whether the slowest are as quick as they have to be."""
    (p50, p99), (_, base) = at(found), at(local)
    print(f"| {name} | {len(found)} | {p50:.2f} | {p99:.2f} | {p99 / base:.2f} |", flush=True)
    return p99 <= FASTEST * base


async def under(name: str, seconds: float, local: list[float], *, is_suspended: bool) -> bool:
    """Print what one fault does; whether all is as it has to be."""
    async with cluster_of(2) as cluster:
        show(f"{name}: before", await waits(cluster.workers, seconds / 4), local)
        cluster.watch.began = began = monotonic()
        mend: Callable[[], None]
        if is_suspended:
            cluster.signal_workers(signal.SIGSTOP)
            mend = partial(cluster.signal_workers, signal.SIGCONT)
        else:
            cluster.proxy.delay = LATENCY
            mend = partial(setattr, cluster.proxy, "delay", 0.0)
        show(f"{name}: first minute", await waits(cluster.workers, seconds), local)
        second = await waits(cluster.workers, seconds)
        is_quick = show(f"{name}: second minute", second, local)
        has_fired = cluster.watch.is_firing
        mend()
        mended = monotonic()
        while cluster.watch.is_firing and monotonic() - mended < CLEARS_WITHIN:  # noqa: ASYNC110
            await asyncio.sleep(0.2)
        has_cleared = has_fired and not cluster.watch.is_firing
        print(f"{ALERT} for {name}:", end=" ")
        print(
            ", ".join(
                f"{'fires' if is_firing else 'clears'} {at_second:.0f} s after the fault began"
                for at_second, is_firing in cluster.watch.fired
            )
            or "never fires",
            f"(it was over after {mended - began:.0f} s)",
        )
        show(f"{name}: afterwards", await waits(cluster.workers, seconds / 4), local)
    return is_quick and has_fired and has_cleared


async def measure(seconds: float) -> bool:
    """Measure everything; whether all is as it has to be."""
    print("| perfect moves | number | p50 s | p99 s | p99 of local |")
    print("| --- | ---: | ---: | ---: | ---: |")
    threads = Workers(1)
    await waits(threads, 3)  # the first ones load what they need
    local = await waits(threads, seconds)
    threads.close()
    show("local threads", local, local)
    suspended = await under("suspended workers", seconds, local, is_suspended=True)
    latency = await under(f"{LATENCY} s of latency", seconds, local, is_suspended=False)
    return suspended and latency


def main() -> None:
    """Print a Markdown table, with what the alert did between its rows."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--seconds", type=float, default=60.0, help="in place of each minute")
    sys.exit(0 if asyncio.run(measure(parser.parse_args().seconds)) else 1)


if __name__ == "__main__":
    main()
