"""Undo: a person takes a turn back, at once or when the other person at the board agrees."""

from __future__ import annotations

from bot.play.isolation import isolated
from bot.play.limits import Limiter
from bot.play.running import ChannelPlays, require_family
from bot.play.sessions import Sessions
from bot.shards import Shards
from bot.store import DrawRecord, NewUndoRecord, Store, UndoAnswered, UndoRecord
from bot.table.clocks import Clock
from bot.table.refusal import Refusal
from bot.table.session import Session
from engine.core.game import Player


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
        session = await self._sessions.current(channel_id)
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
            return await self._sessions.take_back(session.channel_id, remaining, accepting=undo_id)
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
        session = await self._sessions.find_readable(undo.request.game_id)
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
            undo, await self._sessions.find_readable(undo.request.game_id)
        )

    async def _why_no_game(self, channel_id: int, user_id: int) -> Refusal:
        """The refusal for somebody in whose channel no game is running."""
        game_id = await self._store.games.latest_in(channel_id)
        session = None if game_id is None else await self._sessions.find_readable(game_id)
        if session is None or user_id not in session.people:
            return await self._sessions.no_game(channel_id)
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
