"""Suggestions while people type an option."""

from __future__ import annotations

from typing import Any

from discord import Interaction, app_commands

from bot.discord.command_parts import GameCommand
from bot.rating.puzzle_choice import classes_with_puzzles
from bot.rating.size_classes import ALL, classes_of
from bot.words import say_for
from engine.core.package import GamePackage
from engine.strength.roster import agents_for

MOST_CHOICES = 25
"""Discord's limit on suggestions."""

Choices = list[app_commands.Choice[str]]


def suggest_variants(family: GamePackage, command: GameCommand) -> None:
    """Suggest the variants that match what has been typed, the usual one first."""

    async def suggest(interaction: Interaction[Any], current: str) -> Choices:
        say = say_for(interaction.locale.value)
        typed = current.strip().lower().replace("×", "x")
        names = {variant: say.variant(family.key, variant) for variant in family.variants}
        matching = [v for v, name in names.items() if _begins_a_word(typed, f"{v} {name}")]
        matching.sort(key=lambda variant: variant != family.usual)
        return [app_commands.Choice(name=names[v], value=v) for v in matching[:MOST_CHOICES]]

    command.autocomplete("variant")(suggest)


def suggest_sizes(family_key: str, command: GameCommand) -> None:
    """Suggest all sizes, the size classes, and the sizes that match what has been typed."""

    async def suggest(interaction: Interaction[Any], current: str) -> Choices:
        say = say_for(interaction.locale.value)
        typed = current.strip().lower().replace("×", "x")
        classes = classes_of(family_key)
        names = {ALL: say("covers.all")}
        names |= {c.name: say.texts.get(f"covers.{c.name}", c.name) for c in classes}
        names |= {v: say.variant(family_key, v) for c in classes for v in c.variants}
        matching = [
            value for value, name in names.items() if _begins_a_word(typed, f"{value} {name}")
        ]
        return [app_commands.Choice(name=names[v], value=v) for v in matching[:MOST_CHOICES]]

    command.autocomplete("size")(suggest)


def suggest_puzzle_sizes(family_key: str, command: GameCommand) -> None:
    """Suggest the size classes for which there are puzzles."""

    async def suggest(interaction: Interaction[Any], current: str) -> Choices:
        say = say_for(interaction.locale.value)
        typed = current.strip().lower().replace("×", "x")
        sizes = classes_with_puzzles(family_key)
        names = {s.name: say.texts.get(f"covers.{s.name}", s.name) for s in sizes}
        matching = [v for v, name in names.items() if _begins_a_word(typed, f"{v} {name}")]
        return [app_commands.Choice(name=names[v], value=v) for v in matching[:MOST_CHOICES]]

    command.autocomplete("size")(suggest)


def suggest_agents(family_key: str, command: GameCommand, *options: str) -> None:
    """Suggest the agents whose name or title matches what has been typed."""

    async def suggest(interaction: Interaction[Any], current: str) -> Choices:
        say = say_for(interaction.locale.value)
        typed = current.strip().lower()
        titles = {name: say.agent(family_key, name) or name for name in agents_for(family_key)}
        matching = [n for n, title in titles.items() if _begins_a_word(typed, f"{n} {title}")]
        return [app_commands.Choice(name=titles[n], value=n) for n in matching[:MOST_CHOICES]]

    for option in options:
        command.autocomplete(option)(suggest)


def _begins_a_word(typed: str, text: str) -> bool:
    return not typed or any(word.startswith(typed) for word in text.lower().split())
