"""Answers what people want to know, or want deleted, of what is stored about them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from discord import Interaction

from bot.discord.answering import FIRST_FAMILY, Answering
from bot.discord.challenge_handler import ChallengeHandler
from bot.discord.draw_handler import DrawHandler
from bot.discord.interactions import confirm
from bot.discord.late import reply_privately
from bot.discord.names import NameBook
from bot.discord.privacy_controls import forget_view
from bot.discord.runner import GameRunner
from bot.discord.statistics_handler import StatisticsHandler
from bot.discord.undo_handler import UndoHandler
from bot.play.erasure import Erasure
from bot.play.isolation import isolated
from bot.show.coverage import day
from bot.store import PersonRecord
from bot.table.refusal import Refusal
from bot.words import Say, say_for


@dataclass(frozen=True, slots=True)
class PrivacyHandler:
    """Shows people what is stored about them, hands it out, and deletes it."""

    answering: Answering
    erasure: Erasure
    statistics: StatisticsHandler
    challenges: ChallengeHandler
    undos: UndoHandler
    draws: DrawHandler
    runner: GameRunner
    names: NameBook

    async def show(self, interaction: Interaction[Any]) -> None:
        """Say on one page what is stored about whoever asks, and how to be rid of it."""
        async with self.answering(interaction, FIRST_FAMILY):
            found = await self.erasure.record(interaction.user.id)
            text = stored_text(found, say_for(interaction.locale.value))
            await reply_privately(interaction, text)

    async def export(self, interaction: Interaction[Any]) -> None:
        """Send people their own games, as `export` does."""
        await self.statistics.export(interaction, FIRST_FAMILY)

    async def delete(self, interaction: Interaction[Any]) -> None:
        """Ask whether everything about somebody is to be deleted."""
        async with self.answering(interaction, FIRST_FAMILY):
            found = await self.erasure.record(interaction.user.id)
            say = say_for(interaction.locale.value)
            games = say.count("games", found.games + found.running)
            await interaction.response.send_message(
                say("stored.ask", games=games),
                view=forget_view(interaction.user.id, say),
                ephemeral=True,
            )

    async def press(self, interaction: Interaction[Any], user_id: int) -> None:
        """Delete everything about whoever presses the button, which has to be theirs."""
        async with self.answering(interaction, FIRST_FAMILY):
            if user_id != interaction.user.id:
                raise Refusal("unknown_button")
            await interaction.response.defer()
            await self._leave(user_id)
            await self.erasure.forget(user_id)
            self.names.forget(user_id)
            done = say_for(interaction.locale.value)("stored.deleted")
            await confirm(interaction.edit_original_response(content=done, view=None))

    async def _leave(self, user_id: int) -> None:
        """End what somebody takes part in, and show that, while it can still be found."""
        await self.challenges.withdraw(user_id)
        for session in await self.erasure.give_up(user_id):
            with isolated("end to show of game", session.id):
                await self.runner.present(session)
        await self.undos.lapse()
        await self.draws.lapse()


def stored_text(found: PersonRecord, say: Say) -> str:
    """What is stored about a person, as one page."""
    settings = (
        say("privacy.hide" if found.private else "privacy.show"),
        say("pings.on" if found.pings else "pings.off"),
        say("spoken.say" if found.spoken else "spoken.hush"),
    )
    return say(
        "stored.page",
        since=day(found.joined_at, say),
        games=say.number(found.games),
        running=say.number(found.running),
        moves=say.number(found.moves),
        hints=say.number(found.hints),
        ratings=say.number(found.ratings),
        puzzles=say.number(found.puzzles),
        lessons=say.number(found.lesson_parts),
        votes=say.number(found.votes),
        settings=" · ".join(settings),
    )
