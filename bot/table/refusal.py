"""Why a player's request changed nothing."""

from __future__ import annotations


class Refusal(Exception):
    """A request that cannot be granted; nothing has been changed.

    `key` names the text that tells the player why and what to do next, `details` fill it in.
    """

    def __init__(self, key: str, **details: object) -> None:
        super().__init__(key)
        self.key = f"refusal.{key}"
        self.details = details


class OutdatedControl(Refusal):
    """A control that belongs to an earlier move was used: a double click, or an old picture."""

    def __init__(self) -> None:
        super().__init__("outdated")
