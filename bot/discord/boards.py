"""The message that shows a game: one per game, edited in place."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass
from typing import Any
from weakref import WeakValueDictionary

import discord
from discord import Interaction

from bot.discord.controls import board_view
from bot.discord.interactions import NO_PINGS, UNREACHABLE, png_file
from bot.discord.lifelines import Lifelines
from bot.discord.names import NameBook
from bot.play.sessions import Sessions
from bot.play.workers import Workers
from bot.show.scenes import Names, alt_phrases, board_scene, final_lines
from bot.table.session import Session
from bot.telemetry import about
from bot.words import Say, say_for
from engine.search import SearchResult
from renderers import BoardScene, board_alt_text, draw

logger = logging.getLogger(__name__)

TOO_MANY_OLD_EDITS = 30046
"""Discord's error for editing messages older than an hour too often."""


@dataclass(frozen=True, slots=True)
class BoardMessage:
    """A game as a message: its text, its picture and its buttons. The file can be sent once."""

    content: str
    file: discord.File
    view: discord.ui.View


class Boards:
    """Draws sessions and keeps their messages up to date.

    Messages are edited through their channel, because a game outlives an interaction's token, which
    expires after fifteen minutes. Where the channel is closed to the bot, they are edited through
    the latest interaction that can, or posted again as an answer to one (`make_up`).
    """

    def __init__(
        self, client: discord.Client, sessions: Sessions, workers: Workers, names: NameBook
    ) -> None:
        """Edit through `client`, draw in `workers`, record new messages in `sessions`."""
        self._client = client
        self._sessions = sessions
        self._workers = workers
        self._names = names
        self._locks: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()
        self._newest: dict[int, Session] = {}
        self._closed: set[int] = set()
        self._behind: set[int] = set()
        self.lifelines = Lifelines()
        """Whoever answers an interaction on a board notes it here."""

    async def message(self, session: Session, say: Say) -> BoardMessage:
        """The message that shows a session."""
        names = await self._names_in(session, say)
        scene = board_scene(session, names, say)
        return BoardMessage(
            self._content(session, scene, names, say),
            await self._file(session, scene, say),
            board_view(session, say),
        )

    async def picture(
        self, session: Session, say: Say, hint: SearchResult | None = None
    ) -> discord.File:
        """The picture alone, with alternative text; a hint is marked on it."""
        names = await self._names_in(session, say)
        return await self._file(session, board_scene(session, names, say, hint), say)

    async def show(self, session: Session) -> None:
        """Bring the game's message up to date, or post it if there is none.

        Edits of one game are made one after the other; a state that is outdated by the time its
        turn comes is skipped. Failures are logged: the game itself is safe in the store, and the
        next move or `board` shows it again. Where the bot may not, `make_up` shows it at once.
        """
        if self._sessions.is_overtaken(session):
            # This move was taken back, and the handler of that shows the board.
            return
        self._newest[session.id] = session
        lock = self._locks.setdefault(session.id, asyncio.Lock())
        async with lock:
            with about(session.id, session.channel_id, session.guild_id):
                await self._show_newest(session)

    def differing(self) -> int:
        """How many games could not be shown as they are, and have not been shown since."""
        return len(self._behind)

    async def make_up(self, interaction: Interaction[Any], session: Session) -> None:
        """Post the board as an answer to an interaction if it could not be shown otherwise."""
        if session.id not in self._closed:
            return
        board = await self.message(session, say_for(session.locale))
        posted = await interaction.followup.send(
            board.content, file=board.file, view=board.view, allowed_mentions=NO_PINGS, wait=True
        )
        self._closed.discard(session.id)
        self._behind.discard(session.id)
        await self._sessions.show_in(session, posted.id)
        self.lifelines.note(session.id, posted.id, interaction, posted.edit)

    async def retire(self, session: Session) -> None:
        """Remove the buttons from a message that a newer one has replaced."""
        if session.message_id is None:
            return
        try:
            await self._message(session, session.message_id).edit(view=None)
        except UNREACHABLE as error:
            logger.info("an old board of game %s stays as it is: %s", session.id, error)

    async def _show_newest(self, session: Session) -> None:
        """Show a session unless a newer one waits; the game's lock is held."""
        if self._newest.get(session.id) is not session:
            return
        try:
            message_id = await self._sessions.message_of(session)
            if message_id is None or not await self._edit(session, message_id):
                await self._post(session)
            self._closed.discard(session.id)
            self._behind.discard(session.id)
        except discord.Forbidden as error:
            logger.warning("the board of game %s may not be shown: %s", session.id, error)
            self._closed.add(session.id)
            self._behind.add(session.id)
        except UNREACHABLE:
            logger.exception("the board of game %s could not be shown", session.id)
            self._behind.add(session.id)
        finally:
            if self._newest.get(session.id) is session:
                del self._newest[session.id]

    async def _edit(self, session: Session, message_id: int) -> bool:
        """Edit the game's message; False if it has to be posted anew instead."""
        board = await self.message(session, say_for(session.locale))
        try:
            await self._message(session, message_id).edit(
                content=board.content,
                attachments=[board.file],
                view=board.view,
                allowed_mentions=NO_PINGS,
            )
        except discord.NotFound:
            logger.info("the board of game %s was deleted: posting it again", session.id)
            return False
        except discord.Forbidden:
            if not await self._edit_by_token(session, message_id):
                raise
        except discord.HTTPException as error:
            if error.code != TOO_MANY_OLD_EDITS:
                raise
            return False
        return True

    async def _edit_by_token(self, session: Session, message_id: int) -> bool:
        """Edit the game's message through an interaction; False if none can."""
        edit = self.lifelines.to(session.id, message_id)
        if edit is None:
            return False
        board = await self.message(session, say_for(session.locale))
        try:
            await edit(
                content=board.content,
                attachments=[board.file],
                view=board.view,
                allowed_mentions=NO_PINGS,
            )
        except discord.HTTPException as error:
            logger.info("the board of game %s cannot be reached: %s", session.id, error)
            return False
        return True

    async def _post(self, session: Session) -> None:
        board = await self.message(session, say_for(session.locale))
        posted = await self._channel(session).send(
            board.content, file=board.file, view=board.view, allowed_mentions=NO_PINGS
        )
        await self._sessions.show_in(session, posted.id)

    def _channel(self, session: Session) -> discord.PartialMessageable:
        return self._client.get_partial_messageable(session.channel_id)

    def _message(self, session: Session, message_id: int) -> discord.PartialMessage:
        return self._channel(session).get_partial_message(message_id)

    async def _names_in(self, session: Session, say: Say) -> Names:
        return await self._names.of((seat.user_id for seat in session.seats), say)

    async def _file(self, session: Session, scene: BoardScene, say: Say) -> discord.File:
        png = await self._workers.draw(draw, session.game.key, scene)
        name = f"{session.game.key}-{session.id}-{len(session.moves)}"
        return png_file(png, name, board_alt_text(scene, alt_phrases(say)))

    def _content(self, session: Session, scene: BoardScene, names: Names, say: Say) -> str:
        first, second, status = (
            discord.utils.escape_markdown(text) for text in (*scene.names, scene.status)
        )
        variant = say.variant(session.game.key, session.game.variant)
        text = say("board.content", first=first, second=second, variant=variant, status=status)
        if session.is_over:
            return f"{text}\n{final_lines(session, names, say)}"
        countdown = session.countdown
        if countdown is None or session.clock is None:
            return text
        clock = say(f"clock.per_{session.clock.per}", time=say.duration(session.clock.seconds))
        until = f"<t:{int(countdown.deadline)}:R>"
        return f"{text}\n{say('board.until', until=until, clock=clock)}"
