"""What stands in the ids of buttons and menus, and within which bounds.

Discord checks that a pressed button exists, but not everything that speaks to the bot need be
Discord's own client: whatever an id says is bounded here before it is read.

Answers buttons that are none of the bot's, or no longer: nobody is left without a word.

Views whose buttons are known by their ids alone.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Self, cast

import discord
from discord import Interaction

from bot.discord.answering import Answering
from bot.discord.presses import presses_of
from bot.game.refusal import Refusal
from engine.core.registry import games

FAMILY = "|".join(map(re.escape, games()))
"""The key of a family of games."""

ROW = "[0-9]{1,15}"
"""The id of something stored: far more of them than there will ever be, and within 64 bits."""

SMALL = "[0-9]{1,4}"
"""A number of moves or pages."""

SNOWFLAKE = "[0-9]{1,19}"
"""An id of Discord's own. It may exceed 64 bits: compare it with a known one before storing it."""

NAME = "[A-Za-z0-9_-]{1,32}"
"""The name of an agent."""

SIZE = "[A-Za-z0-9_-]{1,16}"
"""The name of a size class."""

MOVE = "[^:]{1,16}"
"""A move as players write it."""

CODE = "[0-9a-z]{4,30}"
"""A position's code."""

WAY = "[0-9a-z]{0,45}"
"""Moves from there, as `bot.features.analysis.rules` writes them."""

NOTHING = 0
"""The id of no row."""


def row_id(text: str) -> int:
    """The id that a menu's value names; NOTHING for what is none."""
    return int(text) if re.fullmatch(ROW, text) else NOTHING


HISTORY, WATCHED = "open", "watched"
"""Which list a menu opens games of, as it stands in the menu's id."""


class GameSelect(
    discord.ui.DynamicItem[discord.ui.Select[discord.ui.View]],
    template=rf"cuatro:(?P<kind>open|watched):(?P<family>{FAMILY})",
):
    """Opens one of the games in a list."""

    def __init__(
        self,
        kind: str,
        family: str,
        options: Sequence[discord.SelectOption] = (),
        placeholder: str = "",
    ) -> None:
        """A menu of games; the options' values are their ids, `kind` is the list they are in."""
        super().__init__(
            discord.ui.Select(
                custom_id=f"cuatro:{kind}:{family}",
                options=list(options),
                placeholder=placeholder or None,
            )
        )
        self.kind = kind
        self.family = family

    @classmethod
    async def from_custom_id(
        cls, interaction: Interaction[Any], item: discord.ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        """Restore the menu from its custom id."""
        return cls(match["kind"], match["family"])

    async def callback(self, interaction: Interaction[Any]) -> None:
        """Open the chosen game."""
        values = cast("dict[str, Any]", interaction.data).get("values") or [""]
        chosen = row_id(str(values[0]))
        await presses_of(interaction).open_game[self.kind](interaction, self.family, chosen)


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


def lasting_view() -> discord.ui.View:
    """An empty view that discord.py need not keep, for buttons that work after a restart.

    Its buttons and menus are dynamic items: a click is told from its custom id. A view that is not
    stopped would be kept for that click, for a quarter of an hour and with a task of its own where
    one person alone sees it.
    """
    view = discord.ui.View(timeout=None)
    view.stop()
    return view
