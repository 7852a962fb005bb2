"""Lessons: what people learn of a game, solve in it and have solved. Knows nothing of Discord.

A lesson's problems are drills, so this is also where those come from.
"""

from __future__ import annotations

import re

from bot.play.drills import NOTHING_FOLLOWS, Asker, Attempt, Consequence, Drill, DrillStep, Way
from bot.store import LessonPart, Store
from bot.table.clocks import Clock
from bot.table.course import Course
from bot.table.lesson_places import LessonGame, LessonPage, lesson_at
from bot.table.refusal import Refusal
from bot.words import Say
from engine.core.problem import Lesson
from engine.core.registry import games

SOURCE = "lesson"
"""What buttons call these drills."""
REF = re.compile(r"(?P<family>[a-z0-9]{1,16})\.(?P<number>[0-9]{1,2})\.(?P<part>[0-9]{1,2})")
"""Which drill it is: the family, the lesson and its problem, both counted from 1."""


class Lessons:
    """Takes people through lessons; a `DrillSource`."""

    def __init__(self, store: Store, clock: Clock) -> None:
        """Keep in `store` what people have solved, and when, by `clock`."""
        self._store = store
        self._clock = clock

    async def course(self, family: str, user_id: int) -> Course:
        """The lessons of a family for somebody; refused where there are none."""
        if family not in games() or not games()[family].lessons:
            raise Refusal("unknown_button")
        return Course(games()[family], await self._store.lessons.solved(user_id, family))

    async def drill(self, ref: str, asker: Asker) -> Drill:
        """See `DrillSource`."""
        lesson, at, part = _found(ref)
        say, family = asker.say, at.family
        return Drill(
            ref,
            lesson.problems[part - 1],
            title=say(
                "lesson.drill",
                number=at.number,
                title=say(f"lesson.{family}.{lesson.key}.title"),
                part=part,
                of=len(lesson.problems),
            ),
            prompt=say(f"lesson.{family}.{lesson.key}.ask"),
        )

    async def answered(self, drill: Drill, attempt: Attempt, asker: Asker) -> Consequence:
        """Note a problem that is solved, and lead to the next one."""
        _, at, part = _found(drill.ref)
        if attempt.solves(drill.problem):
            return await self.solved(at, part, asker)
        if attempt.move is not None:
            return NOTHING_FOLLOWS
        course = await self.course(at.family, asker.user_id)
        return _onward(course, at, part, asker.say)

    async def solved(self, at: LessonPage, part: int, asker: Asker) -> Consequence:
        """Note a part of a lesson as solved, and lead to the next part or lesson."""
        done = LessonPart(lesson_at(at).key, part)
        await self._store.lessons.note(asker.user_id, at.family, done, self._clock())
        course = await self.course(at.family, asker.user_id)
        return _onward(course, at, part, asker.say)


def place_of(course: Course, number: int, part: int) -> DrillStep | LessonGame:
    """Where a part of a lesson is."""
    key = course.family.key
    if part > len(course.lesson(number).problems):
        return LessonGame(key, number)
    return DrillStep(SOURCE, f"{key}.{number}.{part}")


def _onward(course: Course, at: LessonPage, part: int, say: Say) -> Consequence:
    """Where to go from a part of a lesson: to what is left of it, or to the next lesson."""
    left = [one for one in course.left(at.number) if one != part]
    overview = Way(say("button.lesson.all"), LessonPage(at.family, 0))
    if left:
        # What comes after this part first, then what was left out before it.
        place = place_of(course, at.number, min(left, key=lambda one: (one < part, one)))
        label = "play" if isinstance(place, LessonGame) else "next"
        return Consequence(ways=(Way(say(f"button.lesson.{label}"), place),))
    if not course.is_done(at.number):
        return Consequence(ways=(overview,))
    said = say("lesson.done", number=at.number, done=course.done, of=len(course.numbers))
    following = course.following(at.number)
    if following is None:
        return Consequence(f"{said} {say('lesson.all_done')}", (overview,))
    onward = Way(say("button.lesson.following"), LessonPage(at.family, following))
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
