"""All running games, by channel: the one way in which a game changes.

Memory never runs ahead of the disk: a move is stored first, then the session is replaced. Each
channel has a lock that is held for a change, never for a search: a search works on a value, and
its result counts only if the game has not moved on meanwhile.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import TypeGuard
from weakref import WeakValueDictionary

from bot.play.endings import EvidenceOf, Judge, given_up, run_out
from bot.play.searches import HINTS, Hint, Searches
from bot.play.seating import opening_of
from bot.play.workers import Workers
from bot.rating.rated import unrated_because
from bot.store import ChallengeAnswered, ChannelTaken, EndRecord, Store
from bot.table.orders import Control, Order
from bot.table.refusal import OutdatedControl, Refusal
from bot.table.session import Session
from engine.game import IllegalMove, NotAMove


class Sessions:
    """The running games; knows nothing of Discord."""

    def __init__(
        self,
        store: Store,
        workers: Workers,
        *,
        games_per_player: int = 5,
        turn_seconds: float = 48 * 3600.0,
        evidence: EvidenceOf | None = None,
        rng: Random | None = None,
        now: Callable[[], float] = time.time,
    ) -> None:
        """Keep games in `store` and search in `workers`; `rng` and `now` can be fixed.

        A person may be silent in a game for `turn_seconds`. `evidence` looks at the moves of games
        that have ended, for ratings.
        """
        self._store = store
        self._searches = Searches(workers, rng or Random())
        self._judge = Judge(workers, evidence)
        self._games_per_player = games_per_player
        self._turn_seconds = turn_seconds
        self._now = now
        self._running: dict[int, Session] = {}
        self._locks: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()

    async def current(self, channel_id: int) -> Session | None:
        """The running game of a channel, from the store if it is not in memory."""
        session = self._running.get(channel_id)
        if session is not None:
            return session
        # Not kept: without the lock the game may end while it is being read.
        record = await self._store.games.running_in(channel_id)
        return Session.from_record(record) if record else None

    async def start(self, order: Order, *, accepting: int | None = None) -> Session:
        """Begin a game; refused where the channel has one or somebody has too many.

        With `accepting` it is the game of that challenge, refused where that is no longer open.
        """
        async with self._lock(order.channel_id):
            await self.require_room(order)
            opening = await opening_of(self._store, order, self._now())
            try:
                game_id = await self._store.games.add(opening, accepting=accepting)
            except ChannelTaken as error:
                raise Refusal("channel_taken") from error
            except ChallengeAnswered as error:
                raise Refusal("challenge_over") from error
            record = await self._store.games.find(game_id)
            assert record is not None
            return self._keep(Session.from_record(record))

    async def require_room(self, order: Order) -> None:
        """Refuse an order where its channel has a game or somebody in it has too many."""
        if await self.current(order.channel_id) is not None:
            raise Refusal("channel_taken")
        for user_id in {order.user_id, *order.people}:
            if await self._store.games.count_running(user_id) >= self._games_per_player:
                key = "too_many_games" if user_id == order.user_id else "opponent_is_busy"
                raise Refusal(key, most=self._games_per_player)

    async def play(
        self,
        channel_id: int,
        user_id: int,
        text: str,
        *,
        family: str | None = None,
        control: Control | None = None,
    ) -> Session:
        """Make a person's move, written as players write it.

        Args:
            channel_id: Where the game is.
            user_id: Who asks.
            text: The move, such as `3`.
            family: If given, the game that the channel must have.
            control: What the control was made for that was used, if one was.

        Raises:
            OutdatedControl: The control is of another game or an earlier move.
            Refusal: There is no game or another one, it is not theirs or not their turn, the text
                is no move of this game or the move is not allowed now. Nothing has changed.
        """
        async with self._lock(channel_id):
            if control is not None:
                await self._require_present(channel_id, control)
            session = await self.turn_of(channel_id, user_id, family)
            try:
                move = session.game.parse(text)
                following = session.after(move, self._now())
            except NotAMove as error:
                raise Refusal("not_a_move", text=text, expected=error.expected) from error
            except IllegalMove as error:
                raise Refusal(f"illegal.{error.reason}", move=error.label) from error
            return await self._append(session, following)

    async def reply(self, channel_id: int) -> Session | None:
        """Make the agent's move where one is next; None where there is nothing to do.

        The search runs in a worker thread. Its move is dropped if the game has changed meanwhile.
        """
        session = await self.current(channel_id)
        if session is None or not session.awaits_agent:
            return None
        result = await self._searches.run(session, session.mover.answer)
        if result is None:
            return None
        async with self._lock(channel_id):
            present = await self.current(channel_id)
            if not _is_same_turn(present, session):
                return None
            return await self._append(present, present.after(result.move, self._now(), result))

    async def take_back(
        self, channel_id: int, remaining: Callable[[Session], int], *, accepting: int | None = None
    ) -> Session:
        """Take the latest moves of the present game back and stop what is searched for it.

        Args:
            channel_id: Where the game is.
            remaining: Says how many moves remain, or refuses; asked once nothing else can move.
            accepting: The request that this grants, if one was made.
        """
        async with self._lock(channel_id):
            session = await self.current(channel_id)
            if session is None:
                raise Refusal("no_game")
            moves, at = remaining(session), self._now()
            following = session.taken_back(moves, at)
            look_at = following.deadline(self._turn_seconds)
            await self._store.games.take_back(
                session.id, moves, at, look_at=look_at, accepting=accepting
            )
            self._searches.stop(session.id)
            return self._keep(following)

    def is_overtaken(self, session: Session) -> bool:
        """Whether something has been taken back since a game was at this point."""
        present = self._running.get(session.channel_id)
        return present is not None and (present.id == session.id and present.undos > session.undos)

    async def turn_of(self, channel_id: int, user_id: int, family: str | None = None) -> Session:
        """The channel's game, if it is this person's turn in it; refused otherwise."""
        session = await self.seated(channel_id, user_id, family)
        if session.mover.user_id != user_id:
            raise Refusal("not_your_turn")
        return session

    async def seated(self, channel_id: int, user_id: int, family: str | None = None) -> Session:
        """The channel's game, if this person plays in it; refused otherwise."""
        session = await self.present(channel_id, family)
        if session.side_of(user_id) is None:
            raise Refusal("not_your_game")
        return session

    async def present(self, channel_id: int, family: str | None = None) -> Session:
        """The channel's game; refused where there is none, or one that is not of `family`."""
        session = await self.current(channel_id)
        if session is None:
            raise Refusal("no_game")
        require_family(session, family)
        return session

    async def find(self, game_id: int) -> Session | None:
        """Any game, running or over."""
        record = await self._store.games.find(game_id)
        return Session.from_record(record) if record else None

    async def hint(self, channel_id: int, user_id: int, family: str | None = None) -> Hint:
        """Search for the move that the engine would make; noted before it is returned."""
        session = await self.turn_of(channel_id, user_id, family)
        result = await self._searches.run(session, HINTS.choose)
        async with self._lock(channel_id):
            present = await self.current(channel_id)
            if result is None or not _is_same_turn(present, session):
                raise Refusal("moved_on")
            label = session.game.label(result.move)
            await self._store.games.add_hint(
                present.id, present.number, user_id, label, self._now()
            )
            hinted = present.hinted_numbers | {present.number}
            return Hint(self._keep(replace(present, hinted_numbers=hinted)), result)

    async def resign(
        self,
        channel_id: int,
        user_id: int,
        *,
        family: str | None = None,
        moderator: bool = False,
        game_id: int | None = None,
    ) -> Session:
        """Give a game up, as `given_up` says who may, and what becomes of it.

        With `family` or `game_id` it must be such a game or that one; refused where another runs.
        """
        async with self._lock(channel_id):
            session = await self.present(channel_id, family)
            if game_id not in (None, session.id):
                raise Refusal("no_game")
            end = given_up(session, user_id, moderator=moderator, at=self._now())
            return await self._finish(session, end)

    @property
    def turn_seconds(self) -> float:
        """How long a person may be silent in a game."""
        return self._turn_seconds

    async def forfeit_silent(self) -> list[Session]:
        """End the games whose mover has been silent for too long, and return them.

        Such a game is lost for whoever is to move; one that had hardly begun is stopped instead.
        """
        now = self._now()
        ended = []
        for record in await self._store.games.silent(now - self._turn_seconds):
            async with self._lock(record.opening.channel_id):
                # Meanwhile a move may have come after all, or another game have begun here.
                present = await self.current(record.opening.channel_id)
                deadline = present.deadline(self._turn_seconds) if present is not None else None
                if present is not None and deadline is not None and deadline <= now:
                    ended.append(await self._finish(present, run_out(present, now)))
        return ended

    async def show_in(self, session: Session, message_id: int) -> Session:
        """Note which message shows a game's board."""
        async with self._lock(session.channel_id):
            await self._store.games.set_message(session.id, message_id)
            present = self._running.get(session.channel_id)
            if present is None or present.id != session.id:
                return replace(session, message_id=message_id)
            return self._keep(replace(present, message_id=message_id))

    async def message_of(self, session: Session) -> int | None:
        """Which message shows a game now; it may be a newer one than the session knows."""
        return await self._store.games.message_of(session.id)

    async def unanswered(self) -> list[Session]:
        """The games in which an agent is to move: what a restart has to take up again."""
        sessions = [Session.from_record(record) for record in await self._store.games.running()]
        return [session for session in sessions if session.awaits_agent]

    def close(self) -> None:
        """End all searches; nothing that they found is used."""
        self._searches.close()

    def _lock(self, channel_id: int) -> asyncio.Lock:
        return self._locks.setdefault(channel_id, asyncio.Lock())

    def _keep(self, session: Session) -> Session:
        """Make a session the channel's present one, or let go of it when it is over."""
        if session.is_over:
            self._running.pop(session.channel_id, None)
            self._searches.stop(session.id)
        else:
            self._running[session.channel_id] = session
        return session

    async def _append(self, session: Session, following: Session) -> Session:
        await self._store.games.append(
            session.id,
            session.number,
            following.moves[-1],
            look_at=following.deadline(self._turn_seconds),
            end=following.end,
            counts=_counts(following),
        )
        return self._keep(await self._rated(following))

    async def _finish(self, session: Session, end: EndRecord) -> Session:
        """End a game without a move."""
        ended = replace(session, end=end)
        await self._store.games.finish(session.id, end, counts=_counts(ended))
        return self._keep(await self._rated(ended))

    async def _rated(self, session: Session) -> Session:
        if not _counts(session):
            return session
        rated = await self._judge.rated(session)
        return replace(session, changes=await self._store.ratings.rate(session.id, rated))

    async def _require_present(self, channel_id: int, control: Control) -> None:
        session = await self.current(channel_id)
        if session is None or (session.id, session.number) != (control.game_id, control.number):
            raise OutdatedControl


def require_family(session: Session, family: str | None) -> None:
    """Refuse a request about one kind of game where the channel has another; None is any kind."""
    if family not in (None, session.game.key):
        raise Refusal("other_game", other=session.game.key)


def _is_same_turn(present: Session | None, session: Session) -> TypeGuard[Session]:
    """Whether `present` is still at the move that `session` was at.

    The number alone would not do: where moves were taken back, others may have come in their place.
    """
    return present is not None and (present.id, present.moves) == (session.id, session.moves)


def _counts(session: Session) -> bool:
    """Whether a game has ended and is to be rated."""
    return session.is_over and unrated_because(session) is None
