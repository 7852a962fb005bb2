"""The table of slash commands in the README, generated from the bot's command tree."""

from __future__ import annotations

from pathlib import Path

from engine.core.registry import games
from tests.bot.support.command_tree import command_groups, group_of

README = Path(__file__).parents[2] / "README.md"
BEGIN, END = "<!-- commands: python -m tests.golden --write -->", "<!-- end of commands -->"


def table() -> str:
    """Return the table; a command that not all games have is shown with the games that have it."""
    shared = [group_of(key) for key in games()]
    names: list[str] = []
    for group in shared:
        place = 0
        for command in group.commands:
            if command.name not in names:
                names.insert(place, command.name)
            place = names.index(command.name) + 1
    rows = ["| command | what it does |", "| --- | --- |"]
    for name in names:
        owners = [group for group in shared if group.get_command(name)]
        command = owners[0].get_command(name)
        assert command is not None
        only = "" if owners == shared else f" ({', '.join(f'`/{one.name}`' for one in owners)})"
        rows.append(f"| `{name}`{only} | {command.description} |")
    for group in command_groups():
        if group not in shared:
            rows += [f"| `/{c.qualified_name}` | {c.description} |" for c in group.commands]
    return "\n".join(rows)


def readme_with_table() -> str:
    """Return the README with the present table."""
    before, rest = README.read_text("utf-8").split(f"{BEGIN}\n")
    after = rest.split(END)[1]
    return f"{before}{BEGIN}\n\n{table()}\n\n{END}{after}"
