"""Refusals in words: what their details are called in a language, and where links lead."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from bot.discord.game_lines import game_lines, jump_url
from bot.discord.names import NameBook
from bot.table.refusal import Refusal
from bot.words import Say
from bot.words.plain import quoted

Teller = Callable[[Any, str, Say], Awaitable[str]]
"""Says a detail: its value, the family of the game and the texts."""


class Reasons:
    """Tells people why something was refused and what they can do instead."""

    def __init__(self, names: NameBook) -> None:
        """Call people by `names`."""
        self._names = names
        self._tellers: dict[str, Teller] = {
            "game": self._command,
            "other": self._command,
            "link": self._link,
            "until": self._until,
            "games": self._games,
            "missing": self._missing,
            "channel": self._channel,
            "move": self._move,
            "expected": self._expected,
        }

    async def text(self, refusal: Refusal, family: str, say: Say) -> str:
        """The text for somebody whose request about a game of `family` was refused."""
        details = {"game": family, **refusal.details}
        family = str(details["game"])
        for name, value in details.items():
            if name in self._tellers:
                details[name] = await self._tellers[name](value, family, say)
            elif isinstance(value, str):
                # Somebody typed it: it may be anything, and of any length.
                details[name] = quoted(value)
        kind, _, name = refusal.key.rpartition(".")
        return say(say.key(kind, family, name), **details)

    async def _command(self, value: Any, _family: str, say: Say) -> str:
        return say(f"command.{value}.name")

    async def _link(self, value: Any, _family: str, _say: Say) -> str:
        return jump_url(value)

    async def _channel(self, value: Any, _family: str, _say: Say) -> str:
        return f"<#{value}>"

    async def _until(self, value: Any, _family: str, _say: Say) -> str:
        return f"<t:{int(value)}:R>"

    async def _games(self, value: Any, _family: str, say: Say) -> str:
        return await game_lines(value, self._names, say)

    async def _missing(self, value: Any, _family: str, say: Say) -> str:
        return ", ".join(say(f"permission.{name}") for name in value)

    async def _move(self, value: Any, family: str, say: Say) -> str:
        return quoted(say.move(family, value))

    async def _expected(self, value: Any, family: str, say: Say) -> str:
        return say(f"expected.{family}", expected=value)
