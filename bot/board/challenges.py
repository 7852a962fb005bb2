"""Answers challenges: the messages in which one person offers another a game.

Messages that ask one person in the channel to accept or decline something.
"""

from __future__ import annotations

import logging
import re
from dataclasses import dataclass
from typing import Any, Self

import discord
from discord import ButtonStyle, Interaction

from bot.board.runner import GameRunner
from bot.database.errors import isolated
from bot.discord.answering import Answering
from bot.discord.background import time_limit
from bot.discord.names import NameBook
from bot.discord.presses import presses_of
from bot.discord.replies import (
    UNREACHABLE,
    acknowledge,
    confirm,
    post,
    replace,
    require_permissions,
)
from bot.discord.routes import ROW, lasting_view
from bot.game.setup import Order
from bot.i18n import Say, escaped, say_for
from bot.sessions.challenges import Challenges
from bot.store.records import ChallengeRecord


@dataclass(frozen=True, slots=True)
class ChallengeHandler:
    """Sends challenges, begins the accepted ones and closes the others."""

    client: discord.Client
    answering: Answering
    challenges: Challenges
    names: NameBook
    runner: GameRunner

    async def offer(self, interaction: Interaction[Any], order: Order) -> None:
        """Answer an interaction with a challenge."""
        challenge = await self.challenges.offer(order)
        text = await self._text(challenge, "open")
        to, say = challenge.offer.challenged, say_for(order.locale)
        try:
            message_id = await send_question(
                interaction, CHALLENGE, challenge.id, to=to, text=text, say=say
            )
        except UNREACHABLE:
            # Nobody could answer it, and it would keep its challenger from sending another one.
            await self.challenges.decline(challenge.id, order.user_id)
            raise
        await self.challenges.show_in(challenge.id, message_id)

    async def press_accept(self, interaction: Interaction[Any], challenge_id: int) -> None:
        """Begin the game of a challenge, in the challenge's own message."""
        async with self.answering(interaction):
            self.answering.require_in_time(interaction)
            challenge = await self.challenges.find(challenge_id)
            if challenge is not None:
                require_permissions(interaction, challenge.offer.family)
            session = await self.challenges.accept(challenge_id, interaction.user.id)
            await confirm(acknowledge(interaction))
            await self.runner.open_in_place(interaction, session)

    async def press_decline(self, interaction: Interaction[Any], challenge_id: int) -> None:
        """Decline a challenge, or withdraw one's own."""
        async with self.answering(interaction):
            self.answering.require_in_time(interaction)
            word = await self.challenges.decline(challenge_id, interaction.user.id)
            challenge = await self.challenges.find(challenge_id)
            assert challenge is not None
            text = await self._text(challenge, word)
            await confirm(replace(interaction, text))

    async def withdraw(self, user_id: int) -> None:
        """Close all challenges that somebody has made or been offered."""
        for challenge in await self.challenges.open_of(user_id):
            with isolated("challenge to withdraw", challenge.id):
                await self._close(challenge, await self.challenges.decline(challenge.id, user_id))

    async def expire(self) -> None:
        """Close the challenges whose time is up."""
        for challenge in await self.challenges.expire():
            with isolated("expired challenge to show", challenge.id):
                await self._close(challenge, "expired")

    async def _close(self, challenge: ChallengeRecord, word: str) -> None:
        """Say in a challenge's message what became of it."""
        if challenge.message_id is not None:
            text = await self._text(challenge, word)
            channel_id = challenge.offer.channel_id
            await close_question(self.client, channel_id, challenge.message_id, text)

    async def _text(self, challenge: ChallengeRecord, word: str) -> str:
        offer = challenge.offer
        say = say_for(offer.locale)
        names = await self.names.of((offer.challenger, offer.challenged), say)
        challenger, challenged = (escaped(names[u]) for u in (offer.challenger, offer.challenged))
        told = say(
            f"challenge.{word}",
            challenger=challenger,
            challenged=challenged,
            mention=f"<@{offer.challenged}>",
            game=_title(offer.family, offer.variant, say),
            until=f"<t:{int(offer.expires_at)}:R>",
            first=challenger if offer.challenger_first else challenged,
        )
        second = challenged if offer.challenger_first else challenger
        return told if not offer.pie or word != "open" else f"{told} {say('pie.on', name=second)}"


def _title(family: str, variant: str, say: Say) -> str:
    return say("game.variant", game=say(f"game.{family}"), variant=say.variant(family, variant))


logger = logging.getLogger(__name__)

CHALLENGE, UNDO, DRAW = "", "undo:", "draw:"
"""The kinds of question, as written in the ids of their buttons."""

ANSWERS = {"accept": ButtonStyle.primary, "decline": ButtonStyle.secondary}


class AnswerButton(
    discord.ui.DynamicItem[discord.ui.Button[discord.ui.View]],
    template=rf"cuatro:(?P<kind>undo:|draw:)?(?P<answer>accept|decline):(?P<question>{ROW})",
):
    """Answers one question."""

    def __init__(self, kind: str, answer: str, question_id: int, label: str = "") -> None:
        """A button for one of ANSWERS to a question of this kind."""
        super().__init__(
            discord.ui.Button(
                label=label or answer,
                style=ANSWERS[answer],
                custom_id=f"cuatro:{kind}{answer}:{question_id}",
            )
        )
        self.kind = kind
        self.answer = answer
        self.question_id = question_id

    @classmethod
    async def from_custom_id(
        cls, interaction: Interaction[Any], item: discord.ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        """Restore the button from its custom id."""
        return cls(match["kind"] or CHALLENGE, match["answer"], int(match["question"]))

    async def callback(self, interaction: Interaction[Any]) -> None:
        """Give the answer."""
        press = presses_of(interaction).question[self.kind, self.answer]
        await press(interaction, self.question_id)


async def send_question(
    interaction: Interaction[Any], kind: str, question_id: int, *, to: int, text: str, say: Say
) -> int:
    """Ask a question in the channel and return its message's id; notifies only `to`."""
    view = lasting_view()
    for answer in ANSWERS:
        view.add_item(AnswerButton(kind, answer, question_id, say(f"button.{answer}")))
    mentions = discord.AllowedMentions(
        everyone=False, roles=False, users=[discord.Object(to)], replied_user=False
    )
    return (await post(interaction, text, view=view, allowed_mentions=mentions)).id


async def close_question(
    client: discord.Client, channel_id: int, message_id: int, text: str
) -> None:
    """Replace a question that nobody can answer any more; if that fails, it stays as it is."""
    message = client.get_partial_messageable(channel_id).get_partial_message(message_id)
    try:
        async with time_limit(client):
            await message.edit(content=text, view=None)
    except UNREACHABLE as error:
        logger.info("the question in message %s stays as it is: %r", message_id, error)
