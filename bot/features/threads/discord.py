"""Threads on Discord: opening them, adding the players, archiving them and repairs."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import Any, Literal

import discord
from discord import ButtonStyle, Interaction

from bot.board.apart import NEEDED, channel_link
from bot.board.challenges import WaitingLine
from bot.board.messages import Button
from bot.database.errors import isolated
from bot.discord.background import Task, time_limit
from bot.discord.replies import UNREACHABLE, confirm, pings_for
from bot.discord.replies import replace as replace_message
from bot.discord.routes import Route, game_action, lasting_view
from bot.feature import Core
from bot.features.threads.rules import Step, Threads
from bot.features.threads.store import Thread
from bot.features.threads.view import name_with_result, thread_name
from bot.game.refusal import Refusal
from bot.game.session import Session
from bot.i18n import Translator, say_for
from bot.sessions.holding import Hold
from bot.sessions.running import NotYourGame
from bot.show.board_text import bold
from bot.store.records import GameSetup, Place

logger = logging.getLogger(__name__)

EVERY = 15.0
"""Seconds between two looks for threads with something to do."""

TOO_MANY_THREADS = 160006
"""Discord's error code for a server with the most open threads that are allowed."""

INACTIVE: Literal[10080] = 10080
"""Minutes without a message after which Discord archives a thread: a week, the longest time."""

AGAIN = game_action("thread")
"""The ids of buttons that open another thread for a game whose own was deleted."""


