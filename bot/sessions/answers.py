"""The moves of agents: each is searched for once and stored despite failures.

A move is made even if the caller stops waiting, or if the database is locked or full for a while.
If the process is killed, `bot.sessions.timer` finds the game by the due time in its row.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator
from typing import TypeGuard

from bot.database.errors import Unconfirmed
from bot.game.clocks import Clock
from bot.game.refusal import Refusal
from bot.game.session import Session
from bot.ratings.levels import opponent_rating
from bot.sessions.holding import Holding
from bot.sessions.running import MovedOn, RunningGames
from bot.sessions.searches import Answer, Searches
from bot.store.store import Store
from bot.telemetry import about

logger = logging.getLogger(__name__)

FIRST_PAUSE, LONGEST_PAUSE = 0.5, 15.0
"""Seconds until the second attempt to store a move, doubled with each failure."""

CLOSING = 10.0
"""Seconds for which closing waits for moves that are being stored."""


class Answers:
    """Makes agents' moves, each in a task that ends when the move is stored or outdated."""

    def __init__(
        self,
        store: Store,
        games: RunningGames,
        searches: Searches,
        clock: Clock,
        holding: Holding,
    ) -> None:
        """Play the results of `searches` in `games` unless `holding` lets them wait.

        `store` gives the ratings of opponents.
        """
        self._known = store
        self._games = games
        self._searches = searches
        self._clock = clock
        self._holding = holding
        self._under_way: dict[int, asyncio.Task[Session | None]] = {}
        self._closing = asyncio.Event()

    def is_under_way(self, game_id: int) -> bool:
        """Whether an agent's move in a game is being searched for or stored."""
        return game_id in self._under_way

    async def make(self, channel_id: int) -> Session | None:
        """Make the agent's move if one is next; None if there is nothing to do.

        The move is dropped if the game has changed meanwhile, or if another process owns the game
        and makes the move.
        """
        async with self._games.lock(channel_id):
            session = self._games.in_memory(channel_id)
            if session is None or not session.awaits_agent:
                session = await self._games.owned(channel_id)
        if session is None or not session.awaits_agent or self.is_under_way(session.id):
            return None
        task = asyncio.get_running_loop().create_task(self._make(session))
        self._under_way[session.id] = task
        task.add_done_callback(lambda _: self._under_way.pop(session.id, None))
        return await asyncio.shield(task)

    async def close(self) -> None:
        """Stop retrying, and wait for moves that are being stored; searches must have stopped."""
        self._closing.set()
        if self._under_way:
            await asyncio.wait(tuple(self._under_way.values()), timeout=CLOSING)

    async def _make(self, session: Session) -> Session | None:
        with about(session.id, session.channel_id, session.guild_id):
            opponent = await opponent_rating(self._known, session)
            answer = await self._searches.answer(session, opponent)
            stored = None if answer is None else await self._store(session, answer)
            if stored is not None:
                self._searches.ponder(stored)
            return stored

    async def _store(self, session: Session, answer: Answer) -> Session | None:
        """Store a move, with retries until it is stored or the game has moved on."""
        is_unconfirmed = False
        for pause in _pauses():
            try:
                stored = await self._move(session, answer)
                if stored is None and is_unconfirmed:
                    return await self._made(session, answer)
                if pause > FIRST_PAUSE:
                    logger.info("the agent's move in game %s could be stored after all", session.id)
                return stored
            except MovedOn:
                return None
            except Refusal:
                raise
            except Exception as error:
                is_unconfirmed |= isinstance(error, Unconfirmed)
                # Logged once with the cause, not for every attempt.
                if pause == FIRST_PAUSE:
                    logger.exception("game %s waits: its move cannot be stored yet", session.id)
            if await self._closes_within(pause):
                break
        return None

    async def _move(self, session: Session, answer: Answer) -> Session | None:
        async with self._games.lock(session.channel_id):
            present = self._games.in_memory(session.channel_id)
            present = present or await self._games.current(session.channel_id)
            if not is_same_turn(present, session):
                return None
            present, refusal = await self._holding.settled(present)
            if refusal is not None:
                return None
            following = present.after(answer.move, self._clock(), answer.result)
            return await self._games.append(present, following)

    async def _made(self, session: Session, answer: Answer) -> Session | None:
        """The game if an earlier attempt has stored the move unnoticed; None otherwise."""
        present = await self._games.find(session.id)
        if present is None or present.moves[:-1] != session.moves or not present.moves:
            return None
        latest = present.moves[-1]
        is_ours = latest.user_id is None and latest.move == present.game.label(answer.move)
        return present if is_ours else None

    async def _closes_within(self, seconds: float) -> bool:
        """Wait up to `seconds`, and return whether the bot closes in that time."""
        try:
            await asyncio.wait_for(self._closing.wait(), seconds)
        except TimeoutError:
            return False
        return True


def is_same_turn(present: Session | None, session: Session) -> TypeGuard[Session]:
    """Whether `present` is at the same point of the game as `session`.

    Numbers of moves are not enough: moves may have been taken back and replaced by others.
    """
    return present is not None and (present.id, present.moves) == (session.id, session.moves)


def _pauses() -> Iterator[float]:
    pause = FIRST_PAUSE
    while True:
        yield pause
        pause = min(2 * pause, LONGEST_PAUSE)
