"""Lessons in words and pictures: the list of them, the page of each, and the game at the end."""

from __future__ import annotations

from dataclasses import replace

from bot.show.drills import solver_scene
from bot.table.course import Course
from bot.table.lesson_places import LessonGame, LessonPage, lesson_at
from bot.table.lesson_turn import LessonTurn
from bot.words import Say
from engine.core.game import Cell
from engine.core.problem import Lesson
from engine.core.registry import games
from renderers import BoardScene

DONE, NEXT, OPEN = "✅", "➡️", "▫️"
"""What stands before a lesson that is done, the next one, and any other."""


def course_text(course: Course, say: Say) -> str:
    """All lessons of a family with what has been done of them, in Markdown."""
    family = course.family.key
    head = say("lesson.list", game=say(f"game.{family}"), done=course.done, of=len(course.numbers))
    lines = [f"{_sign(course, n)} {lesson_name(course, n, say)}" for n in course.numbers]
    tail = say("lesson.all_done") if course.following() is None else say("lesson.choose")
    return "\n".join((head, *lines, tail))


def lesson_name(course: Course, number: int, say: Say) -> str:
    """A lesson's number, its title and, once it is begun, how much of it is solved."""
    title = say(f"lesson.{course.family.key}.{course.lesson(number).key}.title")
    text = say("lesson.name", number=number, title=title)
    solved, of = _progress(course, number)
    return text if solved in (0, of) else f"{text} ({solved}/{of})"


def page_text(course: Course, number: int, say: Say) -> str:
    """What a lesson says, in Markdown."""
    key = course.lesson(number).key
    solved, of = _progress(course, number)
    lines = [
        _title(LessonPage(course.family.key, number), say),
        say(f"lesson.{course.family.key}.{key}.text"),
    ]
    if solved:
        lines.append(f"{_sign(course, number)} {say('lesson.solved', solved=solved, of=of)}")
    return "\n".join(lines)


def page_scene(lesson: Lesson, say: Say) -> BoardScene:
    """A lesson's picture."""
    shown = lesson.shown
    scene = solver_scene(shown.game, shown.moves, shown.learner, say)
    return replace(scene, marked=shown.marked)


def turn_scene(turn: LessonTurn, say: Say) -> BoardScene:
    """The picture of a lesson's game: squares stay marked until somebody has them."""
    shown = turn.lesson.shown
    scene = solver_scene(shown.game, turn.moves, shown.learner, say)
    free = (at for at in shown.marked if scene.cells[at.row][at.column] is Cell.EMPTY)
    return replace(scene, marked=frozenset(free))


def turn_text(turn: LessonTurn, say: Say) -> str:
    """How a lesson's game stands, in Markdown."""
    return "\n".join((_title(turn.at, say), _told(turn, say)))


def _title(at: LessonPage | LessonGame, say: Say) -> str:
    title = say(f"lesson.{at.family}.{lesson_at(at).key}.title")
    return say("lesson.title", number=at.number, of=len(games()[at.family].lessons), title=title)


def _told(turn: LessonTurn, say: Say) -> str:
    game, outcome = turn.lesson.shown.game, turn.position.outcome
    if turn.is_won:
        return say("lesson.game.won")
    if outcome is not None:
        return say("lesson.game.drawn" if outcome.winner is None else "lesson.game.lost")
    if turn.reply is None:
        return say("lesson.game.begin")
    reply = say.move(game.key, game.label(turn.reply))
    return say(f"lesson.game.{'slipped' if turn.has_slipped else 'turn'}", move=reply)


def _progress(course: Course, number: int) -> tuple[int, int]:
    """How many parts of a lesson are solved, and how many there are."""
    of = course.lesson(number).parts
    return of - len(course.left(number)), of


def _sign(course: Course, number: int) -> str:
    if course.is_done(number):
        return DONE
    return NEXT if number == course.following() else OPEN
