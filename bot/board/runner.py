"""Carrying games on: showing each step, letting agents move, pings and turns that take too long.

Games between agents move at a pace that people can follow. An edited board notifies nobody, so
whoever is to move is pinged in a message of its own.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Hashable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from time import monotonic
from typing import Any, TypeVar
from weakref import WeakValueDictionary

import discord
from discord import Interaction

from bot.board.boards import Boards
from bot.database.errors import Unavailable
from bot.discord.background import Background, time_limit
from bot.discord.names import NameBook
from bot.discord.replies import UNREACHABLE
from bot.game.clocks import Clock
from bot.game.session import Session
from bot.i18n import escaped, say_for
from bot.sessions.people import Preferences
from bot.sessions.running import Alarm
from bot.sessions.sessions import Sessions
from bot.sessions.timer import TurnTimer
from bot.show.scenes import seat_name
from bot.store.store import Store

logger = logging.getLogger(__name__)

A_WHILE = 5.0
"""Seconds after which the next steps of all else are taken without those that are not done yet."""


@dataclass(frozen=True, slots=True)
class _Played:
    steps: AsyncIterator[None]
    stepping: asyncio.Lock = field(default_factory=asyncio.Lock)


class Playback:
    """Everything being played back; each tick advances all of it by one step."""

    def __init__(self) -> None:
        self._running: dict[Hashable, _Played] = {}
        self._steps: set[asyncio.Task[None]] = set()

    @property
    def is_busy(self) -> bool:
        """Whether anything is being played back."""
        return bool(self._running)

    def has(self, name: Hashable) -> bool:
        """Whether something is being played back."""
        return name in self._running

    def begin(self, name: Hashable, steps: AsyncIterator[None]) -> None:
        """Take `steps` from the next tick on; ignored if that name is already being played."""
        self._running.setdefault(name, _Played(steps))

    async def end(self, name: Hashable) -> None:
        """Take no more steps of something; returns once a step under way has been taken."""
        played = self._running.pop(name, None)
        if played is not None:
            async with played.stepping:
                pass

    async def advance(self) -> None:
        """Take one step of everything, but of what is still taking its last one.

        Returns when all are taken, or after a while: one that hangs keeps no other waiting.
        """
        loop = asyncio.get_running_loop()
        for name, played in tuple(self._running.items()):
            if not played.stepping.locked():
                step = loop.create_task(self._step(name, played))
                self._steps.add(step)
                step.add_done_callback(self._steps.discard)
        if self._steps:
            await asyncio.wait(tuple(self._steps), timeout=A_WHILE)

    async def _step(self, name: Hashable, played: _Played) -> None:
        async with played.stepping:
            if self._running.get(name) is not played:
                return
            try:
                await anext(played.steps)
                return
            except StopAsyncIteration:
                pass
            except Exception:
                logger.exception("the playback of %s failed", name)
            self._running.pop(name, None)


BLINK = 0.15
"""Seconds within which the next board comes too soon for the one before it to be worth showing."""

APART = 0.5
"""Seconds that lie at least between two boards."""

T = TypeVar("T")


class GameRunner:
    """Shows how games stand, pings whoever is to move, and makes the agents' moves."""

    def __init__(
        self,
        sessions: Sessions,
        boards: Boards,
        pings: TurnPings,
        playback: Playback,
        waiting: WaitingWord,
    ) -> None:
        """Run the games in `sessions`; watched games move with `playback`."""
        self._sessions = sessions
        self._boards = boards
        self._pings = pings
        self._playback = playback
        self._waiting = waiting

    async def present(self, session: Session) -> None:
        """Show how a game stands now and ping whoever is to move."""
        await self._boards.show(session)
        await self._pings.update(session)

    async def carry_on(self, session: Session) -> Session:
        """Show a person's move, make the agent's moves that follow, and ping whoever is next.

        Returns the last session.
        """
        session = await self._let_agent_move(session, is_shown=False)
        await self._pings.update(session)
        return session

    async def open(self, interaction: Interaction[Any], session: Session) -> None:
        """Show a game in a new message, as the answer to an interaction, and go on from there."""
        await self._go_on(await self._boards.open(interaction, session))

    async def open_in_place(self, interaction: Interaction[Any], session: Session) -> None:
        """Show a game between people in the message whose button began it."""
        await self._pings.update(await self._boards.open_in_place(interaction, session))

    async def resume_all(self) -> None:
        """Make the agents' moves that an earlier run of the bot did not get to."""
        await asyncio.gather(*(self.resume(s) for s in await self._sessions.games.unanswered()))

    async def resume(self, session: Session) -> None:
        """Make the agent's move that a game waits for, unless it is on its way; log a failure."""
        if self._sessions.is_answering(session) or self._playback.has(("watch", session.id)):
            return
        try:
            is_shown = await self._boards.shows(session)
            if session.is_watched and not is_shown:
                await self._boards.show(session)
            await self._go_on(session, is_shown=is_shown)
        except Unavailable as error:
            logger.info("game %s waits for the database: %s", session.id, error)
        except Exception:
            logger.exception("game %s could not be resumed", session.id)

    async def _go_on(self, session: Session, *, is_shown: bool = True) -> None:
        """Make the agent's moves; a watched game is played back.

        `is_shown` says whether the board shows how the game stands.
        """
        if not session.is_watched:
            await self._let_agent_move(session, is_shown=is_shown)
        elif session.awaits_agent:
            self._playback.begin(("watch", session.id), self._watch(session.channel_id))

    async def _let_agent_move(self, session: Session, *, is_shown: bool = True) -> Session:
        """Make the agent's moves and show each, as well as the board before them.

        A board that the next move replaces within a blink is skipped; two that are both shown come
        far enough apart to be seen.
        """
        shown_at, showing = monotonic() if is_shown else 0.0, None
        while True:
            async with (
                self._waiting.shown(session),
                _running(self._sessions.reply(session.channel_id)) as reply,
            ):
                if not is_shown:
                    if BLINK and not self._waiting.is_needed(session):
                        await asyncio.wait({reply}, timeout=BLINK)
                    if not _brings_a_move(reply):
                        await asyncio.sleep(shown_at + APART - monotonic())
                        showing = asyncio.ensure_future(self._boards.show(session))
                        # A board that is still waiting to be sent gives way to the next one.
                        await asyncio.wait({showing, reply}, return_when=asyncio.FIRST_COMPLETED)
                        shown_at = monotonic()
                answered = await reply
            if answered is None:
                if showing is not None:
                    await showing
                return session
            session, is_shown = answered, False

    async def _watch(self, channel_id: int) -> AsyncIterator[None]:
        """Let two agents play, one move per step."""
        while (answered := await self._sessions.reply(channel_id)) is not None:
            await self._boards.show(answered)
            yield


