"""Boards: one message for each game, edited in place."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping
from typing import Any
from weakref import WeakValueDictionary

import discord
from discord import Interaction

from bot.board.requests import UNKNOWN_CHANNEL, BoardRequests, OldBoards
from bot.discord.answering import DiscordTime
from bot.discord.background import LONGEST_WAIT, Limited, Overtaken
from bot.discord.replies import UNREACHABLE, Lifelines, missing_permissions, reply_privately
from bot.game.refusal import Refusal
from bot.game.session import Session
from bot.i18n import say_for
from bot.sessions.sessions import Sessions
from bot.store.boards import ShownBoard
from bot.store.rows import NOTHING
from bot.telemetry import about

logger = logging.getLogger(__name__)

TOO_MANY_OLD_EDITS = 30046
"""Discord's error for editing messages older than an hour too often."""

OLD = 55 * 60.0
"""Seconds after which a board is posted anew rather than edited, before Discord refuses that."""


class Boards:
    """Keeps the messages of games up to date, and knows what they show.

    Messages are edited through their channel, because a game outlives an interaction's token, which
    expires after fifteen minutes. Where the channel is closed to the bot, they are edited through
    the latest interaction that can (see `Lifelines`), or posted again as an answer to one
    (`make_up`). A board that could not be shown differs from what is stored, so `Convergence` shows
    it later.
    """

    def __init__(
        self,
        sessions: Sessions,
        requests: BoardRequests,
        old: OldBoards,
        lifelines: Lifelines,
        time: DiscordTime,
    ) -> None:
        """Show games with `requests`, and record their messages in `sessions`.

        Args:
            sessions: The running games.
            requests: Sends boards.
            old: Retires messages that newer ones have replaced.
            lifelines: Interactions through which boards can be edited.
            time: Tells the age of messages, by Discord's clock.
        """
        self._sessions = sessions
        self._requests = requests
        self._old = old
        self._lifelines = lifelines
        self._time = time
        self._locks: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()
        self._newest: dict[int, Session] = {}
        self._shown: dict[int, ShownBoard] = {}
        self._closed: set[int] = set()
        """Games whose channel is closed to the bot."""
        self._told: set[int] = set()
        """Games whose players have been told which permissions are missing."""
        self._on_shown: Callable[[int], None] = lambda _: None

    def start(self, on_shown: Callable[[int], None]) -> None:
        """Call `on_shown` with each channel in which a board has been shown; it must not block."""
        self._on_shown = on_shown

    @property
    def shown(self) -> dict[int, ShownBoard]:
        """What has been shown lately, by the ids of the games; the store does not know it yet."""
        return self._shown.copy()

    def forget_shown(self, noted: Mapping[int, ShownBoard]) -> None:
        """Leave it to the store to know what has been shown."""
        for game_id, board in noted.items():
            if self._shown.get(game_id) == board:
                del self._shown[game_id]

    def has_shown(self, session: Session) -> bool:
        """Whether a message has shown a game as it stands, or later, since `forget_shown`."""
        shown = self._shown.get(session.id)
        return shown is not None and shown.state >= session.state

    async def shows(self, session: Session) -> bool:
        """Whether a message shows a game as it stands, or later, as far as is known."""
        present = self._shown.get(session.id) or await self._sessions.games.board_of(session)
        return present is not None and present.state >= session.state

    def is_showing(self, game_id: int) -> bool:
        """Whether a game's message is being changed just now."""
        lock = self._locks.get(game_id)
        return lock is not None and lock.locked()

    async def show(self, session: Session) -> None:
        """Bring the game's message up to date, or post it if there is none.

        Edits of one game are made one after the other. A state that is outdated by the time its
        turn comes is skipped, and one that is outdated before it is sent is given up. Failures are
        logged: what is not shown now is shown later.
        """
        newest = self._newest.get(session.id)
        if self._sessions.games.is_overtaken(session) or (newest and newest.state > session.state):
            return
        self._newest[session.id] = session
        self._requests.overtake(session.id)
        async with self._lock(session.id):
            with about(session.id, session.channel_id, session.guild_id):
                await self._show_newest(session)

    async def open(self, interaction: Interaction[Any], session: Session) -> Session:
        """Show a game in a new message, as the answer to an interaction.

        Should that fail, it is posted in the channel, or its message is edited if it has one. A
        game that has just begun and may not be posted either is called off again.
        """
        async with self._lock(session.id):
            message_id = await self._requests.answer(interaction, session)
            if message_id is not None:
                return await self._note_new(session, message_id)
        await self.show(session)
        if session.message_id is None and session.id in self._closed:
            await self._sessions.leave(session)
            missing = missing_permissions(interaction) or ("view_channel",)
            raise Refusal("missing_permissions", missing=missing, game=session.game.key)
        return session

    async def open_in_place(self, interaction: Interaction[Any], session: Session) -> Session:
        """Show a game in the message whose button began it."""
        assert interaction.message is not None
        message_id = interaction.message.id
        async with self._lock(session.id):
            session = await self._sessions.games.show_in(session, message_id)
            self._lifelines.note(session.id, message_id, interaction)
            try:
                await self._requests.edit_answer(interaction, session)
                self._note(session, message_id)
                return session
            except UNREACHABLE as error:
                logger.info("the board of game %s is shown otherwise: %r", session.id, error)
        await self.show(session)
        return session

    async def make_up(self, interaction: Interaction[Any], session: Session) -> None:
        """Post the board as an answer to an interaction if it could not be shown otherwise.

        The first who finds the channel closed so is told what is missing.
        """
        if session.id not in self._closed:
            return
        try:
            async with self._lock(session.id):
                await self._note_new(session, await self._requests.follow_up(interaction, session))
            self._closed.discard(session.id)
            await self.retire(session)
        except UNREACHABLE as error:
            logger.warning("the board of game %s cannot be answered: %r", session.id, error)
        await self._tell_what_is_missing(interaction, session)

    async def retire(self, session: Session) -> None:
        """Remove the buttons from a session's message if a newer one has replaced it."""
        present = self._shown.get(session.id) or await self._sessions.games.board_of(session)
        if session.message_id is not None and present and present.message_id != session.message_id:
            self._old.retire(session.channel_id, session.message_id)

    async def _tell_what_is_missing(self, interaction: Interaction[Any], session: Session) -> None:
        missing = missing_permissions(interaction)
        if not missing or session.id in self._told:
            return
        self._told.add(session.id)
        say = say_for(interaction.locale.value)
        named = ", ".join(say(f"permission.{name}") for name in missing)
        await reply_privately(interaction, say("board.closed", missing=named))

    async def _bring_up_to_date(self, session: Session) -> None:
        present = self._shown.get(session.id) or self._last_shown(session)
        present = present or await self._sessions.games.board_of(session)
        if present is None and await self._sessions.games.find_readable(session.id) is None:
            # Deleted with its player since it ended: nothing is left to show.
            return
        if present is not None and present.state > session.state:
            return
        # A countdown alone is not worth a new message.
        lacks_countdown = (
            present is not None and not session.is_over and present.lacks_countdown(session.state)
        )
        try:
            if present is not None and (
                lacks_countdown or self._time.age(present.message_id) <= OLD
            ):
                await self._edit(session, present, text_only=lacks_countdown)
            else:
                await self._post(session, present)
        except discord.NotFound as error:
            if error.code != UNKNOWN_CHANNEL:
                raise
            logger.warning("the channel of game %s is gone: the game ends", session.id)
            await self._sessions.leave(session)

    def _last_shown(self, session: Session) -> ShownBoard | None:
        """The message that shows a game, if that needs no query: of what it shows nothing is said.

        A session that this process has just stored is the latest, so no later one has been shown.
        """
        if session.message_id is None or not self._sessions.games.is_current(session):
            return None
        return ShownBoard(session.message_id, NOTHING)

    async def _show_newest(self, session: Session) -> None:
        """Show a session unless a newer one waits; the game's lock is held."""
        if self._newest.get(session.id) is not session:
            return
        try:
            await self._bring_up_to_date(session)
            self._closed.discard(session.id)
            if session.is_over:
                self._told.discard(session.id)
        except Overtaken:
            pass
        except discord.Forbidden as error:
            logger.warning("the board of game %s may not be shown: %s", session.id, error)
            self._closed.add(session.id)
        except UNREACHABLE as error:
            logger.warning("the board of game %s could not be shown: %r", session.id, error)
        finally:
            if self._newest.get(session.id) is session:
                del self._newest[session.id]

    async def _edit(self, session: Session, present: ShownBoard, *, text_only: bool) -> None:
        """Edit the game's message, or post it anew where that cannot be done."""
        try:
            await self._requests.edit(session, present.message_id, text_only=text_only)
        except (discord.HTTPException, Limited) as error:
            if not _wants_new_message(error):
                raise
            logger.info("the board of game %s is posted again: %s", session.id, error)
            await self._post(session, present)
        else:
            self._note(session, present.message_id)

    async def _post(self, session: Session, present: ShownBoard | None) -> None:
        """Post the board, in place of its present message if it has one."""
        old = None if present is None else present.message_id
        try:
            message_id, is_certain = await self._requests.post(session, old)
        except discord.Forbidden:
            if old is None or not await self._requests.edit_by_token(session, old):
                raise
            self._note(session, old)
            return
        if old is not None:
            self._old.retire(session.channel_id, old)
        if is_certain:
            await self._note_new(session, message_id)
        else:
            await self._sessions.games.show_in(session, message_id)
            await self._requests.edit(session, message_id)
            self._note(session, message_id)

    async def _note_new(self, session: Session, message_id: int) -> Session:
        """Note that a new message shows a game."""
        self._time.note(message_id)
        shown = await self._sessions.games.show_in(session, message_id, shown=session.state)
        self._note(session, message_id)
        return shown

    def _note(self, session: Session, message_id: int) -> None:
        self._shown[session.id] = ShownBoard(message_id, session.state)
        self._on_shown(session.channel_id)

    def _lock(self, game_id: int) -> asyncio.Lock:
        return self._locks.setdefault(game_id, asyncio.Lock())


def _wants_new_message(error: Exception) -> bool:
    """Whether a message that cannot be edited is to be replaced by a new one."""
    if isinstance(error, Limited):
        is_old = getattr(error.__cause__, "code", 0) == TOO_MANY_OLD_EDITS
        return is_old or (error.seconds > LONGEST_WAIT and not error.everywhere)
    is_deleted = isinstance(error, discord.NotFound) and error.code != UNKNOWN_CHANNEL
    return is_deleted or getattr(error, "code", 0) == TOO_MANY_OLD_EDITS
