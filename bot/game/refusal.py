"""The reasons why a request was refused, such as an outdated button."""

from __future__ import annotations

from dataclasses import dataclass

from bot.store.records import Place


class Refusal(Exception):
    """A request that cannot be granted; nothing has been changed.

    `key` names the message that tells the player why and what to do next; `details` fill it in.
    """

    def __init__(self, key: str, **details: object) -> None:
        super().__init__(key)
        self.key = f"refusal.{key}"
        self.details = details


@dataclass(frozen=True, slots=True)
class Control:
    """The game and the move number for which a button or another control was made."""

    game_id: int
    number: int


class OutdatedControl(Refusal):
    """The control used belongs to an earlier move: a double click, or an old message."""

    def __init__(self, place: Place | None = None) -> None:
        """`place` is that of the game's present board; the person gets a link if it is given."""
        super().__init__("outdated", link=place)


class TooLate(Exception):
    """A request is too old to be answered with its result; nothing has changed."""
