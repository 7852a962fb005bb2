"""Reading games from their records, and ending the running ones that cannot be read.

Such a game could be neither played nor resigned, and would block its channel for ever. It ends
without a result and counts for nobody; a copy of its rows is kept for the operator.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from importlib.metadata import PackageNotFoundError, version

from bot.play.ownership import Ownership
from bot.store import DamagedGame, GameRecord, Store, Unavailable
from bot.table.clocks import Clock
from bot.table.reading import UnreadableGame, damage_of, read_game
from bot.table.session import Session
from bot.telemetry import SILENT, Meter

logger = logging.getLogger(__name__)

KEPT_FOR = 30 * 86_400.0
"""Seconds for which the copies of such games are kept."""


class UnreadableGames:
    """Reads games; a running one that cannot be read is ended."""

    def __init__(
        self, store: Store, ownership: Ownership, clock: Clock, meter: Meter = SILENT
    ) -> None:
        """End the games of `ownership` in `store`, by `clock`, and tell `meter` of them."""
        self._store = store
        self._ownership = ownership
        self._clock = clock
        self._meter = meter
        self.on_closed: Callable[[DamagedGame], None] = lambda _: None
        """Called with a game that has just been ended; set by whoever keeps games in memory."""

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

    async def forget_old(self) -> None:
        """Delete the copies that have been kept for long enough."""
        await self._store.damaged_games.forget(self._clock() - KEPT_FOR)

    async def _close(self, game_id: int, *, politely: bool) -> None:
        owner = self._ownership.owner if politely else None
        try:
            closed = await self._store.damaged_games.close(
                game_id, damage_of, self._clock(), program_version(), owner
            )
        except Unavailable:
            raise
        except Exception:
            # Whoever met the game is answered all the same, as if it were not there.
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
        self.on_closed(closed)


def program_version() -> str:
    """The version of this program."""
    try:
        return version("cuatro")
    except PackageNotFoundError:
        return "unknown"
