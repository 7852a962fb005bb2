"""The message that shows a game: one a game, edited in place."""

from __future__ import annotations

import asyncio
import io
import logging
from weakref import WeakValueDictionary

import discord

from bot.discord.answering import NO_PINGS, UNREACHABLE
from bot.discord.controls import board_view
from bot.discord.names import NameBook
from bot.play.sessions import Sessions
from bot.play.workers import Workers
from bot.show.scenes import alt_phrases, board_scene
from bot.table.session import Session
from bot.words import Say, say_for
from engine.search import SearchResult
from renderers import BoardScene, board_alt_text, draw

logger = logging.getLogger(__name__)

TOO_MANY_OLD_EDITS = 30046
"""Discord's error for editing messages older than an hour too often."""


class Boards:
    """Draws sessions and keeps their messages up to date.

    Messages are edited through their channel, not through an interaction: a game outlives the
    fifteen minutes of an interaction's token.
    """

    def __init__(
        self, client: discord.Client, sessions: Sessions, workers: Workers, names: NameBook
    ) -> None:
        """Edit through `client`, draw in `workers`, note new messages in `sessions`."""
        self._client = client
        self._sessions = sessions
        self._workers = workers
        self._names = names
        self._locks: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()
        self._newest: dict[int, Session] = {}
        self.shown = 0
        """How many times a board has been shown so far."""

    async def picture(
        self, session: Session, say: Say, hint: SearchResult | None = None
    ) -> discord.File:
        """The board as an attachment with alternative text."""
        return await self._attachment(session, await self._scene(session, say, hint), say)

    async def content(self, session: Session, say: Say) -> str:
        """The text above the picture."""
        return self._content(session, await self._scene(session, say), say)

    async def show(self, session: Session) -> None:
        """Bring the game's message up to date, or post it where there is none.

        Edits of one game follow each other; one that a newer state has overtaken while it was
        waiting is left out. What Discord refuses is logged: the game itself is safe in the store
        and the next move or `board` shows it again.
        """
        if self._sessions.is_overtaken(session):
            # Whoever took this move back shows what stands since then.
            return
        self._newest[session.id] = session
        lock = self._locks.setdefault(session.id, asyncio.Lock())
        async with lock:
            if self._newest.get(session.id) is not session:
                return
            try:
                await self._write(session)
                self.shown += 1
            except UNREACHABLE:
                logger.exception("the board of game %s could not be shown", session.id)
            finally:
                if self._newest.get(session.id) is session:
                    del self._newest[session.id]

    async def retire(self, session: Session) -> None:
        """Take the controls off a message that another one has replaced."""
        if session.message_id is None:
            return
        try:
            await self._message(session, session.message_id).edit(view=None)
        except UNREACHABLE as error:
            logger.info("an old board of game %s stays as it is: %s", session.id, error)

    async def _write(self, session: Session) -> None:
        say = say_for(session.locale)
        scene = await self._scene(session, say)
        message_id = await self._sessions.message_of(session)
        if message_id is not None:
            try:
                await self._message(session, message_id).edit(
                    content=self._content(session, scene, say),
                    attachments=[await self._attachment(session, scene, say)],
                    view=board_view(session, say),
                    allowed_mentions=NO_PINGS,
                )
                return
            except discord.NotFound:
                logger.info("the board of game %s was deleted: posting it again", session.id)
            except discord.HTTPException as error:
                if error.code != TOO_MANY_OLD_EDITS:
                    raise
        message = await self._channel(session).send(
            content=self._content(session, scene, say),
            file=await self._attachment(session, scene, say),
            view=board_view(session, say),
            allowed_mentions=NO_PINGS,
        )
        await self._sessions.show_in(session, message.id)

    def _channel(self, session: Session) -> discord.PartialMessageable:
        return self._client.get_partial_messageable(session.channel_id)

    def _message(self, session: Session, message_id: int) -> discord.PartialMessage:
        return self._channel(session).get_partial_message(message_id)

    async def _scene(
        self, session: Session, say: Say, hint: SearchResult | None = None
    ) -> BoardScene:
        people = [seat.user_id for seat in session.seats]
        return board_scene(session, await self._names.of(people, say), say, hint)

    async def _attachment(self, session: Session, scene: BoardScene, say: Say) -> discord.File:
        png = await self._workers.draw(draw, session.game.key, scene)
        return discord.File(
            io.BytesIO(png),
            filename=f"{session.game.key}-{session.id}-{len(session.moves)}.png",
            description=board_alt_text(scene, alt_phrases(say)),
        )

    def _content(self, session: Session, scene: BoardScene, say: Say) -> str:
        first, second, status = (
            discord.utils.escape_markdown(text) for text in (*scene.names, scene.status)
        )
        variant = say.variant(session.game.key, session.game.variant)
        text = say("board.content", first=first, second=second, variant=variant, status=status)
        deadline = session.deadline(self._sessions.turn_seconds)
        if deadline is None:
            return text
        return f"{text}\n{say('board.until', until=f'<t:{int(deadline)}:R>')}"
