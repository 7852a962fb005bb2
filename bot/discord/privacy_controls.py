"""The button that confirms that somebody wants to be forgotten."""

from __future__ import annotations

import re
from typing import Any, Self

import discord
from discord import ButtonStyle, Interaction

from bot.discord.custom_ids import SNOWFLAKE
from bot.discord.presses import presses_of
from bot.words import Say


class ForgetButton(
    discord.ui.DynamicItem[discord.ui.Button[discord.ui.View]],
    template=rf"cuatro:forget:(?P<user>{SNOWFLAKE})",
):
    """Deletes everything about whoever asked for it."""

    def __init__(self, user_id: int, label: str = "") -> None:
        """A button for one person."""
        super().__init__(
            discord.ui.Button(
                label=label or "?",
                style=ButtonStyle.danger,
                custom_id=f"cuatro:forget:{user_id}",
            )
        )
        self.user_id = user_id

    @classmethod
    async def from_custom_id(
        cls, interaction: Interaction[Any], item: discord.ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        """Restore the button from its custom id."""
        return cls(int(match["user"]))

    async def callback(self, interaction: Interaction[Any]) -> None:
        """Delete."""
        await presses_of(interaction).forget(interaction, self.user_id)


def forget_view(user_id: int, say: Say) -> discord.ui.View:
    """The button alone."""
    view = discord.ui.View(timeout=None)
    view.add_item(ForgetButton(user_id, say("button.forget")))
    return view
