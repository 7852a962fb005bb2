"""The menu under a league, which opens one of its games.

As under a board, its custom id holds everything it needs.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Self, cast

import discord
from discord import Interaction

from bot.discord.presses import presses_of


class WatchedSelect(
    discord.ui.DynamicItem[discord.ui.Select[discord.ui.View]],
    template=r"cuatro:watched:(?P<family>\w+)",
):
    """Opens one of the games that a server has watched."""

    def __init__(
        self, family: str, options: Sequence[discord.SelectOption] = (), placeholder: str = ""
    ) -> None:
        """A menu of games; the options' values are their ids."""
        super().__init__(
            discord.ui.Select(
                custom_id=f"cuatro:watched:{family}",
                options=list(options),
                placeholder=placeholder or None,
            )
        )
        self.family = family

    @classmethod
    async def from_custom_id(
        cls, interaction: Interaction[Any], item: discord.ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        """Restore the menu from its custom id."""
        return cls(match["family"])

    async def callback(self, interaction: Interaction[Any]) -> None:
        """Open the chosen game."""
        chosen = cast("dict[str, Any]", interaction.data)["values"][0]
        await presses_of(interaction).open_watched(interaction, self.family, int(chosen))


def league_view(
    family: str, options: Sequence[discord.SelectOption], placeholder: str
) -> discord.ui.View:
    """The menu of a league's latest games; nothing if there are none."""
    view = discord.ui.View(timeout=None)
    if options:
        view.add_item(WatchedSelect(family, options, placeholder))
    return view
