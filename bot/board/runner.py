"""Running games: showing each step, making the agents' moves, and acting on deadlines.

Games between two agents are slowed down so that people can follow (`Playback`). Editing a board
does not notify people, so a person who is silent is pinged in a separate message (`TurnPings`).
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Hashable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from time import monotonic
from typing import Any, cast

from discord import Interaction

from bot.board.apart import Apart, channel_link
from bot.board.boards import Boards
from bot.board.messages import BoardMessages
from bot.board.pings import TurnPings
from bot.database.errors import Unavailable
from bot.discord.background import Background
from bot.discord.replies import (
    acknowledge,
    confirm,
    replace,
)
from bot.discord.routes import Route
from bot.game.clocks import Clock
from bot.game.refusal import Refusal
from bot.game.session import Session
from bot.i18n import say_for
from bot.sessions.running import Alarm
from bot.sessions.sessions import Sessions
from bot.sessions.timer import TurnTimer
from bot.show.board_text import bold
from bot.store.records import GameSetup

logger = logging.getLogger(__name__)

Start = Callable[[int], Awaitable[Session]]
"""Begins a game in the channel with an id."""

TICK_TIMEOUT = 5.0
"""Seconds for which a tick waits for slow steps, so that they hardly delay other games."""

SKIP_WITHIN = 0.15
"""A board is skipped if the next move replaces it within this many seconds."""

BOARD_INTERVAL = 0.5
"""The minimum of seconds between two boards of a game."""

RECHECK = 5.0
"""Seconds until games are checked again after a failure."""


@dataclass(frozen=True, slots=True)
class _Played:
    steps: AsyncIterator[None]
    stepping: asyncio.Lock = field(default_factory=asyncio.Lock)


class Playback:
    """Runs sequences of steps concurrently; each tick takes one step of each sequence."""

    def __init__(self) -> None:
        self._running: dict[Hashable, _Played] = {}
        self._steps: set[asyncio.Task[None]] = set()

    @property
    def is_busy(self) -> bool:
        """Whether any sequence is running."""
        return bool(self._running)

    def has(self, name: Hashable) -> bool:
        """Whether the sequence with this name is running."""
        return name in self._running

    def begin(self, name: Hashable, steps: AsyncIterator[None]) -> None:
        """Run `steps` from the next tick on, unless a sequence with this name is running."""
        self._running.setdefault(name, _Played(steps))

    async def end(self, name: Hashable) -> None:
        """Stop a sequence; returns once its present step is done."""
        played = self._running.pop(name, None)
        if played is not None:
            async with played.stepping:
                pass

    async def advance(self) -> None:
        """Take the next step of every sequence whose last step is done.

        Returns when all these steps are done, or after `TICK_TIMEOUT`.
        """
        for name, played in tuple(self._running.items()):
            if not played.stepping.locked():
                step = asyncio.get_running_loop().create_task(self._step(name, played))
                self._steps.add(step)
                step.add_done_callback(self._steps.discard)
        if self._steps:
            await asyncio.wait(tuple(self._steps), timeout=TICK_TIMEOUT)

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


class GameRunner:
    """Shows games, deletes pings that are out of date, and makes the agents' moves."""

    def __init__(
        self,
        messages: BoardMessages,
        sessions: Sessions,
        boards: Boards,
        pings: TurnPings,
        playback: Playback,
        apart: Apart,
    ) -> None:
        """Run the games in `sessions`; those between two agents move with `playback`.

        `messages` say how long an agent's move takes while the engine is prepared. Games for which
        there is no room in their channel begin `apart`.
        """
        self.apart = apart
        self._messages = messages
        self._sessions = sessions
        self._boards = boards
        self._pings = pings
        self._playback = playback

    @property
    def routes(self) -> tuple[Route, ...]:
        """The buttons under pings."""
        return self._pings.routes

    async def present(self, session: Session, interaction: Interaction[Any] | None = None) -> None:
        """Show a game that has changed; without permission, answer the interaction."""
        await self._boards.show(session)
        await self._pings.clear(session)
        if interaction is not None:
            await self._boards.answer_if_unshown(interaction, session)

    async def continue_game(self, session: Session) -> Session:
        """Show a person's move and make the agent's moves that follow; returns the last session."""
        session = await self._let_agent_move(session, is_shown=False)
        await self._pings.clear(session)
        return session

    async def open(self, interaction: Interaction[Any], session: Session) -> None:
        """Show a game in a new message, as the answer to an interaction, and continue it."""
        with self._explaining_delay(session):
            session = await self._boards.open(interaction, session)
            await self._make_agent_moves(session, is_shown=True)

    async def begin_apart(
        self, setup: GameSetup, start: Start, interaction: Interaction[Any] | None = None
    ) -> str:
        """Begin a game in a channel of its own, and return the address of that channel.

        If its board cannot be shown there, the interaction, if there is one, is answered with why.
        """
        async with self.apart.opened(setup) as channel_id:
            session = await start(channel_id)
            with self._explaining_delay(session):
                await self._boards.show(session)
        if interaction is not None:
            await self._boards.explain_if_unshown(interaction, session)
        await self._make_agent_moves(session, is_shown=True)
        return channel_link(setup.guild_id, channel_id)

    async def begin_accepted(
        self, interaction: Interaction[Any], setup: GameSetup, start: Start
    ) -> None:
        """Begin an accepted game between people in the message whose button was pressed.

        Where the channel has a game by now, it begins in a channel of its own if possible, and the
        message says where that is.
        """
        try:
            session = await start(setup.channel_id)
        except Refusal as refusal:
            if not self.apart.moves(setup.channel_id, refusal):
                raise
            # No channel is opened for a game that cannot begin.
            until = cast("float", refusal.details["until"])
            await self._sessions.require_few_games(setup, interaction.user.id, until)
        else:
            await confirm(acknowledge(interaction))
            await self._boards.open_in_place(interaction, session)
            return
        link, say = await self.begin_apart(setup, start, interaction), say_for(setup.locale)
        names = await self._messages.names.of(setup.people, say)
        players = say.all_of([bold(names[user_id]) for user_id in setup.people])
        await confirm(replace(interaction, say("apart.accepted", players=players, link=link)))

    async def show_until_move(self, session: Session, message_id: int) -> None:
        """Delete a message with the game's next change; the game's present ping is deleted now."""
        await self._pings.replace(session, message_id)

    async def resume_all(self) -> None:
        """Make the agents' moves that an earlier run of the bot did not make."""
        await asyncio.gather(*(self.resume(s) for s in await self._sessions.games.unanswered()))

    async def resume(self, session: Session) -> None:
        """Make the agent's move in a game, unless that is in progress; a failure is logged."""
        if self._sessions.is_answering(session) or self._playback.has(("watch", session.id)):
            return
        try:
            is_shown = await self._boards.shows(session) and self._delay(session) is None
            if session.is_watched and not is_shown:
                await self._boards.show(session)
            await self._make_agent_moves(session, is_shown=is_shown)
        except Unavailable as error:
            logger.info("game %s waits for the database: %s", session.id, error)
        except Exception:
            logger.exception("game %s could not be resumed", session.id)

    async def _make_agent_moves(self, session: Session, *, is_shown: bool) -> None:
        """Make the agents' moves; `is_shown` says whether the board shows the present session."""
        if not session.is_watched:
            await self._let_agent_move(session, is_shown=is_shown)
        elif session.awaits_agent:
            self._playback.begin(("watch", session.id), self._watch(session.channel_id))

    async def _let_agent_move(self, session: Session, *, is_shown: bool) -> Session:
        """Make the agent's moves, and show the board before them and after each.

        A board that would be replaced almost at once is skipped, and boards are shown with pauses.
        Returns the last session.
        """
        shown_at, showing = monotonic() if is_shown else 0.0, None
        while True:
            with self._explaining_delay(session) as is_delayed:
                reply = asyncio.ensure_future(self._sessions.reply(session.channel_id))
                try:
                    if not is_shown:
                        if SKIP_WITHIN and not is_delayed:
                            await asyncio.wait({reply}, timeout=SKIP_WITHIN)
                        has_moved = reply.done() and not reply.exception() and reply.result()
                        if not has_moved:
                            await asyncio.sleep(shown_at + BOARD_INTERVAL - monotonic())
                            showing = asyncio.ensure_future(self._boards.show(session))
                            # The next board replaces one that is still waiting to be sent.
                            await asyncio.wait(
                                {showing, reply}, return_when=asyncio.FIRST_COMPLETED
                            )
                            shown_at = monotonic()
                    answered = await reply
                finally:
                    reply.cancel()
            if answered is None:
                if showing is not None:
                    await showing
                return session
            session, is_shown = answered, False

    async def _watch(self, channel_id: int) -> AsyncIterator[None]:
        """Run a game between two agents, one move per step."""
        while (answered := await self._sessions.reply(channel_id)) is not None:
            await self._boards.show(answered)
            yield

    def _delay(self, session: Session) -> int | None:
        """Seconds until the engine is ready for an agent's move in a person's game; None if it is.

        None also where no agent is to move.
        """
        if session.is_watched or not session.awaits_agent:
            return None
        return self._sessions.seconds_until_prepared(session)

    @contextmanager
    def _explaining_delay(self, session: Session) -> Iterator[bool]:
        """Have the board say so during the block if an agent's search cannot begin yet.

        Yields whether that is so: on the first start on a machine, while the engine is compiled.
        """
        seconds = self._delay(session)
        if seconds is None:
            yield False
            return
        self._messages.delays[session.id] = seconds
        try:
            yield True
        finally:
            self._messages.delays.pop(session.id, None)