@asynccontextmanager
async def _running(work: Coroutine[Any, Any, T]) -> AsyncIterator[asyncio.Task[T]]:
    """Run something beside the block, and no longer than it."""
    task = asyncio.get_running_loop().create_task(work)
    try:
        yield task
    finally:
        task.cancel()


def _brings_a_move(reply: asyncio.Task[Session | None]) -> bool:
    """Whether a reply is there already, and is one."""
    return reply.done() and reply.exception() is None and reply.result() is not None


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
        present = await self._sessions.games.current(session.channel_id)
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
        board_id = await self._sessions.games.message_of(session)
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


AGAIN = 5.0
"""Seconds until the next look after one that failed."""


class TurnTimeouts:
    """Acts on what the turn timer finds, whenever the alarm rings."""

    def __init__(
        self, timer: TurnTimer, alarm: Alarm, clock: Clock, runner: GameRunner, pings: TurnPings
    ) -> None:
        """Games that `timer` finds are shown by `runner`; `pings` reach whoever it warns."""
        self._timer = timer
        self._alarm = alarm
        self._clock = clock
        self._runner = runner
        self._pings = pings
        self._checking: asyncio.Task[None] | None = None
        self._acting = Background()

    def start(self) -> None:
        """Check now, and from then on whenever a game is due."""
        self._alarm.start(self._ring)

    async def stop(self) -> None:
        """Check no more; returns once the present check is done."""
        self._alarm.stop()
        if self._checking is not None:
            await asyncio.wait({self._checking})
        await self._acting.stop()

    async def check(self) -> None:
        """Check all games that are due; failures are logged, and soon made up for."""
        try:
            looked = await self._timer.look()
            # Nothing of this is waited for: it may take longer than other games have time.
            for session in looked.overdue:
                self._acting.run(self._runner.resume(session))
            for session in looked.ended:
                self._acting.run(_logged(self._runner.present(session), session))
            for session in looked.decided:
                self._acting.run(_logged(self._go_on(session), session))
            for session in looked.warned:
                self._acting.run(_logged(self._pings.remind(session), session))
            following = await self._timer.next_look()
            # What is due at once is due still: an agent that is searching, or a failure.
            is_due = following is not None and following <= self._clock()
            self._alarm.ring_by(self._clock() + AGAIN if is_due else following)
        except Unavailable:
            # Which the database has logged.
            self._alarm.ring_by(self._clock() + AGAIN)
        except Exception:
            logger.exception("games whose time is up could not be checked")
            self._alarm.ring_by(self._clock() + AGAIN)

    async def _go_on(self, session: Session) -> None:
        if session.is_watched:
            await self._runner.resume(session)
        else:
            await self._runner.carry_on(session)

    def _ring(self) -> None:
        if self._checking is None or self._checking.done():
            self._checking = asyncio.get_running_loop().create_task(self.check())
        else:
            self._alarm.ring_by(self._clock() + AGAIN)


async def _logged(work: Awaitable[None], session: Session) -> None:
    """Do something about a game; log a failure."""
    try:
        await work
    except Exception:
        logger.exception("nobody was told that time is up in game %s", session.id)


@dataclass(frozen=True, slots=True)
class WaitingWord:
    """Says that a move will come by itself, and takes that back when it has come.

    Only the first start on a machine needs it; failures to say so are logged, and the move comes.
    """

    client: discord.Client
    sessions: Sessions

    def is_needed(self, session: Session) -> bool:
        """Whether an agent is to move whose search cannot begin yet."""
        return session.awaits_agent and self.sessions.seconds_until_prepared(session) is not None

    @asynccontextmanager
    async def shown(self, session: Session) -> AsyncIterator[None]:
        """Show the word while the block runs, if it is needed."""
        message = await self._send(session) if self.is_needed(session) else None
        try:
            yield
        finally:
            if message is not None:
                await self._remove(message)

    async def _send(self, session: Session) -> discord.Message | None:
        seconds = self.sessions.seconds_until_prepared(session)
        text = say_for(session.locale)("engine.preparing", seconds=seconds)
        channel = self.client.get_partial_messageable(session.channel_id)
        try:
            async with time_limit(self.client):
                return await channel.send(text, silent=True)
        except UNREACHABLE as error:
            logger.info("nobody was told that game %s waits for the engine: %s", session.id, error)
            return None

    async def _remove(self, message: discord.Message) -> None:
        try:
            async with time_limit(self.client):
                await message.delete()
        except UNREACHABLE as error:
            logger.info("message %s stays where it is: %s", message.id, error)
