"""Keeping this process's lease, giving back lost time, and turns that take too long.

A process renews its lease every few seconds. The time between its last renewal and the moment
another process, or its next run, takes its games is given back: to the person to move in each of
them, and to challenges that wait for an answer. So is time in which nothing can be stored, and in
which this process was suspended.

Every running game knows when it must next be looked at; one alarm rings for the earliest of them.
People whose turn takes too long are warned, then lose on time; agents are asked again. For a game
in which an agent is to move, it is the time by which the agent must have moved, so the row is found
even if the search or its process has failed.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress
from contextvars import Context
from dataclasses import dataclass, field, replace

from bot.database.errors import Unavailable
from bot.game.clocks import Clock, steady
from bot.game.session import ANSWER_SECONDS, Session
from bot.sessions.ownership import Ownership
from bot.sessions.running import MovedOn, RunningGames
from bot.sessions.sessions import Sessions, run_out
from bot.store.store import Store

logger = logging.getLogger(__name__)

LOOK = 0.5
"""Seconds between two looks at whether the database is still where it was."""

BEAT = 60.0
"""Seconds between two renewals of a process that has its database to itself."""

RENEWAL = 3.0
"""Seconds between two renewals where other processes watch the lease."""

PATIENCE = 2.0
"""Seconds that such a renewal waits for the database."""

SUSPENDED = 3.0
"""Seconds in which nothing of this process ran, after which it counts as having been suspended."""


async def nothing() -> None:
    """Do nothing."""


@dataclass(frozen=True, slots=True)
class Hooks:
    """What is called when a process was away, and when it is back."""

    back: Callable[[], None] = lambda: None
    """Called when changes can be stored again after they could not."""
    suspended: Callable[[], None] = lambda: None
    """Called when it is noticed that this process was suspended."""
    before_giving: Callable[[], Awaitable[None]] = nothing
    """Called before lost time is given back: stores what boards have shown until now, which do not
    show that."""
    resumed: Callable[[], Awaitable[None]] = nothing
    """Called after a suspension, before this process goes on: finds out if it was replaced."""


class Presence:
    """Keeps an eye on the database and on other processes, and gives back lost time."""

    def __init__(
        self,
        store: Store,
        games: RunningGames,
        ownership: Ownership,
        clock: Clock,
        steady: Callable[[], float] = steady,
    ) -> None:
        """Look after the running `games` in `store` for `ownership`, by `clock`.

        `steady` measures how much time passes.
        """
        self._store = store
        self._games = games
        self._ownership = ownership
        self._clock = clock
        self._faults = 0
        self._steady = steady
        self._renewed = self._calm = self._ran = steady()
        self._away_since: float | None = None
        self._certain = asyncio.Event()
        self._certain.set()
        self._stopping = asyncio.Event()
        self._has_entered = False
        self._watching: asyncio.Task[None] | None = None
        self._hooks = Hooks()

    async def enter(self) -> None:
        """Register this process, take the games without an owner, and keep its lease from now on.

        What these games lost is given back. The lease does not wait for `start`: logging in to
        Discord can take longer than it lasts.
        """
        self._faults = self._store.database.faults
        await self._ownership.enter()
        self._has_entered = True
        await self._ownership.adopt(thoroughly=True)
        self._renewed = self._ran = self._steady()
        # The watch outlives its caller, and takes nothing of its context along.
        create_task = asyncio.get_running_loop().create_task
        self._watching = Context().run(create_task, self._watch())

    def start(self, hooks: Hooks) -> None:
        """Call `hooks` as needed, from now on."""
        self._hooks = hooks

    async def stop(self) -> None:
        """Watch no more, and leave the games to others, as of now."""
        if not self._has_entered:
            return
        self._has_entered = False
        self._stopping.set()
        if self._watching is not None:
            await asyncio.wait({self._watching})
        with suppress(Unavailable):
            await self._ownership.release()

    def notice(self) -> bool:
        """Note that this process runs; whether it may go on without looking around first.

        After a suspension it may not: others may have its games by now.
        """
        now, ran = self._steady(), self._ran
        self._ran = now
        if self._watching is not None and now - ran > SUSPENDED:
            logger.warning("this process was suspended for %.1f s", now - ran)
            if self._away_since is None:
                self._away_since = self._clock() - (now - ran)
            self._certain.clear()
            self._hooks.suspended()
        return self._certain.is_set()

    async def certain(self, patience: float) -> None:
        """Wait until this process may go on, at most for some seconds."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self._certain.wait(), patience)

    async def settle(self) -> None:
        """Give back the time in which nothing could be stored or done, if there was any.

        To be done before any player loses on time; raises Unavailable if nothing can be stored yet.
        """
        self.notice()
        since = self._away_since
        if since is None and self._faults == self._store.database.faults:
            return
        faults = self._store.database.faults
        # While the database failed this process ran, and yet could not play.
        has_failed = faults != self._faults
        await self._hooks.before_giving()
        if await self._ownership.refund(0.0 if has_failed or since is None else since):
            self._games.forget()
        # Others could store nothing either, and are only about to renew their leases.
        self._calm = self._steady() + 2 * RENEWAL
        await self.renew()
        if since is not None:
            self._games.forget()
            await self._hooks.resumed()
        self._faults = faults
        if self._away_since == since:
            self._away_since = None
            self._certain.set()
        self._hooks.back()

    async def look(self) -> None:
        """Renew the lease, and take the games of processes whose lease has run out."""
        await self.renew()
        is_calm = self._steady() >= self._calm
        adopted = await self._ownership.adopt() if is_calm else None
        if adopted is not None:
            await self._games.welcome(adopted)

    async def _watch(self) -> None:
        while not self._stopping.is_set():
            with suppress(TimeoutError):
                await asyncio.wait_for(self._stopping.wait(), LOOK)
            try:
                await self._look()
            except Unavailable:
                # Which the database has logged.
                pass
            except Exception:
                logger.exception("the database could not be looked at")

    async def _look(self) -> None:
        self.notice()
        await self._store.database.look()
        await self.settle()
        passed = self._steady() - self._renewed
        if self._store.database.is_shared:
            if passed >= RENEWAL:
                await self.look()
        elif passed >= BEAT:
            await self.renew()

    async def renew(self) -> None:
        """Renew the lease, and learn whether this process is to hand its games over."""
        await self._ownership.renew(PATIENCE)
        self._renewed = self._steady()


