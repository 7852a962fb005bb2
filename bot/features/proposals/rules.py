"""Draws that the two people at a board agree on: one offers, the other accepts.

The pie rule: after the first turn the second player may take the other side instead of moving.

A swap is stored once and stands: who sits where is from then on what the game's row says, so that
all that comes of the game counts for whoever sat there. The moves know nothing of it.

Undo: a person takes a turn back, at once or when the other person at the board agrees.
"""

from __future__ import annotations

from functools import partial

from bot.database.errors import isolated
from bot.features.proposals.store import (
    DrawRecord,
    NewDrawRecord,
    NewUndoRecord,
    UndoAnswered,
    UndoRecord,
    accept,
)
from bot.game.clocks import Clock
from bot.game.refusal import Refusal
from bot.game.session import Session
from bot.game.setup import Place
from bot.sessions.people import Limiter
from bot.sessions.running import ChannelPlays, MovedOn, RunningGames, require_family
from bot.sessions.sessions import Sessions
from bot.shards import Shards
from bot.store.games import MoveTaken
from bot.store.store import Store
from engine.core.game import Player


class Draws:
    """Offers of a draw; knows nothing of Discord."""

    def __init__(
        self,
        store: Store,
        sessions: Sessions,
        clock: Clock,
        limiter: Limiter,
        *,
        shards: Shards | None = None,
    ) -> None:
        """Keep offers in `store`, with their time by `clock`; end games in `sessions`.

        `limiter` counts them. Those of `shards` lapse here, or with None all.
        """
        self._shards = shards
        self._store = store
        self._sessions = sessions
        self._clock = clock
        self._limiter = limiter

    async def offer(self, channel_id: int, user_id: int, family: str | None = None) -> DrawRecord:
        """Offer a draw, or accept the one that the other person offers; returns the offer.

        Refused where no other person plays, an offer of one's own stands, or one was declined and
        nothing has happened since.
        """
        session = await self._sessions.games.seated(channel_id, user_id, family)
        if other_of(session, user_id) is None:
            raise Refusal("draw_nobody")
        standing = await self._standing(session)
        if standing is None:
            return await self._new(session, user_id)
        if standing.request.asker == user_id:
            place = Place(session.guild_id, session.channel_id, standing.message_id)
            raise Refusal("draw_open", link=place)
        await self.accept(standing.id, user_id)
        accepted = await self.find(standing.id)
        assert accepted is not None
        return accepted

    async def accept(self, draw_id: int, user_id: int) -> Session:
        """End the game as a draw; only the other person at the board can."""
        draw, session = await self._answerable(draw_id, user_id)

        def require(present: Session) -> None:
            if not still_applies(draw, present):
                raise Refusal("draw_lapsed")

        # The game first: were the bot to stop in between, the offer would lapse with the game over.
        ended = await self._sessions.agree(session.channel_id, require)
        await self._store.draws.answer(draw_id, "accepted")
        return ended

    async def decline(self, draw_id: int, user_id: int) -> Session:
        """Refuse an offer; the game goes on, and only the other person at the board can."""
        draw, session = await self._answerable(draw_id, user_id)
        if not await self._store.draws.answer(draw.id, "declined"):
            raise Refusal("draw_lapsed")
        return session

    async def lapse(self) -> list[DrawRecord]:
        """Close the offers whose game has moved on, and return them."""
        lapsed = []
        for draw in await self._store.draws.open(shards=self._shards):
            with isolated("offer to lapse", draw.id):
                session = await self._sessions.games.find_readable(draw.request.game_id)
                stands = still_applies(draw, session)
                if not stands and await self._store.draws.answer(draw.id, "lapsed"):
                    lapsed.append(draw)
        return lapsed

    async def find(self, draw_id: int) -> DrawRecord | None:
        """Any offer by its id."""
        return await self._store.draws.find(draw_id)

    async def show_in(self, draw_id: int, message_id: int) -> None:
        """Note which message shows an offer."""
        await self._store.draws.set_message(draw_id, message_id)

    async def _new(self, session: Session, user_id: int) -> DrawRecord:
        latest = await self._store.draws.latest(session.id, user_id)
        if latest is not None and latest.answer == "declined" and still_applies(latest, session):
            raise Refusal("draw_declined")
        made = len(session.moves)
        request = NewDrawRecord(session.id, user_id, made, session.undos, self._clock())
        with self._limiter.asking("draws", user_id, other_of(session, user_id) or 0) as quota:
            return await self._store.draws.add(request, quota)

    async def _standing(self, session: Session) -> DrawRecord | None:
        """The offer that can still be answered in a game, if there is one."""
        waiting = await self._store.draws.open(session.id)
        return next((draw for draw in waiting if still_applies(draw, session)), None)

    async def _answerable(self, draw_id: int, user_id: int) -> tuple[DrawRecord, Session]:
        """An offer that stands, with its game, if this person is to answer it; refused if not."""
        draw = await self.find(draw_id)
        session = (
            None if draw is None else await self._sessions.games.find_readable(draw.request.game_id)
        )
        if (
            draw is None
            or session is None
            or draw.answer is not None
            or not still_applies(draw, session)
        ):
            raise Refusal("draw_lapsed")
        if user_id != other_of(session, draw.request.asker):
            raise Refusal("not_your_draw")
        return draw, session


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


