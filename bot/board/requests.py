"""The requests to Discord that make or change a game's message."""

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
from bot.discord.background import LONGEST_WAIT, Flight, Limited, fly, time_limit
from bot.discord.replies import ACKNOWLEDGEMENT, NO_PINGS, UNREACHABLE, Edit, Lifelines, post
from bot.game.session import Session
from bot.i18n import say_for

logger = logging.getLogger(__name__)

EVERYWHERE = 0
"""In place of a channel: all of them."""

SHORTEST_HOLD = 0.5
"""Seconds without an edit after a limit that has just passed."""

MOST_REFUSALS = 4
"""Edits of a message in a row that end in a limit, after which the board is posted anew."""


class BoardRequests:
    """Sends boards; each request has a limited time, and one that is not out can be given up."""

    def __init__(self, client: discord.Client, messages: BoardMessages) -> None:
        """Send through `client` what `messages` draws."""
        self._client = client
        self._messages = messages
        self._flights: dict[int, Flight] = {}
        self._held: dict[int, float] = {}
        self._full: dict[int, float] = {}
        self._refusals: dict[int, int] = {}
        self.lifelines = Lifelines()
        """Whoever answers an interaction on a board notes it here."""

    def held(self, channel_id: int) -> float:
        """How many seconds edits in a channel must wait, because Discord has said so."""
        left = max(self._held.get(place, 0.0) for place in (channel_id, EVERYWHERE)) - monotonic()
        if left <= 0.0:
            self._held.pop(channel_id, None)
        return max(0.0, left)

    @property
    def is_held_everywhere(self) -> bool:
        """Whether Discord takes no edit at all for now."""
        return self.held(EVERYWHERE) > 0.0

    def overtake(self, game_id: int) -> None:
        """Give up an edit of a game that has not been sent: there is a newer state to show."""
        if game_id in self._flights:
            self._flights[game_id].overtake()

    async def edit(self, session: Session, message_id: int, *, text_only: bool = False) -> None:
        """Edit a message, through its channel or else through an interaction.

        With `text_only`, its picture is right and stays. Raises Overtaken, Limited, or why Discord
        cannot be reached or refuses.
        """
        wait = self.held(session.channel_id)
        is_full = monotonic() < self._full.get(session.channel_id, 0.0)
        # An interaction's own limit is another one, so nobody has to wait.
        if (wait or is_full) and await self.edit_by_token(session, message_id):
            return
        if wait:
            raise Limited(wait, everywhere=False)
        edit = self._channel(session).get_partial_message(message_id).edit
        send = self._send_text if text_only else self._send_edit
        flight = self._flights[session.id] = Flight()
        try:
            await fly(self._client, flight, partial(send, session, edit))
            self._refusals.pop(message_id, None)
        except discord.Forbidden:
            if not await self.edit_by_token(session, message_id):
                raise
        except Limited as limit:
            self._hold(session, limit)
            if _is_of_message(limit) or limit.everywhere:
                raise
            if not await self.edit_by_token(session, message_id):
                raise self._counted(limit, message_id) from limit
        finally:
            self._flights.pop(session.id, None)
            if flight.rests:
                now = monotonic()
                self._full = {one: until for one, until in self._full.items() if until > now}
                self._full[session.channel_id] = now + flight.rests

    async def edit_by_token(self, session: Session, message_id: int) -> bool:
        """Edit a message through an interaction; False if none can."""
        edit = self.lifelines.to(session.id, message_id)
        if edit is None:
            return False
        try:
            async with time_limit(self._client):
                await self._send_edit(session, edit)
        except UNREACHABLE as error:
            logger.info("the board of game %s cannot be reached: %r", session.id, error)
            if isinstance(error, discord.NotFound):
                self.lifelines.drop(session.id)
            return False
        return True

    async def edit_answer(self, interaction: Interaction[Any], session: Session) -> None:
        """Edit the message whose button was pressed."""
        async with time_limit(self._client):
            await self._send_edit(session, interaction.edit_original_response)

    async def post(self, session: Session, present: int | None) -> tuple[int, bool]:
        """Post a board, in place of the message `present` if there is one.

        Returns the new message, and whether it surely shows the session: Discord answers a second
        try with the message of the first, should that have arrived.
        """
        board = await self._messages.message(session, say_for(session.locale))
        nonce = f"{session.id}-{present or 0}"[-25:]
        async with time_limit(self._client):
            posted = await self._channel(session).send(
                board.content,
                file=board.file,
                view=board.view,
                allowed_mentions=NO_PINGS,
                nonce=nonce,
            )
        files = [attachment.filename for attachment in posted.attachments]
        return posted.id, (posted.content, files) == (board.content, [board.file.filename])

    async def answer(self, interaction: Interaction[Any], session: Session) -> int | None:
        """Answer an interaction with a board; None if that failed."""
        board = await self._messages.message(session, say_for(session.locale))
        parts = {"file": board.file, "view": board.view, "allowed_mentions": NO_PINGS}
        was_told_to_wait = interaction.response.is_done()
        try:
            async with asyncio.timeout(ACKNOWLEDGEMENT):
                posted = await post(interaction, board.content, **parts)
        except UNREACHABLE as error:
            logger.warning("game %s could not be answered with: %r", session.id, error)
            arrived = None if was_told_to_wait else await self._arrived(interaction)
            if arrived is not None:
                self.lifelines.note(session.id, arrived, interaction)
            return arrived
        self.lifelines.note(session.id, posted.id, interaction, posted.edit)
        return posted.id

    async def _arrived(self, interaction: Interaction[Any]) -> int | None:
        """The answer to an interaction, if it arrived although sending it seemed to fail."""
        try:
            async with asyncio.timeout(ACKNOWLEDGEMENT):
                return (await interaction.original_response()).id
        except (*UNREACHABLE, discord.ClientException):
            return None

    async def follow_up(self, interaction: Interaction[Any], session: Session) -> int:
        """Post a board as a further answer to an interaction, which can edit it from then on."""
        board = await self._messages.message(session, say_for(session.locale))
        async with time_limit(self._client):
            posted = await interaction.followup.send(
                board.content,
                file=board.file,
                view=board.view,
                allowed_mentions=NO_PINGS,
                wait=True,
            )
        self.lifelines.note(session.id, posted.id, interaction, posted.edit)
        return posted.id

    async def _send_edit(self, session: Session, edit: Edit) -> None:
        board = await self._messages.message(session, say_for(session.locale))
        await edit(
            content=board.content,
            attachments=[board.file],
            view=board.view,
            allowed_mentions=NO_PINGS,
        )

    async def _send_text(self, session: Session, edit: Edit) -> None:
        text = await self._messages.content(session, say_for(session.locale))
        await edit(content=text, allowed_mentions=NO_PINGS)

    def _counted(self, limit: Limited, message_id: int) -> Limited:
        """A limit that an edit has met; one of the message for good after several in a row."""
        refusals = self._refusals.pop(message_id, 0) + 1
        if refusals >= MOST_REFUSALS:
            return Limited(math.inf, everywhere=False)
        self._refusals[message_id] = refusals
        return limit

    def _hold(self, session: Session, limit: Limited) -> None:
        """Edit nothing where Discord has said so; a message that is old limits no other."""
        if limit.everywhere or not _is_of_message(limit):
            place = EVERYWHERE if limit.everywhere else session.channel_id
            self._held[place] = monotonic() + max(SHORTEST_HOLD, limit.seconds)

    def _channel(self, session: Session) -> discord.PartialMessageable:
        return self._client.get_partial_messageable(session.channel_id)


def _is_of_message(limit: Limited) -> bool:
    """Whether a limit is so long that it is that of an old message."""
    return limit.seconds > LONGEST_WAIT
