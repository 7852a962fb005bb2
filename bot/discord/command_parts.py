"""What commands are made of: translated names and descriptions, options and choices."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Coroutine, Iterable
from typing import Any

from discord import app_commands

from bot.discord.spoken import spoken
from bot.words import ENGLISH, say_in
from engine.core.package import GamePackage

GameCommand = app_commands.Command[Any, ..., None]
Callback = Callable[..., Coroutine[Any, Any, None]]

MOVE = "move"
"""The parameter that is a move."""
NAME = "name"
"""Under which extra a command keeps the name of its texts."""


def command(name: str, *options: str, game: str | None = None) -> Callable[[Callback], GameCommand]:
    """A decorator that makes a function a command.

    Args:
        name: Its texts are under `command.<name>`; `name_of` returns it.
        options: Parameters named as in texts.
        game: The game that may have texts of its own for it.
    """

    def make(function: Callback) -> GameCommand:
        for name_ in options:
            function = option(name_, name_)(function)
        made: GameCommand = app_commands.command(
            name=_own("command", f"{name}.name", game),
            description=_own("command", f"{name}.description", game),
            extras={NAME: name},
        )(function)
        return made

    return make


def name_of(made: GameCommand) -> str:
    """The name by which a command's texts are found."""
    name: str = made.extras[NAME]
    return name


def option(parameter: str, name: str, game: str | None = None) -> Callable[[Callback], Callback]:
    """A decorator that gives a parameter the name and description of an option."""

    def apply(function: Callback) -> Callback:
        title = _own("option", f"{name}.name", game)
        description = _own("option", f"{name}.description", game)
        named = app_commands.rename(**{parameter: title})(function)
        return app_commands.describe(**{parameter: description})(named)

    return apply


def _own(kind: str, name: str, game: str | None) -> app_commands.locale_str:
    """A text of a kind: a game's own where it has one, else the shared one."""
    key = f"{kind}.{name}" if game is None else say_in(ENGLISH).key(kind, game, name)
    return spoken(key)


def without(parameter: str) -> Callable[[Callback], Callback]:
    """A decorator that hides a parameter from Discord, so that it always has its default."""

    def apply(function: Callback) -> Callback:
        # discord.py makes an option of every parameter in a callback's signature.
        signature = inspect.signature(function)
        shown = [p for p in signature.parameters.values() if p.name != parameter]
        function.__signature__ = signature.replace(parameters=shown)  # type: ignore[attr-defined]
        return function

    return apply


def variant_of(family: GamePackage) -> Callable[[Callback], Callback]:
    """A decorator: `variant` is an option only of games that have several."""
    if len(family.variants) > 1:
        return option("variant", family.variant_option, family.key)
    return without("variant")


def sized(has_sizes: bool) -> Callable[[Callback], Callback]:
    """A decorator: `size` is an option only of games that have several size classes."""
    return option("size", "scale") if has_sizes else without("size")


def choices(kind: str, values: Iterable[str]) -> list[app_commands.Choice[str]]:
    """The values that an option can have, with texts under `<kind>.<value>`."""
    return [app_commands.Choice(name=spoken(f"{kind}.{value}"), value=value) for value in values]
