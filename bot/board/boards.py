"""One message for each game: edited in place, and replaced when it cannot be edited."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from time import monotonic
from typing import Any
from weakref import WeakValueDictionary

import discord
from discord import Interaction

from bot.board.requests import UNKNOWN_CHANNEL, BoardRequests
from bot.discord.answering import DiscordTime
from bot.discord.background import LONGEST_WAIT, Background, Limited, Superseded, time_limit
from bot.discord.names import jump_url
from bot.discord.replies import (
    UNREACHABLE,
    InteractionTokens,
    acknowledge,
    answer_privately,
    confirm,
    missing_permissions,
    replace,
    retire_pressed,
    try_answer_privately,
)
from bot.discord.routes import game_action, lasting_view
from bot.game.refusal import Refusal
from bot.game.session import Session
from bot.i18n import Translator, say_for
from bot.sessions.sessions import Sessions
from bot.store.boards import ShownBoard
from bot.store.records import AUTO, GameSetup, Place
from bot.store.rows import NOTHING
from bot.telemetry import about

logger = logging.getLogger(__name__)

TOO_MANY_OLD_EDITS = 30046
"""Discord's error code for too many edits of messages that are older than an hour."""

ARCHIVED, LOCKED = 50083, 160005
"""Its error codes for a thread that is archived, and for one that was locked as well."""

OLD = 55 * 60.0
"""Seconds after which a board is posted again, before Discord limits edits of old messages."""

FIRST_RETRY = 5.0
"""Seconds until the second try, doubled with every failure."""

MAX_TRIES = 12
"""Attempts after which a message keeps its buttons, which do no harm."""

MAX_RETRIED = 1_000
"""The most messages that are kept for another attempt."""


@dataclass(slots=True)
class _Failed:
    """A message that could not be retired yet."""

    channel_id: int
    tries: int = 0
    retry_at: float = 0.0


class OldBoards:
    """Removes the buttons from replaced boards, so that a game has one usable board.

    A message that cannot be edited is deleted.
    """

    def __init__(self, client: discord.Client) -> None:
        """Edit through `client`."""
        self._client = client
        self._work = Background()
        self._failed: dict[int, _Failed] = {}

    def retire(self, channel_id: int, message_id: int) -> None:
        """Retire a message in the background, now or as soon as possible."""
        self._work.run(self._retire(channel_id, message_id))

    async def stop(self) -> None:
        """Wait for the attempts in progress."""
        await self._work.stop()

    def sweep(self) -> None:
        """Retry to retire one message, if one is due."""
        now = monotonic()
        due = (one for one, failed in self._failed.items() if failed.retry_at <= now)
        message_id = next(due, None)
        if message_id is not None:
            self.retire(self._failed[message_id].channel_id, message_id)

    async def _retire(self, channel_id: int, message_id: int) -> None:
        failed = self._failed.pop(message_id, None) or _Failed(channel_id)
        channel = self._client.get_partial_messageable(channel_id)
        message = channel.get_partial_message(message_id)
        for attempt in (partial(message.edit, view=None), message.delete):
            try:
                async with time_limit(self._client):
                    await attempt()
            except discord.NotFound:
                return
            except UNREACHABLE as error:
                logger.info("the old board %s keeps its buttons for now: %r", message_id, error)
            else:
                return
        failed.retry_at = monotonic() + FIRST_RETRY * 2**failed.tries
        failed.tries += 1
        if failed.tries < MAX_TRIES and len(self._failed) < MAX_RETRIED:
            self._failed[message_id] = failed


async def ends(_session: Session) -> bool:
    """A game whose channel does not exist any more cannot go on."""
    return False


