"""Keeping games going: showing each step and letting the agents move."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from time import monotonic
from typing import Any, TypeVar

from discord import Interaction

from bot.discord.boards import Boards
from bot.discord.playback import Playback
from bot.discord.turn_pings import TurnPings
from bot.discord.waiting_word import WaitingWord
from bot.play.sessions import Sessions
from bot.store import Unavailable
from bot.table.session import Session

logger = logging.getLogger(__name__)

BLINK = 0.15
"""Seconds within which the next board comes too soon for the one before it to be worth showing."""
APART = 0.5
"""Seconds that lie at least between two boards."""
T = TypeVar("T")


class GameRunner:
    """Shows how games stand, pings whoever is to move, and makes the agents' moves."""

    def __init__(
        self,
        sessions: Sessions,
        boards: Boards,
        pings: TurnPings,
        playback: Playback,
        waiting: WaitingWord,
    ) -> None:
        """Run the games in `sessions`; watched games move with `playback`."""
        self._sessions = sessions
        self._boards = boards
        self._pings = pings
        self._playback = playback
        self._waiting = waiting

    async def present(self, session: Session) -> None:
        """Show how a game stands now and ping whoever is to move."""
        await self._boards.show(session)
        await self._pings.update(session)

    async def carry_on(self, session: Session) -> Session:
        """Show a person's move, make the agent's moves that follow, and ping whoever is next.

        Returns the last session.
        """
        session = await self._let_agent_move(session, is_shown=False)
        await self._pings.update(session)
        return session

    async def open(self, interaction: Interaction[Any], session: Session) -> None:
        """Show a game in a new message, as the answer to an interaction, and go on from there."""
        await self._go_on(await self._boards.open(interaction, session))

    async def open_in_place(self, interaction: Interaction[Any], session: Session) -> None:
        """Show a game between people in the message whose button began it."""
        await self._pings.update(await self._boards.open_in_place(interaction, session))

    async def resume_all(self) -> None:
        """Make the agents' moves that an earlier run of the bot did not get to."""
        await asyncio.gather(*(self.resume(s) for s in await self._sessions.unanswered()))

    async def resume(self, session: Session) -> None:
        """Make the agent's move that a game waits for, unless it is on its way; log a failure."""
        if self._sessions.is_answering(session) or self._playback.has(("watch", session.id)):
            return
        try:
            is_shown = await self._boards.shows(session)
            if session.is_watched and not is_shown:
                await self._boards.show(session)
            await self._go_on(session, is_shown=is_shown)
        except Unavailable as error:
            logger.info("game %s waits for the database: %s", session.id, error)
        except Exception:
            logger.exception("game %s could not be resumed", session.id)

    async def _go_on(self, session: Session, *, is_shown: bool = True) -> None:
        """Make the agent's moves; a watched game is played back.

        `is_shown` says whether the board shows how the game stands.
        """
        if not session.is_watched:
            await self._let_agent_move(session, is_shown=is_shown)
        elif session.awaits_agent:
            self._playback.begin(("watch", session.id), self._watch(session.channel_id))

    async def _let_agent_move(self, session: Session, *, is_shown: bool = True) -> Session:
        """Make the agent's moves and show each, as well as the board before them.

        A board that the next move replaces within a blink is skipped; two that are both shown come
        far enough apart to be seen.
        """
        shown_at, showing = monotonic() if is_shown else 0.0, None
        while True:
            async with (
                self._waiting.shown(session),
                _running(self._sessions.reply(session.channel_id)) as reply,
            ):
                if not is_shown:
                    if BLINK and not self._waiting.is_needed(session):
                        await asyncio.wait({reply}, timeout=BLINK)
                    if not _brings_a_move(reply):
                        await asyncio.sleep(shown_at + APART - monotonic())
                        showing = asyncio.ensure_future(self._boards.show(session))
                        # A board that is still waiting to be sent gives way to the next one.
                        await asyncio.wait({showing, reply}, return_when=asyncio.FIRST_COMPLETED)
                        shown_at = monotonic()
                answered = await reply
            if answered is None:
                if showing is not None:
                    await showing
                return session
            session, is_shown = answered, False

    async def _watch(self, channel_id: int) -> AsyncIterator[None]:
        """Let two agents play, one move per step."""
        while (answered := await self._sessions.reply(channel_id)) is not None:
            await self._boards.show(answered)
            yield


@asynccontextmanager
async def _running(work: Coroutine[Any, Any, T]) -> AsyncIterator[asyncio.Task[T]]:
    """Run something beside the block, and no longer than it."""
    task = asyncio.get_running_loop().create_task(work)
    try:
        yield task
    finally:
        task.cancel()


def _brings_a_move(reply: asyncio.Task[Session | None]) -> bool:
    """Whether a reply is there already, and is one."""
    return reply.done() and reply.exception() is None and reply.result() is not None
