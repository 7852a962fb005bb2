"""The puzzle of the day on Discord: its command, and the messages posted on servers.

A message that is due is claimed in the database before it is sent, so that only one of several
processes sends it. If that process is killed before it has recorded the message, the next one does
not know whether it arrived: for a few minutes Discord recognizes it by its nonce, and after that
the channel is searched for it.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from typing import Any

import discord
from discord import Interaction

from bot.database.errors import isolated
from bot.discord.answering import DiscordTime
from bot.discord.background import Task, time_limit
from bot.discord.commands import ChosenGame, GameCommand, command, game_option
from bot.discord.locales import public_locale
from bot.discord.names import NameBook
from bot.discord.replies import (
    NO_PINGS,
    UNREACHABLE,
    png_file,
    post,
    requester_of,
)
from bot.discord.routes import FAMILY, CustomId, Route, lasting_view
from bot.drills.discord import OPEN, DrillHandler, drill_phrases, problem_scene
from bot.features.daily import rules, store
from bot.features.daily.rules import Daily, daily_title, solver_board, step_of
from bot.features.daily.store import DailyKey, DailyPost, DailyPosts, DailyTries, Today
from bot.features.puzzles.discord import games_with_puzzles
from bot.features.puzzles.rules import puzzle_known
from bot.i18n import Translator, escaped, fitting, say_for
from bot.sessions.ownership import Ownership
from bot.show.themes import theme_for
from bot.store.preferences import CachedPreferences
from bot.workers.workers import Workers
from engine.core.registry import package_of
from engine.study.puzzles import Puzzle
from renderers import Theme, board_alt_text, draw

logger = logging.getLogger(__name__)

SHARE = CustomId(rules.SHARE, f"(?P<family>{FAMILY})", "(?P<day>[0-9]{1,6})", day=int)
"""The ids of buttons that post a person's result."""

EVERY = 10.0
"""Seconds between two checks for messages that are due."""

AT_ONCE = 8
"""Messages that are posted or edited at the same time."""

PAUSE, LATER_PAUSE, FRESH = 5.0, 120.0, 3600.0
"""Seconds between two edits of a message that is not older than FRESH, and of an older one, whose
edits Discord limits."""

SOON, LATER = 15.0, 900.0
"""Seconds until a retry: if Discord could not be reached, and if it refused."""

NONCE_LASTS = 90.0
"""Seconds for which Discord certainly recognizes a message by its nonce."""

SEARCHED = 200
"""The number of newest messages of a channel that are searched for one that may have arrived."""

PATIENCE = 14 * 86_400.0
"""Seconds after which a server gets no more puzzles in a channel that stays closed."""

UNKNOWN_CHANNEL = 10003

MAX_KEPT = 32
"""Cached pictures: most servers get the same one on a day."""

Picture = tuple[bytes, str]
"""A PNG, and its alternative text."""


@dataclass(frozen=True, slots=True)
class DailyMessages:
    """Writes and draws puzzles of the day."""

    tries: DailyTries
    workers: Workers
    names: NameBook
    preferences: CachedPreferences
    pictures: dict[tuple[str, str, Theme], Picture] = field(default_factory=dict)

    async def content(self, post: DailyPost) -> str:
        """The puzzle in words, and the members of the server who have solved it."""
        puzzle, say = puzzle_known(post.puzzle), say_for(post.locale)
        return fitting(f"{daily_title(puzzle, say)}\n{await self._solvers(post, say)}")

    async def picture(self, puzzle: Puzzle, guild_id: int | None, say: Translator) -> discord.File:
        """The picture of the position."""
        theme = await theme_for(self.preferences, (), guild_id)
        png, alt_text = await self._picture(puzzle, say, theme)
        return png_file(png, f"puzzle-{puzzle.id}", alt_text)

    def view(self, key: DailyKey, say: Translator) -> discord.ui.View:
        """The button with which each person solves it alone."""
        view, style = lasting_view(), discord.ButtonStyle.primary
        view.add_item(OPEN.button(*step_of(key), label=say("button.daily"), style=style))
        return view

    async def _picture(self, puzzle: Puzzle, say: Translator, theme: Theme) -> Picture:
        key = puzzle.id, str(say.locale), theme
        if key not in self.pictures:
            scene = problem_scene(puzzle.problem, puzzle.problem.moves, say)
            png = await self.workers.draw(draw, package_of(puzzle.game).drawing, scene, theme)
            if len(self.pictures) >= MAX_KEPT:
                self.pictures.clear()
            self.pictures[key] = png, board_alt_text(scene, drill_phrases(say))
        return self.pictures[key]

    async def _solvers(self, post: DailyPost, say: Translator) -> str:
        """How many have solved it at the first try, and the names of the earliest."""
        board = await solver_board(self.tries, post.guild_id, post.key)
        if not board.tried:
            return say("daily.nobody")
        if not board.solved:
            return say("daily.unsolved")
        people, solved = say.count("people", board.tried), say.number(board.solved)
        if not board.first:
            return say("daily.board_unnamed", solved=solved, people=people)
        names = await self.names.of((user_id for user_id, _ in board.first), say)
        named = []
        for user_id, streak in board.first:
            name, days = f"**{escaped(names[user_id])}**", say.count("days", streak)
            named.append(say("daily.streak", name=name, days=days))
        listed = ", ".join((*named, *(["…"] if board.more else [])))
        return say("daily.board", names=listed, solved=solved, people=people)


