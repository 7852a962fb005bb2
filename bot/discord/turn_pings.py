"""Messages that ping people when it is their turn: an edited board notifies nobody."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from weakref import WeakValueDictionary

import discord

from bot.discord.flights import time_limit
from bot.discord.interactions import UNREACHABLE
from bot.discord.names import NameBook
from bot.play.preferences import Preferences
from bot.play.sessions import Sessions
from bot.show.scenes import seat_name
from bot.store import Store
from bot.table.session import Session
from bot.words import say_for
from bot.words.plain import escaped

logger = logging.getLogger(__name__)

Sender = Callable[[Session], Awaitable[None]]
"""Sends a ping or a reminder."""


class TurnPings:
    """Keeps at most one such message per game: a ping, or a reminder that time is running out.

    Failures are only logged: the board shows whose turn it is anyway.
    """

    def __init__(
        self,
        client: discord.Client,
        sessions: Sessions,
        preferences: Preferences,
        store: Store,
        names: NameBook,
    ) -> None:
        """Send through `client` to those whose `preferences` allow it; `store` has the messages."""
        self._client = client
        self._sessions = sessions
        self._preferences = preferences
        self._store = store
        self._names = names
        self._locks: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()

    async def update(self, session: Session) -> None:
        """Delete the game's last ping, and ping whose turn has begun in a game between people."""
        is_between_people = len(session.people) > 1
        if not is_between_people and session.reminded_at is None:
            # Nobody has been pinged, nor will be.
            return
        is_due = is_between_people and session.begins_turn
        await self._replace(session, self._send_turn if is_due else None)

    async def remind(self, session: Session) -> None:
        """Remind whoever is to move; people who want no pings are not notified."""
        await self._replace(session, self._send_reminder)

    async def _replace(self, session: Session, send: Sender | None) -> None:
        lock = self._locks.setdefault(session.id, asyncio.Lock())
        async with lock:
            try:
                if await self._is_latest(session):
                    await self._delete(session)
                    if send is not None:
                        await send(session)
            except UNREACHABLE as error:
                logger.warning("the ping of game %s could not be updated: %s", session.id, error)
            except Exception:
                logger.exception("the ping of game %s could not be updated", session.id)

    async def _is_latest(self, session: Session) -> bool:
        """Whether the game still stands like this: the handler of a later change pings for it."""
        present = await self._sessions.current(session.channel_id)
        if present is None or present.id != session.id:
            return session.is_over
        return present.moves == session.moves

    async def _delete(self, session: Session) -> None:
        message_id = await self._store.games.ping_of(session.id)
        if message_id is None:
            return
        try:
            async with time_limit(self._client):
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
        countdown = session.countdown
        assert countdown is not None
        until = f"<t:{int(countdown.deadline)}:R>"
        text = await self._text(session, "ping.reminder", until=until)
        await self._send(session, text, notifies=await self._wants(session))

    async def _wants(self, session: Session) -> bool:
        assert session.mover.user_id is not None
        return await self._preferences.wants_pings(session.mover.user_id)

    async def _send(self, session: Session, text: str, *, notifies: bool) -> None:
        assert session.mover.user_id is not None
        mover = [discord.Object(session.mover.user_id)] if notifies else []
        mentions = discord.AllowedMentions(
            everyone=False, roles=False, users=mover, replied_user=False
        )
        async with time_limit(self._client):
            message = await self._channel(session).send(text, allowed_mentions=mentions)
        await self._store.games.set_ping(session.id, message.id)

    async def _text(self, session: Session, key: str, **more: object) -> str:
        say = say_for(session.locale)
        names = await self._names.of(session.people, say)
        other = seat_name(session, session.position.to_move.other, names, say)
        board_id = await self._sessions.message_of(session)
        channel = self._channel(session)
        board = "" if board_id is None else channel.get_partial_message(board_id).jump_url
        return say(
            key,
            mention=f"<@{session.mover.user_id}>",
            other=escaped(other),
            board=board,
            **more,
        ).strip()

    def _channel(self, session: Session) -> discord.PartialMessageable:
        return self._client.get_partial_messageable(session.channel_id, guild_id=session.guild_id)
