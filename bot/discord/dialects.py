"""How each game's moves and variants are asked for: data for the commands.

A game without an entry is spoken plainly: `play` with the move as text, and `variant` where it has
more than one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Verb:
    """A command that makes a move."""

    name: str
    """Its texts stand under `command.<name>`."""
    option: str | None
    """What it takes; its texts stand under `option.<option>`. None for a move of its own."""
    is_number: bool = False
    """Whether the option is a whole number rather than text."""
    move: str = ""
    """The move that a command without an option makes."""


@dataclass(frozen=True, slots=True)
class Dialect:
    """How one game is spoken."""

    verbs: tuple[Verb, ...] = (Verb("play", "move"),)
    variant: str = "variant"
    """The option that picks the variant; its texts stand under `option.<variant>`."""


PLAIN = Dialect()
DIALECTS: Mapping[str, Dialect] = {
    "connect4": Dialect((Verb("drop", "column", is_number=True),), variant="size"),
    "gato": Dialect((Verb("place", "square"),)),
    "boom": Dialect(
        (Verb("drop", "column", is_number=True), Verb("explode", None, move="B")),
        variant="full_board",
    ),
}


def dialect_of(family_key: str) -> Dialect:
    """How a game is spoken."""
    return DIALECTS.get(family_key, PLAIN)
