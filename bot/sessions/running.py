"""The running games by channel, in memory and in the store, and the alarm for the next deadline.

Memory is never newer than the store: a change is stored first, then the session is replaced. Each
channel has a lock, which is held during a change but never during a search. A session in memory is
valid while this process owns the game (`bot.sessions.ownership`); only the owner changes a game.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import asynccontextmanager
from contextvars import Context
from dataclasses import replace
from typing import TypeVar
from weakref import WeakValueDictionary

from bot.database.errors import BUSY, Unavailable, Unconfirmed, isolated
from bot.database.time_limits import is_hurried, present_limits
from bot.game.clocks import Clock
from bot.game.refusal import OutdatedControl, Refusal
from bot.game.session import Session
from bot.ratings.rated import is_instructive
from bot.sessions.ownership import Ownership, UnreadableGames
from bot.sessions.searches import Searches
from bot.sessions.settling import RatingQueue
from bot.store.boards import ShownBoard
from bot.store.damaged_games import DamagedGame
from bot.store.games import MoveTaken
from bot.store.records import Ending, EndRecord, GameRecord
from bot.store.store import Store
from bot.telemetry import SILENT, Meter, note

LONGEST_TIMER = 60.0
"""The longest time for which the alarm is set. Deadlines use a clock that may be corrected, while
timers run on the loop's monotonic clock."""


