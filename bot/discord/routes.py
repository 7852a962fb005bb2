"""The route table: finds the handler of a button or menu by its custom id.

Discord checks that a pressed button exists, but requests need not come from Discord's own client:
everything in an id is checked here before it is used.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, cast

import discord
from discord import AppCommandOptionType, ButtonStyle, Interaction, app_commands

from bot.discord.answering import Answering, was_refused
from bot.discord.commands import GameCommand
from bot.discord.replies import acknowledge, confirm
from bot.discord.retries import (
    OURS,
    Pressed,
    Repeatable,
    Used,
    begin_repetition,
    note_pressed,
    request_in,
)
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

    def route(self, answer: Callable[..., Awaitable[None]], *, repeatable: bool = True) -> Route:
        """A route to a handler: `answer(interaction, *arguments)`; see `Route.repeatable`."""
        return Route(self, answer, repeatable=repeatable)

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
    repeatable: bool = True
    """Whether another message's button may repeat the request; false where the handler changes the
    message whose button was pressed, and others see that message."""


Command = app_commands.Group | app_commands.Command[Any, ..., Any] | app_commands.ContextMenu


class CommandTable:
    """Finds commands by their names, and reads their options as Discord would."""

    def __init__(self, commands: Iterable[Command]) -> None:
        """Find these commands, and those of these groups."""
        self._commands = {one.qualified_name: one for one in _all_commands(commands)}

    async def read(
        self, interaction: Interaction[Any], used: Used
    ) -> tuple[GameCommand, dict[str, Any]]:
        """The command and the arguments of its callback.

        Refused if the command, an option or a value does not exist any more.
        """
        found, given = self._commands.get(used.path), dict(used.options)
        if found is None:
            raise Refusal("unknown_button")
        arguments = {}
        for parameter in found.parameters:
            text = given.pop(str(parameter.display_name), None)
            if text is not None:
                arguments[parameter.name] = await _value(interaction, parameter, text)
            elif parameter.required:
                raise Refusal("unknown_button")
        if given:
            raise Refusal("unknown_button")
        return found, arguments


def _all_commands(commands: Iterable[Command]) -> Iterator[GameCommand]:
    for one in commands:
        if isinstance(one, app_commands.Group):
            yield from _all_commands(one.commands)
        elif isinstance(one, app_commands.Command):
            yield one


async def _value(
    interaction: Interaction[Any], parameter: app_commands.Parameter, text: str
) -> object:
    """The value of an option. Refused if it is not one that the command offers."""
    offered = [one.value for one in parameter.choices]
    value: object = None
    if parameter.type is AppCommandOptionType.string:
        value = text
    elif parameter.type is AppCommandOptionType.integer and re.fullmatch(r"-?[0-9]{1,9}", text):
        least, most = parameter.min_value, parameter.max_value
        number = int(text)
        if (least is None or number >= least) and (most is None or number <= most):
            value = number
    elif parameter.type is AppCommandOptionType.boolean and text in ("True", "False"):
        value = text == "True"
    elif parameter.type is AppCommandOptionType.user and re.fullmatch(SNOWFLAKE, text):
        try:
            value = await interaction.client.fetch_user(int(text))
        except discord.NotFound:
            value = None
    if value is None or (offered and value not in offered):
        raise Refusal("unknown_button")
    return value


MAX_REPEATED = 1_000
"""The most messages whose request was repeated that are remembered."""


class Router:
    """Dispatches buttons, menus and forms to their handlers."""

    def __init__(
        self, routes: Iterable[Route], answering: Answering, commands: Iterable[Command] = ()
    ) -> None:
        """Dispatch to these routes, and repeat uses of these commands.

        Raises ValueError if two routes have the same name.
        """
        self._routes: dict[str, list[Route]] = {}
        self._answering = answering
        self._commands = CommandTable(commands)
        self._repeated: dict[int, None] = {}
        """The messages whose request was repeated, so that a second press does nothing."""
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
        is_shown = is_form or custom_id in _ids_under(interaction)
        request = request_in(custom_id) if is_shown and not is_form else None
        if request is None:
            await self._dispatch(interaction, custom_id, is_form=is_form, is_shown=is_shown)
            return
        await self._repeat(interaction, request)

    async def _repeat(self, interaction: Interaction[Any], request: Repeatable) -> None:
        """Repeat a request, unless a button of this message has done so already."""
        assert interaction.message is not None, "its button was pressed"
        message_id = interaction.message.id
        if message_id in self._repeated:
            await confirm(acknowledge(interaction))
            await confirm(interaction.delete_original_response())
            return
        self._repeated[message_id] = None
        if len(self._repeated) > MAX_REPEATED:
            del self._repeated[next(iter(self._repeated))]
        begin_repetition(interaction, request)
        is_done = False
        try:
            if isinstance(request, Pressed):
                await self._dispatch(interaction, request.custom_id)
            else:
                await self._run(interaction, request)
            is_done = not was_refused(interaction)
        finally:
            if not is_done:
                self._repeated.pop(message_id, None)

    async def _dispatch(
        self,
        interaction: Interaction[Any],
        custom_id: str,
        *,
        is_form: bool = False,
        is_shown: bool = True,
    ) -> None:
        """Call the handler of an id."""
        route, given = self._found(custom_id, is_form=is_form)
        if route is not None and route.repeatable and not is_form:
            note_pressed(interaction, custom_id)
        async with self._answering(interaction, given.get("family")):
            if route is None or not is_shown:
                raise Refusal("unknown_button")
            await route.answer(interaction, *given.values())

    async def _run(self, interaction: Interaction[Any], used: Used) -> None:
        """Use a command again."""
        found = None
        async with self._answering(interaction):
            found = await self._commands.read(interaction, used)
        if found is not None:
            made, arguments = found
            await cast("Any", made.callback)(interaction, **arguments)

    def _found(self, custom_id: str, *, is_form: bool) -> tuple[Route | None, dict[str, Any]]:
        """The route of an id and its arguments; None for an id without a route."""
        for route in self._routes.get(f"{custom_id}:".split(":", 2)[1], ()):
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
