"""The button that has more of a hint said."""

from __future__ import annotations

import re
from typing import Any, Self

import discord
from discord import ButtonStyle, Interaction

from bot.discord.custom_ids import ROW, SMALL
from bot.discord.presses import presses_of
from bot.discord.views import lasting_view
from bot.table.hints import HintLevel
from bot.table.orders import Control
from bot.words import Say


class HintButton(
    discord.ui.DynamicItem[discord.ui.Button[discord.ui.View]],
    template=rf"cuatro:more:(?P<game>{ROW}):(?P<number>{SMALL}):(?P<level>[1-3])",
):
    """Says a hint of some level about one move of one game, in the place of the message."""

    def __init__(self, control: Control, level: HintLevel, label: str = "") -> None:
        """A button for a level of the hint for a move."""
        super().__init__(
            discord.ui.Button(
                label=label or level.name.lower(),
                style=ButtonStyle.secondary,
                custom_id=f"cuatro:more:{control.game_id}:{control.number}:{int(level)}",
            )
        )
        self.control = control
        self.level = level

    @classmethod
    async def from_custom_id(
        cls, interaction: Interaction[Any], item: discord.ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        """Restore the button from its custom id."""
        control = Control(int(match["game"]), int(match["number"]))
        return cls(control, HintLevel(int(match["level"])))

    async def callback(self, interaction: Interaction[Any]) -> None:
        """Say it."""
        await presses_of(interaction).hint(interaction, self.control, self.level)


def hint_view(control: Control, level: HintLevel, label: str, say: Say) -> discord.ui.View:
    """The button under a hint, or under the question whether one is wanted."""
    view = lasting_view()
    view.add_item(HintButton(control, level, say(label)))
    return view
