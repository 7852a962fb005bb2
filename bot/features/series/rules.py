"""Beginning, playing and stopping series of games between two agents.

A series is played in short slices, so that all series go on in turn and the bot can close at any
time. Only whole games are stored; the game under way is in memory. Openings and seeds follow from
the seed of the series, so a game that is begun anew has the same opening. A game that fails again
and again is skipped; if the next one does so too, the series ends.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from random import Random
from time import monotonic

from bot.database.errors import Unavailable
from bot.features.series.store import (
    NewSeries,
    Series,
    SeriesOver,
    SeriesStore,
    Tally,
    TooMany,
)
from bot.game.clocks import Clock
from bot.game.refusal import Refusal
from bot.game.session import Session
from bot.ratings.levels import opponent_rating
from bot.sessions.ownership import Ownership
from bot.sessions.sessions import complete_setup
from bot.settings import LONGEST_SERIES
from bot.show.texts import csv_text, csv_time
from bot.store.records import GameRecord, GameSetup, Place, SeatRecord
from bot.store.store import Store
from bot.store.tables import MAX_ATTEMPTS
from bot.workers.pool import Claim, Kind
from bot.workers.workers import NotPrepared, Workers
from engine.core.registry import game_of
from engine.strength.openings import opening_of
from engine.strength.roster import ChooseMove

logger = logging.getLogger(__name__)

MOST_IN_A_SERVER = 2
"""The most series that a server has under way; outside of servers, that a channel has."""

AT_ONCE = 2
"""The most series that a process plays at the same time."""

SLICE = 2.0
"""Seconds for which a series is played before the others have their turn."""

PATIENCE = 20.0
"""Time limit of one search in seconds: several times what the slowest agent needs."""

FIRST_RETRY = 5.0
"""Seconds until a game that failed is begun anew, doubled with every failure."""

UNPREPARED = 10.0
"""Seconds until the next try while the engine is being prepared."""


class SeriesPlay:
    """Begins, plays and stops series; does not depend on Discord."""

    def __init__(
        self, store: Store, series: SeriesStore, workers: Workers, clock: Clock, rng: Random
    ) -> None:
        """Keep `series`, and their games in `store`; search in `workers`; seeds are from `rng`."""
        self._store = store
        self._series = series
        self._workers = workers
        self._clock = clock
        self._rng = rng
        self._under_way: dict[int, Session] = {}
        """The game of each series that is being played here."""
        self._stopped: set[int] = set()
        """Series that were stopped here while a move was being searched for."""

    @property
    def now(self) -> float:
        """The present time."""
        return self._clock()

    async def begin(self, setup: GameSetup, games: int) -> Series:
        """Store a new series; it is played once its message is known.

        Refused for an unknown agent, for a number of games that is not offered, and if the person
        or the server has too many series under way.
        """
        if not 1 <= games <= LONGEST_SERIES:
            raise Refusal("series_length", most=LONGEST_SERIES)
        at = self._clock()
        setup = await complete_setup(self._store, setup, None, at)
        first, second = (seat.agent for seat in setup.seats)
        assert first is not None, "two agents play"
        assert second is not None, "two agents play"
        new = NewSeries(
            setup.family,
            setup.variant,
            setup.channel_id,
            setup.guild_id,
            setup.locale,
            setup.requester,
            first,
            second,
            games,
            self._rng.getrandbits(62),
            at,
        )
        try:
            return await self._series.add(new, most=MOST_IN_A_SERVER)
        except TooMany as error:
            key = "series_yours" if error.is_theirs else "series_here"
            raise Refusal(key, link=place_of(error.present)) from error

    async def posted(self, series_id: int, message_id: int) -> None:
        """Note the message of a new series, which is played from now on."""
        await self._series.set_message(series_id, message_id)

    async def remove(self, series_id: int) -> None:
        """Delete a new series whose message could not be sent."""
        await self._series.remove(series_id)

    async def stop(self, series_id: int, user_id: int, *, moderator: bool) -> Series:
        """Stop a series; only who asked for it and moderators can."""
        series = await self._series.find(series_id)
        if series is None or series.ended_at is not None:
            raise Refusal("series_over")
        if not moderator and user_id != series.asker:
            raise Refusal("series_not_yours")
        if not await self._series.end(series_id, "stopped", self._clock()):
            raise Refusal("series_over")
        self._stopped.add(series_id)
        return await self._series.find(series_id) or series

    async def stop_all(self, user_id: int) -> None:
        """Stop every series that a person has asked for."""
        await self._series.stop_all(user_id, self._clock())

    async def find(self, series_id: int) -> Series | None:
        """A series by its id."""
        return await self._series.find(series_id)

    async def tally(self, series: Series) -> Tally:
        """The results of a series so far."""
        return await self._series.tally(series)

    async def sweep(self, ownership: Ownership, show: Callable[[Series], Awaitable[float]]) -> None:
        """Play a slice of each series that is due, and show what has changed.

        Args:
            ownership: The process whose series are played.
            show: Brings the message of a series up to date; returns from when on it can be edited
                again. Raises nothing but Unavailable.
        """
        owner = ownership.owner
        if not owner.takes:
            return
        due = await self._series.claim(self._clock(), AT_ONCE, owner.shards)
        await asyncio.gather(*(self._advance(series, show) for series in due))

    async def _advance(self, series: Series, show: Callable[[Series], Awaitable[float]]) -> None:
        """Play a series for a while, show it, and end the claim; failures concern only it."""
        look_at = self._clock()
        if series.ended_at is None:
            look_at = await self._guarded(series)
        found = await self._series.find(series.id)
        if found is None:
            # Deleted with the data of its server.
            self._forget(series.id)
            return
        if found.ended_at is not None:
            self._forget(series.id)
        if found.shown < found.state:
            may_show_at = found.show_at
            if may_show_at <= self._clock():
                may_show_at = await show(found)
            if found.ended_at is not None:
                look_at = max(look_at, may_show_at)
        await self._series.release(series.id, look_at)

    async def _guarded(self, series: Series) -> float:
        """Play a series for a while; returns when to go on, later after a failure."""
        try:
            return await self._play(series)
        except (Unavailable, asyncio.CancelledError):
            raise
        except SeriesOver:
            self._forget(series.id)
        except NotPrepared:
            return self._clock() + UNPREPARED
        except Exception:
            self._forget(series.id)
            attempts = await self._series.fail(series.id, self._clock(), most=MAX_ATTEMPTS)
            if attempts % MAX_ATTEMPTS in (0, 1):
                logger.exception("series %s failed, attempt %d", series.id, attempts)
            return self._clock() + FIRST_RETRY * 2.0 ** ((attempts - 1) % MAX_ATTEMPTS)
        return self._clock()

    async def _play(self, series: Series) -> float:
        """Play moves until a game is stored or the slice is over."""
        session = self._under_way.get(series.id)
        if session is None or session.id != series.played:
            session = self._begun(series)
        ends = monotonic() + SLICE
        while not session.is_over:
            if series.id in self._stopped:
                raise SeriesOver
            task = ChooseMove(
                str(session.mover.agent), opponent=await opponent_rating(self._store, session)
            )
            job = session.job(task, self._seed(series, session))
            if self._workers.seconds_until_prepared(job) is not None:
                return self._clock() + UNPREPARED
            claim = Claim(Kind.BACKGROUND, series.asker, series.guild_id)
            result = await self._workers.do(job, claim, PATIENCE)
            session = session.after(result.move, self._clock(), result)
            self._under_way[series.id] = session
            if monotonic() >= ends and not session.is_over:
                return self._clock()
        await self._stored(series, session)
        return self._clock()

    def _begun(self, series: Series) -> Session:
        """The next game of a series, with its opening; its id is its number in the series."""
        number, at = series.played, self._clock()
        game = game_of(series.family, series.variant)
        opening = opening_of(game, series.seed, number // 2)
        seats = [SeatRecord(None, name) for name in (series.first_agent, series.second_agent)]
        first, second = seats if number % 2 == 0 else reversed(seats)
        setup = GameSetup(
            series.family,
            series.variant,
            series.channel_id,
            series.guild_id,
            series.locale,
            first,
            second,
            opening=len(opening),
        )
        session = Session.from_record(GameRecord(number, setup, at, None, (), (), None))
        for move in opening:
            session = session.after(move, at)
        return session

    def _seed(self, series: Series, session: Session) -> int:
        return Random(f"{series.seed} {session.id} {len(session.moves)}").getrandbits(62)

    async def _stored(self, series: Series, session: Session) -> None:
        assert session.end is not None, "the game is over"
        note = partial(
            self._series.note_game, series_id=series.id, number=session.id, at=self._clock()
        )
        self._under_way.pop(series.id, None)
        await self._store.played.add(
            session.setup, session.started_at, session.moves, session.end, note
        )

    def _forget(self, series_id: int) -> None:
        self._under_way.pop(series_id, None)
        self._stopped.discard(series_id)


def place_of(series: Series) -> Place:
    """Where the message of a series is."""
    return Place(series.guild_id, series.channel_id, series.message_id)


FIELDS = (
    "series",
    "family",
    "variant",
    "first",
    "second",
    "games",
    "played",
    "began",
    "ended",
    "ending",
)


async def series_files(stored: SeriesStore, user_id: int) -> Mapping[str, str]:
    """A file with the series that a person has asked for; none without any."""
    found = await stored.of(user_id)
    if not found:
        return {}
    rows = (
        {
            "series": one.id,
            "family": one.family,
            "variant": one.variant,
            "first": one.first_agent,
            "second": one.second_agent,
            "games": one.games,
            "played": one.played,
            "began": csv_time(one.began_at),
            "ended": None if one.ended_at is None else csv_time(one.ended_at),
            "ending": one.ending,
        }
        for one in found
    )
    return {"series.csv": csv_text(FIELDS, rows)}
