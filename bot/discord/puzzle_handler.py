"""Answers requests for puzzles, and lets servers say where they want their puzzle of the day."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import discord
from discord import Interaction

from bot.discord.answering import Answering
from bot.discord.drill_handler import DrillHandler
from bot.discord.interactions import channel_of
from bot.discord.late import tell
from bot.discord.permissions import missing_in, missing_permissions
from bot.play.daily import Daily
from bot.play.puzzle_drills import PuzzleDrills
from bot.play.subscriptions import Subscriptions
from bot.show.coverage import size_called
from bot.table.refusal import Refusal
from bot.words import say_for


@dataclass(frozen=True, slots=True)
class PuzzleHandler:
    """Puts puzzles to people, privately."""

    answering: Answering
    drills: DrillHandler
    puzzles: PuzzleDrills
    daily: Daily
    subscriptions: Subscriptions

    async def puzzle(self, interaction: Interaction[Any], family: str, size: str | None) -> None:
        """Put a puzzle to somebody that fits their rating at puzzles."""
        async with self.answering(interaction, family):
            chosen = size_called(family, size)
            at = await self.puzzles.first(interaction.user.id, family, chosen)
            await self.drills.begin(interaction, at)

    async def solve_daily(self, interaction: Interaction[Any], family: str) -> None:
        """Put today's puzzle to somebody."""
        async with self.answering(interaction, family):
            await self.drills.begin(interaction, self.daily.step(family))

    async def subscribe(
        self,
        interaction: Interaction[Any],
        family: str,
        channel: discord.TextChannel | None,
        hour: int | None,
    ) -> None:
        """Post the puzzle of the day on a server from now on: in this channel, if none is named."""
        async with self.answering(interaction, family):
            guild_id = _managed(interaction)
            missing = missing_in(channel) if channel else missing_permissions(interaction)
            channel_id = channel.id if channel else channel_of(interaction)
            if missing:
                raise Refusal("daily_closed", channel=channel_id, missing=missing)
            locale = interaction.locale.value
            promise = await self.subscriptions.begin(guild_id, channel_id, family, locale, hour)
            key = "daily.on_today" if promise.comes_today else "daily.on"
            where, time = f"<#{channel_id}>", f"<t:{int(promise.time)}:t>"
            await tell(interaction, say_for(locale)(key, channel=where, time=time))

    async def unsubscribe(self, interaction: Interaction[Any], family: str) -> None:
        """Post no puzzle of the day on a server any more."""
        async with self.answering(interaction, family):
            await self.subscriptions.end(_managed(interaction))
            say = say_for(interaction.locale.value)
            await tell(interaction, say("daily.off", game=say(f"command.{family}.name")))


def _managed(interaction: Interaction[Any]) -> int:
    """The server of an interaction; refused for who may not manage it, and in private."""
    if interaction.guild_id is None:
        raise Refusal("daily_in_private")
    if not interaction.permissions.manage_guild:
        raise Refusal("daily_not_yours")
    return interaction.guild_id
