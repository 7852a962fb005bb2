"""Lessons: what people learn of a game, solve in it and have solved. Knows nothing of Discord.

A lesson's problems are drills, so this is also where those come from.
"""

from __future__ import annotations

import re
from collections.abc import Set
from dataclasses import dataclass

from bot.play.drills import NOTHING_FOLLOWS, Asker, Attempt, Consequence, Drill, DrillStep, Way
from bot.play.lesson_places import LessonGame, LessonPage
from bot.store import LessonPart, Store
from bot.table.clocks import Clock
from bot.table.refusal import Refusal
from bot.words import Say
from engine.games import FAMILIES, Family
from engine.lesson import Lesson

SOURCE = "lesson"
"""What buttons call these drills."""
REF = re.compile(r"(?P<family>[a-z0-9]{1,16})\.(?P<number>[0-9]{1,2})\.(?P<part>[0-9]{1,2})")
"""Which drill it is: the family, the lesson and its problem, both counted from 1."""


@dataclass(frozen=True, slots=True)
class Course:
    """All lessons of a family, and what somebody has solved of them."""

    family: Family
    solved: Set[LessonPart]

    def lesson(self, number: int) -> Lesson:
        """A lesson by its number, counted from 1."""
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
        """How many lessons are solved."""
        return sum(map(self.is_done, self.numbers))

    @property
    def following(self) -> int | None:
        """The first lesson that is not done; None once all are."""
        return next((number for number in self.numbers if not self.is_done(number)), None)

    def place(self, number: int, part: int) -> DrillStep | LessonGame:
        """Where a part of a lesson is."""
        key = self.family.key
        if part > len(self.lesson(number).problems):
            return LessonGame(key, number)
        return DrillStep(SOURCE, f"{key}.{number}.{part}")


class Lessons:
    """Takes people through lessons; a `DrillSource`."""

    def __init__(self, store: Store, clock: Clock) -> None:
        """Keep in `store` what people have solved, and when, by `clock`."""
        self._store = store
        self._clock = clock

    async def course(self, family: str, user_id: int) -> Course:
        """The lessons of a family for somebody; refused where there are none."""
        if family not in FAMILIES or not FAMILIES[family].lessons:
            raise Refusal("unknown_button")
        return Course(FAMILIES[family], await self._store.lessons.solved(user_id, family))

    async def drill(self, ref: str, asker: Asker) -> Drill:
        """See `DrillSource`."""
        lesson, at, part = _found(ref)
        say, family = asker.say, at.family
        return Drill(
            ref,
            lesson.problems[part - 1],
            title=lesson_title(at, say) + say("lesson.part", number=part, of=len(lesson.problems)),
            prompt=say(f"lesson.{family}.{lesson.key}.ask"),
        )

    async def answered(self, drill: Drill, attempt: Attempt, asker: Asker) -> Consequence:
        """Note a problem that is solved, and lead to the next one."""
        lesson, at, part = _found(drill.ref)
        if attempt.solves(drill.problem):
            return await self.solved(at, part, asker)
        if attempt.move is not None:
            return NOTHING_FOLLOWS
        course = await self.course(at.family, asker.user_id)
        return _onward(course, at, part, asker.say)

    async def solved(self, at: LessonPage, part: int, asker: Asker) -> Consequence:
        """Note a part of a lesson as solved, and lead to the next part or lesson."""
        lesson = FAMILIES[at.family].lessons[at.number - 1]
        done = LessonPart(lesson.key, part)
        await self._store.lessons.note(asker.user_id, at.family, done, self._clock())
        course = await self.course(at.family, asker.user_id)
        return _onward(course, at, part, asker.say)


def lesson_at(at: LessonPage | LessonGame) -> Lesson:
    """The lesson that a button names; refused where there is none."""
    lessons = FAMILIES[at.family].lessons if at.family in FAMILIES else ()
    if not 1 <= at.number <= len(lessons):
        raise Refusal("unknown_button")
    return lessons[at.number - 1]


def lesson_title(at: LessonPage | LessonGame, say: Say) -> str:
    """What stands above everything about a lesson, in Markdown."""
    lesson = lesson_at(at)
    return say(
        "lesson.title",
        number=at.number,
        of=len(FAMILIES[at.family].lessons),
        title=say(f"lesson.{at.family}.{lesson.key}.title"),
    )


def _onward(course: Course, at: LessonPage, part: int, say: Say) -> Consequence:
    """Where to go from a part of a lesson: to what is left of it, or to the next lesson."""
    left = [one for one in course.left(at.number) if one != part]
    if left:
        # What comes after this part first, then what was left out before it.
        following = min(left, key=lambda one: (one < part, one))
        place = course.place(at.number, following)
        label = "play" if isinstance(place, LessonGame) else "next"
        return Consequence(ways=(Way(say(f"button.lesson.{label}"), place),))
    overview = Way(say("button.lesson.all"), LessonPage(at.family, 0))
    if not course.is_done(at.number):
        return Consequence(ways=(overview,))
    said = say("lesson.done", number=at.number, done=course.done, of=len(course.numbers))
    if course.following is None:
        return Consequence(said + " " + say("lesson.all_done"), (overview,))
    onward = Way(say("button.lesson.following"), LessonPage(at.family, course.following))
    return Consequence(said, (onward, overview))


def _found(ref: str) -> tuple[Lesson, LessonPage, int]:
    """The lesson that a drill is from, where it is, and the problem's number in it."""
    parts = REF.fullmatch(ref)
    if parts is None:
        raise Refusal("unknown_button")
    at, part = LessonPage(parts["family"], int(parts["number"])), int(parts["part"])
    lesson = lesson_at(at)
    if not 1 <= part <= len(lesson.problems):
        raise Refusal("unknown_button")
    return lesson, at, part
