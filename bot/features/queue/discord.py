"""The queue on Discord: Find an opponent, what one waits for, the question and the game."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator, Sequence
from contextlib import AsyncExitStack, contextmanager
from dataclasses import dataclass, field, replace
from typing import Any
from weakref import WeakValueDictionary

import discord
from discord import Interaction

from bot.board.challenge_form import USUAL, Invitation
from bot.board.challenges import WaitingLine, bold_title, close_question, time_words
from bot.board.setups import control_from_text, game_from_text
from bot.database.errors import isolated
from bot.discord.background import Task, time_limit
from bot.discord.locales import public_locale
from bot.discord.names import jump_url
from bot.discord.replies import (
    UNREACHABLE,
    acknowledge,
    answer_privately,
    channel_of,
    confirm,
    missing_in,
    pings_for,
    require_permissions,
)
from bot.discord.replies import replace as replace_message
from bot.discord.routes import Route, chosen, lasting_view
from bot.discord.visibility import writable_channels
from bot.feature import Core, Search
from bot.features.queue.buttons import (
    ANY,
    FIND,
    FIND_LABEL,
    GAME_MENU,
    LEAVE,
    NO,
    SIZE,
    TIME,
    YES,
    find_button,
    question_view,
    waiting_line,
    waiting_text,
    waiting_view,
    wanted_by,
)
from bot.features.queue.rules import Asked, GameChannel, Queue, partner_of, reason_of, terms_of
from bot.features.queue.store import LEFT, PAIRED, SILENT, QueuePlace, QueueStore
from bot.game.clocks import parse_control
from bot.game.refusal import Refusal
from bot.game.session import Session
from bot.i18n import Translator, say_for
from bot.show.board_text import short_name
from bot.store.records import FORMER_PLAYER, Place
from engine.core.registry import games

logger = logging.getLogger(__name__)

SEARCH = "queue"
"""The kind of its searches for a game."""

EVERY = 10.0
"""Seconds between two looks at the queues: the ranges of ratings grow."""

GIVE_UP = 600.0
"""Seconds after a pairing in which the two people are notified."""

PAUSE = 60.0
"""Seconds for which two people without a common channel are not looked at again."""

MAX_PAUSED = 10_000
"""The most such pauses that are remembered."""


@dataclass(frozen=True, slots=True)
class QueueHandler:
    """Takes people into queues, asks them, and begins and announces their games."""

    core: Core
    queue: Queue
    stored: QueueStore
    _locks: WeakValueDictionary[int, asyncio.Lock] = field(default_factory=WeakValueDictionary)
    _paused: dict[tuple[int, int], float] = field(default_factory=dict)
    """Until when two places are not looked at, because their people share no channel, and until
    when nothing is opened beside a channel, because that failed."""

    @property
    def routes(self) -> tuple[Route, ...]:
        """The handlers of all buttons and menus."""
        return (
            FIND.route(self._find),
            GAME_MENU.route(self._choose_game),
            SIZE.route(self._choose_size),
            TIME.route(self._choose_time),
            LEAVE.route(self._leave),
            YES.route(self._agree, repeatable=False),
            NO.route(self._refuse, repeatable=False),
        )

    @property
    def task(self) -> Task:
        """Pairs people whose ranges have grown, and repairs what a crash left."""
        return Task("queue", EVERY, self._sweep)

    async def waiting(self, user_id: int, say: Translator) -> WaitingLine | None:
        """A line about a person who waits, with the button to leave."""
        for place in await self.stored.of_person(user_id):
            if self.queue.waits(place):
                return waiting_line(place, say)
        return None

    async def leave_all(self, user_id: int) -> None:
        """End all places of a person."""
        for place in await self.stored.of_person(user_id):
            if place.answer is None:
                await self.stored.end(place.id, LEFT, self.core.clock())

    async def _find(
        self, interaction: Interaction[Any], family: str, variant: str, clock: str
    ) -> None:
        """Take a person into the queue; the private answer says so, with what can be changed."""
        self.core.answering.require_in_time(interaction)
        if interaction.guild_id is not None:
            require_permissions(interaction, family)
        asked_at, game = self.core.clock(), game_from_text(family, variant)
        wanted = None if clock == USUAL else clock
        if wanted is not None:
            control_from_text(wanted)
        with self.core.limiter.counting("starts", interaction.user.id):
            place = await self.queue.join(
                interaction.user.id,
                interaction.guild_id,
                channel_of(interaction),
                public_locale(interaction),
                (game.key, game.variant, wanted),
            )
        say = say_for(interaction.locale.value)
        view = waiting_view(place, say)
        await confirm(answer_privately(interaction, waiting_text(place, say), view))
        await self._serve(place.guild_id)
        if place.joined_at >= asked_at:
            await self._tell_others(place.id)

    async def _tell_others(self, id: int) -> None:
        """Notify features of a person who has just begun to wait, unless they are paired."""
        place = await self.stored.find(id)
        if place is not None and place.answer is None and place.asked_until is None:
            variant = place.variant or games()[place.family].usual
            form = Invitation(0, place.family, variant, place.clock or USUAL)
            search = Search(
                kind=SEARCH,
                id=place.id,
                user_id=place.user_id,
                place=Place(place.guild_id, place.channel_id, None),
                locale=place.locale,
                family=place.family,
                variant=variant,
                buttons=(find_button(say_for(place.locale), form),),
            )
            await self.core.contributions.game_sought(search)

    async def _choose_game(self, interaction: Interaction[Any], id: int) -> None:
        family = chosen(interaction)
        if family not in games():
            raise Refusal("unknown_button")
        await self._prefer(interaction, id, family=family, variant=games()[family].usual)

    async def _choose_size(self, interaction: Interaction[Any], id: int) -> None:
        with _offering_another():
            place = await self.queue.require(id, interaction.user.id)
        wanted = chosen(interaction)
        variant = None if wanted == ANY else game_from_text(place.family, wanted).variant
        await self._prefer(interaction, id, variant=variant)

    async def _choose_time(self, interaction: Interaction[Any], id: int) -> None:
        wanted = chosen(interaction)
        if wanted != ANY:
            control_from_text(wanted)
        await self._prefer(interaction, id, clock=None if wanted == ANY else wanted)

    async def _prefer(self, interaction: Interaction[Any], id: int, **wants: str | None) -> None:
        with _offering_another():
            place = await self.queue.require(id, interaction.user.id)
            place = await self.queue.prefer(place, **wants)
        say = say_for(interaction.locale.value)
        await confirm(
            replace_message(interaction, waiting_text(place, say), waiting_view(place, say))
        )
        await self._serve(place.guild_id)

    async def _leave(self, interaction: Interaction[Any], id: int) -> None:
        with _offering_another():
            place = await self.queue.require(id, interaction.user.id)
            await self.queue.leave(place)
        say = say_for(interaction.locale.value)
        view = lasting_view()
        view.add_item(find_button(say, Invitation.new(place.family, place.variant)))
        await confirm(replace_message(interaction, say("queue.left"), view))
        await self._serve(place.guild_id)

    async def _agree(self, interaction: Interaction[Any], one: int, other: int) -> None:
        """Note that one of two people agrees to begin; the game begins once both do."""
        self.core.answering.require_in_time(interaction)
        mine = await self._asked(interaction, one, other)
        with _offering_another():
            if not await self.stored.agree(mine.id, self.core.clock()):
                raise Refusal("queue_over")
        theirs = await self.stored.find(other if mine.id == one else one)
        if theirs is not None and theirs.agreed:
            await confirm(acknowledge(interaction))
        else:
            text = await self._text("queue.agreed", mine, say_for(interaction.locale.value))
            await confirm(answer_privately(interaction, text))
        await self._serve(mine.guild_id)

    async def _refuse(self, interaction: Interaction[Any], one: int, other: int) -> None:
        """Let one of two people leave the queue; the other one waits on."""
        mine = await self._asked(interaction, one, other)
        with _offering_another():
            await self.queue.leave(mine)
        theirs = await self.stored.find(other if mine.id == one else one)
        if theirs is None or theirs.partner != mine.user_id:
            await confirm(acknowledge(interaction))
        else:
            await self.stored.release(theirs.id)
            await confirm(replace_message(interaction, await self._text("queue.refused", theirs)))
        await self._serve(mine.guild_id)

    async def _asked(self, interaction: Interaction[Any], one: int, other: int) -> QueuePlace:
        """The place of the person who answers a question; refused to other people."""
        places = [await self.stored.find(id) for id in (one, other)]
        mine = next((p for p in places if p and p.user_id == interaction.user.id), None)
        with _offering_another():
            if mine is None:
                raise Refusal("queue_question")
            if mine.asked_until is None or mine.partner is None or not self.queue.waits(mine):
                raise Refusal("queue_over")
        return mine

    async def _sweep(self) -> None:
        if not self.core.client.is_ready():
            return
        for guild_id in dict.fromkeys(one.guild_id for one in await self.queue.open()):
            await self._serve(guild_id)

    async def _serve(self, guild_id: int) -> None:
        """Do all that is due in the queue of a server; a failure is logged, and repeated soon."""
        lock = self._locks.setdefault(guild_id, asyncio.Lock())
        with isolated("queue to serve", guild_id):
            async with lock:
                await self._do_due(guild_id)

    async def _do_due(self, guild_id: int) -> None:
        places = await self.queue.open(guild_id)
        for place in places:
            other = partner_of(place, places)
            if other is not None and other.id < place.id:
                # Both are done together.
                continue
            if place.answer == PAIRED:
                await self._announce(place, other)
            elif place.asked_until is not None:
                await self._settle(place, other)
        for made in await self.queue.pair(places, self._channel_for, self._start):
            if isinstance(made, Asked):
                await self._ask(made)
            else:
                after = await self.queue.open(guild_id)
                mine = [p for p in after if p.answer == PAIRED and p.user_id in made.people]
                for place in mine[:1]:
                    await self._announce(place, partner_of(place, mine))

    async def _announce(self, place: QueuePlace, other: QueuePlace | None) -> None:
        """Show the board of two people who were paired, and tell them; repeated if that fails."""
        ids = [one.id for one in (place, other) if one is not None]
        session, at = await self._game_of(place), self.core.clock()
        if session is None or at > (place.ended_at or 0.0) + GIVE_UP:
            await self.stored.announced(ids)
            return
        await self.core.runner.present(session)
        if await self._tell(session):
            await self.stored.announced(ids)

    async def _tell(self, session: Session) -> bool:
        """Ping the two people of a new game; False if that is to be repeated."""
        say, channel_id = say_for(session.locale), session.channel_id
        first, second = (f"<@{user_id}>" for user_id in session.people)
        board = await self.core.store.boards.message_of(session.id)
        link = jump_url(Place(session.guild_id, channel_id, board))
        text = say("queue.paired", first=first, second=second, link=link)
        try:
            message_id = await self._send(channel_id, session.people, text, f"q-{session.id}")
        except discord.HTTPException as error:
            logger.info("the players of game %s are not told: %s", session.id, error)
            return error.status in (403, 404)
        except UNREACHABLE as error:
            logger.info("the players of game %s are told later: %r", session.id, error)
            return False
        await self.core.runner.show_until_move(session, message_id)
        return True

    async def _send(
        self,
        channel_id: int,
        people: Sequence[int],
        text: str,
        nonce: str,
        view: discord.ui.View = discord.utils.MISSING,
    ) -> int:
        """Send a message that notifies these people."""
        mentions = pings_for(people)
        channel = self.core.client.get_partial_messageable(channel_id)
        async with time_limit(self.core.client):
            sent = await channel.send(text, view=view, allowed_mentions=mentions, nonce=nonce)
        return sent.id

    async def _game_of(self, place: QueuePlace) -> Session | None:
        if place.paired_in is None:
            return None
        session = await self.core.sessions.games.current(place.paired_in)
        is_theirs = session is not None and {place.user_id, place.partner} == {*session.people}
        return session if is_theirs else None

    async def _ask(self, asked: Asked) -> None:
        """Ask two people whether to begin; without the message both wait on."""
        one, other = asked.one, asked.other
        assert one.paired_in is not None
        say, people = say_for(one.locale), (one.user_id, other.user_id)
        family, variant, clock = terms_of(one, other)
        text = say(
            "queue.ask",
            first=f"<@{one.user_id}>",
            second=f"<@{other.user_id}>",
            game=bold_title(family, variant, say),
            time=time_words(parse_control(clock), say),
            until=f"<t:{int(one.asked_until or 0)}:R>",
        )
        view = question_view(one, other, say)
        nonce = f"a-{one.id}-{other.id}"[-25:]
        try:
            message_id = await self._send(one.paired_in, people, text, nonce, view)
        except UNREACHABLE as error:
            logger.info("places %s and %s could not be asked: %r", one.id, other.id, error)
            for place in (one, other):
                await self.stored.release(place.id)
            self._pause((one.id, other.id))
            return
        await self.stored.set_message((one.id, other.id), message_id)

    async def _settle(self, place: QueuePlace, other: QueuePlace | None) -> None:
        """Begin the game of two people who agree, or close the question once it is over.

        People who have not answered by then leave the queue.
        """
        assert place.asked_until is not None
        if other is None:
            # The other one has left.
            await self.stored.release(place.id)
            key = "queue.gone" if place.partner is None else "queue.refused"
            await self._close(place, await self._text(key, place))
        elif place.agreed and other.agreed:
            await self._begin(place, other)
        elif self.core.clock() >= place.asked_until:
            waiting = [one for one in (place, other) if one.agreed]
            for one in (place, other):
                # Without a message they were not asked.
                if one.agreed or one.message_id is None:
                    await self.stored.release(one.id)
                else:
                    await self.stored.end(one.id, SILENT, self.core.clock())
            key = "queue.silent" if waiting else "queue.silent_both"
            await self._close(place, await self._text(key, (waiting or [place])[0]))

    async def _begin(self, one: QueuePlace, other: QueuePlace) -> None:
        """Begin the game of two people who were asked; if that fails, both read why and wait on."""
        say, reason = say_for(one.locale), "queue.no_channel"
        try:
            where = await self._channel_for(one, other)
            session = None if where is None else await self._start(one, other, where)
        except Refusal as refusal:
            reason, session = reason_of(refusal), None
        if session is None:
            for place in (one, other):
                await self.stored.release(place.id)
            await self._close(one, say(reason))
            return
        link = jump_url(Place(session.guild_id, session.channel_id, None))
        await self._close(one, say("queue.both", link=link))
        paired = await self.stored.find(one.id)
        await self._announce(paired or one, other)

    async def _start(self, one: QueuePlace, other: QueuePlace, where: GameChannel) -> Session:
        """Begin a game in a channel, or beside it; raises Refusal."""
        setup = self.queue.setup(one, other, where.channel_id)
        async with AsyncExitStack() as stack:
            if where.is_apart:
                opened = self.core.runner.apart.opened(setup)
                try:
                    channel_id = await stack.enter_async_context(opened)
                    setup = replace(setup, channel_id=channel_id)
                except Refusal:
                    self._pause((where.channel_id, 0))
                    if not await self._is_free(where.channel_id):
                        raise
            return await self.queue.begin(one, other, setup)

    async def _close(self, place: QueuePlace, text: str) -> None:
        """Replace the question by what came of it."""
        if place.message_id is not None and place.paired_in is not None:
            await close_question(self.core.client, place.paired_in, place.message_id, text)

    async def _text(self, key: str, place: QueuePlace, say: Translator | None = None) -> str:
        """A text for the person of a place about whom they were asked with."""
        say = say or say_for(place.locale)
        names = await self.core.names.of((place.user_id, place.partner or FORMER_PLAYER), say)
        name = short_name(names[place.partner or FORMER_PLAYER])
        return say(key, name=name, other=short_name(names[place.user_id]))

    async def _channel_for(self, one: QueuePlace, other: QueuePlace) -> GameChannel | None:
        """Where two people can play; None for now without such a channel.

        That is a channel of its own where that is possible, else a channel without a game.
        """
        if self._is_paused((one.id, other.id)):
            return None
        guild = self.core.client.get_guild(one.guild_id)
        only = (await self.core.store.servers.preferences(one.guild_id)).games_channel_id
        wanted = (one.channel_id, other.channel_id) if only is None else (only,)
        people = (one.user_id, other.user_id)
        if guild is None:
            return None
        try:
            writable = await writable_channels(self.core.client, guild, people)
        except UNREACHABLE as error:
            logger.warning("the channels of server %s are unknown: %r", guild.id, error)
            return None
        for place in (one, other):
            if place.user_id not in writable:
                await self.stored.end(place.id, LEFT, self.core.clock())
                return None
        both = [writable[user_id] for user_id in people]
        found = [id for id in dict.fromkeys(wanted) if all(id in one.channels for one in both)]
        for channel_id in found:
            if all(channel_id in one.parents for one in both) and self._opens_beside(channel_id):
                return GameChannel(channel_id, is_apart=True)
        for channel_id in found:
            if await self._is_free(channel_id):
                return GameChannel(channel_id, is_apart=False)
        self._pause((one.id, other.id))
        return None

    async def _is_free(self, channel_id: int) -> bool:
        """Whether a game can begin in a channel itself."""
        channel = self.core.client.get_channel(channel_id)
        is_closed = isinstance(channel, discord.TextChannel) and bool(missing_in(channel))
        return not is_closed and await self.core.sessions.games.current(channel_id) is None

    def _opens_beside(self, channel_id: int) -> bool:
        """Whether a channel for a game can be opened beside one."""
        openings = self.core.runner.apart.openings()
        if openings is None or not openings.suits(channel_id):
            return False
        try:
            openings.require_allowed(channel_id)
        except Refusal:
            return False
        return not self._is_paused((channel_id, 0))

    def _pause(self, which: tuple[int, int]) -> None:
        """Try nothing with two places, or beside a channel, for PAUSE seconds."""
        if len(self._paused) > MAX_PAUSED:
            self._paused.clear()
        self._paused[which] = self.core.clock() + PAUSE

    def _is_paused(self, which: tuple[int, int]) -> bool:
        return self._paused.get(which, 0.0) > self.core.clock()


@contextmanager
def _offering_another() -> Iterator[None]:
    """Let refusals of the block offer to look for an opponent."""
    try:
        yield
    except Refusal as refusal:
        refusal.details["offers"] = ((FIND(*wanted_by(Invitation.new())), FIND_LABEL),)
        raise
