"""A person's progress through the lessons of a game."""

from __future__ import annotations

from bot.features.lessons.rules import Course, courses_of
from bot.features.lessons.store import LessonPart
from engine.core.registry import games

FAMILY = games()["connect4"]


def solved(*numbers: int, without: int = 0) -> Course:
    """A course with these lessons done, the last of them `without` one part."""
    parts = {
        LessonPart(FAMILY.lessons[number - 1].key, part)
        for number in numbers
        for part in range(1, FAMILY.lessons[number - 1].parts + 1)
    }
    return Course(FAMILY, parts - {LessonPart(FAMILY.lessons[numbers[-1] - 1].key, without)})


def test_a_lesson_is_done_once_every_part_of_it_is_solved() -> None:
    """A lesson is done once all its parts are solved, including the last lesson's game."""
    assert Course(FAMILY, set()).done == 0
    course = solved(1, 2, without=2)
    assert (course.done, course.left(1), course.left(2)) == (1, (), (2,))
    last = course.numbers[-1]
    game = course.lesson(last).parts
    assert course.lesson(last).is_played
    assert solved(last, without=game).left(last) == (game,)
    assert solved(last).is_done(last)


def test_the_next_lesson_is_the_first_one_left() -> None:
    """The next lesson is the first unfinished one after the current, then the first unfinished."""
    course = solved(1, 3)
    assert course.following() == 2
    assert course.following(3) == 4
    assert course.following(12) == 2
    assert solved(*course.numbers).following() is None


def test_the_next_course_follows_once_one_is_done() -> None:
    """Lessons are counted on from course to course; the next course is one that is not done."""
    first, second = courses_of(FAMILY, set())
    assert (first.numbers, second.numbers) == (range(1, 13), range(13, 21))
    assert second.following() == 13
    assert first.next_course == second
    (_, second) = courses_of(FAMILY, solved(*second.numbers).solved)
    assert second.following() is None
    assert second.next_course is not None
    assert second.next_course.index == 1
    every = range(1, 21)
    assert solved(*every).next_course is None


def test_progress_of_removed_lessons_is_ignored() -> None:
    """Stored progress of a lesson that no longer exists is ignored."""
    assert Course(FAMILY, {LessonPart("gone", 1)}).done == 0
