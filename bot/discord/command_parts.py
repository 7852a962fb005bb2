"""What commands are made of: translated names and descriptions, options and choices."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Coroutine, Iterable
from typing import Any

from discord import app_commands

from bot.discord.spoken import spoken
from engine.core.package import GamePackage

GameCommand = app_commands.Command[Any, ..., None]
Callback = Callable[..., Coroutine[Any, Any, None]]


def command(name: str, *options: str) -> Callable[[Callback], GameCommand]:
    """A decorator that makes a function a command; `options` are parameters named as in texts."""

    def make(function: Callback) -> GameCommand:
        for name_ in options:
            function = option(name_, name_)(function)
        made: GameCommand = app_commands.command(
            name=spoken(f"command.{name}.name"), description=spoken(f"command.{name}.description")
        )(function)
        return made

    return make


def option(parameter: str, name: str) -> Callable[[Callback], Callback]:
    """A decorator that gives a parameter the name and description of an option."""

    def apply(function: Callback) -> Callback:
        named = app_commands.rename(**{parameter: spoken(f"option.{name}.name")})(function)
        return app_commands.describe(**{parameter: spoken(f"option.{name}.description")})(named)

    return apply


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
        return option("variant", family.variant_option)
    return without("variant")


def sized(has_sizes: bool) -> Callable[[Callback], Callback]:
    """A decorator: `size` is an option only of games that have several size classes."""
    return option("size", "scale") if has_sizes else without("size")


def choices(kind: str, values: Iterable[str]) -> list[app_commands.Choice[str]]:
    """The values that an option can have, with texts under `<kind>.<value>`."""
    return [app_commands.Choice(name=spoken(f"{kind}.{value}"), value=value) for value in values]
