"""Questions from one person to another in a channel, and challenges, which are such questions.

A question is a message with buttons to accept and to decline. It notifies the other person, and
loses these buttons once it has been answered or has lapsed.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import discord
from discord import ButtonStyle, Interaction

from bot.board.messages import Button
from bot.board.runner import GameRunner
from bot.database.errors import isolated
from bot.discord.answering import Answering
from bot.discord.background import time_limit
from bot.discord.names import NameBook
from bot.discord.replies import (
    UNREACHABLE,
    answer_privately,
    confirm,
    pings_for,
    post,
    replace,
    require_permissions,
)
from bot.discord.routes import ROW, CustomId, Route, lasting_view
from bot.game.refusal import Refusal
from bot.i18n import Translator, say_for
from bot.sessions.people import Challenges
from bot.show.board_text import short_name
from bot.show.texts import with_variant
from bot.store.records import ChallengeRecord, GameSetup, TimeControl

logger = logging.getLogger(__name__)

Answer = Callable[[Interaction[Any], int], Awaitable[None]]
"""Answers a question, given its id."""


class QuestionButtons:
    """The buttons under all questions of one kind: accept and decline."""

    def __init__(
        self, kind: str, texts: tuple[str, str], style: ButtonStyle = ButtonStyle.secondary
    ) -> None:
        """Buttons whose ids begin with this kind; it is empty for challenges.

        `texts` are the keys of their labels, and `style` is that of the button that accepts.
        """
        prefix = f"{kind}:" if kind else ""
        self._texts = texts
        self._style = style
        self._accept, self._decline = (
            CustomId(f"{prefix}{answer}", rf"(?P<question>{ROW})", question=int)
            for answer in ("accept", "decline")
        )

    def routes(self, accept: Answer, decline: Answer) -> tuple[Route, Route]:
        """The routes of the buttons."""
        return (
            self._accept.route(accept, repeatable=False),
            self._decline.route(decline, repeatable=False),
        )

    def view(self, question_id: int, say: Translator) -> discord.ui.View:
        """The buttons under one question."""
        view = lasting_view()
        accept, decline = map(say, self._texts)
        view.add_item(self._accept.button(question_id, label=accept, style=self._style))
        view.add_item(self._decline.button(question_id, label=decline))
        return view


async def send_question(
    interaction: Interaction[Any], text: str, view: discord.ui.View, *, to: int
) -> int:
    """Ask a question in the channel and return its message's id; notifies only `to`."""
    return (await post(interaction, text, view=view, allowed_mentions=pings_for([to]))).id


async def close_question(
    client: discord.Client,
    channel_id: int,
    message_id: int,
    text: str,
    view: discord.ui.View | None = None,
) -> None:
    """Replace a question that can no longer be answered; a failure leaves it unchanged."""
    message = client.get_partial_messageable(channel_id).get_partial_message(message_id)
    try:
        async with time_limit(client):
            await message.edit(content=text, view=view)
    except UNREACHABLE as error:
        logger.info("the question in message %s stays as it is: %r", message_id, error)


CHALLENGES = QuestionButtons("", ("button.accept", "button.decline"), ButtonStyle.primary)

WITHDRAW, INSTEAD, AGAIN = (
    CustomId(f"challenge:{action}", rf"(?P<challenge>{ROW})", challenge=int)
    for action in ("withdraw", "instead", "again")
)
"""The ids of buttons that withdraw a challenge, begin its game against the bot, or repeat it."""

ChallengeButton = Callable[[int, Translator], Button]
"""Makes a button for the challenged person under the open challenge with an id."""

BUTTON_AFTER = {"declined": INSTEAD, "expired": AGAIN}
"""The button under a challenge after each answer; after the others there is none."""


@dataclass(frozen=True, slots=True)
class WaitingLine:
    """What a person waits for, in `/games`."""

    text: str
    button: Button
    """The button that ends it."""


FindWaiting = Callable[[int, Translator], Awaitable[WaitingLine | None]]
"""Returns what a person waits for; None for nothing."""


def withdraw_button(challenge_id: int, say: Translator) -> Button:
    """The button with which the challenger withdraws a challenge."""
    return WITHDRAW.button(challenge_id, label=say("button.challenge.withdraw"))


