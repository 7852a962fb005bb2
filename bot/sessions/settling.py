"""Settling finished games in the background: queues of due games, and the rating queue.

Due games are in the store, where the next process finds them if this one is killed. A game that
cannot be settled is postponed and does not block others.

The end of a game is stored together with a note that its rating is due, and shown at once. Each
person's games are rated one by one in the order in which their ends were stored, so ratings do not
depend on the load of the machine. The process that owned a game rates it, after the earlier games
of its people. A game that cannot be rated is retried (`bot.store.owners`); later games of its
people wait for it only until it is parked.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import replace

from bot.database.errors import Unavailable
from bot.game.session import Session
from bot.ratings.rated import aided_plies, evidence_of, rated_end, unaided_moves
from bot.sessions.ownership import Ownership
from bot.store.owners import DueGames, Unsettled
from bot.store.records import RatedEnd
from bot.store.store import Store
from bot.store.tables import MAX_ATTEMPTS
from bot.telemetry import SILENT, Meter
from bot.workers.pool import Claim, Kind, WorkHangs
from bot.workers.workers import NotPrepared, Workers
from engine.core.game import Player
from engine.strength.judging import JudgeGame, Judgement

logger = logging.getLogger(__name__)

BATCH = 50
"""The number of due games read at a time."""

RECHECK = 1.0
"""Seconds between two checks for games that wait for another process."""

RETRY_PAUSE = 5.0
"""Seconds until the next attempt after a failure of the store."""

LONGEST_PAUSE = 3600.0
"""The longest time in seconds between two reads of the store."""


class DueQueue:
    """Settles due games one at a time, in the store's order.

    Only a game's first failure and its parking are logged. After each failure the store is read
    again, because other games may wait for the failed one.
    """

    def __init__(
        self,
        name: str,
        games: DueGames,
        settle: Callable[[int], Awaitable[None]],
        ownership: Ownership,
        on_idle: Callable[[], None] = lambda: None,
        has_others_waiting: Callable[[], Awaitable[bool]] | None = None,
        meter: Meter = SILENT,
    ) -> None:
        """Prepare a queue.

        Args:
            name: The kind of work, for the log and the metrics.
            games: The due games.
            settle: Settles one game, which is then no longer due.
            ownership: The process whose games are settled.
            on_idle: Called whenever no more games can be settled.
            has_others_waiting: Whether games wait for other processes, so that the queue checks
                again soon.
            meter: Counts failed attempts.
        """
        self.name = name
        self._games = games
        self._settle_one = settle
        self._ownership = ownership
        self._on_idle = on_idle
        self._has_others_waiting = has_others_waiting
        self._meter = meter
        self._drain: asyncio.Task[None] | None = None
        self._again: asyncio.TimerHandle | None = None
        self._has_more = False
        self._has_begun = False
        self._closing = asyncio.Event()

    def wake(self) -> None:
        """Start settling due games in the background; does nothing once closed."""
        if self._closing.is_set():
            return
        self._has_more = True
        if self._drain is None or self._drain.done():
            self._drain = asyncio.get_running_loop().create_task(self._run())

    async def unsettled(self) -> Unsettled:
        """The numbers of failed and of parked games."""
        return await self._games.unsettled()

    async def drained(self, seconds: float) -> None:
        """Settle due games, and wait for that up to `seconds`."""
        self.wake()
        if self._drain is not None:
            await asyncio.wait({self._drain}, timeout=seconds)

    async def close(self) -> None:
        """Finish the current game, then stop."""
        self._closing.set()
        self._cancel_timer()
        if self._drain is not None:
            await asyncio.wait({self._drain})
        self._cancel_timer()

    async def _run(self) -> None:
        try:
            if not self._has_begun:
                await self._games.retry_parked()
                self._has_begun = True
            pause = None
            while self._has_more and not self._closing.is_set():
                self._has_more = False
                while not self._closing.is_set() and (
                    due := await self._games.claim(BATCH, self._ownership.owner)
                ):
                    await self._settle(due)
                if not self._closing.is_set():
                    self._on_idle()
                    pause = await self._until_next()
            self._wake_in(pause)
        except Unavailable:
            # The database has logged the failure.
            self._wake_in(RETRY_PAUSE)
        except NotPrepared:
            logger.info("%s stay due: the engine was not ready to judge them", self.name)
        except Exception:
            logger.exception("%s could not be read; they stay due", self.name)
            self._on_idle()
            self._wake_in(RETRY_PAUSE)

    async def _settle(self, due: list[int]) -> None:
        """Settle games in order, up to one that fails: later ones may have to wait for it."""
        for game_id in due:
            if self._closing.is_set():
                return
            try:
                await self._settle_one(game_id)
            except (Unavailable, NotPrepared):
                raise  # the database fails, not this game
            except Exception as error:  # noqa: BLE001  # logged; other games go on
                await self._postpone(game_id, error)
                return

    async def _postpone(self, game_id: int, error: Exception) -> None:
        attempts = await self._games.postpone(game_id)
        self._meter.could_not_settle(self.name)
        if attempts == 1:
            logger.error("%s: game %s failed, and is retried", self.name, game_id, exc_info=error)
        elif attempts == MAX_ATTEMPTS:
            logger.error(
                "%s: game %s has failed %d times; it is retried once a day and at every start",
                self.name,
                game_id,
                attempts,
                exc_info=error,
            )

    async def _until_next(self) -> float | None:
        """Seconds until a game may be due; None if none is until another game ends."""
        if self._has_others_waiting is not None and await self._has_others_waiting():
            return RECHECK
        return await self._games.next_attempt(self._ownership.owner)

    def _wake_in(self, seconds: float | None) -> None:
        self._cancel_timer()
        if seconds is not None and not self._closing.is_set():
            pause = min(max(seconds, 0.0), LONGEST_PAUSE)
            self._again = asyncio.get_running_loop().call_later(pause, self.wake)

    def _cancel_timer(self) -> None:
        if self._again is not None:
            self._again.cancel()
            self._again = None


PATIENCE = 120.0
"""Time limit in seconds for judging a game, a hundred times what it takes. Judgements are limited
by nodes, not by time; this limit is reached only if something is broken."""

Rated = Callable[[Session], None]
"""A callback for a game that has just been rated; must not block."""


class RatingQueue:
    """Rates the games whose rating is due; does not depend on Discord."""

    def __init__(
        self,
        store: Store,
        ownership: Ownership,
        workers: Workers,
        patience: float = PATIENCE,
        meter: Meter = SILENT,
    ) -> None:
        """Rate the games of `ownership` in `store`; judge their moves in `workers`.

        `meter` counts failed attempts.
        """
        self._store = store
        self._workers = workers
        self._patience = patience
        self._ownership = ownership
        has_games_left = self._has_games_left if store.database.is_shared else None
        self._queue = DueQueue(
            "ratings",
            store.ratings,
            self._rate,
            ownership,
            self._wake_others,
            has_games_left,
            meter,
        )
        self._others: tuple[DueQueue, ...] | None = None
        self._on_rated: Rated | None = None

    def contribute(self, queues: Iterable[DueQueue]) -> None:
        """Add the queues that run when nothing can be rated; to be called once."""
        if self._others is not None:
            raise RuntimeError("the queues of finished games are complete already")
        self._others = tuple(queues)

    def start(self, on_rated: Rated = lambda _: None) -> None:
        """Start rating due games; `on_rated` is called after each rated game."""
        self._on_rated = on_rated
        self.wake()

    def wake(self) -> None:
        """Rate due games in the background, if started; to be called when a game has ended."""
        if self._on_rated is not None:
            self._queue.wake()

    async def settled(self, user_id: int, seconds: float) -> bool:
        """Wait up to `seconds` until a person's games are rated; returns whether all are."""
        if not await self._store.ratings.is_due(user_id):
            return True
        if self._on_rated is not None:
            await self._queue.drained(seconds)
        return not await self._store.ratings.is_due(user_id)

    async def unsettled(self) -> dict[str, Unsettled]:
        """The failed games of each queue, by its name."""
        return {queue.name: await queue.unsettled() for queue in self._queues}

    async def close(self) -> None:
        """Finish the current game of each queue, then stop."""
        for queue in self._queues:
            await queue.close()

    @property
    def _queues(self) -> tuple[DueQueue, ...]:
        return (self._queue, *(self._others or ()))

    def _wake_others(self) -> None:
        for queue in self._others or ():
            queue.wake()

    async def _has_games_left(self) -> bool:
        return await self._store.ratings.has_games_left(self._ownership.owner)

    async def _rate(self, game_id: int) -> None:
        record = await self._store.games.find(game_id)
        if record is None:
            # Deleted since it was read, with the data of a player or the server.
            return
        session = Session.from_record(record)
        rated = await self._rated(session)
        changes = await self._store.ratings.rate(game_id, rated)
        if self._on_rated is not None and changes:
            self._on_rated(replace(session, changes=changes, rating_due=False, rating_failed=False))

    async def _rated(self, session: Session) -> RatedEnd | None:
        """The changes of ratings by a game; by its result alone if it cannot be judged."""
        sides = tuple(side for side in Player if session.seat(side).user_id is not None)
        judgement = await judge(self._workers, session, sides, self._patience)
        if judgement is None:
            return rated_end(session, {})
        aided = aided_plies(session)
        seen = evidence_of(session.game, judgement, sides, session.winner, aided)
        rated = rated_end(session, seen)
        if rated is None or session.undos:
            # Moves taken back reveal later ones, so the others were not found without help.
            return rated
        return replace(rated, unaided=unaided_moves(session, judgement))


async def judge(
    workers: Workers, session: Session, sides: Iterable[Player], patience: float
) -> Judgement | None:
    """The losses by the moves of some sides of a game; None if it cannot be judged.

    Raises NotPrepared while the engine is not ready: the game stays due.
    """
    job = session.job(JudgeGame(tuple(int(side) for side in sides)))
    try:
        return await workers.do(job, Claim(Kind.JUDGEMENT), patience)
    except WorkHangs:
        logger.error("the judgement of game %s hangs: only its result counts", session.id)
    except NotPrepared:
        raise
    except Exception:
        logger.exception("game %s cannot be judged: only its result counts", session.id)
    return None
