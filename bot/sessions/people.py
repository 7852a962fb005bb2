"""People: limits on their requests, their challenges, and the personal data of features.

Limits that protect the machine (searches, pictures, new games) are counted in memory. Limits that
protect other people from notifications are counted in the database, so that they hold for all
processes and over restarts. Only the challenged person can accept a challenge, and it expires.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace

from bot.database.errors import isolated
from bot.game.clocks import Clock
from bot.game.refusal import Refusal
from bot.game.session import Session
from bot.i18n import Translator
from bot.sessions.sessions import Acceptance, Sessions, placed
from bot.settings import Limits, Rate
from bot.shards import Shards
from bot.store.people import LimitReached, Quota, RematchOpen
from bot.store.records import ChallengeRecord, GameSetup, NewChallengeRecord, Place
from bot.store.rows import Query, Transaction
from bot.store.store import Store
from engine.core.game import Position


@dataclass(frozen=True, slots=True)
class Requester:
    """A person who solves a drill, the place, and the texts in their language."""

    user_id: int
    guild_id: int | None
    say: Translator


Key = tuple[str, int]
"""The kind of a request, and the person who makes it."""

TIDY_AT = 10_000
"""The number of windows above which expired ones are dropped."""


class Limiter:
    """Limits the requests of each person in sliding windows."""

    def __init__(self, limits: Limits, clock: Callable[[], float]) -> None:
        """Apply `limits`; `clock` gives the time in seconds."""
        self.limits = limits
        self._clock = clock
        self._times: dict[Key, deque[float]] = {}

    @property
    def windows(self) -> int:
        """The number of windows in memory."""
        return len(self._times)

    @contextmanager
    def quota_for(self, kind: str, user_id: int, partner_id: int) -> Iterator[Quota | None]:
        """Yield the quota of a request to another person; the block stores both.

        Yields None if there is no limit. Each pair of people has a separate window. Raises Refusal
        if the block finds that the limit is reached; nothing has been stored then.
        """
        rate: Rate | None = getattr(self.limits, kind)
        quota = None
        if rate is not None:
            quota = Quota(kind, user_id, partner_id, rate.most, rate.seconds, self._clock())
        try:
            yield quota
        except LimitReached as error:
            assert rate is not None, "there is a quota"
            details = {"until": error.until + 1, "person": partner_id, "times": rate.most}
            raise Refusal(f"often_{kind}", **details) from error

    def take(self, kind: str, user_id: int) -> None:
        """Count a request in memory.

        Args:
            kind: The kind of the request: the name of a field of `Limits`.
            user_id: The person who makes it.

        Raises:
            Refusal: The limit is reached, and this request does not count. The text says when
                the next request will be granted.
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


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonalData:
    """Functions that count, export and delete what a feature stores about people and servers.

    Functions that take a connection are part of a transaction that may be retried, so they keep
    no state.
    """

    order: int = 0
    """Smaller numbers come first on the privacy page and in the export, and are deleted last."""
    count: Callable[[Transaction, int], Awaitable[Mapping[str, int]]] | None = None
    """Counts what is stored about a person, by the keys of the privacy page's texts."""
    files: Callable[[int], Awaitable[Mapping[str, str]]] | None = None
    """Returns the names and texts of a person's export files, made with `bot.show.texts`."""
    describe: Callable[[int, Translator], Awaitable[str]] | None = None
    """Returns a line of the privacy page about a person's data."""
    leave: Callable[[int], Awaitable[None]] | None = None
    """Removes a person from everything in progress, before their data are deleted."""
    delete: Callable[[Transaction, int], Awaitable[None]] | None = None
    """Deletes a person's data, before their games are deleted."""
    guilds: Callable[[], Query] | None = None
    """A query for the ids of all servers with stored data."""
    forget_guild: Callable[[Transaction, int], Awaitable[None]] | None = None
    """Deletes a server's data, while its games still refer to it."""


@dataclass(frozen=True, slots=True)
class Objection:
    """Why one of two people cannot ask the other one to play."""

    by: int
    """The one of the two who objects."""
    refusal: Refusal
    """What the person who asks reads."""


FindObjection = Callable[[int, int], Awaitable[Objection | None]]
"""Finds why the first of two people cannot ask the second one to play; None if they can."""

FindBar = Callable[[int, Sequence[Position]], Awaitable[Refusal | None]]
"""Finds why a person may get no help with any of these positions now; None if they may."""

RequireHelp = Callable[[int, Sequence[Position]], Awaitable[None]]
"""Refuses help with these positions to a person who may not have it now."""


CLEAR_EVERY = 60.0
"""Seconds between two deletions of requests that no longer count towards limits."""

KEPT = 30 * 86_400.0
"""Seconds for which a challenge is kept after the time in which it could be answered."""

DELETE_EVERY = 3600.0
"""Seconds between two deletions of such challenges."""

OPEN_SECONDS = 600.0
"""Seconds for which a challenge can be answered."""


