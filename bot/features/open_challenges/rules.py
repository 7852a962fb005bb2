"""Offering a game to anyone in a channel, joining it, withdrawing it and letting it expire."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from bot.features.open_challenges.store import (
    EXPIRED,
    JOINED,
    RULES,
    WITHDRAWN,
    AlreadyOpen,
    NewOpenChallenge,
    OpenChallenge,
    OpenChallengeStore,
)
from bot.game.clocks import Clock
from bot.game.refusal import Refusal
from bot.game.session import Session
from bot.sessions.people import FindObjection, Objection
from bot.sessions.sessions import Acceptance, Sessions, placed
from bot.shards import Shards
from bot.show.texts import csv_text, csv_time
from bot.store.records import GameSetup, Place
from bot.store.store import Store
from bot.store.tables import ChallengeRow
from engine.core.registry import game_of
from engine.strength.ladder import size_class

USUAL_RANGE = 200
"""The difference of ratings that people can choose by a button."""

KEPT = 30 * 86_400.0
"""Seconds after its end for which a challenge is kept."""

CLEAR_EVERY = 3600.0
"""Seconds between two deletions of old challenges."""


async def no_objection(_user_id: int, _other_id: int) -> Objection | None:
    """Any two people may play each other."""
    return None


class OpenChallenges:
    """Offers, begins and ends games with a free seat; does not depend on Discord."""

    def __init__(
        self,
        store: Store,
        stored: OpenChallengeStore,
        sessions: Sessions,
        clock: Clock,
        *,
        seconds: float,
        shards: Shards | None = None,
        objection: FindObjection = no_objection,
    ) -> None:
        """Keep challenges in `stored`, open for `seconds` by `clock`; begin games in `sessions`.

        Ratings are read from `store`. Those of `shards` expire here, or with None all. `objection`
        finds out who may not join whom.
        """
        self._objection = objection
        self._store = store
        self._stored = stored
        self._sessions = sessions
        self._clock = clock
        self._seconds = seconds
        self._shards = shards
        self._clear_at = clock()

    @property
    def now(self) -> float:
        """The present time."""
        return self._clock()

    async def offer(
        self, setup: GameSetup, within: int | None = None, *, apart: bool = False
    ) -> OpenChallenge:
        """Store a challenge from the person who requests a game with a free seat.

        Args:
            setup: The game.
            within: The greatest difference of ratings with which people may join; None for any.
            apart: Whether the game can begin beside its channel if that has another one.

        Refused outside of servers, if the channel has a game, if the person has too many games or
        another open challenge, and without a rating to compare with.
        """
        if setup.guild_id is None:
            raise Refusal("open_direct", play=True)
        await self._sessions.require_capacity(setup, apart=apart)
        if within is not None and await self._rating(setup.requester, setup) is None:
            raise Refusal("range_unrated")
        # The post states the time for a move.
        setup = replace(setup, clock=setup.clock or self._sessions.default_clock)
        at = self._clock()
        try:
            return await self._stored.add(NewOpenChallenge(setup, within, at, at + self._seconds))
        except AlreadyOpen as error:
            raise Refusal("open_yours", link=place_of(error.present)) from error

    async def find(self, id: int) -> OpenChallenge | None:
        """A challenge by its id, open or not."""
        return await self._stored.find(id)

    async def remove(self, id: int) -> None:
        """Delete a new challenge whose message could not be sent."""
        await self._stored.remove(id)

    async def posted(self, id: int, message_id: int) -> None:
        """Note the message of a new challenge."""
        await self._stored.set_message(id, message_id)

    async def require_open(self, id: int, user_id: int) -> OpenChallenge:
        """An open challenge; refused with who was faster, or because it is over."""
        challenge = await self._stored.find(id)
        if challenge is None:
            raise Refusal("open_over")
        game = challenge.offer.setup.family
        if challenge.answer == JOINED and challenge.joiner != user_id:
            raise Refusal("open_taken", game=game, person=challenge.joiner)
        if challenge.answer is not None or challenge.offer.expires_at <= self._clock():
            raise Refusal("open_over", game=game)
        return challenge

    async def join(
        self,
        challenge: OpenChallenge,
        user_id: int,
        message_id: int,
        channel_id: int | None = None,
    ) -> Session:
        """Begin the game of a challenge with a person in the free seat.

        Its board replaces the message `message_id`, except in another channel. Refused if one of
        the two objects, if another person was faster, if one of them has too many games, and
        outside of the range of ratings.
        """
        author = challenge.offer.author
        objection = await self._objection(user_id, author)
        if objection is not None:
            if objection.by != author:
                raise objection.refusal
            # Others do not read what the author objects to.
            raise Refusal("open_barred", game=challenge.offer.setup.family)
        await self._require_rating(challenge, user_id)
        step = self._stored.joining(challenge.id, user_id, self._clock())
        setup, replaced = placed(challenge.offer.seated(user_id), message_id, channel_id)
        accepted = Acceptance(user_id, challenge.offer.expires_at, step, replaced)
        try:
            return await self._sessions.start(setup, accepting=accepted)
        except Refusal:
            # If another press was faster, that is the reason, not that the channel now has a game.
            await self.require_open(challenge.id, user_id)
            raise

    async def withdraw(self, id: int, user_id: int) -> OpenChallenge:
        """Withdraw a challenge and return it; only its author can."""
        challenge = await self.require_open(id, user_id)
        if challenge.offer.author != user_id:
            raise Refusal("unknown_button")
        if not await self._stored.end(id, WITHDRAWN, self._clock()):
            await self.require_open(id, user_id)
        return replace(challenge, answer=WITHDRAWN)

    async def open_of(self, user_id: int) -> Sequence[OpenChallenge]:
        """The challenges of a person that are still open."""
        return await self._stored.open_of(user_id)

    async def due(self) -> list[OpenChallenge]:
        """End the challenges whose time is up; return all whose messages have to show their end.

        Every CLEAR_EVERY seconds, also delete those that ended KEPT seconds ago.
        """
        now, found = self._clock(), list[OpenChallenge]()
        if now >= self._clear_at:
            await self._stored.clear(now - KEPT)
            self._clear_at = now + CLEAR_EVERY
        for challenge in await self._stored.due(now, self._shards):
            if challenge.answer is not None:
                found.append(challenge)
            elif await self._stored.end(challenge.id, EXPIRED, now):
                found.append(replace(challenge, answer=EXPIRED, ended_at=now))
        return found

    async def closed(self, id: int) -> None:
        """Note that the message of a challenge shows its end, or never will."""
        await self._stored.closed(id)

    async def is_open(self, id: int) -> bool:
        """Whether a challenge is still open."""
        challenge = await self._stored.find(id)
        if challenge is None or challenge.answer is not None:
            return False
        return challenge.offer.expires_at > self._clock()

    async def is_in_range(self, challenge: OpenChallenge, user_id: int) -> bool:
        """Whether a person's rating is within the range of a challenge."""
        try:
            await self._require_rating(challenge, user_id)
        except Refusal:
            return False
        return True

    async def _require_rating(self, challenge: OpenChallenge, user_id: int) -> None:
        """Refuse people whose rating is not within the range of a challenge."""
        offer = challenge.offer
        if offer.within is None:
            return
        wanted = {"person": offer.author, "within": offer.within, "game": offer.setup.family}
        theirs = await self._rating(user_id, offer.setup)
        if theirs is None:
            raise Refusal("open_unrated", **wanted)
        authors = await self._rating(offer.author, offer.setup)
        if authors is not None and abs(theirs - authors) > offer.within:
            raise Refusal("open_rating", rating=round(theirs), **wanted)

    async def _rating(self, user_id: int, setup: GameSetup) -> float | None:
        """A person's rating as people see it, on the ladder of a game; None without one."""
        ladder = size_class(game_of(setup.family, setup.variant))
        found = await self._store.ratings.of(user_id, ladder)
        return None if found is None else found.rating.shown