class TurnTimeouts:
    """Handles the games that are due, whenever the alarm rings."""

    def __init__(
        self, timer: TurnTimer, alarm: Alarm, clock: Clock, runner: GameRunner, pings: TurnPings
    ) -> None:
        """Continue games that `timer` finds with `runner`; remind people with `pings`."""
        self._timer = timer
        self._alarm = alarm
        self._clock = clock
        self._runner = runner
        self._pings = pings
        self._checking: asyncio.Task[None] | None = None
        self._acting = Background()

    def start(self) -> None:
        """Check now, and then whenever a game is due."""
        self._alarm.start(self._ring)

    async def stop(self) -> None:
        """Stop checking; returns once the present check is done."""
        self._alarm.stop()
        if self._checking is not None:
            await asyncio.wait({self._checking})
        await self._acting.stop()

    async def check(self) -> None:
        """Handle all games that are due; a failure is logged and the check is repeated soon."""
        following: float | None = 0.0
        try:
            checked = await self._timer.check_due()
            # All of this runs in the background, because waiting could delay other games too long.
            for session in checked.overdue:
                self._act(session, self._runner.resume(session))
            for session in checked.ended:
                self._act(session, self._runner.present(session))
            for session in checked.decided:
                continue_game = (
                    self._runner.resume if session.is_watched else self._runner.continue_game
                )
                self._act(session, continue_game(session))
            for session in checked.silent:
                self._act(session, self._pings.ping(session))
            for session in checked.warned:
                self._act(session, self._pings.remind(session))
            following = await self._timer.next_due()
        except Unavailable:
            # The database has logged the failure.
            pass
        except Exception:
            logger.exception("games whose time is up could not be checked")
        # A game that is still due has a searching agent or could not be checked.
        is_due = following is not None and following <= self._clock()
        self._alarm.ring_by(self._clock() + RECHECK if is_due else following)

    def _act(self, session: Session, work: Awaitable[object]) -> None:
        """Run work for a game in the background; a failure is logged."""

        async def act() -> None:
            try:
                await work
            except Exception:
                logger.exception("game %s, whose time is up, could not be gone on with", session.id)

        self._acting.run(act())

    def _ring(self) -> None:
        if self._checking is None or self._checking.done():
            self._checking = asyncio.get_running_loop().create_task(self.check())
        else:
            self._alarm.ring_by(self._clock() + RECHECK)
