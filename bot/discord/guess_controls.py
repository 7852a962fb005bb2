"""The buttons with which everybody says who wins a watched game, before it begins."""

from __future__ import annotations

import re
from typing import Any, Self

import discord
from discord import ButtonStyle, Interaction

from bot.discord.custom_ids import ROW
from bot.discord.presses import presses_of

MOST_LETTERS = 80
"""Discord's limit on a button's label."""


class GuessButton(
    discord.ui.DynamicItem[discord.ui.Button[discord.ui.View]],
    template=rf"cuatro:guess:(?P<game>{ROW}):(?P<winner>[012])",
):
    """Says who wins one game."""

    def __init__(
        self, game_id: int, winner: str, *, label: str = "", row: int | None = None
    ) -> None:
        """A button for a side that wins, or for neither as `0`."""
        super().__init__(
            discord.ui.Button(
                label=(label or winner)[:MOST_LETTERS],
                style=ButtonStyle.primary,
                custom_id=f"cuatro:guess:{game_id}:{winner}",
                row=row,
            )
        )
        self.game_id = game_id
        self.winner = winner

    @classmethod
    async def from_custom_id(
        cls, interaction: Interaction[Any], item: discord.ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        """Restore the button from its custom id."""
        return cls(int(match["game"]), match["winner"])

    async def callback(self, interaction: Interaction[Any]) -> None:
        """Say it."""
        await presses_of(interaction).guess(interaction, self.game_id, self.winner)