class Boards:
    """Keeps the messages of games up to date, and records what they show.

    Messages are edited through their channel, because a game lasts longer than an interaction's
    token, which expires after fifteen minutes. Without permission in the channel, they are edited
    with the latest valid token (see `InteractionTokens`), or posted again as an answer to an
    interaction (`answer_if_unshown`). A board that could not be shown differs from the stored game,
    so `Convergence` shows it later.
    """

    def __init__(
        self,
        sessions: Sessions,
        requests: BoardRequests,
        old: OldBoards,
        tokens: InteractionTokens,
        time: DiscordTime,
        can_go_on: Callable[[Session], Awaitable[bool]] = ends,
    ) -> None:
        """Show games through `requests`, and record their messages in `sessions`.

        `old` retires replaced messages; `time` gives the age of messages. A game whose channel does
        not exist any more ends unless it `can_go_on` in another one.
        """
        self._can_go_on = can_go_on
        self._sessions = sessions
        self._requests = requests
        self._old = old
        self._tokens = tokens
        self._time = time
        self._locks: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()
        self._newest: dict[int, Session] = {}
        self._shown: dict[int, ShownBoard] = {}
        self._closed: set[int] = set()
        """Games in channels where the bot may not write."""
        self._locked: set[int] = set()
        """Those of them in threads that are archived and that the bot may not reopen."""
        self._informed: set[int] = set()
        """Games whose players have been informed of the missing permissions."""
        self.reached: set[int] = set()
        """Channels in which a board has been shown since `Convergence` last checked."""

    @property
    def shown(self) -> dict[int, ShownBoard]:
        """The shown boards that are not stored yet, by the ids of the games."""
        return self._shown.copy()

    def forget_shown(self, stored: Mapping[int, ShownBoard]) -> None:
        """Forget shown boards that are stored now."""
        for game_id, board in stored.items():
            if self._shown.get(game_id) == board:
                del self._shown[game_id]

    def has_shown(self, session: Session) -> bool:
        """Whether a message has shown a session, or a later one, since `forget_shown`."""
        shown = self._shown.get(session.id)
        return shown is not None and shown.state >= session.state

    async def shows(self, session: Session) -> bool:
        """Whether a message is known to show a session, or a later one."""
        present = await self._present(session)
        return present is not None and present.state >= session.state

    def is_showing(self, game_id: int) -> bool:
        """Whether a game's message is being changed now."""
        lock = self._locks.get(game_id)
        return lock is not None and lock.locked()

    async def show(self, session: Session) -> None:
        """Bring the game's message up to date, or post it if there is none.

        Edits of a game are made one at a time. A session that is outdated when its turn comes is
        skipped, and an edit that is outdated before it is sent is cancelled. Failures are logged;
        the board is then shown later.
        """
        newest = self._newest.get(session.id)
        if self._sessions.games.is_superseded(session) or (newest and newest.state > session.state):
            return
        self._newest[session.id] = session
        self._requests.supersede(session.id)
        async with self._lock(session.id):
            if self._newest.get(session.id) is not session:
                return
            with about(session.id, session.channel_id, session.guild_id):
                await self._show_now(session)

    async def open(self, interaction: Interaction[Any], session: Session) -> Session:
        """Show a game in a new message, as the answer to an interaction.

        If the answer fails, the board is posted in the channel, or its existing message is edited.
        If the board of a new game cannot be posted either, the game is cancelled. `Convergence` may
        have shown a new game before its late answer: then the answer replaces that board, and
        without an answer the game stays.
        """
        async with self._lock(session.id):
            message_id = await self._requests.answer(interaction, session)
            if message_id is not None:
                return await self._note_new(session, message_id)
        await self.show(session)
        if session.id in self._closed and await self._present(session) is None:
            await self._sessions.leave(session)
            missing = missing_permissions(interaction) or ("view_channel",)
            details = {"game": session.game.key, **played_directly(session.setup)}
            raise Refusal("missing_permissions", missing=missing, **details)
        return session

    async def open_in_place(self, interaction: Interaction[Any], session: Session) -> Session:
        """Show a game in the message whose button started it."""
        assert interaction.message is not None
        message_id = interaction.message.id
        async with self._lock(session.id):
            session = await self._sessions.games.show_in(session, message_id)
            self._tokens.note(session.id, message_id, interaction)
            try:
                await self._requests.edit_by(interaction.edit_original_response, session)
                self._note(session, message_id)
                return session
            except UNREACHABLE as error:
                logger.info("the board of game %s is shown otherwise: %r", session.id, error)
        await self.show(session)
        return session

    async def answer_if_unshown(self, interaction: Interaction[Any], session: Session) -> None:
        """Post the board as an answer to an interaction if it could not be shown in its channel.

        The first time, the person is also informed of the missing permissions.
        """
        if session.id not in self._closed:
            return
        try:
            async with self._lock(session.id):
                await self._note_new(session, await self._requests.follow_up(interaction, session))
            self._closed.discard(session.id)
        except UNREACHABLE as error:
            logger.warning("the board of game %s cannot be answered: %r", session.id, error)
        await self._explain(interaction, session, missing_permissions(interaction))

    async def explain_if_unshown(self, interaction: Interaction[Any], session: Session) -> None:
        """Tell a person why the board of a new game in another channel could not be shown."""
        if session.id in self._closed:
            await confirm(acknowledge(interaction))
            await self._explain(interaction, session, ("send_messages_in_threads",))

    async def _explain(
        self, interaction: Interaction[Any], session: Session, missing: tuple[str, ...]
    ) -> None:
        """Tell a person privately why a board could not be shown; once for each game."""
        is_locked = session.id in self._locked
        if (missing or is_locked) and session.id not in self._informed:
            self._informed.add(session.id)
            say = say_for(interaction.locale.value)
            missing = () if is_locked else missing
            await try_answer_privately(interaction, *closed_message(session.id, missing, say))

    async def catch_up(self, interaction: Interaction[Any], session: Session) -> None:
        """Show a game where permissions were missing; the answer replaces the message about them.

        While they are missing, the answer is a new message about them.
        """
        await acknowledge(interaction)
        missing, say = missing_permissions(interaction), say_for(interaction.locale.value)
        if not missing:
            await self.show(session)
        if missing or session.id in self._closed:
            if session.id in self._locked:
                missing = ()
            elif not missing:
                missing = ("view_channel",)
            text, view = closed_message(session.id, missing, say)
            await answer_privately(interaction, text, view)
            await confirm(interaction.delete_original_response())
            return
        present = await self._present(session)
        message_id = None if present is None else present.message_id
        link = jump_url(Place(session.guild_id, session.channel_id, message_id))
        await confirm(replace(interaction, say("board.caught_up", link=link)))

    async def note_click(self, interaction: Interaction[Any], session: Session) -> None:
        """Record that a press of the board's button can be used to edit the board.

        If the board was posted twice and the button is on the other message, that one is retired.
        """
        assert interaction.message is not None
        if session.message_id in (None, interaction.message.id):
            self._tokens.note(session.id, interaction.message.id, interaction)
        else:
            await confirm(retire_pressed(interaction))

    async def follow(self, session: Session) -> None:
        """Remove the buttons of a finished board that begin a game, since the next one has begun.

        A failure is only logged: the buttons work as long as they are there.
        """
        if session.message_id is None:
            return
        try:
            await self._requests.follow(session)
        except UNREACHABLE as error:
            logger.info("the board of game %s keeps its buttons: %r", session.id, error)

    async def _present(self, session: Session) -> ShownBoard | None:
        """The message that is known to show a game, and what it shows; None if there is none."""
        return self._shown.get(session.id) or await self._sessions.games.board_of(session)

    async def _show_now(self, session: Session) -> None:
        """Show a session; failures are logged. The game's lock must be held."""
        try:
            await self._edit_or_post(session)
            self._closed.discard(session.id)
            self._locked.discard(session.id)
            if session.is_over:
                self._informed.discard(session.id)
        except Superseded:
            pass
        except discord.Forbidden as error:
            logger.warning("the board of game %s may not be shown: %s", session.id, error)
            self._closed.add(session.id)
        except UNREACHABLE as error:
            code = getattr(error, "code", 0)
            if code != UNKNOWN_CHANNEL:
                logger.warning("the board of game %s could not be shown: %r", session.id, error)
                if code in (ARCHIVED, LOCKED):
                    self._closed.add(session.id)
                    self._locked.add(session.id)
                return
            self._closed.discard(session.id)
            if await self._can_go_on(session):
                logger.warning("the channel of game %s is gone", session.id)
                return
            logger.warning("the channel of game %s is gone: the game ends", session.id)
            await self._sessions.leave(session)
        finally:
            if self._newest.get(session.id) is session:
                del self._newest[session.id]

    async def _edit_or_post(self, session: Session) -> None:
        """Edit the game's message, or post a new one if it cannot be edited."""
        games, present = self._sessions.games, self._shown.get(session.id)
        if present is None and session.message_id is not None and games.is_current(session):
            # This process has just stored the session, so nothing later has been shown.
            present = ShownBoard(session.message_id, NOTHING)
        present = present or await games.board_of(session)
        if present is None and await games.find_readable(session.id) is None:
            # The game was deleted with its player's data after its end: there is nothing to show.
            return
        if present is None:
            await self._post(session, None)
            return
        if present.state > session.state:
            return
        # A change of the countdown alone does not justify a new message.
        is_countdown = not session.is_over and present.lacks_countdown(session.state)
        message_id = present.message_id
        if not is_countdown and self._time.age(message_id) > OLD:
            await self._post(session, message_id)
            return
        try:
            await self._requests.edit(session, message_id, text_only=is_countdown)
        except (discord.HTTPException, Limited) as error:
            if not wants_new_message(error):
                raise
            logger.info("the board of game %s is posted again: %s", session.id, error)
            await self._post(session, message_id)
        else:
            self._note(session, message_id)

    async def _post(self, session: Session, old: int | None) -> None:
        """Post the board, replacing its old message if it has one."""
        try:
            message_id, is_certain = await self._requests.post(session, old)
        except discord.Forbidden:
            if old is None or not await self._requests.edit_by_token(session, old):
                raise
            self._note(session, old)
            return
        if is_certain:
            await self._note_new(session, message_id)
            return
        if old is not None:
            self._old.retire(session.channel_id, old)
        await self._sessions.games.show_in(session, message_id)
        await self._requests.edit(session, message_id)
        self._note(session, message_id)

    async def _note_new(self, session: Session, message_id: int) -> Session:
        """Record that a new message shows a game, and retire the one that showed it before.

        `session` may have been read before that one was recorded.
        """
        self._time.note(message_id)
        replaced = await self._present(session)
        shown = await self._sessions.games.show_in(session, message_id, shown=session.state)
        self._note(session, message_id)
        if replaced is not None and replaced.message_id != message_id:
            self._old.retire(session.channel_id, replaced.message_id)
        return shown

    def _note(self, session: Session, message_id: int) -> None:
        self._shown[session.id] = ShownBoard(message_id, session.state)
        self.reached.add(session.channel_id)

    def _lock(self, game_id: int) -> asyncio.Lock:
        return self._locks.setdefault(game_id, asyncio.Lock())


