"""The table of slash commands in the README, generated from the bot's command tree."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from discord import app_commands

from engine.core.registry import games
from tests.bot.support.command_tree import group_of, slash_commands

README = Path(__file__).parents[2] / "README.md"
BEGIN, END = "<!-- commands: python -m tests.golden --write -->", "<!-- end of commands -->"


def table() -> str:
    """Return the table: the global commands, then what is done at the boards of games."""
    rows = ["| command | what it does |", "| --- | --- |"]
    groups = [group_of(key) for key in games()]
    others = (one for one in slash_commands() if one not in groups)
    for one in others:
        made = one.commands if isinstance(one, app_commands.Group) else (one,)
        rows += [f"| `/{c.qualified_name}` | {c.description} |" for c in made]
    names: list[str] = []
    for group in groups:
        place = 0
        for name in (one.name for one in group.commands):
            if name not in names:
                names.insert(place, name)
            place = names.index(name) + 1
    for name in names:
        found = [(group, command) for group in groups if (command := _present(group, name))]
        titles = ", ".join(f"`/{group.name}`" for group, _ in found)
        rows.append(f"| `{name}` ({titles}) | {found[0][1].description} |")
    return "\n".join(rows)


def _present(group: app_commands.Group, name: str) -> app_commands.Command[Any, ..., Any] | None:
    """A command of a group; None if the game does not have it."""
    command = group.get_command(name)
    return command if isinstance(command, app_commands.Command) else None


def readme_with_table() -> str:
    """Return the README with the present table."""
    before, rest = README.read_text("utf-8").split(f"{BEGIN}\n")
    after = rest.split(END)[1]
    return f"{before}{BEGIN}\n\n{table()}\n\n{END}{after}"