class Undos:
    """Takes turns back, or asks to; knows nothing of Discord."""

    def __init__(
        self,
        store: Store,
        sessions: Sessions,
        clock: Clock,
        limiter: Limiter,
        *,
        shards: Shards | None = None,
    ) -> None:
        """Keep requests in `store`, timed by `clock`; change games in `sessions`.

        `limiter` counts them. Those of `shards` lapse here, or with None all.
        """
        self._shards = shards
        self._store = store
        self._sessions = sessions
        self._clock = clock
        self._limiter = limiter

    async def ask(
        self, channel_id: int, user_id: int, family: str | None = None
    ) -> Session | UndoRecord:
        """Take back a person's last turn, with everything after it.

        Returns the game as it stands then or, if another person sits at the board, the request that
        they have to grant. Refused if the channel's game is not of `family`.
        """
        session = await self._sessions.games.current(channel_id)
        if session is None:
            raise await self._why_no_game(channel_id, user_id)

        def remaining(present: Session) -> int:
            require_family(present, family)
            return remaining_after(present, user_id)

        remains = remaining(session)
        other = other_of(session, user_id)
        if other is None:
            return await self._sessions.take_back(channel_id, remaining)
        made, at = len(session.moves), self._clock()
        request = NewUndoRecord(session.id, user_id, made, remains, session.undos, at)
        with self._limiter.asking("undos", user_id, other) as quota:
            return await self._store.undos.add(request, quota)

    async def accept(self, undo_id: int, user_id: int) -> Session:
        """Grant a request; only the other person at the board can."""
        undo, session = await self._answerable(undo_id, user_id)

        def remaining(present: Session) -> int:
            if not still_applies(undo, present):
                raise Refusal("undo_lapsed")
            return undo.request.remaining

        try:
            granted = partial(accept, undo_id=undo_id)
            return await self._sessions.take_back(session.channel_id, remaining, also=granted)
        except UndoAnswered as error:
            raise Refusal("undo_lapsed") from error

    async def decline(self, undo_id: int, user_id: int) -> Session:
        """Decline a request and leave the game as it is; only the other person can."""
        _, session = await self._answerable(undo_id, user_id)
        if not await self._store.undos.answer(undo_id, "declined"):
            raise Refusal("undo_lapsed")
        return session

    async def lapse(self) -> list[UndoRecord]:
        """Close and return the requests whose game has moved on or has a newer request."""
        lapsed = []
        for undo in await self._store.undos.open(shards=self._shards):
            with isolated("request to lapse", undo.id):
                stands = await self._stands(undo)
                if not stands and await self._store.undos.answer(undo.id, "lapsed"):
                    lapsed.append(undo)
        return lapsed

    async def find(self, undo_id: int) -> UndoRecord | None:
        """Any request by its id."""
        return await self._store.undos.find(undo_id)

    async def show_in(self, undo_id: int, message_id: int) -> None:
        """Record which message shows a request."""
        await self._store.undos.set_message(undo_id, message_id)

    async def _answerable(self, undo_id: int, user_id: int) -> tuple[UndoRecord, Session]:
        """An open request and its game; refused unless this person is the one to answer it."""
        undo = await self.find(undo_id)
        if undo is None or not await self._stands(undo):
            raise Refusal("undo_lapsed")
        session = await self._sessions.games.find_readable(undo.request.game_id)
        if session is None:
            raise Refusal("undo_lapsed")
        if user_id != other_of(session, undo.request.asker):
            raise Refusal("not_your_undo")
        return undo, session

    async def _stands(self, undo: UndoRecord) -> bool:
        """Whether a request can still be answered: no move and no newer request since."""
        waiting = await self._store.undos.open(undo.request.game_id)
        is_newest = bool(waiting) and waiting[-1].id == undo.id
        return is_newest and still_applies(
            undo, await self._sessions.games.find_readable(undo.request.game_id)
        )

    async def _why_no_game(self, channel_id: int, user_id: int) -> Refusal:
        """The refusal for somebody in whose channel no game is running."""
        game_id = await self._store.games.latest_in(channel_id)
        session = None if game_id is None else await self._sessions.games.find_readable(game_id)
        if session is None or user_id not in session.people:
            return await self._sessions.games.no_game(channel_id)
        return Refusal("undo_over")


def remaining_after(session: Session, user_id: int) -> int:
    """How many moves remain once a person's last turn is taken back; refused if none can be."""
    if session.is_channels:
        raise ChannelPlays
    if session.is_watched:
        raise Refusal("undo_watched")
    if user_id not in session.people:
        raise Refusal("not_your_game")
    # Somebody who plays both sides takes back the latest turn, whichever side made it.
    mine = [player for player in Player if session.seat(player).user_id == user_id]
    turns = [before for player in mine if (before := session.before_turn_of(player)) is not None]
    stands = session.opening_moves if session.swapped_at is not None else 0
    if stands and not any(before >= stands for before in turns):
        raise Refusal("undo_swapped")
    if not turns:
        raise Refusal("undo_nothing")
    return max(turns)


def other_of(session: Session, user_id: int) -> int | None:
    """The other person at the board, if there is one."""
    return next((other for other in session.people if other != user_id), None)


def still_applies(asked: UndoRecord | DrawRecord, present: Session | None) -> bool:
    """Whether a game is still as it was when something was asked for."""
    if present is None or present.is_over or present.id != asked.request.game_id:
        return False
    request = asked.request
    if present.swapped_at is not None and request.asked_at <= present.swapped_at:
        return False
    return (request.undos, request.made) == (present.undos, len(present.moves))
