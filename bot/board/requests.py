"""Requests to Discord that send and edit boards."""

from __future__ import annotations

import asyncio
import logging
import math
from functools import partial
from time import monotonic
from typing import Any

import discord
from discord import Interaction

from bot.board.messages import BoardMessages
from bot.discord.background import LONGEST_WAIT, Limited, TracedRequest, make_request, time_limit
from bot.discord.replies import (
    ACKNOWLEDGEMENT,
    NO_PINGS,
    UNREACHABLE,
    Edit,
    InteractionTokens,
    post,
)
from bot.game.session import Session
from bot.i18n import say_for

logger = logging.getLogger(__name__)

UNKNOWN_CHANNEL = 10003
"""Discord's error code for a channel that does not exist."""

EVERYWHERE = 0
"""The key of limits that apply to all channels."""

SHORTEST_HOLD = 0.5
"""The minimum of seconds without an edit after a rate limit."""

MAX_REFUSALS = 4
"""Consecutive rate-limited edits of a message after which the board is posted again."""


class BoardRequests:
    """Sends boards; each request has a time limit, and an edit that waits can be cancelled."""

    def __init__(
        self, client: discord.Client, messages: BoardMessages, tokens: InteractionTokens
    ) -> None:
        """Send the boards of `messages` through `client`.

        Interaction tokens are stored in `tokens`; boards are edited with these if their channel
        does not allow edits.
        """
        self._client = client
        self._messages = messages
        self._tokens = tokens
        self._edits: dict[int, TracedRequest] = {}
        self._held_until: dict[int, float] = {}
        self._full_until: dict[int, float] = {}
        self._refusals: dict[int, int] = {}

    def seconds_held(self, channel_id: int) -> float:
        """Seconds for which edits in a channel must wait because of a rate limit."""
        left = (
            max(self._held_until.get(place, 0.0) for place in (channel_id, EVERYWHERE))
            - monotonic()
        )
        if left <= 0.0:
            self._held_until.pop(channel_id, None)
        return max(0.0, left)

    def supersede(self, game_id: int) -> None:
        """Cancel an edit of a game that has not been sent, because a newer state is to be shown."""
        if game_id in self._edits:
            self._edits[game_id].supersede()

    async def edit(self, session: Session, message_id: int, *, text_only: bool = False) -> None:
        """Edit a message through its channel, or else with an interaction's token.

        With `text_only`, its picture is up to date and stays. Raises Superseded, Limited, or the
        error of the request.
        """
        channel_id = session.channel_id
        wait = self.seconds_held(channel_id)
        is_full = monotonic() < self._full_until.get(channel_id, 0.0)
        # Edits with an interaction's token have a separate rate limit.
        if (wait or is_full) and await self.edit_by_token(session, message_id):
            return
        if wait:
            raise Limited(wait, everywhere=False)
        edit = self._channel(session).get_partial_message(message_id).edit
        request = self._edits[session.id] = TracedRequest()
        try:
            await make_request(
                self._client, request, partial(self._send_edit, session, edit, text_only)
            )
            self._refusals.pop(message_id, None)
        except discord.Forbidden:
            if not await self.edit_by_token(session, message_id):
                raise
        except Limited as limit:
            is_long = limit.seconds > LONGEST_WAIT
            # Only edits of old messages have such long limits, and these do not affect other edits.
            if limit.everywhere or not is_long:
                place = EVERYWHERE if limit.everywhere else channel_id
                self._held_until[place] = monotonic() + max(SHORTEST_HOLD, limit.seconds)
            if limit.everywhere or is_long:
                raise
            if not await self.edit_by_token(session, message_id):
                refusals = self._refusals.pop(message_id, 0) + 1
                if refusals >= MAX_REFUSALS:
                    raise Limited(math.inf, everywhere=False) from limit
                self._refusals[message_id] = refusals
                raise
        finally:
            self._edits.pop(session.id, None)
            if request.pause:
                now = monotonic()
                self._full_until = {
                    one: until for one, until in self._full_until.items() if until > now
                }
                self._full_until[channel_id] = now + request.pause

    async def edit_by_token(self, session: Session, message_id: int) -> bool:
        """Edit a message with an interaction's token; False if there is no valid one."""
        edit = self._tokens.edit_for(session.id, message_id)
        if edit is None:
            return False
        try:
            await self.edit_by(edit, session)
        except UNREACHABLE as error:
            logger.info("the board of game %s cannot be reached: %r", session.id, error)
            if isinstance(error, discord.NotFound):
                self._tokens.drop(session.id)
            return False
        return True

    async def edit_by(self, edit: Edit, session: Session) -> None:
        """Show a session with the function `edit`."""
        async with time_limit(self._client):
            await self._send_edit(session, edit)

    async def follow(self, session: Session) -> None:
        """Remove the buttons of a finished board that begin a game; raises the request's error."""
        self._messages.note_followed(session.id)
        view = await self._messages.view(session, say_for(session.locale))
        assert session.message_id is not None, "it has a board"
        message = self._channel(session).get_partial_message(session.message_id)
        async with time_limit(self._client):
            await message.edit(view=view)

    async def post(self, session: Session, present: int | None) -> tuple[int, bool]:
        """Post a board, replacing the message `present` if there is one.

        Returns the new message's id, and whether it certainly shows the session: Discord answers a
        second attempt with the message of the first, if that arrived.
        """
        board = await self._messages.message(session, say_for(session.locale))
        nonce = f"{session.id}-{present or 0}"[-25:]
        async with time_limit(self._client):
            posted = await self._channel(session).send(board.content, **board.parts, nonce=nonce)
        files = [attachment.filename for attachment in posted.attachments]
        return posted.id, (posted.content, files) == (board.content, [board.file.filename])

    async def answer(self, interaction: Interaction[Any], session: Session) -> int | None:
        """Answer an interaction with a board and return the message; None if that failed."""
        board = await self._messages.message(session, say_for(session.locale))
        was_deferred = interaction.response.is_done()
        try:
            async with asyncio.timeout(ACKNOWLEDGEMENT):
                posted = await post(interaction, board.content, **board.parts)
        except UNREACHABLE as error:
            logger.warning("game %s could not be answered with: %r", session.id, error)
        else:
            self._tokens.note(session.id, posted.id, interaction, posted.edit)
            return posted.id
        if was_deferred:
            return None
        try:
            # The answer may have arrived nevertheless.
            async with asyncio.timeout(ACKNOWLEDGEMENT):
                arrived = (await interaction.original_response()).id
        except (*UNREACHABLE, discord.ClientException):
            return None
        self._tokens.note(session.id, arrived, interaction)
        return arrived

    async def follow_up(self, interaction: Interaction[Any], session: Session) -> int:
        """Post a board as a follow-up to an interaction, whose token can then edit it."""
        board = await self._messages.message(session, say_for(session.locale))
        async with time_limit(self._client):
            posted = await interaction.followup.send(board.content, **board.parts, wait=True)
        self._tokens.note(session.id, posted.id, interaction, posted.edit)
        return posted.id

    async def _send_edit(self, session: Session, edit: Edit, text_only: bool = False) -> None:
        # Drawing is part of the request, so that it is cancelled together with an outdated edit.
        say = say_for(session.locale)
        if text_only:
            names = await self._messages.names_in(session, say)
            text = await self._messages.content(session, names, say)
            await edit(content=text, allowed_mentions=NO_PINGS)
            return
        board = await self._messages.message(session, say)
        await edit(
            content=board.content,
            attachments=[board.file],
            view=board.view,
            allowed_mentions=NO_PINGS,
        )

    def _channel(self, session: Session) -> discord.PartialMessageable:
        return self._client.get_partial_messageable(session.channel_id)
