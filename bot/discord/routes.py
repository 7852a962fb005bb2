"""The route table: which handler answers which button or menu, by the id that it has.

Discord checks that a pressed button exists, but requests need not come from Discord's own client:
everything in an id is checked here before it is used.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, cast

import discord
from discord import ButtonStyle, Interaction

from bot.discord.answering import Answering
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


OURS = "cuatro:"
"""How the ids of all buttons and menus begin."""


def custom_id(name: str, *values: object) -> str:
    """The id of a button or menu that the route of this name answers."""
    return ":".join((OURS + name, *map(str, values)))


class CustomId:
    """The ids of one kind of button or menu: `cuatro:<name>:<value>:...`.

    It is all that a button keeps, so buttons work after a restart. Like a URL of a web page it is
    written when the button is made, and read when it is pressed.
    """

    def __init__(self, name: str, *patterns: str, **readers: Callable[[str], Any]) -> None:
        """Ids of this name.

        Args:
            name: What the ids begin with; no two routes share it.
            patterns: Regular expressions of the values, with a named group for each argument of
                the handler, such as `(?P<game>[0-9]+)`. Values are bounded by them: a request need
                not come from Discord's own client.
            readers: What makes an argument of the text of a group, such as `game=int`; the others
                stay texts. A group that may be missing gives None.
        """
        self.name = name
        self._pattern = re.compile(":".join((OURS + name, *patterns)))
        self._readers = readers

    def __call__(self, *values: object) -> str:
        """The id with these values."""
        written = custom_id(self.name, *values)
        assert self._pattern.fullmatch(written), written
        return written

    def read(self, custom_id: str) -> dict[str, Any] | None:
        """The handler's arguments by name, in order; None if this is no id of this kind."""
        match = self._pattern.fullmatch(custom_id)
        if match is None:
            return None
        return {
            name: None if text is None else self._readers.get(name, str)(text)
            for name, text in match.groupdict().items()
        }

    def route(self, answer: Callable[..., Awaitable[None]]) -> Route:
        """A route to a handler: `answer(interaction, *arguments)`."""
        return Route(self, answer)

    def button(
        self,
        *values: object,
        label: str,
        style: ButtonStyle = ButtonStyle.secondary,
        disabled: bool = False,
        row: int | None = None,
    ) -> discord.ui.Button[discord.ui.View]:
        """A button whose id has these values."""
        return discord.ui.Button(
            custom_id=self(*values), label=label, style=style, disabled=disabled, row=row
        )

    def menu(
        self, *values: object, options: Sequence[discord.SelectOption], text: str
    ) -> discord.ui.Select[discord.ui.View]:
        """A menu whose id has these values, and with a text until a value is chosen."""
        return discord.ui.Select(custom_id=self(*values), options=list(options), placeholder=text)


GAME = rf"(?P<game>{ROW})"
"""A game's id, as the argument `game`."""


def game_action(name: str) -> CustomId:
    """The ids of buttons that do one thing with one game; their handlers get the game's id."""
    return CustomId(name, GAME, game=int)


@dataclass(frozen=True, slots=True)
class Route:
    """What answers buttons and menus of one kind.

    The answer runs in the frame of `Answering`. An argument called `family` is the game whose
    texts are used if the request is refused.
    """

    ids: CustomId
    answer: Callable[..., Awaitable[None]]


class Router:
    """Answers buttons and menus by their ids."""

    def __init__(self, routes: Iterable[Route], answering: Answering) -> None:
        """Answer with these routes. Raises ValueError if two have one name."""
        self._routes: dict[str, list[Route]] = {}
        self._answering = answering
        names: set[str] = set()
        for route in routes:
            if route.ids.name in names:
                raise ValueError(f"two routes answer {route.ids.name!r}")
            names.add(route.ids.name)
            self._routes.setdefault(route.ids.name.partition(":")[0], []).append(route)

    async def answer(self, interaction: Interaction[Any]) -> None:
        """Answer an interaction if it is about a button or menu of the bot.

        Ids without a route, and ids that are not on the message they refer to, are refused.
        """
        if interaction.type is not discord.InteractionType.component:
            return
        custom_id = str(cast("dict[str, Any]", interaction.data).get("custom_id", ""))
        if not custom_id.startswith(OURS):
            return
        route, given = self._found(custom_id)
        async with self._answering(interaction, given.get("family")):
            if route is None or custom_id not in _ids_under(interaction):
                raise Refusal("unknown_button")
            await route.answer(interaction, *given.values())

    def _found(self, custom_id: str) -> tuple[Route | None, dict[str, Any]]:
        """The route of an id and its arguments; None for an id that none has."""
        for route in self._routes.get(custom_id.split(":", 2)[1], ()):
            given = route.ids.read(custom_id)
            if given is not None:
                return route, given
        return None, {}


def chosen(interaction: Interaction[Any]) -> str:
    """The value that was chosen in a menu; empty for none."""
    values = cast("dict[str, Any]", interaction.data).get("values") or [""]
    return str(values[0])


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
    """An empty view that discord.py does not keep, for controls that work after a restart.

    Routes answer them by their ids. A view that is not stopped would be kept for a click, for a
    quarter of an hour and with a task of its own where only one person sees it.
    """
    view = discord.ui.View(timeout=None)
    view.stop()
    return view
