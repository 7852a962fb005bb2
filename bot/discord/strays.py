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
        known = any(one.fullmatch(custom_id) for one in self.known)
        # discord.py answers nothing that does not stand under the message it claims to.
        if not custom_id.startswith(OURS) or (known and custom_id in _ids_under(interaction)):
            return
        async with self.answering(interaction):
            raise Refusal("unknown_button")


def _ids_under(interaction: Interaction[Any]) -> set[str | None]:
    """The ids of the buttons and menus under a message."""
    rows = interaction.message.components if interaction.message is not None else []
    return {
        item.custom_id
        for row in rows
        if isinstance(row, discord.ActionRow)
        for item in row.children
        if isinstance(item, (discord.Button, discord.SelectMenu))
    }
