"""Puzzles as lines of JSON, and errors in them."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any


class Wrong(Exception):
    """A puzzle does not fulfil its claims; the text says why."""


@dataclass(frozen=True)
class Claimed:
    """A puzzle with its claims."""

    id: str
    game: str
    moves: str
    kind: str
    line: str
    wins_in: int | None

    @classmethod
    def of(cls, text: str) -> Claimed:
        """Read a line of JSON."""
        report: dict[str, Any] = json.loads(text)
        parts = (report[name] for name in ("id", "game", "moves", "kind", "line", "wins_in"))
        return cls(*parts)


@dataclass(frozen=True)
class Found:
    """The result of a check."""

    asked: tuple[str, ...]
    """Every position in which a move is asked, as a text that is the same for symmetric ones."""
    trivial: bool
    """Whether the answers only complete a line, or parry the only one."""


def need(is_so: bool, why: str) -> None:
    """Raise `Wrong` unless a condition holds."""
    if not is_so:
        raise Wrong(why)
