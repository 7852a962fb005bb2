"""A queue in which nobody holds up others, however much they ask for.

Servers share the worker threads evenly, and so do the people of each server. This is fair queueing
by seconds used (Goyal, Vin and Cheng, "Start-time Fair Queueing", 1996, at two levels): next comes
whoever has used least. Who has long wanted nothing gains no credit by that, and begins level with
the others.

Limits how many jobs are under way at a time, by fair shares: `Pool` for an event loop.
"""

from __future__ import annotations

import asyncio
from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Callable, Hashable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from enum import Enum
from time import monotonic
from typing import Generic, TypeVar

T = TypeVar("T")

DEPOSIT = 1.0
"""Seconds that work is taken to use until it is done and the true figure is known."""


class Kind(Enum):
    """What work is for."""

    MOVE = "move"
    HINT = "hint"
    JUDGEMENT = "judgement"
    """Judging a finished game, for ratings and tables."""
    EXPLANATION = "explanation"
    """What a user has asked for beside a game: explanations, reviews, analyses, lines of play."""

    @property
    def handicap(self) -> float:
        """Return a number of seconds: the work waits as if its user had already used them.

        So moves come before hints and hints before explanations, but not forever: not those of a
        user who has used so much more than the one who waits for a hint.
        """
        return HANDICAPS.get(self, 0.0)


HANDICAPS = {Kind.HINT: 10.0, Kind.EXPLANATION: 20.0}
"""Seconds, by kind; none for the other kinds."""


@dataclass(frozen=True, slots=True)
class Claim:
    """What work is for and whom: the account on which it is done."""

    kind: Kind = Kind.MOVE
    user_id: int | None = None
    guild_id: int | None = None

    @property
    def server(self) -> Hashable:
        """The server; direct messages with somebody are one of their own."""
        return self.user_id if self.guild_id is None else self.guild_id


NOBODY = Claim()
"""The account of work that is for nobody in particular."""


class FairQueue(Generic[T]):
    """Work that waits, and how much everybody has had; not safe for several threads."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self._waiting: list[tuple[Claim, T]] = []  # in the order of arrival
        self._servers = _Shares()
        self._people: defaultdict[Hashable, _Shares] = defaultdict(_Shares)

    def __len__(self) -> int:
        """How much is waiting."""
        return len(self._waiting)

    def put(self, claim: Claim, work: T) -> None:
        """Add work on somebody's account."""
        self._servers.enter(claim.server)
        self._people[claim.server].enter(claim.user_id)
        self._waiting.append((claim, work))

    def take(self) -> tuple[Claim, T] | None:
        """The work that is next, if any; `done` has to be called when it is done."""
        if not self._waiting:
            return None
        # Of equals `min` takes the first, which has waited longest.
        server = min(
            (claim for claim, _ in self._waiting),
            key=lambda claim: self._servers.used[claim.server] + claim.kind.handicap,
        ).server
        people = self._people[server]
        index, (claim, work) = min(
            (item for item in enumerate(self._waiting) if item[1][0].server == server),
            key=lambda item: people.used[item[1][0].user_id] + item[1][0].kind.handicap,
        )
        del self._waiting[index]
        self._servers.begin(server)
        people.begin(claim.user_id)
        return claim, work

    def done(self, claim: Claim, seconds: float) -> None:
        """Charge for work that was taken: it has used a thread for so many seconds."""
        self._servers.end(claim.server, seconds)
        people = self._people[claim.server]
        people.end(claim.user_id, seconds)
        if not people.used:
            del self._people[claim.server]


class _Shares:
    """What each of several parties has used, for as long as it matters."""

    def __init__(self) -> None:
        self.used: dict[Hashable, float] = {}
        self._wanted: Counter[Hashable] = Counter()
        self._now = 0.0
        """What had been used by whoever had used least and was served last."""

    def enter(self, party: Hashable) -> None:
        """Note that a party wants something."""
        if not self._wanted[party]:
            self.used[party] = max(self.used.get(party, 0.0), self._now)
        self._wanted[party] += 1

    def begin(self, party: Hashable) -> None:
        """Note that something of a party is begun."""
        self._now = max(self._now, self.used[party])
        self.used[party] += DEPOSIT

    def end(self, party: Hashable, seconds: float) -> None:
        """Note how long that took; what no longer matters is forgotten."""
        self.used[party] += seconds - DEPOSIT
        self._wanted[party] -= 1
        if not self._wanted[party]:
            del self._wanted[party]
        if not self._wanted:
            self.used.clear()
            self._now = 0.0
        # Whoever comes back would begin here in any case.
        passed = [p for p, used in self.used.items() if used <= self._now and p not in self._wanted]
        for party in passed:
            del self.used[party]


PATIENCE = 1.0
"""Seconds after which a job that waits for a place may be done somewhere else."""

RECHECK = 0.25
"""Seconds between two checks whether it can be, from then on."""


def never() -> bool:
    """Nothing else can do a job that waits."""
    return False


class Gate:
    """A fixed number of places that are shared as `FairQueue` shares threads."""

    def __init__(self) -> None:
        """Begin with no places: nothing passes, and nothing waits."""
        self._places = 0
        self._taken = 0
        self._queue: FairQueue[asyncio.Future[bool]] = FairQueue()

    def resize(self, places: int) -> None:
        """Have so many places from now on; with none, all that waits is turned away."""
        self._places = places
        self._admit()

    @asynccontextmanager
    async def place(
        self, claim: Claim, may_leave: Callable[[], bool] = never
    ) -> AsyncIterator[bool]:
        """Wait for a place and hold it during the block; False where there is none.

        A job that has waited for `PATIENCE` gives up as soon as `may_leave` says that it can.
        """
        if not self._places:
            yield False
            return
        admitted = asyncio.get_running_loop().create_future()
        self._queue.put(claim, admitted)
        self._admit()
        try:
            is_admitted = await _admission(admitted, may_leave)
        except asyncio.CancelledError:
            if admitted.done() and not admitted.cancelled() and admitted.result():
                self._leave(claim, 0.0)
            admitted.cancel()
            raise
        if not is_admitted:
            yield False
            return
        began = monotonic()
        try:
            yield True
        finally:
            self._leave(claim, monotonic() - began)

    def _leave(self, claim: Claim, seconds: float) -> None:
        self._taken -= 1
        self._queue.done(claim, seconds)
        self._admit()

    def _admit(self) -> None:
        """Admit whoever is next while there is room, or turn everybody away."""
        while self._taken < self._places or not self._places:
            item = self._queue.take()
            if item is None:
                return
            claim, admitted = item
            if admitted.done() or not self._places:  # whoever waited has gone away, or has to
                self._queue.done(claim, 0.0)
                if not admitted.done():
                    admitted.set_result(False)
                continue
            self._taken += 1
            admitted.set_result(True)


async def _admission(admitted: asyncio.Future[bool], may_leave: Callable[[], bool]) -> bool:
    """Wait until a job is admitted or turned away, or may leave."""
    timeout = PATIENCE
    while not admitted.done():
        await asyncio.wait({admitted}, timeout=timeout)
        timeout = RECHECK
        if not admitted.done() and may_leave():
            admitted.set_result(False)
    return admitted.result()
