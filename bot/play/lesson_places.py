"""Where a lesson's buttons lead: all that has to be known to go on there."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class LessonPage:
    """A lesson's page, or the list of all lessons."""

    family: str
    number: int
    """Which lesson, counted from 1; 0 for the list."""


@dataclass(frozen=True, slots=True)
class LessonGame:
    """The game that ends a lesson."""

    family: str
    number: int
    """Which lesson, counted from 1."""
    moves: str = ""
    """What has been played from the lesson's position on, in the game's notation."""
