"""The route table: finds the handler of a button or menu by its custom id.

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
"""The id of a stored row: more than will ever exist, and within 64 bits."""

SMALL = "[0-9]{1,4}"
"""A number of moves or pages."""

SNOWFLAKE = "[0-9]{1,19}"
"""An id made by Discord. It may exceed 64 bits: compare it with a known id before storing it."""

NAME = "[A-Za-z0-9_-]{1,32}"
"""The name of an agent."""

SIZE = "[A-Za-z0-9_-]{1,16}"
"""The name of a size class."""

MOVE = "[^:]{1,16}"
"""A move as players write it."""

CODE = "[0-9a-z]{4,30}"
"""A position's code."""

WAY = "[0-9a-z]{0,45}"
"""Moves from a position, as `bot.features.analysis.rules` writes them."""

NOTHING = 0
"""The id of no row."""


def row_id(text: str) -> int:
    """The row id in a menu's value; NOTHING if it is not one."""
    return int(text) if re.fullmatch(ROW, text) else NOTHING


OURS = "cuatro:"
"""The prefix of the ids of all buttons and menus."""


def custom_id(name: str, *values: object) -> str:
    """The custom id of a button or menu for the route of this name."""
    return ":".join((OURS + name, *map(str, values)))


class CustomId:
    """The ids of one kind of button or menu: `cuatro:<name>:<value>:...`.

    The id is a button's only state, so buttons work after a restart. Like a URL, it is formatted
    when the button is made and parsed when it is pressed.
    """

    def __init__(self, name: str, *patterns: str, **readers: Callable[[str], Any]) -> None:
        """Ids with this name and these values.

        Args:
            name: The beginning of the ids; unique among routes.
            patterns: Regular expressions of the values, with a named group for each argument of
                the handler, such as `(?P<game>[0-9]+)`. They limit the values, because a request
                need not come from Discord's own client.
            readers: Functions that convert the text of a group, such as `game=int`; other groups
                stay texts. A missing optional group gives None.
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
        """The handler's arguments by name, in order; None for an id of another kind."""
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

    def form_route(self, answer: Callable[..., Awaitable[None]]) -> Route:
        """A route from submitted forms to a handler: `answer(interaction, *arguments)`."""
        return Route(self, answer, is_form=True)

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
        """A menu whose id has these values, with a placeholder text."""
        return discord.ui.Select(custom_id=self(*values), options=list(options), placeholder=text)


GAME = rf"(?P<game>{ROW})"
"""A game's id, as the argument `game`."""


def game_action(name: str) -> CustomId:
    """Ids of buttons for one action on a game; their handlers get the game's id."""
    return CustomId(name, GAME, game=int)


@dataclass(frozen=True, slots=True)
class Route:
    """The handler of one kind of buttons and menus, or of forms.

    `Answering` wraps the handler. An argument called `family` selects the game whose texts are used
    if the request is refused.
    """

    ids: CustomId
    answer: Callable[..., Awaitable[None]]
    is_form: bool = False


class Router:
    """Dispatches buttons, menus and forms to their handlers."""

    def __init__(self, routes: Iterable[Route], answering: Answering) -> None:
        """Dispatch to these routes. Raises ValueError if two have the same name."""
        self._routes: dict[str, list[Route]] = {}
        self._answering = answering
        names: set[str] = set()
        for route in routes:
            if route.ids.name in names:
                raise ValueError(f"two routes answer {route.ids.name!r}")
            names.add(route.ids.name)
            self._routes.setdefault(route.ids.name.partition(":")[0], []).append(route)

    async def answer(self, interaction: Interaction[Any]) -> None:
        """Answer an interaction if it comes from a button, a menu or a form of the bot.

        Ids without a route are refused, as are ids that the interaction's message does not have.
        """
        is_form = interaction.type is discord.InteractionType.modal_submit
        if not is_form and interaction.type is not discord.InteractionType.component:
            return
        custom_id = str(cast("dict[str, Any]", interaction.data).get("custom_id", ""))
        if not custom_id.startswith(OURS):
            return
        route, given = self._found(custom_id, is_form=is_form)
        async with self._answering(interaction, given.get("family")):
            if route is None or not (is_form or custom_id in _ids_under(interaction)):
                raise Refusal("unknown_button")
            await route.answer(interaction, *given.values())

    def _found(self, custom_id: str, *, is_form: bool) -> tuple[Route | None, dict[str, Any]]:
        """The route of an id and its arguments; None for an id without a route."""
        for route in self._routes.get(custom_id.split(":", 2)[1], ()):
            given = route.ids.read(custom_id)
            if given is not None and route.is_form is is_form:
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
    """A new empty view that discord.py does not store, for controls that work after a restart.

    Routes handle their ids. discord.py would store a view that is not stopped to wait for clicks;
    in a private message for a quarter of an hour, with a task of its own.
    """
    view = discord.ui.View(timeout=None)
    view.stop()
    return view
