"""The address of a cluster, and the resource that identifies the engine of its workers."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from distributed import Security

from engine.core.jobs import engine_digest

RESOURCE_AMOUNT = 1_000_000
"""How much of the resource a worker has: more than all its jobs take at once."""

PROTOCOL = 3
"""The version of the calls between bots and workers: `do` and `do_piece` of cluster/worker.py."""


@dataclass(frozen=True, slots=True)
class Address:
    """A scheduler's address, with the files for TLS if it uses that."""

    url: str
    """Such as `tcp://host:8786` or `tls://host:8786`."""
    authority: Path | None = None
    """The certificates that are trusted."""
    certificate: Path | None = None
    """The certificate of this process."""
    key: Path | None = None

    def security(self) -> Security | None:
        """Return Dask's settings for TLS; None without TLS."""
        if not self.url.startswith("tls:"):
            return None
        return Security(
            require_encryption=True,
            tls_ca_file=str(self.authority),
            tls_client_cert=str(self.certificate),
            tls_client_key=str(self.key),
        )


def resource() -> str:
    """Return the name of the resource that workers with this engine and protocol have.

    Jobs that need it are given to those workers alone, so two versions can share a scheduler during
    a rolling restart.
    """
    return f"cuatro-{PROTOCOL}-{engine_digest()}"


def capacity_by_worker(identity: Mapping[str, Any]) -> dict[str, int]:
    """Return how many jobs each worker with this engine does at a time, by its address.

    `identity` is a scheduler's description of itself.
    """
    wanted = resource()
    workers: Mapping[str, Mapping[str, Any]] = identity["workers"]
    return {
        address: int(worker["nthreads"])
        for address, worker in workers.items()
        if wanted in worker["resources"] and worker["status"] == "running"
    }


def quiet_logs() -> None:
    """Silence Dask's log, which repeats what this package logs, and remove its own handlers."""
    for name in ("distributed", "distributed.client", "distributed.scheduler"):
        logging.getLogger(name).handlers.clear()
        logging.getLogger(name).propagate = True
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
