"""Telling people of their turns: an edit of the board notifies nobody."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any
from weakref import WeakValueDictionary

import discord
from discord import Interaction

from bot.discord.answering import UNREACHABLE
from bot.show.scenes import seat_name
from bot.table.session import Session
from bot.words import say_for

if TYPE_CHECKING:
    from bot.discord.desk import Desk

logger = logging.getLogger(__name__)

Sender = Callable[[Session], Awaitable[None]]
"""Writes one such message."""


class Pings:
    """Keeps at most one such message a game, of a turn or of the time that is left for it.

    Nothing that fails here harms a game: it is logged, and the board shows whose turn it is.
    """

    def __init__(self, desk: Desk) -> None:
        """Write for the games of `desk`."""
        self._desk = desk
        self._store = desk.services.store
        self._locks: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()

    async def tell(self, session: Session) -> None:
        """Tell whose turn has begun in a game between two people, if they want to be told.

        Whatever told somebody before is deleted: the game is over, or they have moved.
        """
        is_due = len(session.people) > 1 and session.begins_turn
        await self._replace(session, self._send_turn if is_due else None)

    async def remind(self, session: Session) -> None:
        """Tell whoever is to move, against whomever, until when; who wants no pings reads it."""
        await self._replace(session, self._send_reminder)

    async def switch(self, interaction: Interaction[Any], family: str, word: str) -> None:
        """Set whether a person is told of their turns: `on` or `off`."""
        say = say_for(interaction.locale.value)
        async with self._desk.answering(interaction, family):
            at = interaction.created_at.timestamp()
            await self._store.players.set_pings(interaction.user.id, word == "on", at)
            await interaction.response.send_message(say(f"pings.{word}_now"), ephemeral=True)

    async def _replace(self, session: Session, send: Sender | None) -> None:
        lock = self._locks.setdefault(session.id, asyncio.Lock())
        async with lock:
            try:
                if await self._is_present(session):
                    await self._delete(session)
                    if send is not None:
                        await send(session)
            except UNREACHABLE as error:
                logger.warning("nobody could be told of a turn in game %s: %s", session.id, error)
            except Exception:
                logger.exception("nobody could be told of a turn in game %s", session.id)

    async def _is_present(self, session: Session) -> bool:
        """Whether a game still is as it was: what came later is told of by whoever did it."""
        present = await self._desk.sessions.current(session.channel_id)
        if present is None or present.id != session.id:
            return session.is_over
        return present.moves == session.moves

    async def _delete(self, session: Session) -> None:
        message_id = await self._store.games.ping_of(session.id)
        if message_id is None:
            return
        try:
            await self._channel(session).get_partial_message(message_id).delete()
        except discord.NotFound:
            pass
        except UNREACHABLE as error:
            logger.info("a ping of game %s stays where it is: %s", session.id, error)
        await self._store.games.set_ping(session.id, None)

    async def _send_turn(self, session: Session) -> None:
        if await self._wants(session):
            await self._send(session, await self._text(session, "ping.turn"), notifies=True)

    async def _send_reminder(self, session: Session) -> None:
        deadline = session.deadline(self._desk.sessions.turn_seconds)
        assert deadline is not None
        text = await self._text(session, "ping.reminder", until=f"<t:{int(deadline)}:R>")
        await self._send(session, text, notifies=await self._wants(session))

    async def _wants(self, session: Session) -> bool:
        assert session.mover.user_id is not None
        return await self._store.players.wants_pings(session.mover.user_id)

    async def _send(self, session: Session, text: str, *, notifies: bool) -> None:
        assert session.mover.user_id is not None
        mover = [discord.Object(session.mover.user_id)] if notifies else []
        message = await self._channel(session).send(
            text,
            allowed_mentions=discord.AllowedMentions(
                everyone=False, roles=False, users=mover, replied_user=False
            ),
        )
        await self._store.games.set_ping(session.id, message.id)

    async def _text(self, session: Session, key: str, **more: object) -> str:
        say = say_for(session.locale)
        names = await self._desk.names.of(session.people, say)
        other = seat_name(session, session.position.to_move.other, names, say)
        board_id = await self._desk.sessions.message_of(session)
        channel = self._channel(session)
        board = "" if board_id is None else channel.get_partial_message(board_id).jump_url
        return say(
            key,
            mention=f"<@{session.mover.user_id}>",
            other=discord.utils.escape_markdown(other),
            board=board,
            **more,
        ).strip()

    def _channel(self, session: Session) -> discord.PartialMessageable:
        return self._desk.client.get_partial_messageable(
            session.channel_id, guild_id=session.guild_id
        )
