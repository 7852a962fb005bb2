"""Ways to a board whose channel is closed to the bot: through interactions, while they live."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from discord import Interaction

MOST_KEPT = 1_000
"""Boards to which a way is kept; those reached longest ago are dropped, as are expired ones."""

Edit = Callable[..., Awaitable[object]]
"""Edits one message; takes what `discord.Message.edit` takes."""


@dataclass(frozen=True, slots=True)
class _Line:
    message_id: int
    interaction: Interaction[Any]
    edit: Edit


class Lifelines:
    """By game, the latest interaction that may edit the game's board.

    Its token lives for fifteen minutes and needs no permission in the channel.
    """

    def __init__(self) -> None:
        self._lines: dict[int, _Line] = {}

    def note(
        self,
        game_id: int,
        message_id: int,
        interaction: Interaction[Any],
        edit: Edit | None = None,
    ) -> None:
        """Note a way to a game's board; without `edit` the board is the interaction's answer."""
        self._lines.pop(game_id, None)
        line = _Line(message_id, interaction, edit or interaction.edit_original_response)
        self._lines[game_id] = line
        while len(self._lines) > MOST_KEPT or self._is_oldest_expired():
            del self._lines[next(iter(self._lines))]

    def drop(self, game_id: int) -> None:
        """Forget the way to a game's board: it has turned out to lead nowhere."""
        self._lines.pop(game_id, None)

    def to(self, game_id: int, message_id: int) -> Edit | None:
        """A way to edit a game's board, if there is one that still lives."""
        line = self._lines.get(game_id)
        if line is None or line.message_id != message_id:
            return None
        if line.interaction.is_expired():
            del self._lines[game_id]
            return None
        return line.edit

    def _is_oldest_expired(self) -> bool:
        oldest = next(iter(self._lines.values()), None)
        return oldest is not None and oldest.interaction.is_expired()
