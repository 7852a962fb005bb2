"""Which games this process owns, and reading games from their records.

A process may trust its copy of a game in memory while it owns the game. With a database file, it
owns the game as long as it runs. With a database server, another process may take the game over at
any time: because a player uses that process, or because this one has not renewed its lease. The
database decides who owns a game, and every change checks it (`bot.store.owners`).

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
from bot.store.owners import Owner, Pause, PreviousOwner
from bot.store.records import GameRecord
from bot.store.store import Store
from bot.telemetry import Meter

logger = logging.getLogger(__name__)

MIN_ABSENCE = 1.0
"""Seconds after which an absence is refunded."""

HANDOVER = 6.0
"""Seconds without a renewal that count as a handover between processes, not as an absence."""


class Ownership:
    """This process as the owner of games."""

    def __init__(self, store: Store, clock: Clock, shards: Shards | None = None) -> None:
        """Own games in `store`, by `clock`; take those of `shards`, or with None of any."""
        self._store = store
        self._clock = clock
        self._began = clock()
        self._entered: float | None = None
        self.owner = Owner(uuid4().hex, shards)
        """This process."""

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
        """Renew this process's lease, and read whether it has been asked to drain."""
        drains = await self._store.processes.renew(
            self.id, self.owner.shards, self._clock(), began_at=self._entered, patience=patience
        )
        self.owner = replace(self.owner, takes=not drains)

    async def release(self) -> None:
        """Give up the lease, so that other processes adopt the games: this process ends."""
        await self._store.processes.release(self.id, self._clock())

    async def holds(self, session: Session) -> bool:
        """Whether a session in memory is up to date and this process owns its game."""
        # No other process writes to a file.
        if not self._store.database.is_shared:
            return True
        return await self._store.owners.state(session.id, self.id) == session.state

    async def take(self, game_id: int, *, if_unowned: bool) -> GameRecord | None:
        """Take a running game; None if it is over or, with `if_unowned`, another process's."""
        return await self._store.owners.take(
            game_id, self.owner, self._refund_adopted, self._clock(), if_unowned=if_unowned
        )

    async def adopt(self, *, include_unowned: bool = False) -> list[GameRecord] | None:
        """Adopt the games of processes that have ended or are draining, and return them.

        None if there is no such process. With `include_unowned`, also adopt games without an owner.
        """
        if not self.owner.takes:
            return None
        departing = await self._store.owners.departing(self.owner)
        previous = None if include_unowned else [process_id for process_id, _ in departing]
        if previous == []:
            return None
        owners, at = self._store.owners, self._clock()
        records = await owners.adopt(self.owner, self._refund_adopted, at, previous)
        for process_id, is_gone in departing:
            if is_gone:
                with isolated("process to forget", process_id):
                    await owners.remove(process_id, self.owner, self._absence, at)
        return records

    async def refund(self, since: float = 0.0) -> bool:
        """Refund the time since the last renewal, in which this process could store nothing.

        That is at most the time since `since`. Returns whether the process has games: their copies
        in memory are then out of date.
        """
        now, me = self._clock(), await self._store.processes.find(self.id)
        if me is None:
            return False
        seen_at = max(me.seen_at, since)
        if now - seen_at < MIN_ABSENCE:
            return False

        def refund_of(record: GameRecord, previous: PreviousOwner) -> Pause | None:
            return self._refund_for(record, replace(previous, seen_at=max(previous.seen_at, since)))

        return await self._store.owners.refund(self.owner, refund_of, now - seen_at, now)

    def _refund_adopted(self, record: GameRecord, previous: PreviousOwner) -> Pause | None:
        """The refund of a game that belonged to another process."""
        return self._refund_for(record, previous) if self._absence(previous) else None

    def _absence(self, previous: PreviousOwner) -> float:
        """Seconds for which no process ran the games of a previous owner."""
        away = max(0.0, self._clock() - previous.seen_at)
        is_handover = not previous.is_gone or self._began <= previous.seen_at
        return 0.0 if away < (HANDOVER if is_handover else MIN_ABSENCE) else away

    def _refund_for(self, record: GameRecord, previous: PreviousOwner) -> Pause | None:
        """The refund for an absence: only a person to move gets time back; None if it fails."""
        try:
            return self._pause(record, previous)
        except Exception:
            logger.exception("the time that game %s has lost cannot be worked out", record.id)
            return None

    def _pause(self, record: GameRecord, previous: PreviousOwner) -> Pause | None:
        try:
            session = read_game(record)
        except UnreadableGame:
            return None  # no refund: the game is ended once it has been taken
        if not session.awaits_person or session.setup.clock is None:
            return None
        lost = max(0.0, self._clock() - max(previous.seen_at, session.last_at()))
        later = replace(session, paused=session.paused + lost)
        is_visible = later.board_deadline != session.board_deadline
        return Pause(later.paused, later.due_at, is_visible=is_visible)


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

    async def read(self, record: GameRecord, *, even_if_owned: bool = False) -> Session | None:
        """A game from its record; None if it cannot be read, and if it was running it has ended.

        A newer version may know a kind of game that this one does not: such a game is left alone
        while another process owns it, unless `even_if_owned`.

        Raises Unavailable.
        """
        try:
            return read_game(record)
        except UnreadableGame as error:
            if record.end is None:
                if_unowned = error.is_unknown and not even_if_owned
                await self._close(record.id, if_unowned=if_unowned)
            return None

    async def readable(self, records: Iterable[GameRecord]) -> list[Session]:
        """The games that can be read; the others are ended if that is possible now."""
        sessions = []
        for record in records:
            try:
                session = await self.read(record)
            except Unavailable:
                continue  # The database has logged it; a later search finds the game.
            if session is not None:
                sessions.append(session)
        return sessions

    async def _close(self, game_id: int, *, if_unowned: bool) -> None:
        owner = self._ownership.owner if if_unowned else None
        try:
            closed = await self._store.damaged_games.close(
                game_id, damage_of, self._clock(), _version(), owner
            )
        except Unavailable:
            raise
        except Exception:
            # The person who requested the game is answered as if it did not exist.
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
