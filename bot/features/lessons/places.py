"""Where a lesson's buttons lead: all that has to be known to go on there."""

from __future__ import annotations

from dataclasses import dataclass

from bot.game.refusal import Refusal
from engine.core.problem import Lesson
from engine.core.registry import games


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


def lesson_at(at: LessonPage | LessonGame) -> Lesson:
    """The lesson that a button names; refused where there is none."""
    lessons = games()[at.family].lessons if at.family in games() else ()
    if not 1 <= at.number <= len(lessons):
        raise Refusal("unknown_button")
    return lessons[at.number - 1]
