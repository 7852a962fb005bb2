"""Which workers have this very engine, and how many jobs they do at a time."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.core.jobs import engine_digest

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
