"""Who waits for an opponent, who is paired with whom, and their game; does not depend on Discord.

People are paired by rating. The longer the one who waits longest has waited, the further apart the
two ratings may be, so in a quiet server all find an opponent in the end.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from bot.features.queue.store import EXPIRED, LEFT, AlreadyWaiting, QueuePlace, QueueStore
from bot.game.clocks import Clock, parse_control
from bot.game.refusal import Refusal
from bot.game.session import Session
from bot.ratings.start import rating_on
from bot.sessions.people import FindObjection
from bot.sessions.sessions import Acceptance, Sessions
from bot.shards import Shards
from bot.show.texts import csv_text, csv_time
from bot.store.people import RequestAnswered
from bot.store.records import GameSetup, person
from bot.store.store import Store
from engine.core.registry import game_of, games
from engine.strength.ladder import ladder_of, size_class
from engine.study.balanced import balanced_variants

NARROW = 150.0
"""The greatest difference of ratings of two people who have just asked for an opponent."""

PER_MINUTE = 40.0
"""By how much it grows with every minute of waiting."""

SECONDS = 3600.0
"""Seconds after which a place expires."""

ANSWER_SECONDS = 120.0
"""Seconds in which two people can agree to begin."""

USUAL_CLOCK = "5m"
"""The time for a move where both take any: they have both just been there."""

IN_A_ROW = 2
"""How many times in a row two people are paired, at most."""

ROW_SECONDS = 86_400.0
"""Seconds for which a pairing counts for that: two people alone on a server meet again next day."""

KEPT = 30 * 86_400.0
"""Seconds after its end for which a place is kept."""

CLEAR_EVERY = 3600.0
"""Seconds between two deletions of old places."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """A place, and what is known about its person."""

    place: QueuePlace
    ratings: Mapping[str, float]
    """Their rating in each size of the wanted game for which people wait."""
    latest: tuple[int | None, ...] = ()
    """With whom they were paired in the latest IN_A_ROW games of ROW_SECONDS, newest first."""
    running: int = 0
    """How many games they are playing."""

    @property
    def again(self) -> int | None:
        """The partner of all IN_A_ROW latest games, with whom they are not paired now, or None."""
        is_same = len(self.latest) >= IN_A_ROW and len(set(self.latest)) == 1
        return self.latest[0] if is_same else None


def width(waited: float) -> float:
    """The greatest difference of ratings after a person has waited for some seconds."""
    return NARROW + PER_MINUTE * max(0.0, waited) / 60.0


def suits(one: QueuePlace, other: QueuePlace) -> bool:
    """Whether two people want the same game, as far as each of them cares."""
    same_variant = None in (one.variant, other.variant) or one.variant == other.variant
    same_clock = None in (one.clock, other.clock) or one.clock == other.clock
    return one.family == other.family and same_variant and same_clock


def possible_pairs(waiting: Iterable[Waiting], now: float) -> list[tuple[Waiting, Waiting]]:
    """The pairs that may play: the longest waiting people first, each with the nearest first."""
    left = sorted(waiting, key=lambda one: (one.place.joined_at, one.place.id))
    found = list[tuple[Waiting, Waiting]]()
    for index, one in enumerate(left):
        allowed = width(now - one.place.joined_at)
        others = [
            other
            for other in left[index + 1 :]
            if suits(one.place, other.place)
            and other.place.user_id not in (one.place.user_id, one.again)
            and one.place.user_id != other.again
            and distance(one, other) <= allowed
        ]
        found += [(one, other) for other in sorted(others, key=partial(distance, one))]
    return found


def distance(one: Waiting, other: Waiting) -> float:
    """The difference of two people's ratings in the game that suits both."""
    _, variant, _ = terms_of(one.place, other.place)
    return abs(one.ratings[variant] - other.ratings[variant])


@dataclass(frozen=True, slots=True)
class GameChannel:
    """Where two people can play: a channel in which both can view and write."""

    channel_id: int
    is_apart: bool
    """Whether their game begins in a channel of its own beside it."""


FindChannel = Callable[[QueuePlace, QueuePlace], Awaitable[GameChannel | None]]
"""Finds where two people can play; None if there is none for now."""

Begin = Callable[[QueuePlace, QueuePlace, GameChannel], Awaitable[Session]]
"""Begins the game of two people; raises Refusal."""


@dataclass(frozen=True, slots=True)
class Asked:
    """Two people who are to agree first, since one of them plays another game."""

    one: QueuePlace
    other: QueuePlace


