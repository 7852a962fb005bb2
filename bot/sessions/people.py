"""How often a person may ask for something.

What protects the machine (searches, pictures, starts) is counted in memory. What protects other
people from pings is counted in the database, so that it holds for all processes and over restarts.

What people set for themselves, in all games and on all servers.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from bot.game.clocks import Clock
from bot.game.refusal import Refusal
from bot.i18n import Say
from bot.settings import Limits, Rate
from bot.store.people import LimitReached, Quota
from bot.store.store import Store


@dataclass(frozen=True, slots=True)
class Asker:
    """Who solves a drill, where, and how they are spoken to."""

    user_id: int
    guild_id: int | None
    say: Say


Key = tuple[str, int]

TIDY_AT = 10_000
"""How many people's latest requests are kept before those that count no more are dropped."""


class Limiter:
    """Counts requests in sliding windows."""

    def __init__(self, limits: Limits, clock: Callable[[], float]) -> None:
        """Allow as much as `limits` say, by `clock`: seconds."""
        self.limits = limits
        self._clock = clock
        self._times: dict[Key, deque[float]] = {}

    @property
    def windows(self) -> int:
        """How many windows are kept."""
        return len(self._times)

    @contextmanager
    def asking(self, kind: str, user_id: int, partner_id: int) -> Iterator[Quota | None]:
        """Give what a request to another person counts as, to be stored with it in the block.

        Refused, with nothing stored, where the limit is reached; None where there is none. Each
        partner has a window of their own.
        """
        rate: Rate | None = getattr(self.limits, kind)
        quota = None
        if rate is not None:
            quota = Quota(kind, user_id, partner_id, rate.most, rate.seconds, self._clock())
        try:
            yield quota
        except LimitReached as error:
            raise Refusal(f"often_{kind}", until=error.until + 1) from error

    def take(self, kind: str, user_id: int) -> None:
        """Count a request in memory, or refuse it with the time from which it will be granted.

        Args:
            kind: What is asked for: the name of a field of `Limits`.
            user_id: Who asks.

        Raises:
            Refusal: There have been too many; it does not count.
        """
        rate: Rate | None = getattr(self.limits, kind)
        if rate is None:
            return
        now = self._clock()
        times = self._times.setdefault((kind, user_id), deque(maxlen=rate.most))
        if len(times) == rate.most and times[0] + rate.seconds > now:
            raise Refusal(f"often_{kind}", until=times[0] + rate.seconds + 1)
        times.append(now)
        if len(self._times) > TIDY_AT:
            self._tidy(now)

    @contextmanager
    def counting(self, kind: str, user_id: int) -> Iterator[None]:
        """Do something that counts as a request; where it is refused, it costs nothing."""
        self.take(kind, user_id)
        try:
            yield
        except Refusal:
            times = self._times.get((kind, user_id))
            if times:
                times.pop()
            raise

    def _tidy(self, now: float) -> None:
        """Drop the windows in which nothing counts any more."""
        for key, times in list(self._times.items()):
            if not times or times[-1] + getattr(self.limits, key[0]).seconds <= now:
                del self._times[key]


class Preferences:
    """People's own settings; knows nothing of Discord."""

    def __init__(self, store: Store, clock: Clock) -> None:
        """Keep the settings in `store`."""
        self._store = store
        self._clock = clock

    async def hide_statistics(self, user_id: int, hidden: bool) -> None:
        """Set whether a person's statistics are hidden from others."""
        await self._store.players.set_private(user_id, hidden, self._clock())
        # Messages with the puzzle of the day name who has solved it.
        await self._store.puzzles.outdate(user_id)

    async def switch_pings(self, user_id: int, wanted: bool) -> None:
        """Set whether a person wants to be pinged when it is their turn."""
        await self._store.players.set_pings(user_id, wanted, self._clock())

    async def wants_pings(self, user_id: int) -> bool:
        """Whether a person wants to be pinged when it is their turn; True until they opt out."""
        return await self._store.players.wants_pings(user_id)

    async def switch_words(self, user_id: int, wanted: bool) -> None:
        """Set whether a person's moves by button are confirmed in words."""
        await self._store.players.set_spoken(user_id, wanted, self._clock())

    async def wants_words(self, user_id: int) -> bool:
        """Whether a person's moves by button are confirmed in words; not until they ask for it."""
        return await self._store.players.wants_words(user_id)
