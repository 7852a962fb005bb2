"""Pings of the person to move, each deleted with the next change of its game."""

from __future__ import annotations

import asyncio
import logging
from typing import Any
from weakref import WeakValueDictionary

import discord
from discord import Interaction

from bot.discord.background import time_limit
from bot.discord.names import NameBook, jump_url
from bot.discord.replies import UNREACHABLE, answer_privately, confirm, pings_for, replace
from bot.discord.routes import CustomId, Route, lasting_view
from bot.game.clocks import Clock
from bot.game.session import Session
from bot.i18n import Translator, say_for
from bot.sessions.sessions import Sessions
from bot.show.board_text import short_name
from bot.show.scenes import seat_name
from bot.store.records import Place
from bot.store.store import Store

logger = logging.getLogger(__name__)

MUTE = CustomId("mute", "(?P<kind>pings|reminders)", "(?P<choice>on|off)")
"""The ids of buttons that turn a person's own pings or reminders off, or on again."""


def mute_view(kind: str, choice: str, say: Translator) -> discord.ui.View:
    """The button that turns pings or reminders off, or on again."""
    view = lasting_view()
    view.add_item(MUTE.button(kind, choice, label=say(f"button.mute.{choice}")))
    return view


class TurnPings:
    """Keeps at most one message per game that is deleted with its next change.

    Such a message notifies the person to move, after a silence or when time is running out.
    Failures are only logged: the board also says whose turn it is.
    """

    def __init__(
        self,
        client: discord.Client,
        sessions: Sessions,
        store: Store,
        names: NameBook,
        clock: Clock,
    ) -> None:
        """Ping people who have not turned pings off; `store` records the messages."""
        self._client = client
        self._sessions = sessions
        self._store = store
        self._names = names
        self._clock = clock
        self._locks: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()

    @property
    def routes(self) -> tuple[Route, ...]:
        """The buttons that turn pings off or on for the person who presses them."""
        return (MUTE.route(self.choose),)

    async def choose(self, interaction: Interaction[Any], kind: str, choice: str) -> None:
        """Turn a person's own pings off or on; the answer has a button to undo that."""
        is_on, say = choice == "on", say_for(interaction.locale.value)
        user_id, at = interaction.user.id, self._clock()
        await self._store.preferences.set_person(user_id, at, **{kind: is_on})
        view = mute_view(kind, "off" if is_on else "on", say)
        is_private = interaction.message is not None and interaction.message.flags.ephemeral
        answer = replace if is_private else answer_privately
        await confirm(answer(interaction, say(f"mute.{kind}.{choice}"), view))

    async def clear(self, session: Session) -> None:
        """Delete the game's message, if it has one, because the game has changed."""
        if len(session.people) > 1 or session.reminded_at is not None:
            await self._replace(session, None)

    async def ping(self, session: Session) -> None:
        """Ping the person to move, who has been silent, unless they have turned pings off."""
        await self._replace(session, "ping.turn")

    async def remind(self, session: Session) -> None:
        """Remind the person to move; people who have turned pings off are not notified."""
        await self._replace(session, "ping.reminder")

    async def replace(self, session: Session, message_id: int) -> None:
        """Put another message in place of the game's, which is deleted."""
        await self._replace(session, None, message_id)

    async def _replace(
        self, session: Session, text: str | None, message_id: int | None = None
    ) -> None:
        """Delete the game's message, and send the text of this key or note another message."""
        async with self._locks.setdefault(session.id, asyncio.Lock()):
            try:
                if await self._is_latest(session):
                    await self._delete(session)
                    if text is not None:
                        await self._send(session, text)
                    if message_id is not None:
                        await self._store.boards.set_ping(session.id, message_id)
            except UNREACHABLE as error:
                logger.warning("the ping of game %s could not be updated: %s", session.id, error)
            except Exception:
                logger.exception("the ping of game %s could not be updated", session.id)

    async def _is_latest(self, session: Session) -> bool:
        """Whether the game has not changed since; after a change, that change's handler clears."""
        present = await self._sessions.games.current(session.channel_id)
        if present is None or present.id != session.id:
            return session.is_over
        return present.moves == session.moves

    async def _delete(self, session: Session) -> None:
        message_id = await self._store.boards.ping_of(session.id)
        if message_id is None:
            return
        try:
            async with time_limit(self._client):
                await self._channel(session).get_partial_message(message_id).delete()
        except discord.NotFound:
            pass
        except UNREACHABLE as error:
            logger.info("a ping of game %s could not be deleted: %s", session.id, error)
        await self._store.boards.set_ping(session.id, None)

    async def _send(self, session: Session, key: str) -> None:
        mover, say = session.mover.user_id, say_for(session.locale)
        assert mover is not None, "only people are pinged"
        preferences = await self._store.players.preferences(mover)
        notifies = preferences.reminders if key == "ping.reminder" else preferences.pings
        if key == "ping.turn" and not notifies:
            return
        names = await self._names.of(session.people, say)
        board_id = await self._store.boards.message_of(session.id)
        countdown = session.countdown
        text = say(
            key,
            mention=f"<@{mover}>",
            other=short_name(seat_name(session, session.position.to_move.other, names, say)),
            link=jump_url(Place(session.guild_id, session.channel_id, board_id)),
            until="" if countdown is None else f"<t:{int(countdown.deadline)}:R>",
        )
        parts: dict[str, Any] = {}
        if len(session.people) > 1:
            parts["view"] = mute_view("pings" if key == "ping.turn" else "reminders", "off", say)
        mentions = pings_for([mover] if notifies else [])
        async with time_limit(self._client):
            message = await self._channel(session).send(text, allowed_mentions=mentions, **parts)
        await self._store.boards.set_ping(session.id, message.id)

    def _channel(self, session: Session) -> discord.PartialMessageable:
        return self._client.get_partial_messageable(session.channel_id, guild_id=session.guild_id)
