"""Which games this process owns, and reading games from their records.

A process may trust its copy of a game in memory while it owns the game. On a file that is as long
as the process runs. On a server other processes may take a game over at any time: because a player
uses them, or because this one has not renewed its lease. The database decides that, and every
change checks it (`bot.store.owners`).

A running game that cannot be read could be neither played nor resigned, and would block its channel
for ever. It ends without a result and counts for no player; a copy of its rows is kept for the
operator.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from dataclasses import replace
from importlib.metadata import PackageNotFoundError, version
from uuid import uuid4

from bot.database.errors import Unavailable, isolated
from bot.game.clocks import Clock
from bot.game.reading import UnreadableGame, damage_of, read_game
from bot.game.session import Session
from bot.shards import Shards
from bot.store.damaged_games import DamagedGame
from bot.store.owners import Former, Owner, Pause
from bot.store.records import GameRecord
from bot.store.store import Store
from bot.telemetry import Meter

logger = logging.getLogger(__name__)

NOTICEABLE = 1.0
"""Seconds from which on an absence is made up for."""

HANDOVER = 6.0
"""Seconds without a renewal between two processes at work that are a handover, not an absence."""


class Ownership:
    """This process as the owner of games."""

    def __init__(self, store: Store, clock: Clock, shards: Shards | None = None) -> None:
        """Own games in `store`, by `clock`; take those of `shards`, or with None of any."""
        self._store = store
        self._clock = clock
        self._began = clock()
        self._entered: float | None = None
        self.owner = Owner(uuid4().hex, shards)
        """Who this process is."""

    @property
    def id(self) -> str:
        """The name of this process, for the store."""
        return self.owner.id

    @property
    def is_draining(self) -> bool:
        """Whether this process hands its games over."""
        return not self.owner.takes

    async def enter(self) -> None:
        """Register this process."""
        self._began = self._clock()
        self._entered = await self._store.processes.register(
            self.id, self.owner.shards, self._began
        )

    async def renew(self, patience: float | None = None) -> None:
        """Renew this process's lease, and learn whether it is to hand its games over."""
        drains = await self._store.processes.renew(
            self.id, self.owner.shards, self._clock(), began_at=self._entered, patience=patience
        )
        self.owner = replace(self.owner, takes=not drains)

    async def release(self) -> None:
        """Leave the games to others: this process ends."""
        await self._store.processes.release(self.id, self._clock())

    async def holds(self, session: Session) -> bool:
        """Whether a session in memory is up to date and its game this process's."""
        # No other process writes to a file.
        if not self._store.database.is_shared:
            return True
        return await self._store.owners.state(session.id, self.id) == session.state

    async def take(self, game_id: int, *, politely: bool) -> GameRecord | None:
        """Take a running game; None if it is over or, `politely`, if another process has it."""
        return await self._store.owners.take(
            game_id, self.owner, self._given, self._clock(), politely=politely
        )

    async def adopt(self, *, thoroughly: bool = False) -> list[GameRecord] | None:
        """Take the games of processes that are gone or drain, and return them.

        None where there is no such process. `thoroughly` looks through all games for those
        without an owner, too.
        """
        if not self.owner.takes:
            return None
        leaving = await self._store.owners.leaving(self.owner)
        former = None if thoroughly else [process_id for process_id, _ in leaving]
        if former == []:
            return None
        owners, at = self._store.owners, self._clock()
        records = await owners.adopt(self.owner, self._given, at, former)
        for process_id, is_gone in leaving:
            if is_gone:
                with isolated("process to forget", process_id):
                    await owners.remove(process_id, self.owner, self._away, at)
        return records

    async def make_up(self, since: float = 0.0) -> bool:
        """Give back the time since this process last renewed, in which it could store nothing.

        That is at most the time since `since`. Returns whether it has games, of which memory then
        knows too little.
        """
        now, me = self._clock(), await self._store.processes.find(self.id)
        if me is None:
            return False
        seen_at = max(me.seen_at, since)
        if now - seen_at < NOTICEABLE:
            return False

        def lost(record: GameRecord, former: Former) -> Pause | None:
            return self._lost(record, replace(former, seen_at=max(former.seen_at, since)))

        return await self._store.owners.make_up(self.owner, lost, now - seen_at, now)

    def _given(self, record: GameRecord, former: Former) -> Pause | None:
        """What a game is given that was another process's."""
        return self._lost(record, former) if self._away(former) else None

    def _away(self, former: Former) -> float:
        """Seconds for which no process ran the games of a former owner."""
        away = max(0.0, self._clock() - former.seen_at)
        is_handover = not former.is_gone or self._began <= former.seen_at
        return 0.0 if away < (HANDOVER if is_handover else NOTICEABLE) else away

    def _lost(self, record: GameRecord, former: Former) -> Pause | None:
        """What a game is given for an absence: the time of the person to move."""
        try:
            return self._pause(record, former)
        except Exception:
            logger.exception("the time that game %s has lost cannot be worked out", record.id)
            return None

    def _pause(self, record: GameRecord, former: Former) -> Pause | None:
        try:
            session = read_game(record)
        except UnreadableGame:
            return None  # it is given nothing, and ended once taken
        if not session.awaits_person or session.setup.clock is None:
            return None
        lost = max(0.0, self._clock() - max(former.seen_at, session.last_at()))
        later = replace(session, paused=session.paused + lost)
        is_visible = later.board_deadline != session.board_deadline
        return Pause(later.paused, later.look_at, is_visible=is_visible)


class UnreadableGames:
    """Reads games; a running one that cannot be read is ended."""

    def __init__(
        self,
        store: Store,
        ownership: Ownership,
        clock: Clock,
        meter: Meter,
        on_ended: Callable[[DamagedGame], None],
    ) -> None:
        """End the games of `ownership` in `store`, by `clock`.

        `meter` counts them, and `on_ended` is called with each.
        """
        self._store = store
        self._ownership = ownership
        self._clock = clock
        self._meter = meter
        self._on_ended = on_ended

    async def read(self, record: GameRecord, *, insist: bool = False) -> Session | None:
        """A game from its record; None if it cannot be read, and if it was running it has ended.

        A kind of game that this version does not know may be that of a newer one: unless `insist`,
        it is left alone while another process looks after it.

        Raises Unavailable.
        """
        try:
            return read_game(record)
        except UnreadableGame as error:
            if record.end is None:
                politely = error.is_unknown and not insist
                await self._close(record.id, politely=politely)
            return None

    async def readable(self, records: Iterable[GameRecord]) -> list[Session]:
        """Those games that can be read; the others are ended, as far as that is possible now."""
        sessions = []
        for record in records:
            try:
                session = await self.read(record)
            except Unavailable:
                continue  # The database has logged it; the game is found again.
            if session is not None:
                sessions.append(session)
        return sessions

    async def _close(self, game_id: int, *, politely: bool) -> None:
        owner = self._ownership.owner if politely else None
        try:
            closed = await self._store.damaged_games.close(
                game_id, damage_of, self._clock(), _version(), owner
            )
        except Unavailable:
            raise
        except Exception:
            # The person who needed the game is answered all the same, as if it did not exist.
            logger.exception("game %s cannot be read, and could not be ended either", game_id)
            return
        if closed is None:
            return
        logger.error(
            "game %s (%s %s) could not be continued and was ended: %s; its rows are in "
            "damaged_games",
            *(closed.id, closed.family, closed.variant, closed.reason),
        )
        self._meter.discontinued()
        self._on_ended(closed)


def _version() -> str:
    """The version of this program."""
    try:
        return version("cuatro")
    except PackageNotFoundError:
        return "unknown"
