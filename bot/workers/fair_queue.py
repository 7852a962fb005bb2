"""Fair shares: of threads (`FairQueue`), and of places for jobs on the event loop (`Gate`).

Servers share the worker threads evenly, and so do the people of each server. This is fair queueing
by seconds used (Goyal, Vin and Cheng, "Start-time Fair Queueing", 1996, at two levels): next comes
the party that has used least. A party that has been idle gains no credit by that: it begins level
with the others.
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
"""Seconds that work is charged with until it is done and the true figure is known."""


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

        So moves come before hints and hints before explanations, except those of a user who has
        used that much more than the one who waits for a hint.
        """
        return HANDICAPS.get(self, 0.0)


HANDICAPS = {Kind.HINT: 10.0, Kind.EXPLANATION: 20.0}
"""Seconds, by kind; none for the other kinds."""


@dataclass(frozen=True, slots=True)
class Claim:
    """What work is for, and the account on which it is done."""

    kind: Kind = Kind.MOVE
    user_id: int | None = None
    guild_id: int | None = None

    @property
    def server(self) -> Hashable:
        """The server; each person's direct messages count as a server of their own."""
        return self.user_id if self.guild_id is None else self.guild_id


NOBODY = Claim()
"""The account of work that nobody in particular has asked for."""


class FairQueue(Generic[T]):
    """Work that waits, and what each party has used; not safe for several threads."""

    def __init__(self) -> None:
        """Nothing waits and nothing has been used."""
        self._waiting: list[tuple[Claim, T]] = []  # in the order of arrival
        self._servers = _Shares()
        self._people: defaultdict[Hashable, _Shares] = defaultdict(_Shares)

    def __len__(self) -> int:
        """How much work waits."""
        return len(self._waiting)

    def put(self, claim: Claim, work: T) -> None:
        """Add work on an account."""
        self._servers.enter(claim.server)
        self._people[claim.server].enter(claim.user_id)
        self._waiting.append((claim, work))

    def take(self) -> tuple[Claim, T] | None:
        """The work that is next, if any; `done` has to be called when it is done."""
        if not self._waiting:
            return None
        # Of equals `min` returns the first, which has waited longest.
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
        """Charge an account for work that was taken: the seconds for which it used a thread."""
        self._servers.end(claim.server, seconds)
        people = self._people[claim.server]
        people.end(claim.user_id, seconds)
        if not people.used:
            del self._people[claim.server]


class _Shares:
    """What each of several parties has used, as long as that matters."""

    def __init__(self) -> None:
        self.used: dict[Hashable, float] = {}
        self._wanted: Counter[Hashable] = Counter()
        self._now = 0.0
        """What the party that was served last had used before."""

    def enter(self, party: Hashable) -> None:
        """Note that work of a party waits."""
        if not self._wanted[party]:
            self.used[party] = max(self.used.get(party, 0.0), self._now)
        self._wanted[party] += 1

    def begin(self, party: Hashable) -> None:
        """Note that work of a party begins."""
        self._now = max(self._now, self.used[party])
        self.used[party] += DEPOSIT

    def end(self, party: Hashable, seconds: float) -> None:
        """Note that work of a party is over and what it used; forget what no longer matters."""
        self.used[party] += seconds - DEPOSIT
        self._wanted[party] -= 1
        if not self._wanted[party]:
            del self._wanted[party]
        if not self._wanted:
            self.used.clear()
            self._now = 0.0
        # A party without work that has used less than this would begin at `_now` again.
        idle = [p for p, used in self.used.items() if used <= self._now and p not in self._wanted]
        for party in idle:
            del self.used[party]


PATIENCE = 1.0
"""Seconds after which a job that waits for a place may leave, to be done somewhere else."""

RECHECK = 0.25
"""Seconds between two checks whether it can be done there, from then on."""


def never() -> bool:
    """Return False: a job that waits cannot be done anywhere else."""
    return False


class Gate:
    """A fixed number of places, shared as `FairQueue` shares threads."""

    def __init__(self) -> None:
        """There are no places yet: all are turned away at once."""
        self._places = 0
        self._taken = 0
        self._queue: FairQueue[asyncio.Future[bool]] = FairQueue()

    def resize(self, places: int) -> None:
        """Set the number of places; with none, all that wait are turned away."""
        self._places = places
        self._admit()

    @asynccontextmanager
    async def place(
        self, claim: Claim, may_leave: Callable[[], bool] = never
    ) -> AsyncIterator[bool]:
        """Wait for a place and hold it during the block; False where there is none.

        A job that has waited for `PATIENCE` leaves as soon as `may_leave` returns True.
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
        """Admit the next jobs while there is room; turn all away if there are no places."""
        while self._taken < self._places or not self._places:
            item = self._queue.take()
            if item is None:
                return
            claim, admitted = item
            if admitted.done() or not self._places:  # it has left, or is turned away
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
