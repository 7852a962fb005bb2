"""Matches, without Discord: the next game, beginning it, and ending abandoned matches."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from bot.database.errors import isolated
from bot.features.matches.store import Match, MatchStore
from bot.game.clocks import Clock
from bot.game.refusal import Refusal
from bot.game.session import Session
from bot.sessions.people import FindObjection
from bot.sessions.sessions import Acceptance, Sessions
from bot.shards import Shards
from bot.store.records import FORMER_PLAYER, GameSetup, Place
from engine.core.game import Move

LENGTHS = (2, 4, 6)
"""How many games a match can have: an even number, so that both begin equally often."""

MAX_KEPT = 10_000
"""The most games whose standing is kept in memory."""


@dataclass(frozen=True, slots=True)
class Standing:
    """A match as a running game of it was begun; that does not change while it is played."""

    number: int
    """The number of the game, counted from 1."""
    points: Mapping[int, float]
    """What each of the two has from the games before it."""


class Matches:
    """Begins the next games of matches, and ends matches."""

    def __init__(
        self,
        stored: MatchStore,
        sessions: Sessions,
        clock: Clock,
        shards: Shards | None,
        objection: FindObjection,
    ) -> None:
        """Keep matches in `stored`, and begin their games in `sessions`.

        Those of `shards` end here, or with None all. `objection` finds who may not go on with whom.
        """
        self._stored = stored
        self._objection = objection
        self._sessions = sessions
        self._clock = clock
        self._shards = shards
        self._standings: dict[int, Standing] = {}

    async def of(self, session: Session) -> Match | None:
        """The match that a game belongs to; None for a game of its own."""
        return await self._stored.find(match_of(session)) if session.setup.match else None

    async def standing(self, session: Session) -> Standing | None:
        """The match of a running game as the game was begun; None for a game of its own."""
        if session.id not in self._standings:
            match = await self.of(session)
            if match is None:
                return None
            # All games before this one are over.
            standing = Standing(match.number_of(session.id), match.points)
            self._standings[session.id] = standing
            if len(self._standings) > MAX_KEPT:
                del self._standings[next(iter(self._standings))]
        return self._standings[session.id]

    async def go_on(self, old: Session, channel_id: int, user_id: int, locale: str) -> Session:
        """Begin the game of a match after `old`, its latest one, as one of its players wants.

        Refused to others, if it has begun, if the match is over, if one of the two objects to the
        other by now, and like any new game. After an objection the match still waits, since that
        may be taken back in time.
        """
        if user_id not in old.people:
            raise Refusal("match_not_yours", game=old.game.key, play=True)
        match = await self._require_waiting(old)
        for other_id in set(old.people) - {user_id}:
            if (objection := await self._objection(user_id, other_id)) is not None:
                raise objection.refusal
        at = self._clock()
        assert match.waits_until is not None, "it waits"
        step = self._stored.going_on(match.id, old.id, at)
        accepting = Acceptance(user_id, match.waits_until, step)
        setup, opening = next_game(match, old)
        setup = replace(setup, channel_id=channel_id, started_by=user_id, locale=locale)
        try:
            return await self._sessions.start(setup, accepting=accepting, opening=opening)
        except Refusal:
            # If another press was faster, that is the reason, not that the channel now has a game.
            await self._require_waiting(old)
            raise

    async def sweep(self) -> None:
        """End the matches that were not continued in time."""
        for id in await self._stored.due(self._clock(), self._shards):
            with isolated("match to end", id):
                await self._stored.end(id, self._clock())

    async def _require_waiting(self, old: Session) -> Match:
        """The match that waits for the game after `old`; refused if there is none any more."""
        match = await self.of(old)
        if match is not None and match.latest.id != old.id:
            game = await self._sessions.games.find(match.latest.id)
            place = Place(old.guild_id, old.channel_id, None) if game is None else game.place
            raise Refusal("match_begun", game=old.game.key, link=place)
        is_open = match is not None and (match.waits_until or 0.0) > self._clock()
        if match is None or not is_open or FORMER_PLAYER in old.people:
            raise Refusal("match_over", game=old.game.key, over=old.id)
        return match


def match_of(session: Session) -> int:
    """The first game of a game's match."""
    return session.setup.match_of or session.id


def next_game(match: Match, old: Session) -> tuple[GameSetup, tuple[Move, ...]]:
    """The game after `old` with the seats of its beginning exchanged, and its opening.

    Two games in a row share a balanced opening, so that each of the two plays both of its sides.
    """
    first, second = old.seats[::-1] if old.swapped_at is None else old.seats
    setup = replace(old.setup, first=first, second=second, opening=0, match_of=match.id, auto=False)
    shares = old.setup.balanced and len(match.games) % 2 == 1
    made = old.moves[: old.setup.opening] if shares else ()
    return setup, tuple(old.game.parse(one.move) for one in made)
