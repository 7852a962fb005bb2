"""The message that shows a game: one per game, edited in place."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from typing import Any
from weakref import WeakValueDictionary

import discord
from discord import Interaction

from bot.discord.board_messages import BoardMessages
from bot.discord.discord_time import DiscordTime
from bot.discord.flights import Flight, Limited, Overtaken, fly, time_limit
from bot.discord.interactions import ACKNOWLEDGEMENT, NO_PINGS, UNREACHABLE, reply_privately
from bot.discord.lifelines import Edit, Lifelines
from bot.discord.permissions import missing_permissions
from bot.play.sessions import Sessions
from bot.store import ShownBoard
from bot.table.session import Session
from bot.words import say_for

logger = logging.getLogger(__name__)

UNKNOWN_CHANNEL = 10003
TOO_MANY_OLD_EDITS = 30046
"""Discord's error for editing messages older than an hour too often."""
OLD = 55 * 60.0
"""Seconds after which a board is posted anew rather than edited, before Discord refuses that."""
LONG = 15.0
"""Seconds for which edits are limited in no other case than that of old messages."""


class Boards:
    """Keeps the messages of games up to date, and knows what they show.

    Messages are edited through their channel, because a game outlives an interaction's token, which
    expires after fifteen minutes. Where the channel is closed to the bot, they are edited through
    the latest interaction that can, or posted again as an answer to one (`make_up`). What cannot be
    shown at all differs from what is stored, so `Convergence` shows it later.
    """

    def __init__(
        self,
        client: discord.Client,
        sessions: Sessions,
        messages: BoardMessages,
        time: DiscordTime,
    ) -> None:
        """Edit through `client` what `messages` draws, record new messages in `sessions`.

        Messages are old by Discord's own `time`.
        """
        self._client = client
        self._sessions = sessions
        self._time = time
        self._locks: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()
        self._newest: dict[int, Session] = {}
        self._flights: dict[int, Flight] = {}
        self._shown: dict[int, ShownBoard] = {}
        self._closed: set[int] = set()
        self._told: set[int] = set()
        self.message = messages.message
        self.picture = messages.picture
        self.lifelines = Lifelines()
        """Whoever answers an interaction on a board notes it here."""

    def is_showing(self, game_id: int) -> bool:
        """Whether a game's message is being changed just now."""
        lock = self._locks.get(game_id)
        return lock is not None and lock.locked()

    def has_shown(self, session: Session) -> bool:
        """Whether a message has shown a game as it stands, or later, since `forget_shown`."""
        shown = self._shown.get(session.id)
        return shown is not None and shown.state >= session.state

    @property
    def shown(self) -> dict[int, ShownBoard]:
        """What has been shown lately, by the ids of the games; the store does not know it yet."""
        return self._shown.copy()

    def forget_shown(self, noted: Mapping[int, ShownBoard]) -> None:
        """Leave it to the store to know what has been shown."""
        for game_id, board in noted.items():
            if self._shown.get(game_id) == board:
                del self._shown[game_id]

    async def show(self, session: Session) -> None:
        """Bring the game's message up to date, or post it if there is none.

        Edits of one game are made one after the other. A state that is outdated by the time its
        turn comes is skipped, and one that is outdated before it is sent is given up. Failures are
        logged: what is not shown now is shown later.
        """
        newest = self._newest.get(session.id)
        if self._sessions.is_overtaken(session) or (newest and newest.state > session.state):
            return
        self._newest[session.id] = session
        if session.id in self._flights:
            self._flights[session.id].overtake()
        async with self._lock(session.id):
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

    async def open(self, interaction: Interaction[Any], session: Session) -> Session:
        """Show a game in a new message, as the answer to an interaction.

        Should that fail, it is posted in the channel, or its message is edited if it has one.
        """
        async with self._lock(session.id):
            message_id = await self._answer(interaction, session)
            if message_id is not None:
                self.lifelines.note(session.id, message_id, interaction)
                return await self._note_new(session, message_id)
        await self.show(session)
        return session

    async def open_in_place(self, interaction: Interaction[Any], session: Session) -> Session:
        """Show a game in the message whose button began it."""
        assert interaction.message is not None
        message_id = interaction.message.id
        session = await self._sessions.show_in(session, message_id)
        self.lifelines.note(session.id, message_id, interaction)
        try:
            async with self._lock(session.id), time_limit(self._client):
                await self._send_edit(session, interaction.edit_original_response)
                self._note(session, message_id)
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
        board = await self.message(session, say_for(session.locale))
        try:
            async with self._lock(session.id), time_limit(self._client):
                posted = await interaction.followup.send(
                    board.content,
                    file=board.file,
                    view=board.view,
                    allowed_mentions=NO_PINGS,
                    wait=True,
                )
                await self._note_new(session, posted.id)
        except UNREACHABLE as error:
            logger.warning("the board of game %s cannot be answered: %r", session.id, error)
        else:
            self._closed.discard(session.id)
            self.lifelines.note(session.id, posted.id, interaction, posted.edit)
        await self._tell_what_is_missing(interaction, session)

    async def retire(self, session: Session) -> None:
        """Remove the buttons from a session's message if a newer one has replaced it."""
        present = self._shown.get(session.id) or await self._sessions.board_of(session)
        if session.message_id is not None and present and present.message_id != session.message_id:
            await self._remove_buttons(session, session.message_id)

    async def _tell_what_is_missing(self, interaction: Interaction[Any], session: Session) -> None:
        missing = missing_permissions(interaction)
        if not missing or session.id in self._told:
            return
        self._told.add(session.id)
        say = say_for(interaction.locale.value)
        named = ", ".join(say(f"permission.{name}") for name in missing)
        await reply_privately(interaction, say("board.closed", missing=named))

    async def _remove_buttons(self, session: Session, message_id: int) -> None:
        try:
            async with time_limit(self._client):
                await self._partial(session, message_id).edit(view=None)
        except UNREACHABLE as error:
            logger.info("an old board of game %s stays as it is: %r", session.id, error)

    async def _bring_up_to_date(self, session: Session) -> None:
        present = self._shown.get(session.id) or await self._sessions.board_of(session)
        if present is not None and present.state > session.state:
            return
        try:
            if present is None or self._time.age(present.message_id) > OLD:
                await self._post(session, present)
            else:
                await self._edit(session, present)
        except discord.NotFound as error:
            if error.code != UNKNOWN_CHANNEL:
                raise
            logger.warning("the channel of game %s is gone: the game ends", session.id)
            await self._sessions.leave(session)

    async def _edit(self, session: Session, present: ShownBoard) -> None:
        """Edit the game's message, or post it anew where that cannot be done."""
        edit = self._partial(session, present.message_id).edit
        flight = self._flights[session.id] = Flight()
        try:
            await fly(self._client, flight, self._send_edit(session, edit))
        except discord.Forbidden:
            if not await self._edit_by_token(session, present.message_id):
                raise
        except (discord.HTTPException, Limited) as error:
            if not _wants_new_message(error):
                raise
            logger.info("the board of game %s is posted again: %s", session.id, error)
            await self._post(session, present)
            return
        finally:
            self._flights.pop(session.id, None)
        self._note(session, present.message_id)

    async def _edit_by_token(self, session: Session, message_id: int) -> bool:
        """Edit the game's message through an interaction; False if none can."""
        edit = self.lifelines.to(session.id, message_id)
        if edit is None:
            return False
        try:
            async with time_limit(self._client):
                await self._send_edit(session, edit)
        except UNREACHABLE as error:
            logger.info("the board of game %s cannot be reached: %r", session.id, error)
            return False
        return True

    async def _send_edit(self, session: Session, edit: Edit) -> None:
        board = await self.message(session, say_for(session.locale))
        await edit(
            content=board.content,
            attachments=[board.file],
            view=board.view,
            allowed_mentions=NO_PINGS,
        )

    async def _post(self, session: Session, present: ShownBoard | None) -> None:
        """Post the board, in place of its present message if it has one."""
        board = await self.message(session, say_for(session.locale))
        # Discord answers a second try with the message of the first, should that have arrived.
        nonce = f"{session.id}-{present.message_id if present else 0}"[-25:]
        try:
            async with time_limit(self._client):
                posted = await self._channel(session).send(
                    board.content,
                    file=board.file,
                    view=board.view,
                    allowed_mentions=NO_PINGS,
                    nonce=nonce,
                )
        except discord.Forbidden:
            if present is None or not await self._edit_by_token(session, present.message_id):
                raise
            self._note(session, present.message_id)
            return
        await self._note_new(session, posted.id)
        shown = [attachment.filename for attachment in posted.attachments]
        if posted.content != board.content or shown != [board.file.filename]:
            await self._edit(session, ShownBoard(posted.id, -1))
        if present is not None:
            await self._remove_buttons(session, present.message_id)

    async def _answer(self, interaction: Interaction[Any], session: Session) -> int | None:
        """Answer an interaction with the board; None if that failed."""
        board = await self.message(session, say_for(session.locale))
        try:
            async with asyncio.timeout(ACKNOWLEDGEMENT):
                answer = await interaction.response.send_message(
                    board.content, file=board.file, view=board.view, allowed_mentions=NO_PINGS
                )
            return answer.message_id
        except UNREACHABLE as error:
            logger.warning("game %s could not be answered with: %r", session.id, error)
        try:
            # It may have arrived all the same.
            async with asyncio.timeout(ACKNOWLEDGEMENT):
                return (await interaction.original_response()).id
        except (*UNREACHABLE, discord.ClientException):
            return None

    async def _note_new(self, session: Session, message_id: int) -> Session:
        """Note that a new message shows a game."""
        self._time.note(message_id)
        shown = await self._sessions.show_in(session, message_id, shown=session.state)
        self._note(session, message_id)
        return shown

    def _note(self, session: Session, message_id: int) -> None:
        self._shown[session.id] = ShownBoard(message_id, session.state)

    def _lock(self, game_id: int) -> asyncio.Lock:
        return self._locks.setdefault(game_id, asyncio.Lock())

    def _channel(self, session: Session) -> discord.PartialMessageable:
        return self._client.get_partial_messageable(session.channel_id)

    def _partial(self, session: Session, message_id: int) -> discord.PartialMessage:
        return self._channel(session).get_partial_message(message_id)


def _wants_new_message(error: Exception) -> bool:
    """Whether a message that cannot be edited is to be replaced by a new one."""
    if isinstance(error, Limited):
        return error.seconds > LONG and not error.everywhere
    is_deleted = isinstance(error, discord.NotFound) and error.code != UNKNOWN_CHANNEL
    return is_deleted or getattr(error, "code", 0) == TOO_MANY_OLD_EDITS
