"""Challenges between people: only the challenged person can accept, and challenges expire."""

from __future__ import annotations

from bot.database.errors import isolated
from bot.game.clocks import Clock
from bot.game.refusal import Refusal
from bot.game.session import Session
from bot.sessions.people import Limiter
from bot.sessions.sessions import Sessions
from bot.shards import Shards
from bot.store.records import ChallengeRecord, GameSetup, NewChallengeRecord, Place
from bot.store.store import Store

CLEAR_EVERY = 60.0
"""Seconds between two deletions of requests that count towards no limit any more."""

OPEN_SECONDS = 600.0
"""How long a challenge waits for its answer."""


class Challenges:
    """Offers, accepts and expires challenges; knows nothing of Discord."""

    def __init__(
        self,
        store: Store,
        sessions: Sessions,
        clock: Clock,
        limiter: Limiter,
        *,
        seconds: float = OPEN_SECONDS,
        shards: Shards | None = None,
    ) -> None:
        """Keep challenges in `store`, open for `seconds` by `clock`; begin games in `sessions`.

        `limiter` counts them. Those of `shards` expire here, or with None all.
        """
        self._shards = shards
        self._store = store
        self._sessions = sessions
        self._seconds = seconds
        self._clock = clock
        self._limiter = limiter
        self._clear_at = clock()

    async def offer(self, setup: GameSetup) -> ChallengeRecord:
        """Store a challenge for a game between the person who asks and another one.

        Refused if the channel has a game, either of them has too many games, the two are the same
        person, or the challenger has another challenge open.
        """
        if len(setup.people) < 2:
            raise Refusal("challenge_self")
        await self._sessions.require_room(setup)
        for other in await self._store.challenges.open():
            if other.offer.challenger == setup.asker and other.offer.expires_at > self._clock():
                there = other.offer.setup
                place = Place(there.guild_id, there.channel_id, other.message_id)
                raise Refusal("challenge_open_link", link=place)
        at = self._clock()
        offer = NewChallengeRecord(setup, at, at + self._seconds)
        with self._limiter.asking("challenges", offer.challenger, offer.challenged) as quota:
            return await self._store.challenges.add(offer, quota)

    async def accept(self, challenge_id: int, user_id: int) -> Session:
        """Begin the game of a challenge; only the challenged person can."""
        challenge = await self._open(challenge_id)
        if user_id != challenge.offer.challenged:
            raise Refusal("not_your_challenge", game=challenge.offer.setup.family)
        return await self._sessions.start(challenge.offer.setup, accepting=challenge)

    async def decline(self, challenge_id: int, user_id: int) -> tuple[ChallengeRecord, str]:
        """Decline a challenge or withdraw one's own; returns it, and `declined` or `withdrawn`."""
        challenge = await self._open(challenge_id)
        words = {challenge.offer.challenged: "declined", challenge.offer.challenger: "withdrawn"}
        if user_id not in words:
            raise Refusal("not_your_challenge", game=challenge.offer.setup.family)
        if not await self._store.challenges.answer(challenge_id, words[user_id]):
            raise Refusal("challenge_over", game=challenge.offer.setup.family)
        return challenge, words[user_id]

    async def open_of(self, user_id: int) -> list[ChallengeRecord]:
        """The challenges that a person has made or been offered and that can be answered."""
        return [
            challenge
            for challenge in await self._store.challenges.open()
            if user_id in (challenge.offer.challenger, challenge.offer.challenged)
            and challenge.offer.expires_at > self._clock()
        ]

    async def expire(self) -> list[ChallengeRecord]:
        """Close the challenges whose time is up, and return them.

        Every CLEAR_EVERY seconds it also deletes requests that count towards no limit any more.
        """
        if self._clock() >= self._clear_at:
            await self._store.rate_limits.clear(self._clock())
            self._clear_at = self._clock() + CLEAR_EVERY
        due = await self._store.challenges.open(until=self._clock(), shards=self._shards)
        expired = []
        for challenge in due:
            with isolated("challenge to expire", challenge.id):
                if await self._store.challenges.answer(challenge.id, "expired"):
                    expired.append(challenge)
        return expired

    async def find(self, challenge_id: int) -> ChallengeRecord | None:
        """Any challenge by its id."""
        return await self._store.challenges.find(challenge_id)

    async def show_in(self, challenge_id: int, message_id: int) -> None:
        """Record which message shows a challenge."""
        await self._store.challenges.set_message(challenge_id, message_id)

    async def _open(self, challenge_id: int) -> ChallengeRecord:
        challenge = await self.find(challenge_id)
        if challenge is None:
            raise Refusal("challenge_over")
        if challenge.answer is not None or challenge.offer.expires_at <= self._clock():
            raise Refusal("challenge_over", game=challenge.offer.setup.family)
        return challenge
