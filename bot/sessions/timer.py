"""This process's lease, refunds of lost time, and deadlines of running games.

A process renews its lease every few seconds. The time between its last renewal and the adoption of
its games by another process, or by its next run, is refunded: to the person to move in each game,
and to open challenges. So is time in which nothing can be stored or this process is suspended.

Every running game has a time at which it is next due; one alarm rings for the earliest of them.
People who are silent are pinged where they play each other; those whose turn takes too long are
warned, then lose on time; agents are asked again. A game in which an agent is to move is due when
the agent must have moved, so the row is found even if the search or its process has failed.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress
from contextvars import Context
from dataclasses import dataclass, field

from bot.database.errors import Unavailable
from bot.game.clocks import Clock, steady
from bot.game.session import ANSWER_SECONDS, Session
from bot.sessions.endings import loss_on_time
from bot.sessions.ownership import Ownership
from bot.sessions.running import MovedOn, RunningGames
from bot.sessions.sessions import Sessions
from bot.store.store import Store

logger = logging.getLogger(__name__)

FILE_CHECK = 0.5
"""Seconds between two checks that the database file is still in its place."""

LONE_RENEWAL = 60.0
"""Seconds between two renewals of a process that is alone on its database."""

RENEWAL = 3.0
"""Seconds between two renewals if other processes watch the lease."""

PATIENCE = 2.0
"""Seconds for which such a renewal waits for the database."""

SUSPENDED = 3.0
"""Seconds without any activity after which this process counts as having been suspended."""


async def nothing() -> None:
    """Do nothing."""


@dataclass(frozen=True, slots=True)
class Hooks:
    """Callbacks for when this process was away and is back."""

    recovered: Callable[[], None] = lambda: None
    """Called when changes can be stored again after a failure."""
    suspended: Callable[[], None] = lambda: None
    """Called when a suspension of this process is detected."""
    before_refund: Callable[[], Awaitable[None]] = nothing
    """Called before lost time is refunded: stores what boards have shown, which is without the
    refund."""
    resumed: Callable[[], Awaitable[None]] = nothing
    """Called after a suspension, before this process continues: checks whether it was replaced."""


class Presence:
    """Keeps the lease, adopts games of other processes, and refunds lost time."""

    def __init__(
        self,
        store: Store,
        games: RunningGames,
        ownership: Ownership,
        clock: Clock,
        steady: Callable[[], float] = steady,
    ) -> None:
        """Manage the running `games` of `ownership` in `store`; `clock` gives the time.

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
        """Register this process, adopt games without an owner, and start renewing the lease.

        The lost time of these games is refunded. Renewals begin before `start`, because logging in
        to Discord can take longer than a lease lasts.
        """
        self._faults = self._store.database.faults
        await self._ownership.enter()
        self._has_entered = True
        await self._ownership.adopt(include_unowned=True)
        self._renewed = self._ran = self._steady()
        # An empty context, because the task outlives its caller.
        create_task = asyncio.get_running_loop().create_task
        self._watching = Context().run(create_task, self._watch())

    def start(self, hooks: Hooks) -> None:
        """Start calling `hooks`."""
        self._hooks = hooks

    async def stop(self) -> None:
        """Stop, and release the lease so that other processes adopt the games."""
        if not self._has_entered:
            return
        self._has_entered = False
        self._stopping.set()
        if self._watching is not None:
            await asyncio.wait({self._watching})
        with suppress(Unavailable):
            await self._ownership.release()

    def note_activity(self) -> bool:
        """Record that this process is active; returns whether it may continue without a check.

        After a suspension it may not, because other processes may have adopted its games.
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

    async def wait_until_certain(self, patience: float) -> None:
        """Wait until this process may continue, at most `patience` seconds."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self._certain.wait(), patience)

    async def settle(self) -> None:
        """Refund the time in which nothing could be stored or done, if there was any.

        To be called before a player loses on time; raises Unavailable if nothing can be stored yet.
        """
        self.note_activity()
        since = self._away_since
        if since is None and self._faults == self._store.database.faults:
            return
        faults = self._store.database.faults
        # While the database failed, this process ran but could not play.
        has_failed = faults != self._faults
        await self._hooks.before_refund()
        if await self._ownership.refund(0.0 if has_failed or since is None else since):
            self._games.forget()
        # Other processes could not store anything either, and have yet to renew their leases.
        self._calm = self._steady() + 2 * RENEWAL
        await self.renew()
        if since is not None:
            self._games.forget()
            await self._hooks.resumed()
        self._faults = faults
        if self._away_since == since:
            self._away_since = None
            self._certain.set()
        self._hooks.recovered()

    async def renew_and_adopt(self) -> None:
        """Renew the lease, and adopt the games of processes whose lease has expired."""
        await self.renew()
        is_calm = self._steady() >= self._calm
        adopted = await self._ownership.adopt() if is_calm else None
        if adopted is not None:
            await self._games.adopt(adopted)

    async def _watch(self) -> None:
        while not self._stopping.is_set():
            with suppress(TimeoutError):
                await asyncio.wait_for(self._stopping.wait(), FILE_CHECK)
            try:
                await self._check()
            except Unavailable:
                # The database has logged the failure.
                pass
            except Exception:
                logger.exception("the database could not be checked")

    async def _check(self) -> None:
        self.note_activity()
        await self._store.database.check()
        await self.settle()
        passed = self._steady() - self._renewed
        if self._store.database.is_shared:
            if passed >= RENEWAL:
                await self.renew_and_adopt()
        elif passed >= LONE_RENEWAL:
            await self.renew()

    async def renew(self) -> None:
        """Renew the lease, and read whether this process has been asked to drain."""
        await self._ownership.renew(PATIENCE)
        self._renewed = self._steady()