@dataclass(frozen=True, slots=True)
class ThreadHandler:
    """Opens threads for games, and brings them in line with what is stored."""

    core: Core
    threads: Threads

    @property
    def task(self) -> Task:
        """Archives threads whose game is over, and removes those without a game."""
        return Task("threads", EVERY, self._sweep)

    @property
    def routes(self) -> tuple[Route, ...]:
        """The button that opens another thread for a game whose own was deleted."""
        return (AGAIN.route(self._open_again),)

    def suits(self, channel_id: int) -> bool:
        """Whether it is a text channel of a server: only these have threads.

        Announcement channels have them too, but for the discussion of announcements.
        """
        channel = self.core.client.get_channel(channel_id)
        return isinstance(channel, discord.TextChannel) and not channel.is_news()

    def require_allowed(self, channel_id: int) -> None:
        """Refuse if the bot may not open a thread in a channel or not play in it."""
        channel = self._channel(channel_id)
        granted = channel.permissions_for(channel.guild.me)
        missing = tuple(one for one in NEEDED if not getattr(granted, one))
        if missing:
            raise Refusal("thread_permission", missing=missing)

    def offering(self, refusal: Refusal) -> Refusal:
        """The refusal of a game in a taken channel; players there need not finish first."""
        if refusal.key != "refusal.channel_taken_yours":
            return refusal
        return Refusal("channel_taken_yours_apart", **refusal.details)

    @asynccontextmanager
    async def opened(self, setup: GameSetup) -> AsyncIterator[int]:
        """Open a thread for the game that the block begins there, and add its players.

        If the block fails and no game has begun, the thread is removed.
        """
        self.require_allowed(setup.channel_id)
        channel = self._channel(setup.channel_id)
        id = await self.threads.begin(channel.guild.id, channel.id)
        thread = await self._open(id, channel, setup)
        await self.threads.opened(id, thread.id)
        try:
            yield thread.id
        except Exception:
            await self._look_again(id)
            raise
        await self.threads.begun(id)
        await self._add(thread, _involved(setup))

    async def can_go_on(self, session: Session) -> bool:
        """Whether a game goes on whose thread was deleted: its people can have another one opened.

        They are notified once, in the channel of the thread.
        """
        thread = await self.threads.of_channel(session.channel_id)
        if thread is None or session.is_over:
            return False
        is_new = await self.threads.lost(thread)
        # Its clock is stopped from now on.
        await self.core.sessions.holding.check(session.channel_id, session.id)
        if is_new:
            try:
                await self._tell(thread, session)
            except UNREACHABLE as error:
                logger.warning("the people of game %s are not told: %r", session.id, error)
                await self.threads.not_announced(thread)
                # If the channel is gone as well, the game ends.
                return not isinstance(error, discord.NotFound)
        return True

    async def place_of(self, session: Session) -> Place:
        """Where a running game is found; the thread's channel, if its thread was deleted."""
        thread = await self._lost(session)
        if thread is None:
            return session.place
        return Place(thread.guild_id, thread.parent_id, None)

    async def hold(self, session: Session) -> Hold | None:
        """That a game between players waits whose thread was deleted; None for others."""
        if session.is_channel_game or session.is_watched:
            return None
        thread = await self._lost(session)
        if thread is None or thread.lost_at is None:
            return None
        return Hold(Refusal("game_waits"), thread.lost_at)

    async def waiting(self, user_id: int, say: Translator) -> WaitingLine | None:
        """A line about a person's game whose thread was deleted, with the button to go on."""
        for session in await self.core.sessions.games.running_of(user_id):
            if await self._lost(session) is not None:
                return WaitingLine(say("thread.listed"), _button(session, say))
        return None

    async def _lost(self, session: Session) -> Thread | None:
        """The thread of a game if it is known to have been deleted; else None."""
        channel_id = session.channel_id
        if session.guild_id is None or self.core.client.get_channel(channel_id) is not None:
            # This is asked with every move, and needs no query for channels that exist.
            return None
        thread = await self.threads.of_channel(channel_id)
        return None if thread is None or thread.lost_at is None else thread

    async def _tell(self, thread: Thread, session: Session) -> None:
        """Offer another thread to the people of a game whose thread was deleted."""
        say, view, people = say_for(session.locale), lasting_view(), _involved(session.setup)
        view.add_item(_button(session, say))
        text = say("thread.gone", players=say.all_of([f"<@{one}>" for one in people]))
        mentions = pings_for(people)
        channel, nonce = self.core.client.get_partial_messageable(thread.parent_id), thread.id
        async with time_limit(self.core.client):
            await channel.send(text, view=view, allowed_mentions=mentions, nonce=f"gone-{nonce}")

    async def _open_again(self, interaction: Interaction[Any], game_id: int) -> None:
        """Let a game go on in another thread, since its own was deleted."""
        self.core.answering.require_in_time(interaction)
        session = await self.core.sessions.games.require(game_id)
        if session.is_over:
            raise Refusal("already_over", game=session.game.key)
        if interaction.user.id not in _involved(session.setup):
            raise NotYourGame(session)
        say, here = say_for(session.locale), session.channel_id
        names = await self.core.names.of(_involved(session.setup), say)
        players = say.all_of([bold(names[one]) for one in _involved(session.setup)])
        thread = await self.threads.of_channel(here)
        if thread is not None and thread.lost_at is not None:
            beside = replace(session.setup, channel_id=thread.parent_id)
            async with self.opened(beside) as here:
                session = await self.core.sessions.move(session, here)
                released = await self.core.sessions.holding.check(here, session.id)
                session = released or session
                await self.core.runner.present(session)
            await self.core.boards.explain_if_unshown(interaction, session)
        link = channel_link(session.guild_id, here)
        text = say("apart.accepted", players=players, link=link)
        await confirm(replace_message(interaction, text))
        await self.core.runner.resume(session)

    def _channel(self, channel_id: int) -> discord.TextChannel:
        channel = self.core.client.get_channel(channel_id)
        assert isinstance(channel, discord.TextChannel), "it suits"
        return channel

    async def _open(
        self, id: int, channel: discord.TextChannel, setup: GameSetup
    ) -> discord.Thread:
        say = say_for(setup.locale)
        name = thread_name(setup, await self.core.names.of(_seated(setup), say), say)
        kind = discord.ChannelType.public_thread
        try:
            async with time_limit(self.core.client):
                return await channel.create_thread(
                    name=name, type=kind, auto_archive_duration=INACTIVE
                )
        except UNREACHABLE as error:
            logger.warning("a thread in channel %s could not be opened: %r", channel.id, error)
            if isinstance(error, discord.HTTPException) and error.status < 500:
                # Discord has refused it. Otherwise it may exist, and the task looks for it.
                await self.threads.forget(id)
            raise _refusal(error) from error

    async def _add(self, thread: discord.Thread, people: Iterable[int]) -> None:
        """Add people to a thread, so that they find it among their channels."""
        for user_id in people:
            try:
                async with time_limit(self.core.client):
                    await thread.add_user(discord.Object(user_id))
            except UNREACHABLE as error:
                logger.info("nobody was added to thread %s: %r", thread.id, error)

    async def _look_again(self, id: int) -> None:
        """Remove a thread in which no game has begun."""
        with isolated("thread without a game", id):
            thread = await self.threads.find(id)
            if thread is not None:
                await self._settle(thread)

    async def _sweep(self) -> None:
        if not self.core.client.is_ready():
            return
        for thread in await self.threads.due():
            with isolated("thread to bring up to date", thread.id):
                await self._settle(thread)

    async def _settle(self, thread: Thread) -> None:
        """Do what is to be done with a thread; a failure is repeated a limited number of times."""
        step, game_id = await self.threads.next_step(thread)
        try:
            async with time_limit(self.core.client):
                if step is Step.FIND:
                    await self._discard_lost(thread)
                elif step is Step.CHECK:
                    await self._check(thread)
                elif step is Step.END:
                    await self._end(thread)
                elif step is Step.DISCARD:
                    await self._discard(thread)
                elif step is Step.CLOSE:
                    await self._close(thread, game_id)
        except discord.NotFound:
            await self.threads.forget(thread.id)
        except UNREACHABLE as error:
            is_last = await self.threads.failed(thread)
            then = "it stays as it is" if is_last else "there will be another attempt"
            logger.warning("thread %s cannot be changed, %s: %r", thread.thread_id, then, error)

    async def _discard_lost(self, thread: Thread) -> None:
        """Remove a thread that was opened although its process could not store that."""
        active = await self.core.client.http.get_active_threads(thread.guild_id)
        me = self.core.client.user
        assert me is not None, "it is connected"
        empty = [
            int(one["id"])
            for one in active["threads"]
            if int(one["parent_id"]) == thread.parent_id
            and int(one["owner_id"]) == me.id
            and not one["message_count"]
        ]
        for thread_id in await self.threads.unknown(empty):
            await self._delete(thread_id)
        await self.threads.forget(thread.id)

    async def _check(self, thread: Thread) -> None:
        """Find out whether the thread of a running game was deleted; showing its board tells."""
        assert thread.thread_id is not None, "a game runs in it"
        try:
            await self.core.client.http.get_channel(thread.thread_id)
        except discord.NotFound:
            session = await self.core.sessions.games.current(thread.thread_id)
            if session is not None:
                await self.core.boards.show(session)
        except UNREACHABLE as error:
            logger.info("thread %s could not be checked: %r", thread.thread_id, error)

    async def _end(self, thread: Thread) -> None:
        """End a game that was not moved, as if its channel had been deleted with the thread."""
        assert thread.thread_id is not None, "a game runs in it"
        session = await self.core.sessions.games.current(thread.thread_id)
        if session is not None:
            await self.core.sessions.leave(session)

    async def _discard(self, thread: Thread) -> None:
        """Remove a thread in which no game has begun."""
        assert thread.thread_id is not None, "it has been opened"
        await self._delete(thread.thread_id)
        await self.threads.forget(thread.id)

    async def _delete(self, thread_id: int) -> None:
        """Delete a thread or, as that takes a permission that the bot may lack, archive it."""
        try:
            await self.core.client.http.delete_channel(thread_id)
        except discord.Forbidden:
            await self.core.client.http.edit_channel(thread_id, archived=True)

    async def _close(self, thread: Thread, game_id: int | None) -> None:
        """Archive a thread, with the result of its last game in its name.

        It stays open while that game's board offers to go on, such as with the next of a match.
        """
        assert thread.thread_id is not None, "it has been opened"
        changes: dict[str, Any] = {"archived": True}
        session = None
        if game_id is not None:
            session = await self.core.sessions.games.find_readable(game_id)
        if session is not None and await self.core.messages.goes_on(session):
            await self.threads.keep_open(thread.id)
            return
        if (await self.threads.next_step(thread))[0] is not Step.CLOSE:
            # A match has ended meanwhile, which its board says first.
            return
        if session is not None:
            say = say_for(session.locale)
            names = await self.core.names.of(_seated(session.setup), say)
            changes["name"] = name_with_result(session, names, say)
        await self.core.client.http.edit_channel(thread.thread_id, **changes)
        await self.threads.closed(thread.id)


def _button(session: Session, say: Translator) -> Button:
    """The button that opens another thread for a game."""
    label, style = say("button.apart"), ButtonStyle.primary
    return AGAIN.button(session.id, label=label, style=style)


def _involved(setup: GameSetup) -> tuple[int, ...]:
    """The people for whom a game's thread is: its players and who started it, each once."""
    started = () if setup.started_by is None else (setup.started_by,)
    return tuple(dict.fromkeys((*setup.people, *started)))


def _seated(setup: GameSetup) -> list[int | None]:
    """Who sits at the board, the channel included; None for agents."""
    return [seat.user_id for seat in setup.seats]


def _refusal(error: Exception) -> Refusal:
    """What a person reads if Discord opens no thread."""
    if getattr(error, "code", 0) == TOO_MANY_THREADS:
        return Refusal("thread_limit")
    if isinstance(error, discord.Forbidden):
        return Refusal("thread_permission", missing=NEEDED[:1])
    return Refusal("thread_unopened")
