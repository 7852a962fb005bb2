"""What pressing a button does: all that buttons know of the handlers."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol, cast

from discord import Interaction

from bot.discord.pages import Page


@dataclass(frozen=True, slots=True)
class Presses:
    """What answers each kind of button."""

    turn_page: Callable[[Interaction[Any], Page], Awaitable[None]]
    open_game: Mapping[str, Callable[[Interaction[Any], str, int], Awaitable[None]]]
    """Opens a game of a family, by the list that its menu stands under."""


class PressedClient(Protocol):
    """The client as buttons see it."""

    @property
    def presses(self) -> Presses:
        """What answers its buttons."""


def presses_of(interaction: Interaction[Any]) -> Presses:
    """What answers the button behind an interaction."""
    return cast("PressedClient", interaction.client).presses
