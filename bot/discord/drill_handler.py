"""Puts problems to one person, privately, and answers what they try."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from discord import Interaction

from bot.discord.answering import Answering
from bot.discord.drill_messages import DrillMessages
from bot.discord.late import acknowledge
from bot.discord.private_messages import asker_of, show_privately
from bot.play.drills import Drills, DrillStep
from bot.play.limits import Limiter


@dataclass(frozen=True, slots=True)
class DrillHandler:
    """Shows drills and what came of answers, always to one person alone.

    The state of a drill is in its message's buttons, so it goes on after a restart. Only `begin` is
    for other handlers; the rest answers buttons.
    """

    answering: Answering
    drills: Drills
    messages: DrillMessages
    limiter: Limiter

    async def begin(self, interaction: Interaction[Any], at: DrillStep) -> None:
        """Put a drill in a new private message, as the answer to a command or a button.

        To be called inside the caller's `answering`, before the interaction is answered.
        """
        self.limiter.take("pictures", interaction.user.id)
        await interaction.response.defer(ephemeral=True, thinking=True)
        await self._ask(interaction, at)

    async def press_open(self, interaction: Interaction[Any], at: DrillStep) -> None:
        """Put a drill in a new private message."""
        async with self.answering(interaction):
            await self.begin(interaction, at)

    async def press_ask(self, interaction: Interaction[Any], at: DrillStep) -> None:
        """Put a step of a drill in the place of what the message shows."""
        async with self.answering(interaction):
            self.limiter.take("pictures", interaction.user.id)
            await acknowledge(interaction)
            await self._ask(interaction, at)

    async def press_solve(self, interaction: Interaction[Any], at: DrillStep) -> None:
        """Show the solution."""
        async with self.answering(interaction):
            self.limiter.take("pictures", interaction.user.id)
            await acknowledge(interaction)
            asker = asker_of(interaction)
            answered = await self.drills.show(at, asker)
            await show_privately(interaction, await self.messages.answered(answered, asker.say))

    async def press_move(self, interaction: Interaction[Any], at: DrillStep, move: str) -> None:
        """Judge an answer."""
        async with self.answering(interaction):
            self.limiter.take("pictures", interaction.user.id)
            await acknowledge(interaction)
            asker = asker_of(interaction)
            answered = await self.drills.answer(at, move, asker)
            await show_privately(interaction, await self.messages.answered(answered, asker.say))

    async def _ask(self, interaction: Interaction[Any], at: DrillStep) -> None:
        asker = asker_of(interaction)
        drill = await self.drills.drill(at, asker)
        await show_privately(interaction, await self.messages.question(at, drill, asker.say))