@dataclass(frozen=True, slots=True)
class DailyHandler:
    """Shows people today's puzzle."""

    drills: DrillHandler
    daily: Daily
    messages: DailyMessages
    chosen: ChosenGame

    def command(self) -> GameCommand:
        """The command for the games that have puzzles."""
        offered = games_with_puzzles()

        @command("daily")
        @game_option(offered)
        async def daily(interaction: Interaction[Any], game: str | None = None) -> None:
            family = (await self.chosen(interaction, game, offered)).key
            await self.drills.begin(interaction, self.daily.step(family))

        return daily

    def route(self) -> Route:
        """The handler of the button that shares a result."""
        return SHARE.route(self._share)

    async def _share(self, interaction: Interaction[Any], family: str, day: int) -> None:
        key, requester = DailyKey(family, day), requester_of(interaction)
        puzzle, squares = await self.daily.shared(requester, key)
        say = say_for(public_locale(interaction))
        name = f"**{escaped(interaction.user.display_name)}**"
        text = await self.daily.share_words(requester.user_id, name, key, squares, say)
        try:
            await post(
                interaction,
                fitting(text),
                file=await self.messages.picture(puzzle, interaction.guild_id, say),
                view=self.messages.view(key, say),
                allowed_mentions=NO_PINGS,
            )
        except UNREACHABLE:
            await self.daily.unshare(requester, key)
            raise