CATCH_UP = game_action("catch_up")
"""The ids of buttons that show a board again that could not be shown for lack of permissions."""


def closed_message(
    game_id: int, missing: Iterable[str], say: Translator
) -> tuple[str, discord.ui.View]:
    """What players read where a board cannot be shown, and the button to try that again.

    If no permission is missing, the game's thread is closed.
    """
    view, named = lasting_view(), ", ".join(say(f"permission.{name}") for name in missing)
    view.add_item(CATCH_UP.button(game_id, label=say("button.try_again")))
    return say("board.closed", missing=named) if named else say("board.locked"), view


def played_directly(setup: GameSetup) -> dict[str, object]:
    """The detail `direct` of a refusal: a game that its player can play in a direct message too.

    That is a game of one person against an agent: its family, the agent and the variant.
    """
    agents = [seat.agent for seat in setup.seats if seat.agent is not None]
    if len(agents) != 1 or len(setup.people) != 1:
        return {}
    return {"direct": (setup.family, AUTO if setup.auto else agents[0], setup.variant)}


def wants_new_message(error: Exception) -> bool:
    """Whether a message is to be replaced by a new one after this error of an edit."""
    if isinstance(error, Limited):
        is_old = getattr(error.__cause__, "code", 0) == TOO_MANY_OLD_EDITS
        return is_old or (error.seconds > LONGEST_WAIT and not error.everywhere)
    is_deleted = isinstance(error, discord.NotFound) and error.code != UNKNOWN_CHANNEL
    # A message in an archived thread cannot be edited; a new one reopens the thread.
    return is_deleted or getattr(error, "code", 0) in (TOO_MANY_OLD_EDITS, ARCHIVED)
