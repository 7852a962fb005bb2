"""Which servers want a puzzle of the day, where and when."""

from __future__ import annotations

from dataclasses import dataclass

from bot.rating.puzzle_choice import DAY, day_of
from bot.store import DailyChannel, Store
from bot.table.clocks import Clock
from bot.table.refusal import Refusal

USUAL_HOUR = 12
"""The hour, in UTC, from which on puzzles of the day are posted unless another one is named."""


@dataclass(frozen=True, slots=True)
class Promise:
    """When a server gets its puzzle of the day."""

    time: float
    """The hour, on this day."""
    comes_today: bool
    """Whether that is over, and today's is posted right now."""


class Subscriptions:
    """What servers want; knows nothing of Discord."""

    def __init__(self, store: Store, clock: Clock) -> None:
        """Keep it in `store`, by `clock`."""
        self._store = store
        self._clock = clock

    async def begin(
        self, guild_id: int, channel_id: int, family: str, locale: str, hour: int | None
    ) -> Promise:
        """Post a server's puzzle of the day in a channel from now on."""
        now, chosen = self._clock(), USUAL_HOUR if hour is None else hour
        wanted = DailyChannel(guild_id, channel_id, family, locale, chosen, now)
        await self._store.daily_posts.subscribe(wanted)
        time = day_of(now) * DAY + chosen * 3600.0
        is_posted = await self._store.daily_posts.is_begun(guild_id, day_of(now))
        return Promise(time, comes_today=now >= time and not is_posted)

    async def end(self, guild_id: int) -> None:
        """Post nothing more on a server; refused where nothing is posted."""
        if not await self._store.daily_posts.unsubscribe(guild_id):
            raise Refusal("daily_is_off")