class Queue:
    """Takes people into the queue, and pairs them."""

    def __init__(
        self,
        store: Store,
        stored: QueueStore,
        sessions: Sessions,
        clock: Clock,
        *,
        toss: Callable[[], bool],
        objection: FindObjection,
        games_per_player: int,
        shards: Shards | None = None,
    ) -> None:
        """Keep places in `stored`, with times of `clock`; begin games in `sessions`.

        Ratings are read from `store`. `toss` decides who begins, and `objection` finds who may not
        play whom. People with `games_per_player` games wait until one is over. Only the servers of
        `shards` are served, or with None all.
        """
        self._store = store
        self._stored = stored
        self._sessions = sessions
        self._clock = clock
        self._toss = toss
        self._objection = objection
        self._games_per_player = games_per_player
        self._shards = shards
        self._clear_at = clock()

    async def join(
        self,
        user_id: int,
        guild_id: int | None,
        channel_id: int,
        locale: str,
        wants: tuple[str, str | None, str | None],
    ) -> QueuePlace:
        """A new place for a person who wants a game, its variant and a time for a move.

        Their present place if they have one. Refused outside of servers, and to people who have too
        many games.
        """
        if guild_id is None:
            raise Refusal("queue_direct", play=True)
        games = await self._sessions.games.running_of(user_id)
        if len(games) >= self._games_per_player:
            links = tuple(game.place for game in games)
            raise Refusal("too_many_games", running=self._games_per_player, links=links)
        at = self._clock()
        values = {
            "user_id": user_id,
            "guild_id": guild_id,
            "channel_id": channel_id,
            "locale": locale,
            **dict(zip(("family", "variant", "clock"), wants, strict=True)),
            "expires_at": at + SECONDS,
        }
        try:
            return await self._stored.add(values, at)
        except AlreadyWaiting as waiting:
            return waiting.present

    async def require(self, id: int, user_id: int) -> QueuePlace:
        """A person's own place; refused if it has ended."""
        place = await self._stored.find(id)
        if place is None or place.user_id != user_id or not self.waits(place):
            raise Refusal("queue_over")
        return place

    def waits(self, place: QueuePlace) -> bool:
        """Whether the person of a place still waits."""
        return place.answer is None and place.expires_at > self._clock()

    async def is_open(self, id: int) -> bool:
        """Whether the person of a place still waits."""
        place = await self._stored.find(id)
        return place is not None and self.waits(place)

    async def prefer(self, place: QueuePlace, **preferences: str | None) -> QueuePlace:
        """Change what a person wants; refused if they have just been paired or asked."""
        if not await self._stored.prefer(place.id, place.user_id, self._clock(), **preferences):
            raise Refusal("queue_over")
        return replace(place, **preferences)  # type: ignore[arg-type]  # names of its fields

    async def leave(self, place: QueuePlace) -> None:
        """End a person's place; refused if it has ended."""
        if not await self._stored.end(place.id, LEFT, self._clock()):
            raise Refusal("queue_over")

    async def open(self, guild_id: int | None = None) -> Sequence[QueuePlace]:
        """The places to be served, after those whose time is up have ended.

        Every CLEAR_EVERY seconds, also delete those that ended KEPT seconds ago.
        """
        now, found = self._clock(), list[QueuePlace]()
        if now >= self._clear_at:
            await self._stored.clear(now - KEPT)
            self._clear_at = now + CLEAR_EVERY
        for place in await self._stored.open(self._shards, guild_id):
            if place.answer is None and place.asked_until is None and place.expires_at <= now:
                await self._stored.end(place.id, EXPIRED, now)
            else:
                found.append(place)
        return found

    async def pair(
        self, places: Sequence[QueuePlace], find_channel: FindChannel, begin: Begin
    ) -> list[Session | Asked]:
        """Pair those of a server who wait: their games, and the pairs who are to be asked first."""
        now, done = self._clock(), set[int]()
        free = [one for one in places if self.waits(one) and one.asked_until is None]
        if len(free) < 2:
            return []
        waiting = [await self._waiting(one, free, now) for one in free]
        may_play = [one for one in waiting if one.running < self._games_per_player]
        found = list[Session | Asked]()
        for one, other in possible_pairs(may_play, now):
            if {one.place.id, other.place.id} & done or await self._object(one.place, other.place):
                continue
            where = await find_channel(one.place, other.place)
            if where is None:
                continue
            made = await self._pair(one, other, where, begin)
            if made is not None:
                done |= {one.place.id, other.place.id}
                found.append(made)
        return found

    async def begin(self, one: QueuePlace, other: QueuePlace, setup: GameSetup) -> Session:
        """Begin the game of two people; their places end in the transaction that stores it.

        Refused if one of them waits no more or has too many games, or if the channel is taken.
        """
        step = self._stored.pairing(one, other, setup.channel_id, self._clock())
        until = min(one.expires_at, other.expires_at)
        return await self._sessions.start(setup, accepting=Acceptance(other.user_id, until, step))

    async def _pair(
        self, one: Waiting, other: Waiting, where: GameChannel, begin: Begin
    ) -> Session | Asked | None:
        """Begin a game, or ask whether to; None if something else was faster.

        People who still wait then are looked at again soon.
        """
        if not one.running and not other.running:
            try:
                return await begin(one.place, other.place, where)
            except Refusal:
                return None
        now = self._clock()
        try:
            both = await self._stored.ask(
                one.place, other.place, where.channel_id, now + ANSWER_SECONDS, now
            )
        except RequestAnswered:
            return None
        return Asked(*both)

    async def _object(self, one: QueuePlace, other: QueuePlace) -> bool:
        """Whether one of two people does not want to play the other one."""
        pair = one.user_id, other.user_id
        found = [await self._objection(*order) for order in (pair, pair[::-1])]
        return any(each is not None for each in found)

    def setup(self, one: QueuePlace, other: QueuePlace, channel_id: int) -> GameSetup:
        """The game of two people in a channel: rated, from an opening that favours neither."""
        family, variant, clock = terms_of(one, other)
        seats = one.user_id, other.user_id
        first, second = seats if self._toss() else seats[::-1]
        has_balanced = variant in balanced_variants(games()[family])
        return GameSetup(
            family,
            variant,
            channel_id,
            one.guild_id,
            one.locale,
            person(first),
            person(second),
            one.user_id,
            clock=parse_control(clock),
            balanced=has_balanced,
            pie=not has_balanced,
        )

    async def _waiting(
        self, place: QueuePlace, others: Iterable[QueuePlace], now: float
    ) -> Waiting:
        """All about a person who waits, beside `others`, that pairing depends on."""
        family, user_id = place.family, place.user_id
        wanted = {one.variant for one in others if one.family == family}
        known = await self._store.ratings.background(user_id)
        ratings = dict[str, float]()
        for variant in (wanted - {None}) | {games()[family].usual}:
            game = game_of(family, str(variant))
            # As people see it, or the estimate before they have one.
            rating = rating_on(ladder_of(game), size_class(game), known, now)
            ratings[str(variant)] = rating.value if rating.shown is None else rating.shown
        latest = await self._stored.latest_partners(user_id, IN_A_ROW, now - ROW_SECONDS)
        running = await self._store.games.count_running(user_id)
        return Waiting(place, ratings, tuple(latest), running)


