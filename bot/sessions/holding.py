"""Games that have to wait: no moves are made in them, and no clock runs.

Features say which and why (`FindHold`). That is checked when a game begins, before each move, when
it is due, and by the features' periodic work; it goes on as soon as nothing holds it.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass

from bot.database.errors import Unavailable
from bot.game.clocks import Clock
from bot.game.refusal import Refusal
from bot.game.session import Session
from bot.sessions.ownership import Ownership
from bot.sessions.running import MovedOn, RunningGames
from bot.store.games import Games, MoveTaken


@dataclass(frozen=True, slots=True)
class Hold:
    """Why a running game has to wait."""

    refusal: Refusal
    """What a player who moves reads."""
    since: float
    """When that began."""


FindHold = Callable[[Session], Awaitable[Hold | None]]
"""Finds why a running game has to wait now; None if it may go on."""


class Holding:
    """Lets games wait and go on; does not depend on Discord."""

    def __init__(
        self, stored: Games, games: RunningGames, ownership: Ownership, clock: Clock
    ) -> None:
        """Change the `games` of `ownership` in `stored`, by `clock`."""
        self._stored = stored
        self._games = games
        self._ownership = ownership
        self._clock = clock
        self._finds: tuple[FindHold, ...] | None = None

    def contribute(self, finds: Iterable[FindHold]) -> None:
        """Add what features say; to be called once."""
        if self._finds is not None:
            raise RuntimeError("what holds games is complete already")
        self._finds = tuple(finds)

    async def settled(self, session: Session) -> tuple[Session, Refusal | None]:
        """A running game, which waits or goes on from now on, and why it waits.

        The lock of its channel must be held. Raises MovedOn if another process owns it.
        """
        hold = await self._find(session)
        if session.is_over or (hold is not None) == session.is_held:
            return session, None if hold is None else hold.refusal
        if hold is None:
            return await self._store(session, session.released(self._clock())), None
        following, countdown = session.held(hold.since), session.countdown
        assert following.held_at is not None
        if countdown is not None and countdown.deadline <= following.held_at:
            return session, hold.refusal  # the time was up before
        return await self._store(session, following), hold.refusal

    async def begun(self, session: Session) -> Session:
        """A game that has just begun, which may have to wait at once.

        If that cannot be stored, it is before the first move.
        """
        with suppress(MovedOn, Unavailable):
            session, _ = await self.settled(session)
        return session

    async def settle(self, session: Session, _now: float) -> Session | None:
        """Let a game that is due wait or go on; None if nothing changes. See `Deadline`."""
        settled, _ = await self.settled(session)
        return None if settled is session else settled

    async def check(self, channel_id: int, game_id: int) -> Session | None:
        """Let a game of this process wait or go on; None if nothing changes."""
        async with self._games.lock(channel_id):
            present = await self._games.owned(channel_id)
            if present is None or present.id != game_id:
                return None
            with suppress(MovedOn):
                return await self.settle(present, 0.0)
        return None

    async def _find(self, session: Session) -> Hold | None:
        for find in () if session.is_over else self._finds or ():
            hold = await find(session)
            if hold is not None:
                return hold
        return None

    async def _store(self, session: Session, following: Session) -> Session:
        try:
            await self._stored.set_held(
                session.id,
                self._clock(),
                following.held_at,
                made=len(session.moves),
                paused=following.paused,
                look_at=following.due_at,
                owner=self._ownership.id,
            )
        except MoveTaken as error:
            raise MovedOn from error
        return self._games.keep(following)
