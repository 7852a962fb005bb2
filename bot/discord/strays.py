"""Answers buttons that are none of the bot's, or no longer: nobody is left without a word."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any, cast

import discord
from discord import Interaction

from bot.discord.answering import Answering
from bot.table.refusal import Refusal

OURS = "cuatro:"
"""How the ids of all buttons and menus begin."""


@dataclass(frozen=True, slots=True)
class Strays:
    """Tells people that what they pressed does nothing."""

    answering: Answering
    known: list[re.Pattern[str]] = field(default_factory=list)
    """The ids that something else answers."""

    async def answer(self, interaction: Interaction[Any]) -> None:
        """Answer an interaction if it names a button of the bot that does not exist."""
        if interaction.type is not discord.InteractionType.component:
            return
        custom_id = str(cast("dict[str, Any]", interaction.data).get("custom_id", ""))
        if not custom_id.startswith(OURS) or any(one.fullmatch(custom_id) for one in self.known):
            return
        async with self.answering(interaction):
            raise Refusal("unknown_button")
