"""How often a person may ask for something.

What protects the machine (searches, pictures, starts) is counted in memory. What protects other
people from pings is counted in the database, so that it holds for all processes and over restarts.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from bot.settings import Limits, Rate
from bot.store import LimitReached, Quota
from bot.table.refusal import Refusal

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