def place_of(challenge: OpenChallenge) -> Place:
    """Where the message of a challenge is."""
    setup = challenge.offer.setup
    return Place(setup.guild_id, setup.channel_id, challenge.message_id)


OFFERED = tuple(name for name in RULES if name in ChallengeRow.__table__.columns)
"""The rules of a game between people that its author can choose: challenges to one person have a
column for each."""

FIELDS = (
    "challenge",
    "part",
    "family",
    "variant",
    "clock_seconds",
    "clock_per",
    *OFFERED,
    "within",
    "posted",
    "ended",
    "answer",
)


async def challenge_files(stored: OpenChallengeStore, user_id: int) -> Mapping[str, str]:
    """A file with the open challenges that a person has posted or joined; none without any."""
    found = await stored.all_of(user_id)
    if not found:
        return {}
    rows = []
    for one in found:
        setup = one.offer.setup
        row = {name: getattr(setup, name) for name in ("family", "variant", *OFFERED)}
        clock = {
            "clock_seconds": setup.clock and setup.clock.seconds,
            "clock_per": setup.clock and setup.clock.per,
        }
        others = {
            "challenge": one.id,
            "part": "author" if one.offer.author == user_id else "joiner",
            "within": one.offer.within,
            "posted": csv_time(one.offer.posted_at),
            "ended": None if one.ended_at is None else csv_time(one.ended_at),
            "answer": one.answer,
        }
        rows.append(row | clock | others)
    return {"open-challenges.csv": csv_text(FIELDS, rows)}
