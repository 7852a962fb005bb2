"""A cluster that hangs or is far away: `python -m benchmarks.slow_cluster [--seconds N]`.

Perfect moves are requested one after the other: first from the bot's own threads, then with a
cluster whose workers are suspended (SIGSTOP), then with a latency of half a second in each
direction. Waits of the first and the second minute are printed separately. The metrics are read
once a second, and the alert `CuatroClusterIsSlow` is evaluated as Prometheus would; it must clear
after the fault. The exit status is 1 if the p99 of the second minute is more than 1.2 times that of
local threads, or the alert does not fire or clear.
"""

from __future__ import annotations

import argparse
import asyncio
import signal
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic

import psutil
from prometheus_client import generate_latest

from benchmarks.cluster import job_after, wait_for_workers
from benchmarks.printing import MEDIAN, P99, head, quantile, row
from bot.ops.metrics import Metrics
from bot.workers.remote import RemoteEngine
from bot.workers.workers import Workers
from cluster.address import Address
from cluster.link import Link
from tests.bot.ops.rules import Scrape, is_raised, rules
from tests.bot.support.proxy import LatencyProxy
from tests.bot.support.wire.parts import Part, local_cluster

ALERT = "CuatroClusterIsSlow"
FASTEST = 1.2
"""Largest p99 of moves, relative to local threads."""
LATENCY = 0.5
CLEARS_WITHIN = 120.0
"""Seconds in which the alert must clear: the longest backoff, the probes and a scrape."""
JOBS = 40
"""Number of different positions."""


@dataclass(slots=True)
class Watch:
    """Evaluates the alert once a second, as Prometheus would."""

    metrics: Metrics
    began: float = field(default_factory=monotonic)
    fired: list[tuple[float, bool]] = field(default_factory=list)
    """When the alert fired and cleared, in seconds from the beginning."""

    async def run(self) -> None:
        """Scrape until cancelled."""
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
    proxy: LatencyProxy
    parts: list[Part]
    watch: Watch

    def signal_workers(self, number: signal.Signals) -> None:
        """Send a signal to the worker processes, not to the scheduler."""
        for part in self.parts:
            parent = psutil.Process(part.pid)
            for process in (*parent.children(recursive=True), parent):
                process.send_signal(number)


@asynccontextmanager
async def cluster_of(workers: int) -> AsyncIterator[Cluster]:
    """A healthy cluster."""
    with TemporaryDirectory() as folder:
        async with (
            local_cluster(Path(folder), workers) as dask,
            LatencyProxy(int(dask.address.rpartition(":")[2])) as proxy,
        ):
            link, metrics = Link(Address(f"tcp://127.0.0.1:{proxy.port}")), Metrics()
            remote = RemoteEngine(link, meter=metrics)
            link.start(remote.changed)
            await wait_for_workers(link, workers)
            threads = Workers(1, remote=remote, meter=metrics)
            watch = Watch(metrics)
            watching = asyncio.create_task(watch.run())
            yield Cluster(threads, proxy, dask.workers, watch)
            watching.cancel()
            threads.close()
            await remote.close()
            await link.close()


async def waits(workers: Workers, seconds: float) -> list[float]:
    """The times of perfect moves, requested one after the other for `seconds`."""
    found, end, number = [], monotonic() + seconds, 0
    while monotonic() < end:
        job = job_after("8x8", number % JOBS, "perfect")
        began = monotonic()
        await workers.do(job)
        found.append(monotonic() - began)
        number += 1
    return found


def show(name: str, found: list[float], local: list[float]) -> bool:
    """Print a row; returns whether the p99 is on target."""
    (p50, p99), base = (quantile(found, share) for share in (MEDIAN, P99)), quantile(local, P99)
    figures = (f"{figure:.2f}" for figure in (p50, p99, p99 / base))
    print(row((name, len(found), *figures)), flush=True)
    return p99 <= FASTEST * base


async def under(name: str, seconds: float, local: list[float], *, is_suspended: bool) -> bool:
    """Print the effects of one fault; returns whether all targets are met."""
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
    """Measure both faults; returns whether all targets are met."""
    print(head(("perfect moves", "number", "p50 s", "p99 s", "p99 of local")))
    threads = Workers(1)
    await waits(threads, 3)  # the first ones load kernels
    local = await waits(threads, seconds)
    threads.close()
    show("local threads", local, local)
    suspended = await under("suspended workers", seconds, local, is_suspended=True)
    latency = await under(f"{LATENCY} s of latency", seconds, local, is_suspended=False)
    return suspended and latency


def main() -> None:
    """Print a Markdown table, and the times of the alert between its rows."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--seconds", type=float, default=60.0, help="in place of each minute")
    sys.exit(0 if asyncio.run(measure(parser.parse_args().seconds)) else 1)


if __name__ == "__main__":
    main()
