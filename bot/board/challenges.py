"""Questions from one person to another in a channel, and challenges, which are such questions.

A question is a message with buttons to accept and to decline. It notifies the other person, and
loses its buttons once it has been answered or has lapsed.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

import discord
from discord import ButtonStyle, Interaction

from bot.board.runner import GameRunner
from bot.database.errors import isolated
from bot.discord.answering import Answering
from bot.discord.background import time_limit
from bot.discord.names import NameBook
from bot.discord.replies import (
    UNREACHABLE,
    acknowledge,
    confirm,
    post,
    replace,
    require_permissions,
)
from bot.discord.routes import ROW, CustomId, Route, lasting_view
from bot.i18n import Translator, escaped, say_for
from bot.sessions.people import Challenges
from bot.store.records import ChallengeRecord, GameSetup

logger = logging.getLogger(__name__)

Answer = Callable[[Interaction[Any], int], Awaitable[None]]
"""Answers a question, given its id."""


class QuestionButtons:
    """The buttons under all questions of one kind: accept and decline."""

    def __init__(self, kind: str = "") -> None:
        """Buttons whose ids begin with this kind; it is empty for challenges."""
        prefix = f"{kind}:" if kind else ""
        self._accept, self._decline = (
            CustomId(f"{prefix}{answer}", rf"(?P<question>{ROW})", question=int)
            for answer in ("accept", "decline")
        )

    def routes(self, accept: Answer, decline: Answer) -> tuple[Route, Route]:
        """The routes of the buttons."""
        return self._accept.route(accept), self._decline.route(decline)

    def view(self, question_id: int, say: Translator) -> discord.ui.View:
        """The buttons under one question."""
        view, style = lasting_view(), ButtonStyle.primary
        view.add_item(self._accept.button(question_id, label=say("button.accept"), style=style))
        view.add_item(self._decline.button(question_id, label=say("button.decline")))
        return view


async def send_question(
    interaction: Interaction[Any], text: str, view: discord.ui.View, *, to: int
) -> int:
    """Ask a question in the channel and return its message's id; notifies only `to`."""
    mentions = discord.AllowedMentions(
        everyone=False, roles=False, users=[discord.Object(to)], replied_user=False
    )
    return (await post(interaction, text, view=view, allowed_mentions=mentions)).id


async def close_question(
    client: discord.Client, channel_id: int, message_id: int, text: str
) -> None:
    """Replace a question that can no longer be answered; a failure leaves it unchanged."""
    message = client.get_partial_messageable(channel_id).get_partial_message(message_id)
    try:
        async with time_limit(client):
            await message.edit(content=text, view=None)
    except UNREACHABLE as error:
        logger.info("the question in message %s stays as it is: %r", message_id, error)


CHALLENGES = QuestionButtons()


@dataclass(frozen=True, slots=True)
class ChallengeHandler:
    """Sends challenges, begins the accepted ones and closes the others."""

    client: discord.Client
    answering: Answering
    challenges: Challenges
    names: NameBook
    runner: GameRunner

    def routes(self) -> tuple[Route, ...]:
        """The routes of the buttons under challenges."""
        return CHALLENGES.routes(self.accept, self.decline)

    async def offer(self, interaction: Interaction[Any], setup: GameSetup) -> None:
        """Answer an interaction with a challenge."""
        challenge = await self.challenges.offer(setup)
        text = await self._text(challenge, "open")
        view = CHALLENGES.view(challenge.id, say_for(setup.locale))
        try:
            message_id = await send_question(interaction, text, view, to=challenge.offer.challenged)
        except UNREACHABLE:
            # Without its message the challenge cannot be answered, and it would block its
            # challenger.
            await self.challenges.decline(challenge.id, setup.requester)
            raise
        await self.challenges.show_in(challenge.id, message_id)

    async def accept(self, interaction: Interaction[Any], challenge_id: int) -> None:
        """Begin the game of a challenge, in the challenge's own message."""
        self.answering.require_in_time(interaction)
        challenge = await self.challenges.find(challenge_id)
        if challenge is not None:
            require_permissions(interaction, challenge.offer.setup.family)
        session = await self.challenges.accept(challenge_id, interaction.user.id)
        await confirm(acknowledge(interaction))
        await self.runner.open_in_place(interaction, session)

    async def decline(self, interaction: Interaction[Any], challenge_id: int) -> None:
        """Decline a challenge, or withdraw one's own."""
        self.answering.require_in_time(interaction)
        challenge, word = await self.challenges.decline(challenge_id, interaction.user.id)
        text = await self._text(challenge, word)
        await confirm(replace(interaction, text))

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

    async def _close(self, challenge: ChallengeRecord, word: str) -> None:
        """Show the outcome of a challenge in its message."""
        if challenge.message_id is not None:
            text = await self._text(challenge, word)
            channel_id = challenge.offer.setup.channel_id
            await close_question(self.client, channel_id, challenge.message_id, text)

    async def _text(self, challenge: ChallengeRecord, word: str) -> str:
        """The text of a challenge or of its outcome."""
        offer = challenge.offer
        setup, say = offer.setup, say_for(offer.setup.locale)
        names = await self.names.of(setup.people, say)
        first, second = (escaped(names[user_id]) for user_id in setup.people)
        variant = say.variant(setup.family, setup.variant)
        text = say(
            f"challenge.{word}",
            challenger=escaped(names[offer.challenger]),
            challenged=escaped(names[offer.challenged]),
            mention=f"<@{offer.challenged}>",
            game=say("game.variant", game=say(f"game.{setup.family}"), variant=variant),
            until=f"<t:{int(offer.expires_at)}:R>",
            first=first,
        )
        return text if not setup.pie or word != "open" else f"{text} {say('pie.on', name=second)}"
