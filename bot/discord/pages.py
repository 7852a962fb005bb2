"""The controls under a list: turning its pages, opening one of its games.

As under a board, each control's custom id holds all that it needs.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self, cast

import discord
from discord import ButtonStyle, Interaction

from bot.words import Say

if TYPE_CHECKING:
    from bot.discord.client import CuatroClient
    from bot.discord.desk import Desk


@dataclass(frozen=True, slots=True)
class Page:
    """One page of a list."""

    kind: str
    """`history`, or the leaderboard of a `server` or `everywhere`."""
    family: str
    number: int
    """Counted from 0."""
    whom: int
    """Whose history, or which server."""


def _desk(interaction: Interaction[Any]) -> Desk:
    return cast("CuatroClient", interaction.client).desk


class PageButton(
    discord.ui.DynamicItem[discord.ui.Button[discord.ui.View]],
    template=r"cuatro:page:(?P<kind>history|server|everywhere):(?P<family>\w+):(?P<number>[0-9]+)"
    r":(?P<whom>[0-9]+)",
):
    """Shows another page of a list."""

    def __init__(self, page: Page, label: str = "", *, disabled: bool = False) -> None:
        """A button for a page."""
        super().__init__(
            discord.ui.Button(
                label=label or str(page.number + 1),
                style=ButtonStyle.secondary,
                custom_id=f"cuatro:page:{page.kind}:{page.family}:{page.number}:{page.whom}",
                disabled=disabled,
            )
        )
        self.page = page

    @classmethod
    async def from_custom_id(
        cls, interaction: Interaction[Any], item: discord.ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        """Read the button back from its id."""
        return cls(Page(match["kind"], match["family"], int(match["number"]), int(match["whom"])))

    async def callback(self, interaction: Interaction[Any]) -> None:
        """Turn to the page."""
        await _desk(interaction).lists.turn(interaction, self.page)


class OpenSelect(
    discord.ui.DynamicItem[discord.ui.Select[discord.ui.View]],
    template=r"cuatro:open:(?P<family>\w+)",
):
    """Opens one of the games of a history."""

    def __init__(
        self, family: str, options: Sequence[discord.SelectOption] = (), placeholder: str = ""
    ) -> None:
        """A menu of games; the options' values are their ids."""
        super().__init__(
            discord.ui.Select(
                custom_id=f"cuatro:open:{family}",
                options=list(options),
                placeholder=placeholder or None,
            )
        )
        self.family = family

    @classmethod
    async def from_custom_id(
        cls, interaction: Interaction[Any], item: discord.ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        """Read the menu back from its id."""
        return cls(match["family"])

    async def callback(self, interaction: Interaction[Any]) -> None:
        """Open the game that was chosen."""
        chosen = cast("dict[str, Any]", interaction.data)["values"][0]
        await _desk(interaction).lists.open(interaction, self.family, int(chosen))


class ListView(discord.ui.View):
    """What stands under one page of a list."""

    def __init__(
        self,
        page: Page,
        pages: int,
        say: Say,
        options: Sequence[discord.SelectOption] = (),
    ) -> None:
        """Controls for `page` of so many `pages`, with a menu where there are options."""
        super().__init__(timeout=None)
        if options:
            self.add_item(OpenSelect(page.family, options, say("history.open")))
        for step, key in ((-1, "later"), (1, "earlier")):
            number = page.number + step
            there = 0 <= number < pages
            target = Page(page.kind, page.family, number if there else page.number, page.whom)
            if pages > 1 and there:
                self.add_item(PageButton(target, say(f"button.{key}")))


CONTROLS = (PageButton, OpenSelect)
"""What the client registers so that controls of earlier runs are understood."""
