"""The golden files, and the functions that generate their lines."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path

from engine.core.registry import games
from tests.golden import answers, conversations, pictures, playthroughs

FOLDER = Path(__file__).parent
FILES: Mapping[str, Callable[[], Iterator[str]]] = {
    "answers": answers.lines,
    "pictures": pictures.lines,
    "commands": conversations.command_lines,
    "conversations/people": conversations.person_lines,
    "conversations/presses": conversations.press_lines,
    **{f"conversations/{key}": partial(conversations.game_lines, key) for key in games()},
    "custom_ids": conversations.custom_id_lines,
    **{f"playthroughs/{key}": partial(playthroughs.lines, key) for key in games()},
}


def stored(name: str) -> list[str]:
    """Return the lines of a golden file."""
    return (FOLDER / f"{name}.txt").read_text("utf-8").splitlines()


def write(name: str) -> Path:
    """Write a golden file again and return its path."""
    path = FOLDER / f"{name}.txt"
    path.parent.mkdir(exist_ok=True)
    path.write_text("".join(f"{line}\n" for line in FILES[name]()), "utf-8")
    return path
