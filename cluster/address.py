"""Where a cluster is, and how a client shows itself there.

Which workers have this very engine, and how many jobs they do at a time.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from distributed import Security

from engine.core.jobs import engine_digest


@dataclass(frozen=True, slots=True)
class Address:
    """A scheduler's address, with files for TLS where it asks for them."""

    url: str
    """Such as `tcp://host:8786` or `tls://host:8786`."""
    authority: Path | None = None
    """The certificates that are trusted."""
    certificate: Path | None = None
    """What this process shows."""
    key: Path | None = None

    def security(self) -> Security | None:
        """What Dask is to encrypt with; None without TLS."""
        if not self.url.startswith("tls:"):
            return None
        return Security(
            require_encryption=True,
            tls_ca_file=str(self.authority),
            tls_client_cert=str(self.certificate),
            tls_client_key=str(self.key),
        )


PLENTY = 1_000_000
"""How much of the resource a worker has: enough for all that it is ever given at once."""

PROTOCOL = 2
"""The version of what a bot and a worker say to each other: `cluster.errand.do`."""


def resource() -> str:
    """The resource that a worker has if its engine and its protocol are these.

    What needs it goes to such workers alone, so two versions can share a cluster while one replaces
    the other.
    """
    return f"cuatro-{PROTOCOL}-{engine_digest()}"


def places_by_worker(identity: Mapping[str, Any]) -> dict[str, int]:
    """For each worker that fits, by its address, how many jobs it does at a time.

    `identity` is what a scheduler says of itself.
    """
    wanted = resource()
    workers: Mapping[str, Mapping[str, Any]] = identity["workers"]
    return {
        address: int(worker["nthreads"])
        for address, worker in workers.items()
        if wanted in worker["resources"] and worker["status"] == "running"
    }