LONGEST_SILENCE = 60.0
"""Seconds until an agent is asked again, at most: the longer it has been silent, the longer."""

FIRST_RETRY, LONGEST_RETRY = 5.0, 600.0
"""Seconds until a game that could not be looked at is tried again, doubled up to the longest."""


Deadline = Callable[[Session, float], Awaitable[Session | None]]
"""Settles a game at a time if what it is about is due: the game as it is then, or None for
nothing. The game's lock is held."""


@dataclass(slots=True)
class Looked:
    """What a look at the due games has found, for the code that shows games to act on."""

    ended: list[Session] = field(default_factory=list)
    """Games that have just been lost on time, or stopped."""
    warned: list[Session] = field(default_factory=list)
    """Games in which the person to move is to be warned."""
    decided: list[Session] = field(default_factory=list)
    """Games that a feature has just settled, such as those in which a vote has ended."""
    overdue: list[Session] = field(default_factory=list)
    """Games in which an agent should have moved long ago."""


class TurnTimer:
    """Looks at the games that are due; knows nothing of Discord."""

    def __init__(
        self,
        store: Store,
        sessions: Sessions,
        ownership: Ownership,
        clock: Clock,
        presence: Presence,
    ) -> None:
        """Look at the running games of `ownership` in `store`, by `clock`.

        `presence` knows of absences.
        """
        self._deadlines: tuple[Deadline, ...] | None = None
        self._presence = presence
        self._ownership = ownership
        self._store = store
        self._sessions = sessions
        self._clock = clock
        self._failures: dict[int, int] = {}

    def contribute(self, deadlines: Iterable[Deadline]) -> None:
        """Take what features do when games are due; nothing can be added later."""
        if self._deadlines is not None:
            raise RuntimeError("the deadlines of games are complete already")
        self._deadlines = tuple(deadlines)

    async def look(self) -> Looked:
        """Look at every game that is due, and set when each is due next, if ever.

        A game that cannot be looked at is logged once and looked at again after growing pauses. It
        keeps no other waiting.
        """
        await self._presence.settle()
        looked = Looked()
        for due in await self._store.games.to_look_at(self._clock(), self._ownership.owner):
            try:
                async with self._sessions.games.lock(due.channel_id):
                    # Meanwhile a move may have come after all, or another game may have begun here.
                    present = await self._sessions.games.held(due.channel_id)
                    if present is not None and present.id == due.id:
                        await self._look_at(present, looked)
                self._failures.pop(due.id, None)
            except MovedOn:
                pass  # it is another process's now, which looks at it
            except Unavailable:
                raise
            except Exception as error:  # noqa: BLE001  # it is logged, and keeps no other waiting
                await self._put_off(due.id, error)
        return looked

    async def next_look(self) -> float | None:
        """When the next game is due; None if none is."""
        return await self._store.games.next_look(self._ownership.owner)

    async def _put_off(self, game_id: int, error: Exception) -> None:
        """Look at a game later that could not be looked at."""
        failures = self._failures[game_id] = self._failures.get(game_id, 0) + 1
        if failures == 1:
            logger.error("game %s is due and could not be looked at", game_id, exc_info=error)
        pause = min(FIRST_RETRY * 2 ** min(failures - 1, 10), LONGEST_RETRY)
        await self._store.games.look_again(game_id, self._clock() + pause)

    async def _look_at(self, session: Session, looked: Looked) -> None:
        now, countdown = self._clock(), session.countdown
        for settle in self._deadlines or ():
            settled = await settle(session, now)
            if settled is not None:
                looked.decided.append(settled)
                return
        if session.ballot is not None and session.ballot.until is not None:
            # One whose time is up, and which nothing closes, is not looked at all the time.
            is_due = session.ballot.until <= now
            await self._look_later(session, now + LONGEST_SILENCE if is_due else session.look_at)
        elif session.awaits_agent:
            if self._sessions.is_answering(session):
                return  # and it does not give up; nothing is written while it is busy
            if now < session.turn_began + ANSWER_SECONDS:
                await self._look_later(session, session.look_at)
                return
            looked.overdue.append(session)
            await self._look_later(session, now + _patience(now - session.turn_began))
        elif countdown is None or now < countdown.warning:
            await self._look_later(session, session.look_at)
        elif countdown.deadline <= now:
            looked.ended.append(await self._sessions.games.finish(session, run_out(session, now)))
        elif session.is_warned or session.awaits_channel:
            await self._look_later(session, session.look_at)
        else:
            looked.warned.append(await self._warn(session, now))

    async def _warn(self, session: Session, now: float) -> Session:
        """Record that the person to move is being warned.

        This is stored before the warning is sent: a crash may lose a warning, but never repeats one
        for the same move.
        """
        warned = replace(session, reminded_at=now)
        if not await self._store.games.note_reminder(
            session.id, session.last_at(), now, look_at=warned.look_at, owner=self._ownership.id
        ):
            raise MovedOn
        return self._sessions.games.keep(warned)

    async def _look_later(self, session: Session, at: float | None) -> None:
        await self._store.games.set_look(
            session.id, at, expecting_moves=len(session.moves), owner=self._ownership.id
        )


def _patience(silence: float) -> float:
    """Seconds until an agent that has been silent for so long is asked once more."""
    return min(max(silence / 2, ANSWER_SECONDS / 2), LONGEST_SILENCE)
