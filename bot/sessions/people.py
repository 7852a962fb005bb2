"""What concerns a person in all games and on all servers: limits, preferences, personal data.

Limits that protect the machine (searches, pictures, new games) are counted in memory. Limits that
protect other people from notifications are counted in the database, so that they hold for all
processes and over restarts.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

from bot.game.clocks import Clock
from bot.game.refusal import Refusal
from bot.i18n import Say
from bot.settings import Limits, Rate
from bot.store.people import LimitReached, Quota
from bot.store.rows import Query, Transaction
from bot.store.store import Store


@dataclass(frozen=True, slots=True)
class Asker:
    """A person who solves a drill, where, and the texts in their language."""

    user_id: int
    guild_id: int | None
    say: Say


Key = tuple[str, int]
"""A kind of request, and the person who makes it."""

TIDY_AT = 10_000
"""The number of windows above which those that have expired are dropped."""


class Limiter:
    """Limits how often a person may request something, in sliding windows."""

    def __init__(self, limits: Limits, clock: Callable[[], float]) -> None:
        """Allow what `limits` say, by a clock in seconds."""
        self.limits = limits
        self._clock = clock
        self._times: dict[Key, deque[float]] = {}

    @property
    def windows(self) -> int:
        """The number of windows in memory."""
        return len(self._times)

    @contextmanager
    def asking(self, kind: str, user_id: int, partner_id: int) -> Iterator[Quota | None]:
        """Give the quota of a request to another person, to be stored with it in the block.

        None where there is no limit. Each partner has a window of their own. Raises Refusal if the
        block finds that the limit is reached; it has stored nothing then.
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
        """Count a request in memory.

        Args:
            kind: What is requested: the name of a field of `Limits`.
            user_id: Who requests it.

        Raises:
            Refusal: There have been too many, and this one does not count. It says when the next
                request will be granted.
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
        """Count a request like `take`, unless the block refuses it."""
        self.take(kind, user_id)
        try:
            yield
        except Refusal:
            times = self._times.get((kind, user_id))
            if times:
                times.pop()
            raise

    def _tidy(self, now: float) -> None:
        """Drop the windows that have expired."""
        for key, times in list(self._times.items()):
            if not times or times[-1] + getattr(self.limits, key[0]).seconds <= now:
                del self._times[key]


class Preferences:
    """People's own settings."""

    def __init__(self, store: Store, clock: Clock) -> None:
        """Keep the settings in `store`."""
        self._store = store
        self._clock = clock

    async def hides_statistics(self, user_id: int) -> bool:
        """Whether a person hides their statistics from others; by default nobody does."""
        return await self._store.players.is_private(user_id)

    async def hide_statistics(self, user_id: int, hidden: bool) -> None:
        """Set whether a person's statistics are hidden from others."""
        await self._store.players.set_private(user_id, hidden, self._clock())

    async def wants_pings(self, user_id: int) -> bool:
        """Whether a person is notified of their turns; by default everybody is."""
        return await self._store.players.wants_pings(user_id)

    async def switch_pings(self, user_id: int, wanted: bool) -> None:
        """Set whether a person is notified of their turns."""
        await self._store.players.set_pings(user_id, wanted, self._clock())

    async def wants_words(self, user_id: int) -> bool:
        """Whether a person's moves by button are confirmed in words; by default nobody's are."""
        return await self._store.players.wants_words(user_id)

    async def switch_words(self, user_id: int, wanted: bool) -> None:
        """Set whether a person's moves by button are confirmed in words."""
        await self._store.players.set_spoken(user_id, wanted, self._clock())


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonalData:
    """What a feature stores about people and servers, for showing, exporting and deleting it.

    The functions that take a connection are one part of a transaction: they may run again if it
    is retried, so they keep no state.
    """

    order: int = 0
    """Smaller numbers come first on the privacy page and in the export, and are deleted last."""
    count: Callable[[Transaction, int], Awaitable[Mapping[str, int]]] | None = None
    """How much is stored about a person, by the keys of the privacy page's texts."""
    files: Callable[[int], Awaitable[Mapping[str, str]]] | None = None
    """The files of a person's export: their names and texts, made with `bot.show.texts`."""
    leave: Callable[[int], Awaitable[None]] | None = None
    """Takes a person out of what is under way, before anything of theirs is deleted."""
    delete: Callable[[Transaction, int], Awaitable[None]] | None = None
    """Deletes what is stored about a person, before their games are."""
    guilds: Callable[[], Query] | None = None
    """The servers of which something is stored: a query of one column of ids."""
    forget_guild: Callable[[Transaction, int], Awaitable[None]] | None = None
    """Deletes what is a server's, while its games still name it."""
