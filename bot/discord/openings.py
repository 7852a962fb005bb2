"""How games begin: against an agent, by a challenge, to watch, again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import discord
from discord import Interaction

from bot.discord.answering import UNREACHABLE, channel_of, confirm, logger
from bot.discord.controls import CHALLENGE, answer_view, board_view
from bot.play.rematch import rematch_of
from bot.store import ChallengeRecord, SeatRecord
from bot.table.orders import Order, agent, person
from bot.table.refusal import Refusal
from bot.words import Say, say_for
from engine.game import Game, UnknownVariant
from engine.games import game_of

if TYPE_CHECKING:
    from bot.discord.desk import Desk


class Openings:
    """Answers every request for a new game."""

    def __init__(self, desk: Desk) -> None:
        """Answer at `desk`."""
        self._desk = desk
        self._challenges = desk.services.challenges

    async def start(
        self,
        interaction: Interaction[Any],
        family: str,
        variant: str,
        *,
        against: str,
        opponent: discord.User | discord.Member | None,
        first: str,
    ) -> None:
        """Begin a game against an agent, or offer one to another person.

        Args:
            interaction: Who asks, and where.
            family: Which game.
            variant: Which size or rules.
            against: The agent's name, or `auto`; does not matter with an opponent.
            opponent: The person to challenge.
            first: Who moves first: `me`, `bot` (the other side, person or not) or `random`.
        """
        async with self._desk.answering(interaction, family):
            me = person(interaction.user.id)
            other = agent(against) if opponent is None else person(opponent.id)
            begins = first == "me" or (first == "random" and self._desk.services.toss())
            seats = (me, other) if begins else (other, me)
            order = _order(interaction, _game(family, variant), *seats)
            if opponent is None:
                await self._begin(interaction, order)
            elif opponent.bot:
                raise Refusal("challenge_bot")
            else:
                self._desk.names.note(opponent)
                await self._offer(interaction, order)

    async def watch(
        self, interaction: Interaction[Any], family: str, variant: str, first: str, second: str
    ) -> None:
        """Begin a game between two agents."""
        async with self._desk.answering(interaction, family):
            game = _game(family, variant)
            await self._begin(interaction, _order(interaction, game, agent(first), agent(second)))

    async def press_rematch(self, interaction: Interaction[Any], game_id: int) -> None:
        """Play the same game again, the other side first; people are asked first."""
        async with self._desk.answering(interaction):
            old = await self._desk.sessions.find(game_id)
            if old is None:
                raise Refusal("no_game")
            channel_id, user_id = channel_of(interaction), interaction.user.id
            order = rematch_of(old, channel_id, user_id, interaction.locale.value)
            if len(order.people) < 2:
                await self._begin(interaction, order)
            else:
                await self._offer(interaction, order)

    async def press_accept(self, interaction: Interaction[Any], challenge_id: int) -> None:
        """Begin the game of a challenge, on the challenge's own message."""
        async with self._desk.answering(interaction):
            session = await self._challenges.accept(challenge_id, interaction.user.id)
            await confirm(interaction.response.defer())
            assert interaction.message is not None
            session = await self._desk.sessions.show_in(session, interaction.message.id)
            say = say_for(session.locale)
            await interaction.edit_original_response(
                content=await self._desk.boards.content(session, say),
                attachments=[await self._desk.boards.picture(session, say)],
                view=board_view(session, say),
            )
            await self._desk.pings.tell(session)

    async def press_decline(self, interaction: Interaction[Any], challenge_id: int) -> None:
        """Turn a challenge down, or take it back."""
        async with self._desk.answering(interaction):
            word = await self._challenges.decline(challenge_id, interaction.user.id)
            challenge = await self._challenges.find(challenge_id)
            assert challenge is not None
            text = await self._text(challenge, word)
            await confirm(interaction.response.edit_message(content=text, view=None))

    async def expire(self) -> None:
        """Say under each challenge whose time is up that it is."""
        for challenge in await self._challenges.expire():
            if challenge.message_id is None:
                continue
            channel = self._desk.client.get_partial_messageable(challenge.offer.channel_id)
            message = channel.get_partial_message(challenge.message_id)
            try:
                await message.edit(content=await self._text(challenge, "expired"), view=None)
            except UNREACHABLE as error:
                logger.info("challenge %s stays as it looks: %s", challenge.id, error)

    async def _begin(self, interaction: Interaction[Any], order: Order) -> None:
        await self._desk.open(interaction, await self._desk.sessions.start(order))

    async def _offer(self, interaction: Interaction[Any], order: Order) -> None:
        challenge = await self._challenges.offer(order)
        say = say_for(order.locale)
        challenged = discord.Object(challenge.offer.challenged)
        answer = await interaction.response.send_message(
            await self._text(challenge, "open"),
            view=answer_view(CHALLENGE, challenge.id, say),
            allowed_mentions=discord.AllowedMentions(users=[challenged]),
        )
        assert answer.message_id is not None
        await self._challenges.show_in(challenge.id, answer.message_id)

    async def _text(self, challenge: ChallengeRecord, word: str) -> str:
        offer = challenge.offer
        say = say_for(offer.locale)
        names = await self._desk.names.of((offer.challenger, offer.challenged), say)
        return say(
            f"challenge.{word}",
            challenger=discord.utils.escape_markdown(names[offer.challenger]),
            challenged=discord.utils.escape_markdown(names[offer.challenged]),
            mention=f"<@{offer.challenged}>",
            game=game_title(offer.family, offer.variant, say),
            until=f"<t:{int(offer.expires_at)}:R>",
        )


def game_title(family: str, variant: str, say: Say) -> str:
    """A game and its variant, as people say it."""
    return say("game.variant", game=say(f"game.{family}"), variant=say.variant(family, variant))


def _game(family: str, variant: str) -> Game:
    try:
        return game_of(family, variant)
    except UnknownVariant as error:
        raise Refusal("not_a_variant", text=error.text, expected=error.expected) from error


def _order(
    interaction: Interaction[Any], game: Game, first: SeatRecord, second: SeatRecord
) -> Order:
    return Order(
        channel_id=channel_of(interaction),
        guild_id=interaction.guild_id,
        user_id=interaction.user.id,
        locale=interaction.locale.value,
        game=game,
        first=first,
        second=second,
    )
