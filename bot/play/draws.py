"""Draws that the two people at a board agree on: one offers, the other accepts."""

from __future__ import annotations

from bot.play.isolation import isolated
from bot.play.limits import Limiter
from bot.play.sessions import Sessions
from bot.play.undos import other_of, still_applies
from bot.shards import Shards
from bot.store import DrawRecord, NewDrawRecord, Store
from bot.table.clocks import Clock
from bot.table.places import Place
from bot.table.refusal import Refusal
from bot.table.session import Session


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
        session = await self._sessions.seated(channel_id, user_id, family)
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
                session = await self._sessions.find_readable(draw.request.game_id)
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
        session = None if draw is None else await self._sessions.find_readable(draw.request.game_id)
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
