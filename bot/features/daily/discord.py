"""A server's puzzle of the day as a message: its text, its picture and its button.

Posts puzzles of the day, once a server and day, and keeps their messages up to date.

What is due is in the store. A message is claimed there before it is sent, so of several processes
one sends it. If that one is killed before it could note the message, the next one cannot know
whether it arrived: Discord itself tells within a few minutes, by the message's nonce, and after
that the channel is searched for it.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace

import discord

from bot.database.errors import isolated
from bot.discord.answering import DiscordTime
from bot.discord.background import time_limit
from bot.discord.names import NameBook
from bot.discord.replies import NO_PINGS, UNREACHABLE, png_file
from bot.discord.routes import lasting_view
from bot.drills.discord import OPEN, drill_phrases, problem_scene
from bot.features.daily.rules import Daily, daily_title, step_of
from bot.features.puzzles.rules import prompt_words, puzzle_known
from bot.features.puzzles.store import DailyPost, Solver, SolverBoard, Today
from bot.i18n import Say, escaped, fitting, say_for
from bot.sessions.ownership import Ownership
from bot.store.store import Store
from bot.workers.workers import Workers
from engine.core.registry import package_of
from engine.study.puzzles import Puzzle
from renderers import board_alt_text, draw

MOST_KEPT = 32
"""Pictures that are kept: most servers get the same one on a day."""

Picture = tuple[bytes, str]
"""A PNG, and its alternative text."""


@dataclass(frozen=True, slots=True)
class DailyMessages:
    """Writes and draws puzzles of the day."""

    store: Store
    workers: Workers
    names: NameBook
    pictures: dict[tuple[str, str], Picture] = field(default_factory=dict)

    async def content(self, post: DailyPost) -> str:
        """The puzzle in words, and who of the server has solved it."""
        puzzle, say = puzzle_known(post.puzzle), say_for(post.locale)
        asked = (
            f"{prompt_words(puzzle, say)} {say('puzzle.rated', puzzle=say.rating(puzzle.rating))}"
        )
        board = await self.store.puzzles.board(post.guild_id, post.key)
        solvers = await self._solvers(board, say)
        return fitting("\n".join((daily_title(post.key, puzzle, say), asked, solvers)))

    async def file(self, post: DailyPost) -> discord.File:
        """The picture of the position."""
        png, told = await self._picture(puzzle_known(post.puzzle), say_for(post.locale))
        return png_file(png, f"puzzle-{post.puzzle}", told)

    def view(self, post: DailyPost) -> discord.ui.View:
        """The button with which everybody solves it by themselves."""
        view, label = lasting_view(), say_for(post.locale)("button.daily")
        style = discord.ButtonStyle.primary
        view.add_item(OPEN.button(*step_of(post.key), label=label, style=style))
        return view

    async def _picture(self, puzzle: Puzzle, say: Say) -> Picture:
        key = puzzle.id, str(say.locale)
        if key not in self.pictures:
            scene = problem_scene(puzzle.problem, puzzle.problem.moves, say)
            png = await self.workers.draw(draw, package_of(puzzle.game).drawing, scene)
            if len(self.pictures) >= MOST_KEPT:
                self.pictures.clear()
            self.pictures[key] = png, board_alt_text(scene, drill_phrases(say))
        return self.pictures[key]

    async def _solvers(self, board: SolverBoard, say: Say) -> str:
        """How many have solved it at the first try, and who did first."""
        if not board.tried:
            return say("daily.nobody")
        counts = {"solved": say.number(board.solved), "tried": say.number(board.tried)}
        told = say("daily.board", **counts)
        if not board.first:
            return told
        names = await self.names.of((one.user_id for one in board.first), say)
        named = [_solver_words(one, names[one.user_id], say) for one in board.first]
        more = ["…"] if board.more else []
        return f"{told}\n{', '.join((*named, *more))}"


def _solver_words(solver: Solver, name: str, say: Say) -> str:
    if solver.streak < 2:
        return f"**{escaped(name)}**"
    days = say.count("days", solver.streak)
    return say("daily.streak", name=f"**{escaped(name)}**", days=days)


logger = logging.getLogger(__name__)

EVERY = 10.0
"""Seconds between two looks at what is due."""

AT_ONCE = 8
"""Messages that are posted or edited side by side."""

PAUSE, LATER_PAUSE, FRESH = 5.0, 120.0, 3600.0
"""Seconds between two edits of a message that is not older than FRESH, and of an older one, whose
edits Discord limits."""

SOON, LATER = 15.0, 900.0
"""Seconds until what failed is tried again: where Discord could not be reached, or has refused."""

NONCE_LASTS = 90.0
"""Seconds for which Discord surely knows a message by its nonce."""

SEARCHED = 200
"""How many of the newest messages of a channel are searched for one that may have arrived."""

PATIENCE = 14 * 86_400.0
"""Seconds after which a server gets nothing more in a channel that has been closed all along."""

UNKNOWN_CHANNEL = 10003


class DailyPoster:
    """The messages of all servers with the puzzle of their day."""

    def __init__(
        self,
        client: discord.Client,
        store: Store,
        ownership: Ownership,
        daily: Daily,
        messages: DailyMessages,
        time: DiscordTime,
    ) -> None:
        """Post through `client` what is due in `store` for the servers of `ownership`.

        Messages are old by Discord's own `time`.
        """
        self._client = client
        self._store = store.daily_posts
        self._ownership = ownership
        self._daily = daily
        self._messages = messages
        self._time = time
        self._tidied = 0

    async def sweep(self) -> None:
        """Post and edit everything that is due."""
        today, owner = self._daily.now(), self._ownership.owner
        if not owner.takes or not await self._store.is_due(today, owner.shards):
            return
        if self._tidied != today.day:
            await self._store.clear(today)
            self._tidied = today.day
        claims = (
            (self._store.claim_unsent, self._post),
            (self._store.claim_outdated, self._edit),
        )
        for claim, work in claims:
            # What cannot be done now is due later than this look.
            while posts := await claim(today, AT_ONCE, owner.shards):
                await asyncio.gather(*(self._try_apart(work, post, today) for post in posts))

    async def _try_apart(
        self, work: Callable[[DailyPost, Today], Awaitable[None]], post: DailyPost, today: Today
    ) -> None:
        """Try something with a message; even if that cannot be noted, the others are tried."""
        with isolated("puzzle message of server", post.guild_id):
            await self._try(work, post, today)

    async def _try(
        self, work: Callable[[DailyPost, Today], Awaitable[None]], post: DailyPost, today: Today
    ) -> None:
        """Do something with a message; whatever fails is tried again later."""
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
            arrived = False if is_refused else None
            await self._put_off(post, today, LATER if is_refused else SOON, arrived=arrived)
        except Exception:
            logger.exception("the puzzle of server %s comes later", post.guild_id)
            await self._put_off(post, today, LATER, arrived=None)

    async def _post(self, post: DailyPost, today: Today) -> None:
        """Post a message, unless one that was sent before has arrived."""
        message_id = await self._arrived(post, today)
        if message_id == 0:
            logger.warning("nobody knows whether server %s has its puzzle", post.guild_id)
            await self._store.lose(post)
            return
        if message_id is None:
            message_id = await self._send(post)
        # What was sent before may show less than what is stored now.
        shown = post if post.sent_at is None else replace(post, state=-1)
        await self._store.posted(shown, message_id, today.at + PAUSE)

    async def _send(self, post: DailyPost) -> int:
        content, file = await self._messages.content(post), await self._messages.file(post)
        async with time_limit(self._client):
            posted = await self._channel(post).send(
                content,
                file=file,
                view=self._messages.view(post),
                allowed_mentions=NO_PINGS,
                nonce=f"d{post.key.day}{post.guild_id}"[-25:],
            )
        return posted.id

    async def _arrived(self, post: DailyPost, today: Today) -> int | None:
        """The message that was sent before, if it arrived; 0 where nobody can tell."""
        if post.sent_at is None or today.at - post.sent_at < NONCE_LASTS:
            return None
        mine = self._client.user
        try:
            async with time_limit(self._client):
                async for message in self._channel(post).history(limit=SEARCHED):
                    if message.author == mine and _leads_to(message, post):
                        return message.id
        except discord.Forbidden:
            return 0
        return None

    async def _edit(self, post: DailyPost, today: Today) -> None:
        assert post.message_id is not None
        content = await self._messages.content(post)
        message = self._channel(post).get_partial_message(post.message_id)
        async with time_limit(self._client):
            await message.edit(content=content, allowed_mentions=NO_PINGS)
        is_old = self._time.age(post.message_id) > FRESH
        await self._store.shown(post, today.at + (LATER_PAUSE if is_old else PAUSE))

    async def _not_found(self, post: DailyPost, today: Today, error: discord.NotFound) -> None:
        """Forget a message that was deleted, or a channel that is gone."""
        logger.info("the puzzle of server %s is gone: %s", post.guild_id, error)
        if post.message_id is not None:
            await self._store.lose(post)
        else:
            await self._put_off(post, today, LATER, arrived=False)
        if error.code == UNKNOWN_CHANNEL:
            await self._store.unsubscribe(post.guild_id, post.channel_id)

    async def _closed(self, post: DailyPost, today: Today) -> None:
        """Wait for a channel to be opened again, and not for ever."""
        channel = await self._store.close(post.guild_id, today.at)
        await self._put_off(post, today, LATER, arrived=False)
        since = today.at if channel is None else channel.closed_at or today.at
        if today.at - since > PATIENCE:
            logger.info("server %s gets no more puzzles: its channel is closed", post.guild_id)
            await self._store.unsubscribe(post.guild_id, post.channel_id)

    async def _put_off(
        self, post: DailyPost, today: Today, seconds: float, *, arrived: bool | None
    ) -> None:
        await self._store.put_off(post, today.at + seconds, arrived=arrived)

    def _channel(self, post: DailyPost) -> discord.PartialMessageable:
        return self._client.get_partial_messageable(post.channel_id)


def _leads_to(message: discord.Message, post: DailyPost) -> bool:
    """Whether a message has the button of a server's puzzle of the day."""
    at = step_of(post.key)
    wanted = f":{at.source}:{at.ref}:"
    parts = str([row.to_dict() for row in message.components])
    return wanted in parts
