"""Health checks: gateway, database and its file, overdue answers of agents, event loop, cluster."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from time import monotonic
from types import TracebackType
from typing import Any, Generic, Self, TypeVar

from bot.database.errors import isolated
from bot.game.clocks import Clock
from bot.game.reading import UnreadableGame, read_game
from bot.game.session import Session
from bot.sessions.ownership import Ownership
from bot.sessions.timer import LONGEST_SILENCE
from bot.store.records import GameRecord
from bot.store.store import Store
from bot.telemetry import Meter
from bot.workers.remote import State
from bot.workers.workers import Workers


class AnswersDue:
    """How long this process's games have been waiting for their agents."""

    def __init__(self, store: Store, ownership: Ownership, clock: Clock, watch_pace: float) -> None:
        """Read the games of `ownership` from `store`.

        Time counts from now, as nobody could answer while the bot was down.

        `watch_pace` are the seconds for which a watched game rests between two moves.
        """
        self._store = store
        self._ownership = ownership
        self._clock = clock
        self._pace = watch_pace
        self._since = clock()

    async def waiting(self) -> list[float]:
        """For each answer that is due, the seconds since when."""
        now = self._clock()
        # A game in which an agent is to move is always looked at again within these seconds.
        due = await self._store.games.to_look_at(now + LONGEST_SILENCE, self._ownership.owner)
        found = []
        for one in due:
            with isolated("game to look for a due answer in", one.id):
                found.append(await self._store.games.find(one.id))
        waiting = []
        for record in found:
            with isolated("game to look for a due answer in", record and record.id):
                session = record and _session(record)
                if session and session.awaits_agent:
                    waiting.append(self._seconds(session, now))
        return waiting

    def _seconds(self, session: Session, now: float) -> float:
        rests = self._pace if session.is_watched else 0.0
        return max(0.0, now - max(self._since, session.turn_began) - rests)


def _session(record: GameRecord) -> Session | None:
    """A game; None for one that cannot be read, which the timer ends."""
    try:
        return read_game(record)
    except UnreadableGame:
        return None


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


T = TypeVar("T")

WITHIN = 5.0
"""Seconds that somebody who asks waits for a look."""


class Looks(Generic[T]):
    """Looks at several things side by side, and at each thing only once at a time.

    A look is never cut short: a cancelled query would leave its connection to the database open.
    One that takes too long goes on, and the next one waits for it.
    """

    def __init__(self) -> None:
        """Look at nothing yet."""
        self._under_way: dict[str, asyncio.Task[T]] = {}

    async def at(self, name: str, look: Callable[[], Coroutine[Any, Any, T]]) -> T | None:
        """What a look at the thing with this name finds; None if that takes too long."""
        under_way = self._under_way.get(name)
        if under_way is None:
            under_way = asyncio.get_running_loop().create_task(look())
            self._under_way[name] = under_way
            under_way.add_done_callback(lambda _: self._under_way.pop(name, None))
        await asyncio.wait({under_way}, timeout=WITHIN)
        return under_way.result() if under_way.done() else None

    async def close(self) -> None:
        """Let the looks under way finish."""
        if self._under_way:
            await asyncio.wait(self._under_way.values())


TICK = 0.25
"""Seconds between two measurements."""

KEPT = 60.0
"""Seconds for which measurements are kept."""


class LoopLag:
    """Sleeps a little again and again, and measures by how much each sleep was too long."""

    def __init__(self, meter: Meter) -> None:
        """Tell the `meter` each measurement; `async with` measures meanwhile."""
        self._meter = meter
        self._late: deque[tuple[float, float]] = deque(maxlen=int(KEPT / TICK))

    async def __aenter__(self) -> Self:
        """Begin to measure."""
        self._task = asyncio.get_running_loop().create_task(self._measure())
        return self

    async def __aexit__(
        self, _kind: type[BaseException] | None, _error: object, _trace: TracebackType | None
    ) -> None:
        """Measure no more."""
        self._task.cancel()
        with suppress(asyncio.CancelledError):
            await self._task

    def worst(self, seconds: float = KEPT) -> float:
        """The longest lag of the last seconds, at most `KEPT`."""
        since = monotonic() - seconds
        return max((lag for at, lag in self._late if at >= since), default=0.0)

    async def _measure(self) -> None:
        while True:
            began = monotonic()
            await asyncio.sleep(TICK)
            now = monotonic()
            lag = max(0.0, now - began - TICK)
            self._late.append((now, lag))
            self._meter.lagged(lag)


class Unwell(Exception):
    """Something is not as it should be; the text says what."""


class Degraded(Exception):
    """Something beside the bot is not as it should be, and the bot does without it."""


@dataclass(frozen=True, slots=True)
class Vital:
    """One thing to look at."""

    name: str
    look: Callable[[], Awaitable[str]]
    """Says in a few words how it is; raises Degraded where the bot does without it, and Unwell, or
    anything else, where the bot is not well."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What one look has found."""

    name: str
    is_well: bool
    text: str
    is_degraded: bool = False
    """Whether the bot is well, and does without this."""

    def __str__(self) -> str:
        """One line, such as `ok    gateway: connected`."""
        word = "WARN" if self.is_degraded else "ok" if self.is_well else "FAILS"
        return f"{word:<5} {self.name}: {self.text}"


class Vitals:
    """Looks at everything at once; a look that takes too long is a bad sign."""

    def __init__(self, vitals: Sequence[Vital]) -> None:
        """Look at these."""
        self._vitals = vitals
        self._looks: Looks[Reading] = Looks()

    async def look(self) -> tuple[Reading, ...]:
        """Look at everything; takes at most a little longer than `WITHIN`."""
        return tuple(await asyncio.gather(*(self._look_at(vital) for vital in self._vitals)))

    async def close(self) -> None:
        """Let the looks under way finish."""
        await self._looks.close()

    async def _look_at(self, vital: Vital) -> Reading:
        found = await self._looks.at(vital.name, partial(_read, vital))
        return found or Reading(vital.name, False, f"no answer within {WITHIN:g} s")


async def _read(vital: Vital) -> Reading:
    try:
        return Reading(vital.name, True, await vital.look())
    except Degraded as error:
        return Reading(vital.name, True, str(error), is_degraded=True)
    except Unwell as error:
        return Reading(vital.name, False, str(error))
    except Exception as error:  # noqa: BLE001  # whatever it is, it is what was to be found out
        return Reading(vital.name, False, _line(error))


def _line(error: Exception) -> str:
    """An error in one line."""
    return " ".join(f"{type(error).__name__}: {error}".split())
