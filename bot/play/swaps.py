"""The pie rule: after the first turn the second player may take the other side instead of moving.

A swap is stored once and stands: who sits where is from then on what the game's row says, so that
all that comes of the game counts for whoever sat there. The moves know nothing of it.
"""

from __future__ import annotations

from bot.play.running import MovedOn, RunningGames
from bot.store import MoveTaken, Store
from bot.table.clocks import Clock
from bot.table.refusal import Refusal
from bot.table.session import Session


class Swaps:
    """Lets second players swap sides; knows nothing of Discord."""

    def __init__(self, store: Store, games: RunningGames, owner_id: str, clock: Clock) -> None:
        """Store swaps in `games` of the process `owner_id` in `store`, by `clock`."""
        self._store = store
        self._games = games
        self._owner = owner_id
        self._clock = clock

    async def swap(self, channel_id: int, user_id: int, game_id: int) -> Session:
        """Let somebody take the other side.

        Refused for whoever is not to move in this game, and where it is too late or there is no pie
        rule.
        """

        async def swap() -> Session:
            await self._games.require_running(channel_id, game_id)
            session = await self._games.turn_of(channel_id, user_id)
            if not session.may_swap:
                raise Refusal("swap_over")
            following = session.swapped(self._clock())
            assert following.swapped_at is not None
            try:
                await self._store.swaps.swap(
                    session.id,
                    following.swapped_at,
                    made=len(session.moves),
                    look_at=following.look_at,
                    owner=self._owner,
                )
            except MoveTaken as error:
                raise MovedOn from error
            return self._games.keep(following)

        return await self._games.changing(channel_id, swap)
