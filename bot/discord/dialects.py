"""The commands and options in which games differ.

A game without an entry has `play`, which takes the move as text, and an option `variant` if it has
more than one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Verb:
    """A command that plays a move."""

    name: str
    """Its texts are under `command.<name>`."""
    option: str | None
    """Its option, with texts under `option.<option>`; None if the command itself is the move."""
    is_number: bool = False
    """Whether the option is a whole number instead of text."""
    move: str = ""
    """The move that a command without an option plays."""


@dataclass(frozen=True, slots=True)
class Dialect:
    """How one game's commands differ from other games'."""

    verbs: tuple[Verb, ...] = (Verb("play", "move"),)
    variant: str = "variant"
    """The name of the option for the variant; its texts are under `option.<variant>`."""


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
    """The dialect of a game."""
    return DIALECTS.get(family_key, PLAIN)
