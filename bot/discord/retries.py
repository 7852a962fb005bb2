"""Buttons that repeat a request that was refused, such as **Try again**.

Their custom ids hold the request: the id of a button, the id and the value of a menu, or a command
and its options. A request that does not fit into the length of an id cannot be repeated.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, cast
from urllib.parse import parse_qsl, quote, unquote, urlencode

import discord
from discord import AppCommandOptionType, Interaction

OURS = "cuatro:"
"""The prefix of the ids of all buttons and menus."""

PREFIX = f"{OURS}retry:"
"""The beginning of the ids of these buttons."""

APART = "apart:"
"""What follows it where the game is to have a channel of its own."""

MAX_ID = 100
"""Discord's limit on the characters of a custom id."""

_REQUEST, _IS_REPEATED = "retries.request", "retries.is_repeated"
"""Keys of an interaction's extras: its request, and whether that is a repetition."""


@dataclass(frozen=True, slots=True)
class Pressed:
    """A press of a button or, with a value, a choice in a menu."""

    custom_id: str
    value: str | None = None
    apart: bool = False
    """Whether a game that it begins is to have a channel of its own."""

    def written(self) -> str:
        """The request as a custom id."""
        pressed, prefix = self.custom_id.removeprefix(OURS), _prefix(self)
        if self.value is None:
            return f"{prefix}press:{pressed}"
        return f"{prefix}choose:{quote(self.value, safe='')}:{pressed}"


@dataclass(frozen=True, slots=True)
class Used:
    """A use of a command."""

    path: str
    """Its name, after the name of its group."""
    options: tuple[tuple[str, str], ...]
    """The names and values of the given options."""
    apart: bool = False
    """Whether a game that it begins is to have a channel of its own."""

    def written(self) -> str:
        """The request as a custom id."""
        return f"{_prefix(self)}run:{self.path}?{urlencode(self.options)}"

    def replacing(self, old: str, new: str) -> Used | None:
        """The same use with another value for the option that has the value `old`."""
        options = tuple((name, new if value == old else value) for name, value in self.options)
        return None if options == self.options else replace(self, options=options)


Repeatable = Pressed | Used
"""A request that a button can repeat."""


def _prefix(request: Repeatable) -> str:
    return f"{PREFIX}{APART}" if request.apart else PREFIX


def note_pressed(interaction: Interaction[Any], custom_id: str) -> None:
    """Note the press of a button, or a choice of one value in a menu, so it can be repeated."""
    if _REQUEST in interaction.extras:
        return
    data = cast("Mapping[str, Any]", interaction.data)
    kind, values = data.get("component_type"), data.get("values") or []
    if kind == discord.ComponentType.button.value:
        interaction.extras[_REQUEST] = Pressed(custom_id)
    elif kind == discord.ComponentType.string_select.value and len(values) == 1:
        interaction.extras[_REQUEST] = Pressed(custom_id, str(values[0]))


def note_used(interaction: Interaction[Any]) -> None:
    """Note the use of a command, so it can be repeated; some types of options cannot be held."""
    if _REQUEST in interaction.extras:
        return
    data = cast("Mapping[str, Any]", interaction.data)
    names, options = [str(data.get("name"))], data.get("options") or []
    while options and options[0].get("type") in _GROUPS:
        names.append(str(options[0]["name"]))
        options = options[0].get("options") or []
    if any(one.get("type") not in _HELD for one in options):
        return
    given = tuple((str(one["name"]), str(one["value"])) for one in options)
    interaction.extras[_REQUEST] = Used(" ".join(names), given)


_GROUPS = (AppCommandOptionType.subcommand.value, AppCommandOptionType.subcommand_group.value)
_HELD = (
    AppCommandOptionType.string.value,
    AppCommandOptionType.integer.value,
    AppCommandOptionType.boolean.value,
    AppCommandOptionType.user.value,
)
"""The types of options that an id holds; see `bot.discord.routes.CommandTable`."""


def request_of(interaction: Interaction[Any]) -> Repeatable | None:
    """The request that an interaction makes; None for one that cannot be repeated."""
    found: Repeatable | None = interaction.extras.get(_REQUEST)
    return found


def begin_repetition(interaction: Interaction[Any], request: Repeatable) -> None:
    """Note that the pressed button repeats a request, so that handlers see that request."""
    interaction.extras[_REQUEST], interaction.extras[_IS_REPEATED] = request, True
    if isinstance(request, Pressed):
        values = [] if request.value is None else [request.value]
        pressed = {"custom_id": request.custom_id, "values": values}
        interaction.data = cast("Any", {**cast("Mapping[str, Any]", interaction.data), **pressed})
    else:
        # A command is not used under a message.
        interaction.message = None


def is_repetition(interaction: Interaction[Any]) -> bool:
    """Whether an interaction repeats a request that was refused before."""
    return bool(interaction.extras.get(_IS_REPEATED))


def is_apart(interaction: Interaction[Any]) -> bool:
    """Whether a repeated request asks for a game in a channel of its own."""
    request = request_of(interaction)
    return is_repetition(interaction) and request is not None and request.apart


def written_again(interaction: Interaction[Any], *, apart: bool) -> str | None:
    """The custom id that repeats an interaction's request; None if it is too long for an id.

    With `apart`, a game that it begins is to have a channel of its own.
    """
    request = request_of(interaction)
    written = "" if request is None else replace(request, apart=apart).written()
    return written if 0 < len(written) <= MAX_ID else None


def retry_button(
    request: Repeatable | None,
    label: str,
    style: discord.ButtonStyle = discord.ButtonStyle.secondary,
) -> discord.ui.Button[discord.ui.View] | None:
    """The button that repeats a request; None if there is none or it is too long for an id."""
    written = "" if request is None else request.written()
    if not 0 < len(written) <= MAX_ID:
        return None
    return discord.ui.Button(custom_id=written, label=label, style=style)


def request_in(custom_id: str) -> Repeatable | None:
    """The request that a button repeats; None if it is another button or damaged."""
    if not custom_id.startswith(PREFIX):
        return None
    if custom_id.startswith(f"{PREFIX}{APART}"):
        found = request_in(PREFIX + custom_id.removeprefix(f"{PREFIX}{APART}"))
        return found and replace(found, apart=True)
    kind, _, rest = custom_id.removeprefix(PREFIX).partition(":")
    if kind == "press":
        return Pressed(OURS + rest)
    if kind == "choose":
        value, _, pressed = rest.partition(":")
        return Pressed(OURS + pressed, unquote(value))
    if kind == "run":
        path, _, options = rest.partition("?")
        return Used(path, tuple(parse_qsl(options, keep_blank_values=True)))
    return None
