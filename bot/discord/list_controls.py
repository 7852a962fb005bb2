"""The controls under a list: turning its pages and opening one of its games.

As under a board, a control's custom id holds everything it needs.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Self, cast

import discord
from discord import ButtonStyle, Interaction

from bot.discord.custom_ids import FAMILY, NOTHING, SIZE, SMALL, SNOWFLAKE, row_id
from bot.discord.pages import Page
from bot.discord.presses import presses_of
from bot.discord.views import lasting_view
from bot.words import Say


class PageButton(
    discord.ui.DynamicItem[discord.ui.Button[discord.ui.View]],
    template=rf"cuatro:page:(?P<kind>history|server|everywhere):(?P<family>{FAMILY})"
    rf":(?P<number>{SMALL}):(?P<whom>{SNOWFLAKE})(:(?P<size>{SIZE}))??(:by(?P<asker>{SNOWFLAKE}))?",
):
    """Shows another page of a list."""

    def __init__(self, page: Page, label: str = "", *, disabled: bool = False) -> None:
        """A button for a page."""
        super().__init__(
            discord.ui.Button(
                label=label or str(page.number + 1),
                style=ButtonStyle.secondary,
                custom_id=_page_id(page),
                disabled=disabled,
            )
        )
        self.page = page

    @classmethod
    async def from_custom_id(
        cls, interaction: Interaction[Any], item: discord.ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        """Restore the button from its custom id."""
        number, whom = int(match["number"]), int(match["whom"])
        asker = int(match["asker"] or NOTHING)
        return cls(Page(match["kind"], match["family"], number, whom, match["size"] or "", asker))

    async def callback(self, interaction: Interaction[Any]) -> None:
        """Turn to the page."""
        await presses_of(interaction).turn_page(interaction, self.page)


def _page_id(page: Page) -> str:
    parts = ["cuatro:page", page.kind, page.family, str(page.number), str(page.whom)]
    parts += [page.size] if page.size else []
    parts += [f"by{page.asker}"] if page.asker else []
    return ":".join(parts)


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


def league_view(
    family: str, options: Sequence[discord.SelectOption], placeholder: str
) -> discord.ui.View:
    """The menu of a league's latest games; nothing if there are none."""
    view = lasting_view()
    if options:
        view.add_item(GameSelect(WATCHED, family, options, placeholder))
    return view


class ListView(discord.ui.View):
    """The controls under one page of a list."""

    def __init__(
        self,
        page: Page,
        pages: int,
        say: Say,
        options: Sequence[discord.SelectOption] = (),
    ) -> None:
        """The controls of `page`, out of `pages` in all; with a menu if there are options."""
        super().__init__(timeout=None)
        if options:
            self.add_item(GameSelect(HISTORY, page.family, options, say("history.open")))
        for step, key in ((-1, "later"), (1, "earlier")):
            number = page.number + step
            there = 0 <= number < pages
            target = replace(page, number=number if there else page.number)
            if pages > 1 and there:
                self.add_item(PageButton(target, say(f"button.{key}")))


LIST_CONTROLS = (PageButton, GameSelect)
"""What the client registers so that controls from earlier runs work."""
