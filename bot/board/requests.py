"""Requests to Discord that post, edit or retire the message of a game."""

from __future__ import annotations

import asyncio
import logging
import math
from dataclasses import dataclass
from functools import partial
from time import monotonic
from typing import Any

import discord
from discord import Interaction

from bot.board.messages import BoardMessage, BoardMessages
from bot.discord.background import LONGEST_WAIT, Background, Flight, Limited, fly, time_limit
from bot.discord.replies import ACKNOWLEDGEMENT, NO_PINGS, UNREACHABLE, Edit, Lifelines, post
from bot.game.session import Session
from bot.i18n import say_for

logger = logging.getLogger(__name__)

UNKNOWN_CHANNEL = 10003
"""Discord's error for a channel that is gone."""

EVERYWHERE = 0
"""Stands for all channels."""

SHORTEST_HOLD = 0.5
"""Seconds without an edit after a limit that has just passed."""

MOST_REFUSALS = 4
"""Edits of a message in a row that end in a limit, after which the board is posted anew."""


class BoardRequests:
    """Sends boards; each request has a time limit, and an edit that waits can be given up."""

    def __init__(
        self, client: discord.Client, messages: BoardMessages, lifelines: Lifelines
    ) -> None:
        """Send through `client` what `messages` draws.

        Answers to interactions are noted in `lifelines`, and boards edited through them where their
        channel takes no edits.
        """
        self._client = client
        self._messages = messages
        self._flights: dict[int, Flight] = {}
        self._held: dict[int, float] = {}
        self._full: dict[int, float] = {}
        self._refusals: dict[int, int] = {}
        self._lifelines = lifelines

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
        edit = self._lifelines.to(session.id, message_id)
        if edit is None:
            return False
        try:
            async with time_limit(self._client):
                await self._send_edit(session, edit)
        except UNREACHABLE as error:
            logger.info("the board of game %s cannot be reached: %r", session.id, error)
            if isinstance(error, discord.NotFound):
                self._lifelines.drop(session.id)
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
        board = await self._drawn(session)
        nonce = f"{session.id}-{present or 0}"[-25:]
        async with time_limit(self._client):
            posted = await self._channel(session).send(board.content, **board.parts, nonce=nonce)
        files = [attachment.filename for attachment in posted.attachments]
        return posted.id, (posted.content, files) == (board.content, [board.file.filename])

    async def answer(self, interaction: Interaction[Any], session: Session) -> int | None:
        """Answer an interaction with a board; None if that failed."""
        board = await self._drawn(session)
        is_deferred = interaction.response.is_done()
        try:
            async with asyncio.timeout(ACKNOWLEDGEMENT):
                posted = await post(interaction, board.content, **board.parts)
        except UNREACHABLE as error:
            logger.warning("game %s could not be answered with: %r", session.id, error)
            arrived = None if is_deferred else await self._arrived(interaction)
            if arrived is not None:
                self._lifelines.note(session.id, arrived, interaction)
            return arrived
        self._lifelines.note(session.id, posted.id, interaction, posted.edit)
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
        board = await self._drawn(session)
        async with time_limit(self._client):
            posted = await interaction.followup.send(board.content, **board.parts, wait=True)
        self._lifelines.note(session.id, posted.id, interaction, posted.edit)
        return posted.id

    async def _send_edit(self, session: Session, edit: Edit) -> None:
        board = await self._drawn(session)
        await edit(
            content=board.content,
            attachments=[board.file],
            view=board.view,
            allowed_mentions=NO_PINGS,
        )

    async def _drawn(self, session: Session) -> BoardMessage:
        return await self._messages.message(session, say_for(session.locale))

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


FIRST_RETRY = 5.0
"""Seconds until the second try, doubled with every failure."""

MOST_TRIES = 12
"""Tries after which a message stays as it is; its buttons still do no harm."""

MOST_RETRIED = 1_000
"""Messages that are kept for another try."""


@dataclass(slots=True)
class _Failed:
    """A message that could not be retired yet."""

    channel_id: int
    tries: int = 0
    retry_at: float = 0.0


class OldBoards:
    """Removes the buttons of boards that newer ones have replaced.

    Nobody is to play on two boards of one game. A message that cannot be edited is deleted.
    """

    def __init__(self, client: discord.Client) -> None:
        """Edit through `client`."""
        self._client = client
        self._work = Background()
        self._failed: dict[int, _Failed] = {}

    def retire(self, channel_id: int, message_id: int) -> None:
        """Retire a message, now or as soon as that can be done; nobody waits for it."""
        self._work.run(self._retire(channel_id, message_id))

    async def stop(self) -> None:
        """Let what is being tried finish."""
        await self._work.stop()

    def sweep(self) -> None:
        """Try one message again that could not be retired, if it is time to."""
        now = monotonic()
        due = (one for one, failed in self._failed.items() if failed.retry_at <= now)
        message_id = next(due, None)
        if message_id is not None:
            self.retire(self._failed[message_id].channel_id, message_id)

    async def _retire(self, channel_id: int, message_id: int) -> None:
        failed = self._failed.pop(message_id, None) or _Failed(channel_id)
        if await self._is_retired(channel_id, message_id):
            return
        failed.retry_at = monotonic() + FIRST_RETRY * 2**failed.tries
        failed.tries += 1
        if failed.tries < MOST_TRIES and len(self._failed) < MOST_RETRIED:
            self._failed[message_id] = failed

    async def _is_retired(self, channel_id: int, message_id: int) -> bool:
        channel = self._client.get_partial_messageable(channel_id)
        message = channel.get_partial_message(message_id)
        for attempt in (partial(message.edit, view=None), message.delete):
            try:
                async with time_limit(self._client):
                    await attempt()
            except discord.NotFound:
                return True
            except UNREACHABLE as error:
                logger.info("the old board %s keeps its buttons for now: %r", message_id, error)
            else:
                return True
        return False
