"""The processes of a Dask cluster, each of which can be killed and restarted."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from tests.builders import ROOT
from tests.children import Child


@dataclass(slots=True)
class Part:
    """A process, such as a scheduler or a worker, with its child processes."""

    name: str
    command: tuple[str, ...]
    folder: Path
    settings: Mapping[str, str] = field(default_factory=dict)
    _child: Child | None = None

    async def start(self) -> None:
        """Start it; its output goes to a log file of its own."""
        surroundings = {**os.environ, "PYTHONPATH": str(ROOT), **self.settings}
        self._child = await asyncio.to_thread(
            Child,
            *(sys.executable, *self.command),
            cwd=self.folder,
            env=surroundings,
            log=self.folder / f"{self.name}.txt",
            own_group=True,
        )

    @property
    def pid(self) -> int:
        """The id of the running process."""
        assert self._child is not None
        return self._child.pid

    async def kill(self) -> None:
        """Kill it and its child processes."""
        if self._child is not None:
            await asyncio.to_thread(self._child.end, signal.SIGKILL)


@dataclass(frozen=True, slots=True)
class LocalCluster:
    """A Dask cluster on this machine."""

    address: str
    scheduler: Part
    workers: list[Part]


@asynccontextmanager
async def local_cluster(
    folder: Path, workers: int = 1, tree: Path = ROOT
) -> AsyncIterator[LocalCluster]:
    """Run a scheduler and workers of one thread each, with the code of `tree`."""
    port, settings = free_port(), {"PYTHONPATH": str(tree)}
    address = f"tcp://127.0.0.1:{port}"
    where = ("--host", "127.0.0.1", "--port", str(port), "--no-dashboard")
    options = (
        *("--nworkers", "1", "--nthreads", "1", "--memory-limit", "0", "--no-dashboard"),
        *("--local-directory", str(folder), "--preload", "cluster.worker"),
    )
    scheduler = Part("scheduler", ("-m", "dask", "scheduler", *where), folder, settings)
    parts = [
        Part(f"worker-{n}", ("-m", "dask", "worker", address, *options), folder, settings)
        for n in range(workers)
    ]
    try:
        await scheduler.start()
        await listens(port)
        for part in parts:
            await part.start()
        yield LocalCluster(address, scheduler, parts)
    finally:
        for part in (*parts, scheduler):
            await part.kill()


def free_port() -> int:
    """A port of the loopback address that is not in use."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


async def listens(port: int, seconds: float = 60.0) -> None:
    """Wait until a port accepts connections; raises TimeoutError."""
    async with asyncio.timeout(seconds):
        while True:
            try:
                _, writer = await asyncio.open_connection("127.0.0.1", port)
            except OSError:
                await asyncio.sleep(0.2)
            else:
                writer.close()
                await writer.wait_closed()
                return