class Alarm:
    """Rings at the earliest of the times to which it has been set."""

    def __init__(self, clock: Clock) -> None:
        """Use `clock` for the time; the alarm is off until `start`."""
        self._clock = clock
        self._ring: Callable[[], None] | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._at: float | None = None

    def start(self, ring: Callable[[], None]) -> None:
        """Call `ring` now, and then at each time set with `ring_by`."""
        self._ring = ring
        self.ring_by(self._clock())

    def stop(self) -> None:
        """Turn the alarm off."""
        self._ring = None
        self._disarm()

    def ring_by(self, at: float | None) -> None:
        """Ring at `at`, unless the alarm is set to an earlier time; None changes nothing."""
        if self._ring is None or at is None or (self._at is not None and self._at <= at):
            return
        self._disarm()
        self._at = at
        left = min(max(0.0, at - self._clock()), LONGEST_TIMER)
        self._timer = self._wait(left)

    def _wait(self, seconds: float) -> asyncio.TimerHandle | None:
        """Schedule a call of `_due` after `seconds`."""
        # An empty context, because a timer outlives the request that set it.
        call_later = asyncio.get_running_loop().call_later
        return Context().run(call_later, seconds, self._due)

    def _due(self) -> None:
        self._timer = self._at = None
        if self._ring is not None:
            self._ring()

    def _disarm(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = self._at = None


T = TypeVar("T")


class MovedOn(Refusal):
    """Another process has changed or taken the game; nothing has changed here."""

    def __init__(self) -> None:
        super().__init__("moved_on")


class ChannelPlays(Refusal):
    """The request is for players only, but the channel plays by votes."""

    def __init__(self) -> None:
        super().__init__("channel_plays")


class NotYourGame(Refusal):
    """The request is for the players of a game, and this person is not one of them."""

    def __init__(self, session: Session) -> None:
        super().__init__("not_your_game", players=session.user_ids)


class CannotContinue(Refusal):
    """The requested game could not be read and was ended without a result."""

    def __init__(self) -> None:
        super().__init__("discontinued")


class Damaged(Refusal):
    """The requested game is over, and its stored rows can no longer be read."""

    def __init__(self) -> None:
        super().__init__("damaged_game")


class RunningGames:
    """The current session of every channel; does not depend on Discord."""

    def __init__(
        self,
        store: Store,
        ownership: Ownership,
        searches: Searches,
        ratings: RatingQueue,
        alarm: Alarm,
        clock: Clock,
        meter: Meter = SILENT,
    ) -> None:
        """Store the games of `ownership` in `store`, and stop the `searches` of games that end.

        `ratings` is woken when a game that counts or was watched has ended; `alarm` is set to the
        time at which each game is next due. A game that cannot be read is ended, at the time of
        `clock`.
        """
        self._store = store
        self._ownership = ownership
        self._searches = searches
        self._ratings = ratings
        self._alarm = alarm
        self._meter = meter
        self._running: dict[int, Session] = {}
        self._locks: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()
        self._unreadable = UnreadableGames(store, ownership, clock, meter, self._drop)
        self._on_taken: Callable[[Session], None] = lambda _: None

    def start(self, on_taken: Callable[[Session], None]) -> None:
        """Call `on_taken` with each game taken from another process whose agent is to move.

        The other process's search for the move is lost. `on_taken` must not block.
        """
        self._on_taken = on_taken

    async def current(self, channel_id: int) -> Session | None:
        """The running game of a channel, from memory only if that is known to be valid."""
        session = await self._valid_in_memory(channel_id)
        if session is not None:
            return session
        # Not kept in memory: without the lock, the game may end while it is being read.
        record = await self._store.games.running_in(channel_id)
        return await self._unreadable.read(record) if record else None

    async def owned(self, channel_id: int) -> Session | None:
        """The channel's game if this process owns it; the lock must be held.

        If the game has no owner, this process becomes its owner.
        """
        return await self._take_ownership(channel_id, if_unowned=True)

    async def apply_change(self, channel_id: int, change: Callable[[], Awaitable[T]]) -> T:
        """Make a change that a person requests, under the channel's lock; returns its result.

        The person uses this process, so it takes the channel's game from another owner. If that
        owner changes or takes the game at the same time, the change is retried once. Raises
        Unavailable if the preceding change takes too long for a person to wait.
        """
        async with self.lock_in_time(channel_id):
            try:
                if channel_id not in self._running:
                    await self._take_ownership(channel_id)
                return await change()
            except MovedOn:
                self._running.pop(channel_id, None)
                await self._take_ownership(channel_id)
                return await change()
            except Unconfirmed:
                # It is unknown whether the change was stored; the next request reads the store.
                self._running.pop(channel_id, None)
                raise

    async def require(self, game_id: int) -> Session:
        """A game, running or over, by its id; refused if there is none that can be read."""
        session = await self.find(game_id)
        if session is None:
            raise Refusal("game_is_gone")
        return session

    async def require_current(self, channel_id: int, family: str | None = None) -> Session:
        """The channel's game; refused if there is none or if it is of another family."""
        session = await self.current(channel_id)
        if session is None:
            raise await self.no_game(channel_id)
        note(game=session.id)
        require_family(session, family)
        return session

    async def require_seated(
        self, channel_id: int, user_id: int, family: str | None = None
    ) -> Session:
        """The channel's game; refused unless this person plays in it."""
        return require_seat(await self.require_current(channel_id, family), user_id, family)

    async def require_turn_of(
        self, channel_id: int, user_id: int, family: str | None = None
    ) -> Session:
        """The channel's game; refused unless it is this person's turn."""
        return require_turn(await self.require_current(channel_id, family), user_id, family)

    async def require_running(self, channel_id: int, game_id: int) -> Session:
        """The channel's game; refused, with the reason, if it is not the game with this id."""
        present = await self.current(channel_id)
        if present is not None and present.id == game_id:
            return present
        meant = await self.require(game_id)
        if meant.is_over:
            rematch = {} if meant.is_channel_game or not meant.people else {"over": meant.id}
            raise Refusal("already_over", game=meant.game.key, **rematch)
        raise OutdatedControl(meant.place)

    async def running_of(self, user_id: int) -> list[Session]:
        """The running games that a person plays in or has started, the oldest first."""
        return await self._unreadable.readable(await self._store.games.running_of(user_id))

    async def find(self, game_id: int) -> Session | None:
        """A game by its id, running or over; refused if its rows cannot be read."""
        record = await self._store.games.find(game_id)
        if record is None:
            return None
        session = await self._unreadable.read(record)
        if session is None:
            is_closed = record.end is None or record.end.ending is Ending.UNREADABLE
            raise CannotContinue if is_closed else Damaged
        return session

    async def find_readable(self, game_id: int) -> Session | None:
        """A game by its id, running or over; None also if it cannot be read."""
        record = await self._store.games.find(game_id)
        return await self._unreadable.read(record) if record else None

    async def readable(self, record: GameRecord) -> Session | None:
        """A game from its record; None if it cannot be read, and if it was running it has ended."""
        return await self._unreadable.read(record)

    async def end_unreadable(self, user_id: int) -> None:
        """End the games that a person plays in or has started and that cannot be read."""
        for record in await self._store.games.running_of(user_id):
            await self._unreadable.read(record, even_if_owned=True)

    async def unanswered(self) -> list[Session]:
        """This process's games in which an agent is to move, for a restart to resume."""
        records = await self._store.games.running(self._ownership.id)
        running = await self._unreadable.readable(records)
        return [session for session in running if session.awaits_agent]

    def in_memory(self, channel_id: int) -> Session | None:
        """The channel's game in memory, which another process may have changed or taken.

        Only for work that is harmless in that case: its changes are stored only in games of this
        process, and only as the next move.
        """
        return self._running.get(channel_id)

    def is_current(self, session: Session) -> bool:
        """Whether a session is the one that was last stored or read in its channel."""
        return self._running.get(session.channel_id) is session

    def is_superseded(self, session: Session) -> bool:
        """Whether moves have been taken back since this point of the game."""
        present = self._running.get(session.channel_id)
        return present is not None and (present.id == session.id and present.undos > session.undos)

    async def show_in(self, session: Session, message_id: int, *, shown: int = -1) -> Session:
        """Record which message shows a game's board, and which state of the game it shows."""

        async def record() -> Session:
            boards, present = self._store.boards, await self.current(session.channel_id)
            if present is None or present.id != session.id:
                await boards.set_message(session.id, message_id, shown=shown)
                return replace(session, message_id=message_id)
            me = self._ownership.id
            if not await boards.set_message(session.id, message_id, shown=shown, owner=me):
                raise MovedOn
            return self.keep(replace(present, message_id=message_id))

        return await self.apply_change(session.channel_id, record)

    def forget(self) -> None:
        """Forget all sessions in memory, because the store may have changed."""
        self._running.clear()

    async def adopt(self, records: Iterable[GameRecord]) -> None:
        """Take over the games of processes that are gone, and everything that was due there."""
        for session in await self._unreadable.readable(records):
            # Earlier sessions of these games in memory are out of date.
            self._running.pop(session.channel_id, None)
            with isolated("game to take over", session.id):
                self._alarm.ring_by(session.due_at)
                if session.awaits_agent:
                    self._on_taken(session)
        # Finished games of these processes may be due to be rated.
        self._ratings.wake()

    async def board_of(self, session: Session) -> ShownBoard | None:
        """The message that shows a game and what it shows, according to the store."""
        return await self._store.boards.of(session.id)

    def lock(self, channel_id: int) -> asyncio.Lock:
        """The lock of a channel, held while its game changes but never during a search."""
        return self._locks.setdefault(channel_id, asyncio.Lock())

    @asynccontextmanager
    async def lock_in_time(self, channel_id: int) -> AsyncIterator[None]:
        """Hold a channel's lock; raises Unavailable if that takes too long for a person to wait.

        The holder may be waiting for a database server; with a database file there is no limit.
        """
        lock = self.lock(channel_id)
        waits = present_limits().contact if self._store.database.is_shared else None
        try:
            async with asyncio.timeout(waits if is_hurried() else None):
                await lock.acquire()
        except TimeoutError as error:
            raise Unavailable(BUSY, f"channel {channel_id} waits for another change") from error
        try:
            yield
        finally:
            lock.release()

    def keep(self, session: Session) -> Session:
        """Make a session the channel's current one, or drop it if it is over."""
        if session.is_over:
            self._running.pop(session.channel_id, None)
            self._searches.stop(session.id)
        else:
            self._running[session.channel_id] = session
            self._alarm.ring_by(session.due_at)
        return session

    async def append(self, session: Session, following: Session) -> Session:
        """Store the latest move of `following` and its end, if any, and keep the stored session.

        Raises MovedOn, with nothing changed, if another process has moved in the game or owns it.
        """
        counts = _counts(following)
        try:
            await self._store.games.append(
                session.id,
                session.number,
                following.moves[-1],
                look_at=following.due_at,
                end=following.end,
                counts=counts,
                owner=self._ownership.id,
            )
        except MoveTaken as error:
            # The session in memory is out of date.
            self._running.pop(session.channel_id, None)
            raise MovedOn from error
        by = "agent" if following.moves[-1].user_id is None else "person"
        self._meter.moved(following.game.key, by)
        return self._ended(following, counts) if following.is_over else self.keep(following)

    async def finish(self, session: Session, end: EndRecord) -> Session:
        """End a game without a move; raises MovedOn if another process has ended it or owns it."""
        ended = replace(session, end=end)
        counts, me = _counts(ended), self._ownership.id
        if not await self._store.games.finish(session.id, end, counts=counts, owner=me):
            self._running.pop(session.channel_id, None)
            raise MovedOn
        return self._ended(ended, counts)

    async def _valid_in_memory(self, channel_id: int) -> Session | None:
        """The channel's game in memory; None if it is not up to date."""
        session = self._running.get(channel_id)
        if session is None:
            return None
        if await self._ownership.holds(session):
            # This process may have changed or ended it in the meantime.
            return self._running.get(channel_id)
        if self._running.get(channel_id) is session:
            del self._running[channel_id]
        return None

    async def _take_ownership(self, channel_id: int, *, if_unowned: bool = False) -> Session | None:
        """Take the channel's game and return it; with `if_unowned`, only if it has no owner."""
        session = await self._valid_in_memory(channel_id)
        if session is not None:
            return session
        record = await self._store.games.running_in(channel_id)
        if record is None or record.owner == self._ownership.id:
            session = await self._unreadable.read(record) if record else None
            return self.keep(session) if session else None
        if await self._unreadable.read(record) is None:
            return None
        taken = await self._ownership.take(record.id, if_unowned=if_unowned)
        if taken is None:
            return None
        session = await self._unreadable.read(taken)
        if session is None:
            return None
        self.keep(session)
        if session.awaits_agent and not if_unowned:
            self._on_taken(session)
        return session

    async def no_game(self, channel_id: int) -> Refusal:
        """The refusal for a channel without a game."""
        if await self._store.damaged_games.ending_of_latest(channel_id) == Ending.UNREADABLE:
            return CannotContinue()
        return Refusal("no_game")

    def _drop(self, closed: DamagedGame) -> None:
        """Forget a game that was ended because it could not be read."""
        present = self._running.get(closed.channel_id)
        if present is not None and present.id == closed.id:
            del self._running[closed.channel_id]
        self._searches.stop(closed.id)

    def _ended(self, session: Session, counts: bool) -> Session:
        assert session.end is not None
        self._meter.ended(session.game.key, session.end.ending)
        # A watched game changes no ratings; it is judged when all ratings are done.
        if counts or session.is_watched:
            self._ratings.wake()
        return self.keep(replace(session, rating_due=counts))


def require_seat(session: Session, user_id: int, family: str | None = None) -> Session:
    """A channel's game; refused unless this person plays in it."""
    note(game=session.id)
    require_family(session, family)
    if session.is_channel_game:
        raise ChannelPlays
    if session.side_of(user_id) is None:
        raise NotYourGame(session)
    return session


def require_turn(session: Session, user_id: int, family: str | None = None) -> Session:
    """A channel's game; refused unless it is this person's turn."""
    session = require_seat(session, user_id, family)
    if session.is_held:
        raise Refusal("game_waits")
    if session.mover.user_id != user_id:
        if session.awaits_agent:
            raise Refusal("cuatro_thinking")
        raise Refusal("not_your_turn", person=session.mover.user_id)
    return session


def require_family(session: Session, family: str | None) -> None:
    """Refuse a request for another family of games; None allows any family."""
    if family not in (None, session.game.key):
        raise Refusal("other_game", other=session.game.key)


def _counts(session: Session) -> bool:
    """Whether a game has ended and changes ratings, public or not."""
    return session.is_over and is_instructive(session)
