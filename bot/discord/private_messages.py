"""Messages that one person alone sees, and who that is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import discord
from discord import Interaction

from bot.discord.interactions import NO_PINGS
from bot.play.drills import Asker
from bot.words import say_for


@dataclass(frozen=True, slots=True)
class PrivateMessage:
    """What a private message says and offers. Its files can be sent once."""

    content: str
    files: Sequence[discord.File]
    view: discord.ui.View


def asker_of(interaction: Interaction[Any]) -> Asker:
    """Who asks for something, where, and in their language."""
    say = say_for(interaction.locale.value)
    return Asker(interaction.user.id, interaction.guild_id, say)


async def show_privately(interaction: Interaction[Any], shown: PrivateMessage) -> None:
    """Show something in the private message that the interaction has, or is about to have."""
    await interaction.edit_original_response(
        content=shown.content,
        attachments=shown.files,
        view=shown.view,
        allowed_mentions=NO_PINGS,
    )