class Challenges:
    """Offers, accepts and expires challenges; does not depend on Discord."""

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
        self._clear_at = self._delete_at = clock()
        self._objections: tuple[FindObjection, ...] | None = None

    def contribute(self, objections: Iterable[FindObjection]) -> None:
        """Add the objections of features; to be called once."""
        if self._objections is not None:
            raise RuntimeError("the objections to challenges are complete already")
        self._objections = tuple(objections)

    async def objection(self, user_id: int, other_id: int) -> Objection | None:
        """Why a person cannot ask another one to play; None if they can."""
        for find in self._objections or ():
            if (found := await find(user_id, other_id)) is not None:
                return found
        return None

    async def offer(
        self, setup: GameSetup, rematch_of: int | None = None, *, apart: bool = False
    ) -> ChallengeRecord:
        """Store a challenge from the person who requests a game to another person.

        It may be a `rematch_of` a game, which is refused once one of that game has been declined,
        and while the two have another one open. Any challenge is refused if there is an objection,
        the channel has a game, either of them has too many games, the two are the same person, or
        the challenger has another challenge open. With `apart`, the channel may have a game, since
        theirs can begin beside it.
        """
        if len(setup.people) < 2:
            raise Refusal("challenge_self")
        for other_id in set(setup.people) - {setup.requester}:
            await self._require_no_objection(setup.requester, other_id)
        if rematch_of is not None and await self._store.challenges.is_declined(rematch_of):
            raise Refusal("rematch_declined", game=setup.family, play=True)
        await self._sessions.require_capacity(setup, apart=apart)
        for other in await self._store.challenges.open():
            if other.offer.challenger == setup.requester and other.offer.expires_at > self._clock():
                raise Refusal("challenge_open_link", link=_place(other))
        # The offer states the time for a move.
        setup = replace(setup, clock=setup.clock or self._sessions.default_clock)
        at = self._clock()
        offer = NewChallengeRecord(setup, at, at + self._seconds, rematch_of)
        with self._limiter.quota_for("challenges", offer.challenger, offer.challenged) as quota:
            try:
                return await self._store.challenges.add(offer, quota)
            except RematchOpen as error:
                raise Refusal("rematch_open", link=_place(error.present)) from error

    async def accept(
        self, challenge_id: int, user_id: int, channel_id: int | None = None
    ) -> Session:
        """Begin the game of a challenge; only the challenged person can.

        The board replaces the challenge's message, except in another channel.
        """
        challenge = await self._open(challenge_id)
        if user_id != challenge.offer.challenged:
            raise _not_yours(challenge)
        await self._require_no_objection(user_id, challenge.offer.challenger)
        step = self._store.challenges.acceptance(challenge_id)
        offer = challenge.offer
        setup, message_id = placed(offer.setup, challenge.message_id, channel_id)
        accepted = Acceptance(user_id, offer.expires_at, step, message_id)
        return await self._sessions.start(setup, accepting=accepted)

    async def decline(self, challenge_id: int, user_id: int) -> tuple[ChallengeRecord, str]:
        """Decline or withdraw a challenge; returns it, and `declined` or `withdrawn`."""
        challenge = await self._open(challenge_id)
        words = {challenge.offer.challenged: "declined", challenge.offer.challenger: "withdrawn"}
        if user_id not in words:
            raise _not_yours(challenge)
        if not await self._store.challenges.answer(challenge_id, words[user_id]):
            raise Refusal("challenge_over", game=challenge.offer.setup.family)
        return challenge, words[user_id]

    async def open_of(self, user_id: int) -> list[ChallengeRecord]:
        """The open challenges that a person has made or received."""
        return [
            challenge
            for challenge in await self._store.challenges.open()
            if user_id in (challenge.offer.challenger, challenge.offer.challenged)
            and challenge.offer.expires_at > self._clock()
        ]

    async def expire(self) -> list[ChallengeRecord]:
        """Close and return the challenges whose time is up.

        Every CLEAR_EVERY seconds, also delete requests that no longer count towards limits, and
        every DELETE_EVERY seconds challenges older than KEPT.
        """
        now = self._clock()
        if now >= self._clear_at:
            await self._store.rate_limits.clear(now)
            self._clear_at = now + CLEAR_EVERY
        if now >= self._delete_at:
            await self._store.challenges.clear(now - KEPT)
            self._delete_at = now + DELETE_EVERY
        due = await self._store.challenges.open(until=now, shards=self._shards)
        expired = []
        for challenge in due:
            with isolated("challenge to expire", challenge.id):
                if await self._store.challenges.answer(challenge.id, "expired"):
                    expired.append(challenge)
        return expired

    async def find(self, challenge_id: int) -> ChallengeRecord | None:
        """A challenge by its id, open or not; None if there is none."""
        return await self._store.challenges.find(challenge_id)

    async def show_in(self, challenge_id: int, message_id: int) -> None:
        """Record which message shows a challenge."""
        await self._store.challenges.set_message(challenge_id, message_id)

    async def _require_no_objection(self, user_id: int, other_id: int) -> None:
        objection = await self.objection(user_id, other_id)
        if objection is not None:
            raise objection.refusal

    async def _open(self, challenge_id: int) -> ChallengeRecord:
        challenge = await self.find(challenge_id)
        if challenge is None:
            raise Refusal("challenge_over")
        if challenge.answer is not None or challenge.offer.expires_at <= self._clock():
            raise Refusal("challenge_over", game=challenge.offer.setup.family)
        return challenge


def _place(challenge: ChallengeRecord) -> Place:
    """Where the message of a challenge is."""
    setup = challenge.offer.setup
    return Place(setup.guild_id, setup.channel_id, challenge.message_id)


def _not_yours(challenge: ChallengeRecord) -> Refusal:
    """The refusal for people who have no part in a challenge."""
    offer = challenge.offer
    return Refusal("not_your_challenge", game=offer.setup.family, person=offer.challenged)
