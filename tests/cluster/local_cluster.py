"""A real Dask cluster on this machine, started as described in docs/cluster.md."""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from distributed import Security

from cluster.worker import STOPS
from tests.builders import ROOT
from tests.children import PATIENCE, Child


def until(condition: Callable[[], object]) -> None:
    """Wait for a condition."""
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end, "it never came"
        time.sleep(0.02)


def stops_kept() -> int:
    """The number of stop flags in this process."""
    return len(STOPS)


def wait_for(file: Path) -> None:
    """A piece of work that ends once a file exists."""
    until(file.exists)


class LocalCluster:
    """A scheduler and workers in processes of their own, over TCP on the loopback address."""

    def __init__(self, folder: Path, tls: Sequence[Path] | None = None) -> None:
        self._folder = folder
        self._tls = [] if tls is None else self._options(tls)
        self._port = "0"
        self._scheduler: Child | None = None
        self._worker: Child | None = None
        self.url = ""

    def start(self, workers: int) -> None:
        """Start a scheduler, always at the same address, with this number of worker processes."""
        file = self._folder / "scheduler.json"
        file.unlink(missing_ok=True)
        protocol = ["--protocol", "tls"] if self._tls else []
        self._scheduler = self._run(
            "scheduler", "--host", "127.0.0.1", "--port", self._port,
            "--scheduler-file", str(file), *protocol,
        )  # fmt: skip
        until(lambda: file.exists() and file.read_text("utf-8").strip().endswith("}"))
        self.url = json.loads(file.read_text("utf-8"))["address"]
        self._port = self.url.rpartition(":")[2]
        self._end(self._worker)
        # A single worker runs without the process that would restart it.
        alone = ["--no-nanny"] if workers == 1 else []
        self._worker = self._run(
            "worker", self.url, "--nworkers", str(workers), "--nthreads", "1",
            "--preload", "cluster.worker", "--local-directory", str(self._folder),
            "--memory-limit", "0", *alone,
        )  # fmt: skip

    def signal_workers(self, number: signal.Signals) -> None:
        """Send a signal to all worker processes, for example to suspend them."""
        assert self._worker is not None
        self._worker.signal(number)

    def signal_scheduler(self, number: signal.Signals) -> None:
        """Send a signal to the scheduler."""
        assert self._scheduler is not None
        self._scheduler.signal(number)

    def kill_scheduler(self) -> None:
        """End the scheduler without warning."""
        assert self._scheduler is not None
        self._scheduler.end(signal.SIGKILL)

    def close(self) -> None:
        """End all processes."""
        for process in (self._worker, self._scheduler):
            self._end(process)

    def _run(self, *words: str) -> Child:
        return Child(
            *(sys.executable, "-m", "dask", *words, "--no-dashboard", *self._tls),
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            log=self._folder / f"{words[0]}.log",
            own_group=True,
        )

    def _end(self, child: Child | None) -> None:
        """End a process and those that it has started."""
        if child is not None:
            child.end(signal.SIGKILL)

    @staticmethod
    def _options(tls: Sequence[Path]) -> list[str]:
        authority, certificate, key = map(str, tls)
        return ["--tls-ca-file", authority, "--tls-cert", certificate, "--tls-key", key]


def certificates(folder: Path) -> tuple[Path, Path, Path]:
    """Create an authority, a certificate and its key; returns their files."""
    made = Security.temporary()
    texts = made.tls_ca_file, made.tls_client_cert, made.tls_client_key
    files = folder / "ca.pem", folder / "cert.pem", folder / "key.pem"
    for file, text in zip(files, texts, strict=True):
        file.write_text(text, "utf-8")
    return files


@contextmanager
def running(
    folder: Path, workers: int, tls: Sequence[Path] | None = None
) -> Iterator[LocalCluster]:
    """Run a cluster for the duration of the block."""
    cluster = LocalCluster(folder, tls)
    try:
        cluster.start(workers)
        yield cluster
    finally:
        cluster.close()
