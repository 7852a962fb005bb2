"""The texts of lessons are short and complete in every language."""

from __future__ import annotations

import pytest

from bot.drills.discord import drill_phrases
from bot.features.lessons.discord import (
    course_name,
    course_text,
    lesson_name,
    page_scene,
    page_text,
    turn_scene,
)
from bot.features.lessons.rules import LessonGame, LessonTurn, courses_of
from bot.features.lessons.store import LessonPart
from bot.i18n import LANGUAGES, say_in
from engine.core.registry import games
from renderers import board_alt_text

LONGEST = 180
"""The largest number of characters in a lesson's text."""
TAUGHT = [family for family in games().values() if family.lessons]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_text_of_a_lesson_is_short(language: str) -> None:
    """A lesson's text has at most 180 characters, a title that fits a menu, and a question."""
    say = say_in(language)
    for family in TAUGHT:
        for lesson in family.lessons:
            key = f"lesson.{family.key}.{lesson.key}"
            assert 40 < len(say(f"{key}.text")) <= LONGEST, key
            assert len(say(f"{key}.title")) <= 40
            assert len(say(f"{key}.ask")) <= 80


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_lesson_fits_a_message_and_a_menu(language: str) -> None:
    """A lesson fits with all its parts, and the menu has short labels and few enough entries."""
    say = say_in(language)
    for family in TAUGHT:
        parts = {LessonPart(lesson.key, 1) for lesson in family.lessons}
        for course in courses_of(family, parts):
            assert len(course_text(course, say)) <= 2000
            assert len(course_name(course, say)) <= 80
            assert len(course.numbers) <= 25
            for number in course.numbers:
                assert len(page_text(course, number, say)) <= 2000
                assert len(lesson_name(course, number, say)) <= 100


@pytest.mark.parametrize("language", LANGUAGES)
def test_marked_squares_are_in_the_alternative_text(language: str) -> None:
    """Marked squares are described in the alternative texts of a lesson and of its game."""
    say, family = say_in(language), games()["connect4"]
    number, lesson = next(one for one in enumerate(family.lessons, 1) if one[1].is_played)
    text = board_alt_text(page_scene(lesson, say), drill_phrases(say))
    (square,) = lesson.shown.marked
    where = say("alt.square", column=square.column + 1, row=6 - square.row)
    assert text.endswith(say("alt.marked", squares=where))
    at = LessonGame(family.key, number)
    game = lesson.shown.game
    for moves, free in (("61", True), ("55", False)):
        turn = LessonTurn(at, lesson, (*lesson.shown.moves, *game.moves(moves)))
        assert bool(turn_scene(turn, say).marked) is free
