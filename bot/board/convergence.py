"""Convergence: after any failure, boards that differ from the stored game are edited again.

If a game was ended because it could not be read, a notice replaces its board.
"""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress

import discord

from bot.board.boards import OLD, Boards, OldBoards, wants_new_message
from bot.board.challenges import close_question
from bot.board.requests import EVERYWHERE, UNKNOWN_CHANNEL, BoardRequests
from bot.board.welcome import BEGIN
from bot.database.errors import Unavailable
from bot.discord.answering import DiscordTime
from bot.discord.background import Background, time_limit
from bot.discord.replies import NO_PINGS, UNREACHABLE
from bot.discord.routes import lasting_view
from bot.game.clocks import Clock
from bot.i18n import say_for
from bot.sessions.ownership import Ownership
from bot.sessions.sessions import Sessions
from bot.store.damaged_games import Notice
from bot.store.records import AUTO, GameRecord
from bot.store.store import Store
from engine.core.registry import games

logger = logging.getLogger(__name__)

EVERY = 1.0
"""Seconds between two sweeps; a sweep that finds nothing costs one query of an index."""

AT_ONCE = 16
"""The most boards that are shown at the same time."""

PER_SECOND = 20.0
"""The most boards begun per second; Discord allows fifty requests, and moves need some of them."""

FIRST_PAUSE, LONGEST_PAUSE = 2.0, 300.0
"""Seconds until a channel is tried again, doubled with each failure up to the longest."""

FIRST_LIMITED, LONGEST_LIMITED = 0.5, 10.0
"""The same after a rate limit, unless Discord requires a longer pause."""

GIVEN_UP = 3 * 86_400.0
"""Seconds after the end of a game in which its board may still be shown."""


class Convergence:
    """Shows the boards that differ from what is stored, and records what boards show.

    A game is due a little after a change, unless its board has been shown by then: the code that
    changes a game also shows it, and this class retries after failures.
    """

    def __init__(
        self,
        store: Store,
        sessions: Sessions,
        ownership: Ownership,
        boards: Boards,
        requests: BoardRequests,
        old: OldBoards,
        notices: UnreadableNotices,
        clock: Clock,
    ) -> None:
        """Show the due games of `ownership` in `store` on `boards`; `clock` gives the time."""
        self._store = store
        self._sessions = sessions
        self._notices = notices
        self._ownership = ownership
        self._boards = boards
        self._requests = requests
        self._old = old
        self._clock = clock
        self._showing: set[int] = set()
        self._failures: dict[int, int] = {}
        self._work = Background()
        self._reading_due = asyncio.Lock()
        self._next_show_at = 0.0
        self._has_more = False
        self._is_stopping = False

    async def begin(self) -> None:
        """Make every board due that an earlier run has not recorded as shown."""
        await self._store.boards.hasten(self._clock(), self._ownership.owner)

    async def sweep(self) -> None:
        """Record shown boards, and begin to show the boards that are due."""
        self._old.sweep()
        while self._boards.reached:
            channel_id = self._boards.reached.pop()
            if self._failures.pop(channel_id, None) is not None:
                await self._store.boards.hasten_in(channel_id)
        await self._show_due()

    async def note(self) -> None:
        """Store what boards have shown since the last call."""
        shown = self._boards.shown
        await self._store.boards.note(shown, self._ownership.owner)
        self._boards.forget_shown(shown)

    def reached(self, channel_id: int) -> None:
        """Retry soon what failed in a channel: Discord may accept edits there again."""
        self._boards.reached.add(channel_id)

    async def differing(self) -> int:
        """The number of boards of this process's games that do not show what is stored."""
        await self.note()
        return await self._store.boards.count_due(self._ownership.owner)

    async def stop(self) -> None:
        """Begin nothing more, and wait for the boards that are being shown."""
        self._is_stopping = True
        await asyncio.gather(self._work.stop(), self._old.stop())

    async def _show_due(self) -> None:
        """Record shown boards, and show due ones, up to `AT_ONCE` at the same time."""
        async with self._reading_due:
            await self.note()
            if self._is_stopping or self._requests.seconds_held(EVERYWHERE):
                return
            due = await self._store.boards.due(self._clock(), AT_ONCE, self._ownership.owner)
            self._has_more = len(due) == AT_ONCE
            for record in due:
                is_free = record.id not in self._showing and not self._boards.is_showing(record.id)
                if is_free and len(self._showing) < AT_ONCE and not self._is_stopping:
                    self._showing.add(record.id)
                    self._work.run(self._show(record))

    async def _show_more(self) -> None:
        """Show more due boards without waiting for the next sweep."""
        try:
            await self._show_due()
        except Unavailable:
            # The database has logged why; the next sweep tries again.
            pass
        except Exception:
            logger.exception("the boards that are due could not be read")

    async def _show(self, record: GameRecord) -> None:
        try:
            await self._wait_for_turn()
            session = await self._sessions.games.readable(record)
            if session is None:
                await self._show_unreadable(record)
            elif not self._boards.is_showing(session.id):
                await self._boards.show(session)
                if not (self._boards.has_shown(session) or self._boards.is_showing(session.id)):
                    ended_at = None if session.end is None else session.end.at
                    await self._try_later(session.id, session.channel_id, ended_at)
        except Unavailable:
            # The database has logged why; the board is still due.
            pass
        except Exception:
            logger.exception("the board of game %s could not be brought up to date", record.id)
            # Other boards go first: something is wrong with this one.
            with suppress(Unavailable):
                await self._store.boards.postpone(record.id, self._clock() + LONGEST_PAUSE)
        finally:
            self._showing.discard(record.id)
            # Only when half the places are free, because each call costs a query and a transaction.
            if self._has_more and len(self._showing) <= AT_ONCE // 2 and not self._is_stopping:
                self._has_more = False
                self._work.run(self._show_more())

    async def _wait_for_turn(self) -> None:
        """Wait until another board may be begun."""
        now = asyncio.get_running_loop().time()
        wait = max(0.0, self._next_show_at - now)
        self._next_show_at = now + wait + 1.0 / PER_SECOND
        await asyncio.sleep(wait)

    async def _show_unreadable(self, record: GameRecord) -> None:
        """Show a notice if a game could not be continued; for other damaged games, show nothing."""
        channel_id = record.setup.channel_id
        notice = await self._store.damaged_games.notice(record.id)
        if notice is not None:
            if await self._notices.show(notice):
                self._failures.pop(channel_id, None)
            else:
                await self._try_later(record.id, channel_id, notice.at)
        elif record.end is not None:
            logger.warning("game %s is over and cannot be read: its board stays", record.id)
            await self._store.boards.give_up(record.id)
        else:
            # The game could not be ended, or another process has to end it.
            await self._try_later(record.id, channel_id, None)

    async def _try_later(self, game_id: int, channel_id: int, ended_at: float | None) -> None:
        """Retry to show a game after a pause, unless it ended too long ago."""
        now = self._clock()
        if ended_at is not None and now > ended_at + GIVEN_UP:
            logger.warning("the end of game %s cannot be shown", game_id)
            await self._store.boards.give_up(game_id)
            return
        failures = self._failures[channel_id] = self._failures.get(channel_id, 0) + 1
        held = self._requests.seconds_held(channel_id)
        first, longest = (FIRST_LIMITED, LONGEST_LIMITED) if held else (FIRST_PAUSE, LONGEST_PAUSE)
        pause = max(held, min(longest, first * 2 ** min(failures - 1, 10)))
        await self._store.boards.postpone(game_id, now + pause)
        if self._failures.get(channel_id) != failures:
            # The channel became reachable in the meantime.
            await self._store.boards.hasten_in(channel_id)