class DailyPoster:
    """The messages of all servers with the puzzle of their day."""

    def __init__(
        self,
        client: discord.Client,
        posts: DailyPosts,
        ownership: Ownership,
        daily: Daily,
        messages: DailyMessages,
        time: DiscordTime,
    ) -> None:
        """Post through `client` the `posts` that are due for the servers of `ownership`.

        The age of messages is measured by Discord's own `time`.
        """
        self._client = client
        self._posts = posts
        self._ownership = ownership
        self._daily = daily
        self._messages = messages
        self._time = time
        self._tidied = 0
        self.task = Task("daily puzzles", EVERY, self._check)

    async def _check(self) -> None:
        if self._client.is_ready():
            await self.sweep()

    async def sweep(self) -> None:
        """Post and edit everything that is due."""
        today, owner = self._daily.now(), self._ownership.owner
        if not owner.takes or not await self._posts.is_due(today, owner.shards):
            return
        if self._tidied != today.day:
            await self._posts.clear(today)
            self._tidied = today.day
        claims = (
            (self._posts.claim_unsent, self._post),
            (self._posts.claim_outdated, self._edit),
        )
        for claim, work in claims:
            # Messages that fail become due later.
            while posts := await claim(today, AT_ONCE, owner.shards):
                await asyncio.gather(*(self._try(work, post, today) for post in posts))

    async def _try(
        self, work: Callable[[DailyPost, Today], Awaitable[None]], post: DailyPost, today: Today
    ) -> None:
        """Post or edit a message; a failure is retried later."""
        # If not even the failure can be stored, the other messages are still handled.
        with isolated("puzzle message of server", post.guild_id):
            try:
                await work(post, today)
            except discord.NotFound as error:
                await self._not_found(post, today, error)
            except discord.Forbidden as error:
                logger.warning("server %s gets no puzzle now: %s", post.guild_id, error)
                await self._closed(post, today)
            except UNREACHABLE as error:
                logger.warning("the puzzle of server %s comes later: %r", post.guild_id, error)
                is_refused = isinstance(error, discord.HTTPException) and error.status < 500
                arrived, seconds = (False, LATER) if is_refused else (None, SOON)
                await self._posts.postpone(post, today.at + seconds, arrived=arrived)
            except Exception:
                logger.exception("the puzzle of server %s comes later", post.guild_id)
                await self._posts.postpone(post, today.at + LATER, arrived=None)

    async def _post(self, post: DailyPost, today: Today) -> None:
        """Post a message, unless one that was sent before has arrived."""
        message_id = await self._arrived(post, today)
        if message_id == store.UNREACHABLE:
            logger.warning("it is unknown whether server %s has its puzzle", post.guild_id)
            await self._posts.mark_unreachable(post)
            return
        if message_id is None:
            message_id = await self._send(post)
        # A message that was sent before may show an older state.
        shown = post if post.sent_at is None else replace(post, state=-1)
        await self._posts.posted(shown, message_id, today.at + PAUSE)

    async def _send(self, post: DailyPost) -> int:
        puzzle, say = puzzle_known(post.puzzle), say_for(post.locale)
        content = await self._messages.content(post)
        file = await self._messages.picture(puzzle, post.guild_id, say)
        async with time_limit(self._client):
            posted = await self._channel(post).send(
                content,
                file=file,
                view=self._messages.view(post.key, say),
                allowed_mentions=NO_PINGS,
                nonce=f"d{post.key.day}{post.guild_id}"[-25:],
            )
        return posted.id

    async def _arrived(self, post: DailyPost, today: Today) -> int | None:
        """The message that was sent before, if it arrived; UNREACHABLE if that is unknown."""
        if post.sent_at is None or today.at - post.sent_at < NONCE_LASTS:
            return None
        try:
            async with time_limit(self._client):
                async for message in self._channel(post).history(limit=SEARCHED):
                    if message.author == self._client.user and _leads_to(message, post):
                        return message.id
        except discord.Forbidden:
            return store.UNREACHABLE
        return None

    async def _edit(self, post: DailyPost, today: Today) -> None:
        assert post.message_id is not None
        content = await self._messages.content(post)
        message = self._channel(post).get_partial_message(post.message_id)
        async with time_limit(self._client):
            await message.edit(content=content, allowed_mentions=NO_PINGS)
        is_old = self._time.age(post.message_id) > FRESH
        await self._posts.shown(post, today.at + (LATER_PAUSE if is_old else PAUSE))

    async def _not_found(self, post: DailyPost, today: Today, error: discord.NotFound) -> None:
        """Give up a message that was deleted, or a channel that is gone."""
        logger.info("the puzzle of server %s is gone: %s", post.guild_id, error)
        if post.message_id is not None:
            await self._posts.mark_unreachable(post)
        else:
            await self._posts.postpone(post, today.at + LATER, arrived=False)
        if error.code == UNKNOWN_CHANNEL:
            await self._posts.unsubscribe(post.guild_id, post.channel_id)

    async def _closed(self, post: DailyPost, today: Today) -> None:
        """Wait for a channel to be opened again, for a limited time."""
        channel = await self._posts.close(post.guild_id, today.at)
        await self._posts.postpone(post, today.at + LATER, arrived=False)
        since = today.at if channel is None else channel.closed_at or today.at
        if today.at - since > PATIENCE:
            logger.info("server %s gets no more puzzles: its channel is closed", post.guild_id)
            await self._posts.unsubscribe(post.guild_id, post.channel_id)

    def _channel(self, post: DailyPost) -> discord.PartialMessageable:
        return self._client.get_partial_messageable(post.channel_id)


def _leads_to(message: discord.Message, post: DailyPost) -> bool:
    """Whether a message has the button of a server's puzzle of the day."""
    at = step_of(post.key)
    return f":{at.source}:{at.ref}:" in str([row.to_dict() for row in message.components])
