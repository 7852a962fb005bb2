"""All lessons of a game, and how far somebody has come in them."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass

from bot.store import LessonPart
from engine.core.package import GamePackage
from engine.core.problem import Lesson


@dataclass(frozen=True, slots=True)
class Course:
    """The lessons of a family, counted from 1, and what of them somebody has solved."""

    family: GamePackage
    solved: Set[LessonPart]

    def lesson(self, number: int) -> Lesson:
        """A lesson by its number."""
        return self.family.lessons[number - 1]

    def left(self, number: int) -> tuple[int, ...]:
        """The parts of a lesson that are not solved yet, counted from 1."""
        lesson = self.lesson(number)
        parts = range(1, lesson.parts + 1)
        return tuple(part for part in parts if LessonPart(lesson.key, part) not in self.solved)

    def is_done(self, number: int) -> bool:
        """Whether all of a lesson is solved."""
        return not self.left(number)

    @property
    def numbers(self) -> range:
        """The numbers of all lessons."""
        return range(1, len(self.family.lessons) + 1)

    @property
    def done(self) -> int:
        """How many lessons are done."""
        return sum(map(self.is_done, self.numbers))

    def following(self, number: int = 0) -> int | None:
        """The next lesson after one that is not done, or the first; None once all are."""
        undone = [one for one in self.numbers if not self.is_done(one)]
        return next((one for one in undone if one > number), undone[0] if undone else None)