LONGEST_SILENCE = 60.0
"""The longest pause in seconds until an agent is asked again; pauses grow with its silence."""

FIRST_RETRY, LONGEST_RETRY = 5.0, 600.0
"""Seconds until a game whose check failed is tried again, doubled up to the longest."""


Deadline = Callable[[Session, float], Awaitable[Session | None]]
"""Handles a deadline of a feature in a game at a given time; returns the changed game, or None if
nothing is due. The game's lock is held."""


@dataclass(slots=True)
class CheckedGames:
    """The results of a check of due games, for the code that shows games."""

    ended: list[Session] = field(default_factory=list)
    """Games that have just been lost on time, or stopped."""
    warned: list[Session] = field(default_factory=list)
    """Games in which the person to move is to be warned."""
    silent: list[Session] = field(default_factory=list)
    """Games in which the person to move is to be pinged after a silence."""
    decided: list[Session] = field(default_factory=list)
    """Games that a feature has just changed, such as those in which a vote has ended."""
    overdue: list[Session] = field(default_factory=list)
    """Games in which an agent should have moved long ago."""


class TurnTimer:
    """Checks the games that are due; does not depend on Discord."""

    def __init__(
        self,
        store: Store,
        sessions: Sessions,
        ownership: Ownership,
        clock: Clock,
        presence: Presence,
    ) -> None:
        """Check the running games of `ownership` in `store`; `clock` gives the time.

        `presence` refunds absences.
        """
        self._deadlines: tuple[Deadline, ...] | None = None
        self._presence = presence
        self._ownership = ownership
        self._store = store
        self._sessions = sessions
        self._clock = clock
        self._failures: dict[int, int] = {}

    def contribute(self, deadlines: Iterable[Deadline]) -> None:
        """Add the deadlines of features; to be called once."""
        if self._deadlines is not None:
            raise RuntimeError("the deadlines of games are complete already")
        self._deadlines = tuple(deadlines)

    async def check_due(self) -> CheckedGames:
        """Check every game that is due, and set when it is next due.

        A game whose check fails is logged once and retried after growing pauses. It does not delay
        other games.
        """
        await self._presence.settle()
        checked = CheckedGames()
        for due in await self._store.games.due(self._clock(), self._ownership.owner):
            try:
                async with self._sessions.games.lock(due.channel_id):
                    # Meanwhile a move may have been made, or another game may have begun here.
                    present = await self._sessions.games.owned(due.channel_id)
                    if present is not None and present.id == due.id:
                        await self._check_game(present, checked)
                self._failures.pop(due.id, None)
            except MovedOn:
                pass  # another process owns the game now and checks it
            except Unavailable:
                raise
            except Exception as error:  # noqa: BLE001  # logged; other games go on
                await self._postpone(due.id, error)
        return checked

    async def next_due(self) -> float | None:
        """When the next game is due; None if none is."""
        return await self._store.games.next_due(self._ownership.owner)

    async def _postpone(self, game_id: int, error: Exception) -> None:
        """Postpone a game whose check has failed."""
        failures = self._failures[game_id] = self._failures.get(game_id, 0) + 1
        if failures == 1:
            logger.error("game %s is due and could not be checked", game_id, exc_info=error)
        pause = min(FIRST_RETRY * 2 ** min(failures - 1, 10), LONGEST_RETRY)
        await self._store.games.postpone(game_id, self._clock() + pause)

    async def _check_game(self, session: Session, checked: CheckedGames) -> None:
        now, countdown = self._clock(), session.countdown
        for settle in self._deadlines or ():
            settled = await settle(session, now)
            if settled is not None:
                checked.decided.append(settled)
                return
        if session.ballot is not None and session.ballot.until is not None:
            # A game whose time is up and which nothing closes is not checked all the time.
            is_due = session.ballot.until <= now
            await self._set_due(session, now + LONGEST_SILENCE if is_due else session.due_at)
        elif session.awaits_agent:
            if self._sessions.is_answering(session):
                return  # the search continues; nothing is written meanwhile
            if now < session.turn_began + ANSWER_SECONDS:
                await self._set_due(session, session.due_at)
                return
            checked.overdue.append(session)
            await self._set_due(session, now + _patience(now - session.turn_began))
        elif countdown is None or now < countdown.warning:
            if session.ping_at is not None and session.ping_at <= now:
                checked.silent.append(await self._note(session, "pinged_at", now))
            else:
                await self._set_due(session, session.due_at)
        elif countdown.deadline <= now:
            checked.ended.append(
                await self._sessions.games.finish(session, loss_on_time(session, now))
            )
        elif session.is_warned or session.awaits_channel:
            await self._set_due(session, session.due_at)
        else:
            checked.warned.append(await self._note(session, "reminded_at", now))

    async def _note(self, session: Session, column: str, now: float) -> Session:
        """Record that the person to move is being warned (`reminded_at`) or pinged (`pinged_at`).

        It is stored before the message is sent: a crash may lose a message, but never causes a
        second one for the same move, in this process or in one that takes the game over.
        """
        following = session.notified(column, now)
        if not await self._store.games.note_notice(
            column,
            session.id,
            session.last_at(),
            now,
            look_at=following.due_at,
            owner=self._ownership.id,
        ):
            raise MovedOn
        return self._sessions.games.keep(following)

    async def _set_due(self, session: Session, at: float | None) -> None:
        await self._store.games.set_due(
            session.id, at, expecting_moves=len(session.moves), owner=self._ownership.id
        )


def _patience(silence: float) -> float:
    """Seconds until an agent that has been silent for `silence` seconds is asked again."""
    return min(max(silence / 2, ANSWER_SECONDS / 2), LONGEST_SILENCE)
