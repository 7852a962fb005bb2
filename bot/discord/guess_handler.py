"""Answers what people say of who wins a game between two agents, and begins it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

from discord import Interaction

from bot.discord.answering import Answering
from bot.discord.boards import Boards
from bot.discord.interactions import channel_of, confirm
from bot.discord.late import acknowledge, tell
from bot.discord.runner import GameRunner
from bot.play.voting import Request, Voting
from bot.show.votes import choice_name
from bot.words import say_for
from bot.words.plain import escaped


@dataclass(frozen=True, slots=True)
class GuessHandler:
    """Takes votes on who wins; the board shows them a little later, as those on moves."""

    answering: Answering
    voting: Voting
    boards: Boards
    runner: GameRunner

    async def press(self, interaction: Interaction[Any], game_id: int, winner: str) -> None:
        """Take somebody's vote."""
        async with self.answering(interaction):
            is_late = partial(self.answering.is_late, interaction)
            request = Request(channel_of(interaction), interaction.user.id, winner, is_late=is_late)
            session = await self.voting.guess(game_id, request)
            await confirm(acknowledge(interaction))
            if interaction.message is not None and session.message_id == interaction.message.id:
                self.boards.lifelines.note(session.id, interaction.message.id, interaction)
            say = say_for(interaction.locale.value)
            assert session.ballot is not None
            assert session.ballot.until is not None
            until = f"<t:{int(session.ballot.until)}:R>"
            name = escaped(choice_name(session, winner, say))
            await confirm(tell(interaction, say("guess.yours", name=name, until=until)))
            await self.boards.make_up(interaction, session)

    async def begin(self, interaction: Interaction[Any], game_id: int) -> None:
        """Begin the game before its time."""
        async with self.answering(interaction):
            self.answering.require_in_time(interaction)
            session = await self.voting.begin(
                channel_of(interaction),
                interaction.user.id,
                game_id,
                moderator=interaction.permissions.manage_messages,
            )
            await confirm(acknowledge(interaction))
            await self.runner.resume(session)
            await self.boards.make_up(interaction, session)