class UnreadableNotices:
    """Replaces the board of a game that could not be continued with a notice."""

    def __init__(
        self, client: discord.Client, store: Store, old: OldBoards, time: DiscordTime
    ) -> None:
        """Write through `client`, and record it in `store`.

        A message that is too old to be edited, by Discord's `time`, is replaced by a new one and
        retired by `old`.
        """
        self._client = client
        self._store = store
        self._old = old
        self._time = time

    async def show(self, notice: Notice) -> bool:
        """Inform the players of a game; returns False if a later retry is needed.

        Returns True also if the channel no longer exists. A recorded notice is never repeated.
        """
        channel = self._client.get_partial_messageable(notice.channel_id)
        try:
            async with time_limit(self._client):
                message_id = await _edited(channel, notice, self._time)
                if message_id is None:
                    # With the nonce, Discord answers a second attempt with the first message.
                    nonce = f"{notice.game_id}-unreadable"[-25:]
                    text, view = notice_text(notice), notice_view(notice)
                    posted = await channel.send(
                        text, view=view, allowed_mentions=NO_PINGS, nonce=nonce
                    )
                    message_id = posted.id
        except UNREACHABLE as error:
            if getattr(error, "code", 0) != UNKNOWN_CHANNEL:
                logger.warning("the end of game %s could not be shown: %r", notice.game_id, error)
                return False
            message_id = None
        await self._store.damaged_games.note_informed(notice.game_id, message_id)
        if notice.message_id is not None and message_id not in (None, notice.message_id):
            self._old.retire(notice.channel_id, notice.message_id)
        return True

    async def close_question(self, game_id: int, message_id: int) -> None:
        """Replace a question about a game that could not be read."""
        notice = await self._store.damaged_games.notice(game_id)
        if notice is not None:
            text = notice_text(notice)
            await close_question(self._client, notice.channel_id, message_id, text)


async def _edited(
    channel: discord.PartialMessageable, notice: Notice, time: DiscordTime
) -> int | None:
    """Edit the message that shows the board and return it; None if it cannot be edited."""
    if notice.message_id is None or time.age(notice.message_id) > OLD:
        return None
    message, text = channel.get_partial_message(notice.message_id), notice_text(notice)
    try:
        view = notice_view(notice)
        await message.edit(content=text, attachments=[], view=view, allowed_mentions=NO_PINGS)
    except discord.HTTPException as error:
        if not wants_new_message(error):
            raise
        return None
    return notice.message_id


def notice_view(notice: Notice) -> discord.ui.View:
    """The button under the notice, which begins a new game of the same kind against the bot.

    There is none if this version does not have that game.
    """
    view = lasting_view()
    if notice.family in games():
        label = say_for(notice.locale)("button.new_game")
        view.add_item(BEGIN.button(notice.family, AUTO, label=label))
    return view


def notice_text(notice: Notice) -> str:
    """The text of the notice for a game that could not be continued."""
    return say_for(notice.locale)("board.discontinued", id=notice.game_id)
