"""Answers challenges: the messages in which one person offers another a game."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import discord
from discord import Interaction

from bot.discord.answering import Answering
from bot.discord.interactions import UNREACHABLE, confirm
from bot.discord.late import acknowledge, replace
from bot.discord.names import NameBook
from bot.discord.permissions import require_permissions
from bot.discord.questions import CHALLENGE, close_question, send_question
from bot.discord.runner import GameRunner
from bot.play.challenges import Challenges
from bot.play.isolation import isolated
from bot.store import ChallengeRecord
from bot.table.orders import Order
from bot.words import Say, say_for
from bot.words.plain import escaped


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
