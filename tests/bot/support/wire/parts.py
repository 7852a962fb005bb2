"""The processes of a cluster, each of which can be killed and started again."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import sys
from asyncio.subprocess import Process
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).parents[4]


@dataclass(slots=True)
class Part:
    """One process, such as a scheduler or a worker, with those that it starts itself."""

    name: str
    command: tuple[str, ...]
    folder: Path
    settings: Mapping[str, str] = field(default_factory=dict)
    _process: Process | None = None

    async def start(self) -> None:
        """Start it; what it says goes to a log of its own."""
        surroundings = {**os.environ, "PYTHONPATH": str(ROOT), **self.settings}
        with (self.folder / f"{self.name}.txt").open("ab") as log:
            self._process = await asyncio.create_subprocess_exec(
                *(sys.executable, *self.command),
                cwd=self.folder,
                env=surroundings,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )

    async def kill(self) -> None:
        """End it, and what it has started, without warning."""
        if self._process is not None and self._process.returncode is None:
            os.killpg(self._process.pid, signal.SIGKILL)
            await self._process.wait()


def free_port() -> int:
    """A port of the loopback address that nobody uses now."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


async def listens(port: int, seconds: float = 60.0) -> None:
    """Wait until somebody answers at a port; raises TimeoutError."""
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
