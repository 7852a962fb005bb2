"""What counts as help in a rated game between people, and which games wait for its end."""

from __future__ import annotations

from collections.abc import Sequence

from bot.features.fair_play.store import FairPlayStore
from bot.game.refusal import Refusal
from bot.game.session import Session
from bot.ratings.rated import is_contest
from bot.sessions.holding import Hold
from bot.sessions.running import RunningGames
from bot.show.board_text import partner_of
from engine.core.fairness import related
from engine.core.game import Position


class FairPlay:
    """Finds the rated games between people in which something would help."""

    def __init__(self, stored: FairPlayStore, games: RunningGames) -> None:
        """Find the running games of `stored` in `games`."""
        self._stored = stored
        self._games = games

    async def contest(self, user_id: int, positions: Sequence[Position]) -> Session | None:
        """A running rated game of a person against another to which one of these is related.

        None without one, and for people who do not play in it.
        """
        if not positions:
            return None
        for channel_id in await self._stored.contests_of(user_id, positions[0].game.key):
            session = await self._games.current(channel_id)
            if session is None or user_id not in session.people or not is_contest(session):
                continue
            if any(related(session.position, position) for position in positions):
                return session
        return None

    async def bar(self, user_id: int, positions: Sequence[Position]) -> Refusal | None:
        """Why a person may get no help with any of these positions now; None if they may."""
        session = await self.contest(user_id, positions)
        return None if session is None else Refusal("fair_play", link=session.place)

    async def hold(self, session: Session) -> Hold | None:
        """Why a game against an agent has to wait now; None if it may go on."""
        partner = partner_of(session)
        contest = None if partner is None else await self.contest(partner, (session.position,))
        if contest is None:
            return None
        return Hold(Refusal("fair_play_waits", link=contest.place), contest.last_at())
