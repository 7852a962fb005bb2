"""Whoever may sit in a seat and is not a person."""

from __future__ import annotations

from random import Random
from typing import Protocol

from engine.game import Position
from engine.search import SearchResult, Stop


class Agent(Protocol):
    """A player that decides by itself: a level, and later other programs' ways of playing."""

    @property
    def name(self) -> str:
        """What this agent is stored under; the same name gives the same agent again."""

    def choose(self, position: Position, *, rng: Random, stop: Stop | None = None) -> SearchResult:
        """Decide on a move in a position that is not over."""
