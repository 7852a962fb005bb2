"""Puzzles as lines of JSON say them, and what is wrong with them."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any


class Wrong(Exception):
    """A puzzle that does not keep its promise; says why."""


@dataclass(frozen=True)
class Claimed:
    """A puzzle as it is told."""

    id: str
    game: str
    moves: str
    kind: str
    line: str
    wins_in: int | None

    @classmethod
    def of(cls, text: str) -> Claimed:
        """Read a line of JSON."""
        told: dict[str, Any] = json.loads(text)
        parts = (told[name] for name in ("id", "game", "moves", "kind", "line", "wins_in"))
        return cls(*parts)


@dataclass(frozen=True)
class Found:
    """What a check came to."""

    asked: tuple[str, ...]
    """Every position in which something is asked, the same text for all that are symmetric."""
    trivial: bool
    """Whether there is nothing but a line to complete, or the only one to parry."""


def need(is_so: bool, why: str) -> None:
    """Raise `Wrong` unless something is so."""
    if not is_so:
        raise Wrong(why)
