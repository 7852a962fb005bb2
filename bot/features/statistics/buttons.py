"""The buttons and menus under players' cards and lists, and the pages of lists."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import discord

from bot.board.messages import Button
from bot.board.welcome import play_button
from bot.discord.routes import FAMILY, SIZE, SMALL, SNOWFLAKE, CustomId, lasting_view
from bot.i18n import Translator
from renderers import CardScene

PAGE = CustomId(
    "page",
    "(?P<kind>history|server|everywhere)",
    f"(?P<family>{FAMILY})",
    f"(?P<number>{SMALL})",
    rf"(?P<whom>{SNOWFLAKE})(:(?P<size>{SIZE}))??(:by(?P<asker>{SNOWFLAKE}))?",
    number=int,
    whom=int,
    asker=int,
)
"""Shows a page of a list; its last two values may be missing."""

STATS = CustomId("mystats", f"(?P<family>{FAMILY})")
"""Posts the card of the person who presses."""

OPEN = CustomId("open", f"(?P<family>{FAMILY})")
"""Opens a game of a history."""

SHOW = CustomId(
    "stats",
    "(?P<what>card|details|games|leaders)",
    f"(?P<family>{FAMILY})",
    rf"(?P<whom>{SNOWFLAKE})(:(?P<size>{SIZE}))?",
    whom=int,
)
"""Shows more about a player's statistics privately: the card itself, its details, the reader's own
games, or the leaderboard."""


@dataclass(frozen=True, slots=True)
class Page:
    """One page of a list."""

    kind: str
    """`history`, or the leaderboard of a `server` or `everywhere`."""
    family: str
    number: int
    """Counted from 0."""
    whom: int
    """The user whose history it is, or the server; 0 outside of servers."""
    size: str = ""
    """The name of the size class that is listed; empty for all sizes."""
    asker: int = 0
    """Who requested the list and may turn its pages; 0 on lists that are older than this field."""

    def is_of(self, user_id: int, guild_id: int | None) -> bool:
        """Whether a user may turn to this page on a server."""
        if self.kind == "history":
            return self.whom == user_id
        return self.whom == (guild_id or 0) and self.asker in (0, user_id)

    @property
    def values(self) -> Iterator[object]:
        """The values of the page's id."""
        yield from (self.kind, self.family, self.number, self.whom)
        if self.size:
            yield self.size
        if self.asker:
            yield f"by{self.asker}"


@dataclass(frozen=True, slots=True)
class Drawn:
    """A page, ready to be drawn and sent."""

    card: CardScene | None
    """None for an empty list, which only has a text."""
    lines: str
    """Above the picture; may be empty."""
    pages: int
    options: tuple[discord.SelectOption, ...] = ()
    """The games that can be opened."""

    def view(self, page: Page, say: Translator) -> discord.ui.View:
        """A menu of the games, and buttons for the pages before and after this one."""
        if self.card is None:
            return play_view(page.family, say)
        view = lasting_view()
        if self.options:
            view.add_item(OPEN.menu(page.family, options=self.options, text=say("history.open")))
        for number, key in ((page.number - 1, "later"), (page.number + 1, "earlier")):
            if self.pages > 1 and 0 <= number < self.pages:
                target = replace(page, number=number)
                view.add_item(PAGE.button(*target.values, label=say(f"button.{key}")))
        return view


def play_view(family: str, say: Translator) -> discord.ui.View:
    """A button that begins a game."""
    view = lasting_view()
    view.add_item(play_button(family, say))
    return view


def stats_button(family: str, say: Translator) -> Button:
    """The button under help."""
    return STATS.button(family, label=say("button.stats"))