def withdraw_view(challenge_id: int, say: Translator) -> discord.ui.View:
    """That button alone."""
    view = lasting_view()
    view.add_item(withdraw_button(challenge_id, say))
    return view


def time_words(control: TimeControl, say: Translator) -> str:
    """How much time people have, such as `5 min per move`."""
    return say(f"friend.per_{control.per}", time=say.duration(control.seconds))


def bold_title(family: str, variant: str, say: Translator) -> str:
    """The name of a game in bold, with its variant where that is not the usual one."""
    return with_variant(f"**{say(f'game.{family}')}**", family, variant, say)


@dataclass(frozen=True, slots=True)
class ChallengeHandler:
    """Sends challenges, begins the accepted ones and closes the others."""

    client: discord.Client
    answering: Answering
    challenges: Challenges
    names: NameBook
    runner: GameRunner
    buttons: Callable[[], Sequence[ChallengeButton]] = tuple
    """Those that features add under open challenges, once all are built."""

    def routes(self) -> tuple[Route, ...]:
        """The routes of the buttons under challenges."""
        return *CHALLENGES.routes(self.accept, self.decline), WITHDRAW.route(self.take_back)

    async def offer(
        self, interaction: Interaction[Any], setup: GameSetup, rematch_of: int | None = None
    ) -> ChallengeRecord:
        """Answer an interaction with a challenge in the channel, and return it.

        It may be a `rematch_of` a game.
        """
        apart = self.runner.apart
        with apart.offered(interaction):
            is_possible = apart.is_possible(interaction)
            challenge = await self.challenges.offer(setup, rematch_of, apart=is_possible)
        text = await self._text(challenge, "open")
        say = say_for(setup.locale)
        view = CHALLENGES.view(challenge.id, say)
        for make in self.buttons():
            view.add_item(make(challenge.id, say))
        try:
            message_id = await send_question(interaction, text, view, to=challenge.offer.challenged)
        except UNREACHABLE:
            # Without its message the challenge cannot be answered, and it would block its
            # challenger.
            await self.challenges.decline(challenge.id, setup.requester)
            raise
        await self.challenges.show_in(challenge.id, message_id)
        return challenge

    async def confirm_sent(self, interaction: Interaction[Any], challenge: ChallengeRecord) -> None:
        """Tell the challenger privately that a challenge was sent, with a button to withdraw it."""
        text, view = await self.sent(challenge, say_for(interaction.locale.value))
        await confirm(answer_privately(interaction, text, view))

    async def sent(
        self, challenge: ChallengeRecord, say: Translator
    ) -> tuple[str, discord.ui.View]:
        """What the challenger reads about an open challenge, and the button to withdraw it."""
        text = say("challenge.sent", name=await self._name(challenge.offer.challenged, say))
        return text, withdraw_view(challenge.id, say)

    async def waiting(self, user_id: int, say: Translator) -> WaitingLine | None:
        """A line about a person's own open challenge, with the button to withdraw it."""
        for challenge in await self.challenges.open_of(user_id):
            offer = challenge.offer
            if offer.challenger == user_id:
                name = await self._name(offer.challenged, say)
                text = say("challenge.waiting", name=name, until=f"<t:{int(offer.expires_at)}:R>")
                return WaitingLine(text, withdraw_button(challenge.id, say))
        return None

    async def accept(self, interaction: Interaction[Any], challenge_id: int) -> None:
        """Begin the game of a challenge, in the challenge's own message or beside its channel."""
        self.answering.require_in_time(interaction)
        challenge = await self.challenges.find(challenge_id)
        if challenge is None:
            raise Refusal("challenge_over")
        if await self._is_own(interaction, challenge):
            return
        setup = challenge.offer.setup
        require_permissions(interaction, setup.family)
        start = partial(self.challenges.accept, challenge_id, interaction.user.id)
        await self.runner.begin_accepted(interaction, setup, start)

    async def decline(self, interaction: Interaction[Any], challenge_id: int) -> None:
        """Decline a challenge."""
        self.answering.require_in_time(interaction)
        challenge = await self.challenges.find(challenge_id)
        if challenge is not None and await self._is_own(interaction, challenge):
            return
        challenge, answer = await self.challenges.decline(challenge_id, interaction.user.id)
        text, view = await self._text(challenge, answer), _view_after(challenge, answer)
        await confirm(replace(interaction, text, view))

    async def take_back(self, interaction: Interaction[Any], challenge_id: int) -> None:
        """Withdraw one's own challenge, by the button under the private message about it."""
        self.answering.require_in_time(interaction)
        challenge, answer = await self.challenges.decline(challenge_id, interaction.user.id)
        say = say_for(interaction.locale.value)
        name = await self._name(challenge.offer.challenged, say)
        await confirm(replace(interaction, say("challenge.taken_back", name=name)))
        await self._close(challenge, answer)

    async def withdraw(self, user_id: int) -> None:
        """Close all challenges that a person has made or been offered."""
        for challenge in await self.challenges.open_of(user_id):
            with isolated("challenge to withdraw", challenge.id):
                await self._close(*await self.challenges.decline(challenge.id, user_id))

    async def expire(self) -> None:
        """Close the challenges whose time is up."""
        for challenge in await self.challenges.expire():
            with isolated("expired challenge to show", challenge.id):
                await self._close(challenge, "expired")

    async def close_expired(self, challenge: ChallengeRecord) -> None:
        """Remove the button under an expired challenge, because it has been sent again."""
        if challenge.message_id is not None:
            text = await self._text(challenge, "expired")
            channel_id = challenge.offer.setup.channel_id
            await close_question(self.client, channel_id, challenge.message_id, text)

    async def _is_own(self, interaction: Interaction[Any], challenge: ChallengeRecord) -> bool:
        """Whether the challenger has pressed a button for the other person; says so if open."""
        if interaction.user.id != challenge.offer.challenger or challenge.answer is not None:
            return False
        say = say_for(interaction.locale.value)
        name = await self._name(challenge.offer.challenged, say)
        view = withdraw_view(challenge.id, say)
        await answer_privately(interaction, say("challenge.yours", name=name), view)
        return True

    async def _close(self, challenge: ChallengeRecord, answer: str) -> None:
        """Show the answer to a challenge in its message."""
        if challenge.message_id is not None:
            text, view = await self._text(challenge, answer), _view_after(challenge, answer)
            channel_id = challenge.offer.setup.channel_id
            await close_question(self.client, channel_id, challenge.message_id, text, view)

    async def _name(self, user_id: int, say: Translator) -> str:
        return short_name((await self.names.of((user_id,), say))[user_id])

    async def _text(self, challenge: ChallengeRecord, answer: str) -> str:
        """The text of a challenge or of its answer."""
        offer = challenge.offer
        setup, say = offer.setup, say_for(offer.setup.locale)
        names = await self.names.of(setup.people, say)
        details = {
            "challenger": short_name(names[offer.challenger]),
            "challenged": short_name(names[offer.challenged]),
        }
        if answer != "open":
            return say(f"challenge.{answer}", **details)
        first, second = (short_name(names[user_id]) for user_id in setup.people)
        mention, until = f"<@{offer.challenged}>", f"<t:{int(offer.expires_at)}:R>"
        asked = {"mention": mention, "terms": terms(setup, say), "first": first, "until": until}
        text = say("challenge.open", **details, **asked)
        return f"{text} {opening_words(setup, second, say)}".rstrip()


def terms(setup: GameSetup, say: Translator) -> str:
    """The game that is offered, the time per move, and whether it counts for ratings."""
    time = setup.clock and time_words(setup.clock, say)
    match = say("challenge.match", games=setup.match) if setup.match else None
    counts = say("challenge.friendly" if setup.friendly else "challenge.rated")
    title = bold_title(setup.family, setup.variant, say)
    return " · ".join(part for part in (title, match, time, counts) if part)


def opening_words(setup: GameSetup, second: str, say: Translator) -> str:
    """How an offered game begins, where that is unusual; `second` is its second player."""
    if setup.balanced:
        return say("opening.offered")
    return say("pie.on", name=second) if setup.pie else ""


def _view_after(challenge: ChallengeRecord, answer: str) -> discord.ui.View | None:
    """The button under a challenge that has been answered, if there is one."""
    if answer not in BUTTON_AFTER:
        return None
    ids, say = BUTTON_AFTER[answer], say_for(challenge.offer.setup.locale)
    view = lasting_view()
    view.add_item(ids.button(challenge.id, label=say(f"button.{ids.name.replace(':', '.')}")))
    return view