def terms_of(one: QueuePlace, other: QueuePlace) -> tuple[str, str, str]:
    """The game, its variant and the time for a move that suit two people."""
    variant = one.variant or other.variant or games()[one.family].usual
    return one.family, variant, one.clock or other.clock or USUAL_CLOCK


def partner_of(place: QueuePlace, places: Sequence[QueuePlace]) -> QueuePlace | None:
    """The place of the other one of two people who were paired or asked."""
    return next(
        (
            one
            for one in places
            if (one.user_id, one.partner) == (place.partner, place.user_id)
            and one.answer == place.answer
        ),
        None,
    )


def reason_of(refusal: Refusal) -> str:
    """The key of the text about a game that could not begin although both agreed."""
    keys = {
        "refusal.challenge_over": "queue.gone",
        "refusal.too_many_games": "queue.busy",
        "refusal.challenger_is_busy": "queue.busy",
    }
    return keys.get(refusal.key, "queue.no_channel")


FIELDS = ("place", "family", "variant", "clock", "joined", "ended", "answer")


async def queue_files(stored: QueueStore, user_id: int) -> Mapping[str, str]:
    """A file with a person's places in queues; none without any."""
    rows = [
        {
            **{name: getattr(one, name) for name in ("family", "variant", "clock", "answer")},
            "place": one.id,
            "joined": csv_time(one.joined_at),
            "ended": None if one.ended_at is None else csv_time(one.ended_at),
        }
        for one in await stored.of_person(user_id)
    ]
    return {"queue.csv": csv_text(FIELDS, rows)} if rows else {}
