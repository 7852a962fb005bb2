"""Answers everything about lessons, always to one person alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from discord import Interaction

from bot.discord.answering import Answering
from bot.discord.late import acknowledge
from bot.discord.lesson_messages import LessonMessages
from bot.discord.private_messages import asker_of, show_privately
from bot.play.lesson_games import LessonGames
from bot.play.lessons import Lessons
from bot.play.limits import Limiter
from bot.table.lesson_places import LessonGame, LessonPage, lesson_at
from bot.table.refusal import Refusal
from bot.words import say_for
from engine.core.registry import games as all_games


@dataclass(frozen=True, slots=True)
class LessonHandler:
    """Shows lessons and plays the games that end them; their problems are drills."""

    answering: Answering
    lessons: Lessons
    games: LessonGames
    messages: LessonMessages
    limiter: Limiter

    async def learn(
        self, interaction: Interaction[Any], family: str, number: int | None = None
    ) -> None:
        """Show all lessons of a family, or one of them, in a new private message."""
        async with self.answering(interaction, family):
            last = len(all_games()[family].lessons)
            if number is not None and not 1 <= number <= last:
                raise Refusal("no_such_lesson", number=number, last=last)
            self.limiter.take("pictures", interaction.user.id)
            await interaction.response.defer(ephemeral=True, thinking=True)
            await self._show(interaction, LessonPage(family, number or 0))

    async def press(self, interaction: Interaction[Any], at: LessonPage) -> None:
        """Show a lesson's page, or the list, in the place of what the message shows."""
        async with self.answering(interaction):
            self.limiter.take("pictures", interaction.user.id)
            await acknowledge(interaction)
            await self._show(interaction, at)

    async def press_game(self, interaction: Interaction[Any], at: LessonGame) -> None:
        """Go on with a lesson's game."""
        async with self.answering(interaction):
            self.limiter.take("pictures", interaction.user.id)
            await acknowledge(interaction)
            asker = asker_of(interaction)
            played = await self.games.play(at, asker)
            await show_privately(interaction, await self.messages.played(played, asker.say))

    async def _show(self, interaction: Interaction[Any], at: LessonPage) -> None:
        say = say_for(interaction.locale.value)
        course = await self.lessons.course(at.family, interaction.user.id)
        if at.number == 0:
            await show_privately(interaction, self.messages.course(course, say))
            return
        lesson_at(at)
        await show_privately(interaction, await self.messages.page(course, at.number, say))
