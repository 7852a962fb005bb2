"""Players that are programs."""

from __future__ import annotations

from random import Random
from typing import Protocol

from engine.game import Position
from engine.search import SearchResult, Stop


class Agent(Protocol):
    """A program that can take a side: a level, a rung of a ladder, or a seed agent."""

    @property
    def name(self) -> str:
        """The name it is stored under; looking the name up gives the same agent again."""

    def choose(self, position: Position, *, rng: Random, stop: Stop | None = None) -> SearchResult:
        """Decide on a move in a position that is not over."""
