"""What people set for themselves, in all games and on all servers."""

from __future__ import annotations

from bot.store import Store
from bot.table.clocks import Clock


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
