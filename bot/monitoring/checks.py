"""What is looked at: gateway, database and its file, answers that are due, loop, cluster."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from bot.monitoring.loop_lag import LoopLag
from bot.monitoring.vitals import Degraded, Unwell
from bot.play.circuit_breaker import State
from bot.play.workers import Workers
from bot.store import Store

HEARTBEAT_GRACE = 15.0
"""Seconds that the gateway has for acknowledging a heartbeat."""
OVERDUE = 60.0
"""Seconds after which an agent's answer is overdue."""
MOST_LAG, LAG_OVER = 1.0, 15.0
"""Seconds that the event loop may have been late, and over how many of the last ones."""


@dataclass(frozen=True, slots=True)
class Link:
    """How a connection to Discord's gateway stands."""

    is_up: bool
    is_ready: bool = False
    """Whether Discord has once told what the bot needs to know."""
    silence: float = 0.0
    """Seconds by which the acknowledgement of a heartbeat is late; 0 or less if it is not."""
    shard: int | None = None
    """The shard's number; None for a bot that has none."""
    exhausted_until: float | None = None
    """Until when Discord allows no more sessions, in seconds since 1970; None if it does."""

    @property
    def trouble(self) -> str | None:
        """Why nothing comes through; None if all is well."""
        if not self.is_up and self.exhausted_until is not None:
            until = datetime.fromtimestamp(self.exhausted_until, UTC)
            return f"not connected: Discord allows no more sessions until {until:%H:%M} UTC"
        if not self.is_up:
            return "not connected"
        if not self.is_ready:
            return "connected, and Discord has not answered yet"
        if self.silence > HEARTBEAT_GRACE:
            return f"no heartbeat has been acknowledged for {self.silence:.0f} s too long"
        return None


async def gateway(links: Callable[[], Sequence[Link]]) -> str:
    """Connected, with every heartbeat acknowledged, on all shards."""
    now = links()
    troubles = [
        trouble if link.shard is None else f"shard {link.shard} {trouble}"
        for link in now
        if (trouble := link.trouble) is not None
    ]
    if troubles:
        raise Unwell("; ".join(troubles))
    shards = f" on {len(now)} shards" if now[0].shard is not None else ""
    return f"connected{shards}, heartbeats are acknowledged"


async def database(store: Store) -> str:
    """A test write reaches the disk."""
    trouble = await store.database.health()
    if trouble is not None:
        raise Unwell(str(trouble))
    return "a test write is on disk"


async def file(store: Store) -> str:
    """The database's file is still the one that was opened, by its device and inode.

    A deleted file can be written to for as long as it is open, and all of that is lost.
    """
    if not await asyncio.to_thread(store.database.place.is_same):
        raise Unwell("the database's file is gone, or another one than was opened")
    return "still the one that was opened"


async def answers(waiting: Callable[[], Awaitable[list[float]]]) -> str:
    """No agent owes a move for long."""
    late = [seconds for seconds in await waiting() if seconds > OVERDUE]
    if late:
        raise Unwell(f"{len(late)} overdue, the oldest for {max(late):.0f} s")
    return "none is overdue"


async def cluster(workers: Workers) -> str:
    """The cluster does as many jobs at a time as it should, and the circuit to it is closed."""
    now = workers.cluster
    if now is None:
        return "none is set"
    places = f"{now.places} jobs at a time"
    if not now.places:
        raise Degraded("takes no jobs, they are done here")
    if now.state is not State.CLOSED:
        raise Degraded("loses jobs or is slow, they are done here until probes come back quickly")
    if now.places < now.wanted:
        raise Degraded(f"takes only {places}, not {now.wanted}")
    return f"takes {places}"


async def loop(lag: LoopLag) -> str:
    """The event loop gets round to everything in time."""
    worst = lag.worst(LAG_OVER)
    if worst > MOST_LAG:
        raise Unwell(f"held up for {worst:.1f} s")
    return f"at most {1000 * worst:.0f} ms late"
