"""Whether there is room for a game: in its channel, and in the time of those who would play it."""

from __future__ import annotations

from bot.play.running import RunningGames
from bot.store import ChallengeRecord, Store
from bot.table.orders import Order
from bot.table.refusal import Refusal
from bot.table.session import Session


class Room:
    """Refuses games for which there is no room, and says what there is instead."""

    def __init__(self, store: Store, games: RunningGames, most: int) -> None:
        """Limit the running games of each person in `store`; `games` knows the channels."""
        self._store = store
        self._games = games
        self._most = most

    async def require(self, order: Order, accepting: ChallengeRecord | None = None) -> None:
        """Refuse an order where its channel has a game or somebody in it has too many.

        With `accepting` whoever was challenged asks for it, else whoever ordered it.
        """
        present = await self._games.current(order.channel_id)
        if present is not None:
            raise taken(present, order, accepting)
        asker = order.user_id if accepting is None else accepting.offer.challenged
        for user_id in dict.fromkeys((asker, order.user_id, *order.people)):
            if await self._store.games.count_running(user_id) >= self._most:
                games = await self._games.running_of(user_id)
                if len(games) < self._most:
                    continue  # The others could not be read, and have been ended.
                if user_id == asker:
                    raise Refusal("too_many_games_list", most=self._most, games=games)
                if accepting is None:
                    raise Refusal("opponent_is_busy", most=self._most, game=order.game.key)
                until = accepting.offer.expires_at
                raise Refusal("challenger_is_busy", most=self._most, until=until)


def taken(present: Session, order: Order, accepting: ChallengeRecord | None = None) -> Refusal:
    """Why nobody can begin a game where this one is running."""
    if accepting is not None:
        until = accepting.offer.expires_at
        return Refusal("channel_taken_accept", link=present.place, until=until)
    if order.user_id in present.people:
        return Refusal("channel_taken_yours", link=present.place, other=present.game.key)
    game, other = order.game.key, present.game.key
    if not present.people and order.user_id == present.started_by:
        return Refusal("channel_taken_started", link=present.place, other=other, game=game)
    return Refusal("channel_taken_link", link=present.place, game=game)
