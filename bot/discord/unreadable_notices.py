"""Telling the players of a game that could not be read, in its message, that it has ended."""

from __future__ import annotations

import logging

import discord

from bot.discord.boards import OLD, TOO_MANY_OLD_EDITS, UNKNOWN_CHANNEL, Boards
from bot.discord.discord_time import DiscordTime
from bot.discord.flights import time_limit
from bot.discord.interactions import NO_PINGS, UNREACHABLE
from bot.discord.questions import close_question
from bot.store import DrawRecord, Notice, Store, UndoRecord
from bot.words import say_for

logger = logging.getLogger(__name__)


class UnreadableNotices:
    """Puts a sentence in place of the board of a game that could not be continued."""

    def __init__(
        self, client: discord.Client, store: Store, boards: Boards, time: DiscordTime
    ) -> None:
        """Write through `client`, and note in `store` who has been told.

        What stands in an old message, by Discord's `time`, is written in a new one, and the old one
        is retired by `boards`.
        """
        self._client = client
        self._store = store
        self._boards = boards
        self._time = time

    async def tell(self, notice: Notice) -> bool:
        """Tell the players of a game; False if that did not work now.

        True also where the channel is gone, so that nobody can be told. Once noted, it is never
        done again.
        """
        try:
            async with time_limit(self._client):
                message_id = await self._edit(notice) or await self._post(notice)
        except UNREACHABLE as error:
            if getattr(error, "code", 0) != UNKNOWN_CHANNEL:
                logger.warning("the end of game %s could not be shown: %r", notice.game_id, error)
                return False
            message_id = None
        await self._store.damaged_games.note_told(notice.game_id, message_id)
        if notice.message_id is not None and message_id not in (None, notice.message_id):
            self._boards.old.retire(notice.channel_id, notice.message_id)
        return True

    async def close_question(self, asked: UndoRecord | DrawRecord) -> None:
        """Replace a request in a game that could not be read, if it has a message."""
        notice = await self._store.damaged_games.notice(asked.request.game_id)
        if notice is not None and asked.message_id is not None:
            text = notice_text(notice)
            await close_question(self._client, notice.channel_id, asked.message_id, text)

    async def _edit(self, notice: Notice) -> int | None:
        """Write in the message that shows the board; None if there is none that can be edited."""
        present = notice.message_id
        if present is None or self._time.age(present) > OLD:
            return None
        message = self._channel(notice).get_partial_message(present)
        try:
            await message.edit(
                content=notice_text(notice), attachments=[], view=None, allowed_mentions=NO_PINGS
            )
        except discord.HTTPException as error:
            is_deleted = isinstance(error, discord.NotFound) and error.code != UNKNOWN_CHANNEL
            if not is_deleted and error.code != TOO_MANY_OLD_EDITS:
                raise
            return None
        return present

    async def _post(self, notice: Notice) -> int:
        # With the nonce Discord answers a second try with the message of the first.
        nonce = f"{notice.game_id}-unreadable"[-25:]
        posted = await self._channel(notice).send(
            notice_text(notice), allowed_mentions=NO_PINGS, nonce=nonce
        )
        return posted.id

    def _channel(self, notice: Notice) -> discord.PartialMessageable:
        return self._client.get_partial_messageable(notice.channel_id)


def notice_text(notice: Notice) -> str:
    """What the players are told."""
    return say_for(notice.locale)("board.discontinued", id=notice.game_id)
