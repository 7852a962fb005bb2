"""Lessons on Discord: the command, the private messages about lessons, and their buttons."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import discord
from discord import ButtonStyle, Interaction

from bot.board.messages import Button, placed_moves, rows_of_moves
from bot.discord.commands import ChosenGame, GameCommand, command, game_option
from bot.discord.replies import PrivateMessage, acknowledge, png_file, requester_of, show_privately
from bot.discord.routes import FAMILY, CustomId, Route, chosen, lasting_view, row_id
from bot.drills.discord import button_from, drill_phrases, solver_scene
from bot.drills.rules import ButtonSpec, Consequence, PositionButtons
from bot.features.lessons.rules import (
    Course,
    CoursePage,
    LessonGame,
    LessonPage,
    Lessons,
    LessonTurn,
    lesson_at,
)
from bot.game.refusal import Refusal
from bot.i18n import Translator, fitting, say_for
from bot.sessions.people import Limiter
from bot.show.examples import rules_scene
from bot.show.moves import moves_named
from bot.show.scenes import card_picture
from bot.show.themes import reader_theme
from bot.workers.workers import Workers
from engine.core.game import Cell
from engine.core.problem import Lesson
from engine.core.registry import games
from renderers import BoardScene, board_alt_text, card_alt_text, draw

# Not called `family`: refusals are about the channel's game.
TAUGHT = rf"(?P<taught>{FAMILY})"
NUMBER = "(?P<number>[0-9]{1,2})"
MOVES = "(?P<moves>[A-Za-z0-9]{0,56})"
"""The moves of a game, as far as a custom id has room for them."""

PAGE = CustomId("lesson", TAUGHT, NUMBER, number=int)
"""Buttons that show a lesson's page, or a list of lessons."""

LEARN = CustomId("learn", TAUGHT)
"""Buttons that show a list of lessons in a message of its own."""

LIST = CustomId("lessons", TAUGHT)
"""The menu of a course's lessons."""

COURSE = CustomId("course", TAUGHT, NUMBER, number=int)
"""Buttons that show the list of a course's lessons."""

COURSES = CustomId("courses")
"""The menu of all courses of all games; its values are the games' keys and the courses' numbers."""

COURSE_VALUE = re.compile(rf"{TAUGHT}\.{NUMBER}")

GAME = CustomId("lessongame", TAUGHT, NUMBER, MOVES, number=int)
"""Buttons that make a move in a lesson's game, or take moves back."""


def learn_button(family: str, say: Translator) -> Button:
    """The button under help."""
    return LEARN.button(family, label=say("button.lessons"))


def games_with_lessons() -> tuple[str, ...]:
    """The keys of the games that have lessons."""
    return tuple(key for key, game in games().items() if game.lessons)


@dataclass(frozen=True, slots=True)
class LessonHandler:
    """Shows lessons and plays the games that end them, always to one person alone."""

    lessons: Lessons
    workers: Workers
    limiter: Limiter
    chosen: ChosenGame
    position_buttons: PositionButtons

    @property
    def routes(self) -> tuple[Route, ...]:
        """The buttons and the menu."""
        return (
            PAGE.route(self._open),
            LEARN.route(self._begin),
            LIST.route(self._choose),
            COURSE.route(self._open_course),
            COURSES.route(self._choose_course),
            GAME.route(self._play),
        )

    def command(self) -> GameCommand:
        """The command that teaches the games that have lessons."""
        offered = games_with_lessons()

        @command("learn", "lesson")
        @game_option(offered)
        async def learn(
            interaction: Interaction[Any], game: str | None = None, lesson: int | None = None
        ) -> None:
            family = await self.chosen(interaction, game, offered)
            last = len(family.lessons)
            if lesson is not None and not 1 <= lesson <= last:
                raise Refusal("no_such_lesson", number=lesson, last=last)
            await self._begin(interaction, family.key, lesson or 0)

        return learn

    async def _begin(self, interaction: Interaction[Any], taught: str, number: int = 0) -> None:
        """Show a lesson's page, or a list of lessons, in a new message."""
        self.limiter.take("pictures", interaction.user.id)
        await interaction.response.defer(ephemeral=True, thinking=True)
        await self._show(interaction, LessonPage(taught, number))

    async def _open(self, interaction: Interaction[Any], taught: str, number: int) -> None:
        await self._acknowledge(interaction)
        await self._show(interaction, LessonPage(taught, number))

    async def _choose(self, interaction: Interaction[Any], taught: str) -> None:
        await self._open(interaction, taught, row_id(chosen(interaction)))

    async def _open_course(self, interaction: Interaction[Any], taught: str, number: int) -> None:
        await self._acknowledge(interaction)
        await self._show(interaction, CoursePage(taught, number))

    async def _choose_course(self, interaction: Interaction[Any]) -> None:
        value = COURSE_VALUE.fullmatch(chosen(interaction))
        if value is None:
            raise Refusal("unknown_button")
        await self._open_course(interaction, value["taught"], int(value["number"]))

    async def _play(
        self, interaction: Interaction[Any], taught: str, number: int, moves: str
    ) -> None:
        await self._acknowledge(interaction)
        requester = requester_of(interaction)
        turn, won = await self.lessons.play(LessonGame(taught, number, moves), requester)
        scene, text = turn_scene(turn, requester.say), turn_text(turn, requester.say)
        text = fitting(f"{text}\n{won.text}" if won.text else text)
        file = await self._drawn(turn.at.family, turn.lesson.key, scene, requester.say)
        more = self.position_buttons(turn.lesson.shown.game.start(), turn.moves, requester.say)
        shown = PrivateMessage(text, [file], _turn_view(turn, won, requester.say, more))
        await show_privately(interaction, shown)

    async def _acknowledge(self, interaction: Interaction[Any]) -> None:
        """Count and acknowledge a press."""
        self.limiter.take("pictures", interaction.user.id)
        await acknowledge(interaction)

    async def _show(self, interaction: Interaction[Any], at: LessonPage | CoursePage) -> None:
        """Show a lesson's page, or a list of lessons."""
        say, user_id = say_for(interaction.locale.value), interaction.user.id
        course = await self.lessons.course(at, user_id)
        if isinstance(at, CoursePage) or at.number == 0:
            view = _course_view(course, await self.lessons.all_courses(user_id), say)
            shown = PrivateMessage(course_text(course, say), [], view)
        else:
            file = await self._page_picture(at, say)
            view = _page_view(course, at.number, say)
            shown = PrivateMessage(page_text(course, at.number, say), [file], view)
        await show_privately(interaction, shown)

    async def _page_picture(self, at: LessonPage, say: Translator) -> discord.File:
        """The picture of a lesson's page; the first one has a line of each kind."""
        lesson, rules = lesson_at(at), rules_scene(games()[at.family], say)
        if at.number > 1 or rules is None or rules.numbered:
            return await self._drawn(at.family, lesson.key, page_scene(lesson, say), say)
        png = await self.workers.draw(card_picture, rules, reader_theme())
        return png_file(png, f"lesson-{lesson.key}", card_alt_text(rules))

    async def _drawn(
        self, family: str, name: str, scene: BoardScene, say: Translator
    ) -> discord.File:
        png = await self.workers.draw(draw, games()[family].drawing, scene, reader_theme())
        return png_file(png, f"lesson-{name}", board_alt_text(scene, drill_phrases(say)))


def _course_view(course: Course, every: Iterable[Course], say: Translator) -> discord.ui.View:
    """The next lesson, a menu of all lessons, and one of all courses if there are several."""
    view, family = lasting_view(), course.family.key
    options = [
        discord.SelectOption(
            label=f"{_sign(course, number)} {lesson_name(course, number, say)}",
            value=str(number),
        )
        for number in course.numbers
    ]
    following = course.following()
    if following is not None:
        label = say("button.lesson.open", number=following)
        view.add_item(PAGE.button(family, following, label=label, style=ButtonStyle.primary))
    view.add_item(LIST.menu(family, options=options, text=say("lesson.menu")))
    others = [one for one in every if one.page != course.page]
    if others:
        offered = [
            discord.SelectOption(
                label=f"{_course_sign(one)} {course_name(one, say)}",
                value=".".join(map(str, one.page)),
            )
            for one in others
        ]
        view.add_item(COURSES.menu(options=offered, text=say("lesson.courses")))
    return view


def _page_view(course: Course, number: int, say: Translator) -> discord.ui.View:
    """The first part of a lesson that is not solved, and the list of all lessons."""
    left = course.left(number)
    key = "begin" if len(left) == course.lesson(number).parts else "go_on" if left else "repeat"
    place = course.place(number, left[0] if left else 1)
    view = lasting_view()
    view.add_item(
        button_from(ButtonSpec(say(f"button.lesson.{key}"), place.target), ButtonStyle.primary)
    )
    view.add_item(COURSE.button(*course.page, label=say("button.lesson.all")))
    return view


def _turn_view(
    turn: LessonTurn, won: Consequence, say: Translator, more: Iterable[ButtonSpec]
) -> discord.ui.View:
    """The buttons after a win, those of the moves, and those that take moves back.

    `more` are those of features about the position.
    """
    view, at, last_row = lasting_view(), turn.at, None
    for way in won.buttons:
        view.add_item(button_from(way))
    if turn.position.outcome is None:
        last_row = rows_of_moves(turn.position.game)
        for one in placed_moves(turn.position, say):
            to, disabled = at._replace(moves=at.moves + one.text), not one.is_legal
            view.add_item(GAME.button(*to, label=one.label, disabled=disabled, row=one.row))
    if turn.back is not None and not turn.is_won:
        back = at._replace(moves=turn.back)
        view.add_item(GAME.button(*back, label=say("button.lesson.back"), row=last_row))
    if at.moves and turn.back != "":
        again = at._replace(moves="")
        view.add_item(GAME.button(*again, label=say("button.lesson.over"), row=last_row))
    for way in more:
        view.add_item(button_from(way, row=last_row))
    return view


DONE, NEXT, OPEN = "✅", "➡️", "▫️"
"""The marks before a lesson that is done, the next one, and any other."""


def course_text(course: Course, say: Translator) -> str:
    """How many lessons a course has, and how many a person has done, in Markdown."""
    count = len(course.numbers)
    head = say(
        "lesson.list",
        course=say(course.title),
        lessons=say.count("short_lessons", count),
        done=say.count("lessons_done", course.done),
    )
    is_done = course.following() is None
    tail = say("lesson.all_done", count=count) if is_done else say("lesson.choose")
    return f"{head}\n{tail}"


def course_name(course: Course, say: Translator) -> str:
    """A course's title, and how many lessons it has."""
    count = say.count("short_lessons", len(course.numbers))
    return say("lesson.course", course=say(course.title), lessons=count)


def lesson_name(course: Course, number: int, say: Translator) -> str:
    """A lesson's number, its title and, once it is begun, how much of it is solved."""
    title = say(f"lesson.{course.family.key}.{course.lesson(number).key}.title")
    text = say("lesson.name", number=number, title=title)
    solved, of = _progress(course, number)
    return text if solved in (0, of) else f"{text} ({solved}/{of})"


def page_text(course: Course, number: int, say: Translator) -> str:
    """The text of a lesson, in Markdown."""
    lesson, left = course.lesson(number), course.left(number)
    title = _title(LessonPage(course.family.key, number), say)
    said = f"{title} {say(f'lesson.{course.family.key}.{lesson.key}.text')}"
    problems = [part for part in left if part <= len(lesson.problems)]
    if problems:
        is_all = len(problems) == len(left)
        count = len(problems)
        to_do = say.count("to_solve", count) if is_all else say.count("to_solve_and_win", count)
        return f"{said}\n{to_do}"
    return f"{said}\n{say('lesson.to_win')}" if left else said


def page_scene(lesson: Lesson, say: Translator) -> BoardScene:
    """A lesson's picture."""
    shown = lesson.shown
    scene = solver_scene(shown.game, shown.moves, shown.learner, say)
    return replace(scene, marked=shown.marked)


def turn_scene(turn: LessonTurn, say: Translator) -> BoardScene:
    """The picture of a lesson's game: squares stay marked until they are taken."""
    shown = turn.lesson.shown
    scene = solver_scene(shown.game, turn.moves, shown.learner, say)
    free = (at for at in shown.marked if scene.cells[at.row][at.column] is Cell.EMPTY)
    return replace(scene, marked=frozenset(free))


def turn_text(turn: LessonTurn, say: Translator) -> str:
    """The state of a lesson's game, in Markdown."""
    return _state(turn, say)


def _title(at: LessonPage | LessonGame, say: Translator) -> str:
    title = say(f"lesson.{at.family}.{lesson_at(at).key}.title")
    return say("lesson.title", number=at.number, title=title)


def _state(turn: LessonTurn, say: Translator) -> str:
    game, outcome = turn.lesson.shown.game, turn.position.outcome
    if turn.is_won:
        return say("lesson.game.won")
    if outcome is not None:
        return say("lesson.game.drawn" if outcome.winner is None else "lesson.game.lost")
    if turn.reply is None:
        return say("lesson.game.begin")
    places = moves_named(game, [turn.reply], say)
    return say(f"lesson.game.{'slipped' if turn.has_slipped else 'turn'}", places=places)


def _progress(course: Course, number: int) -> tuple[int, int]:
    """How many parts of a lesson are solved, and how many there are."""
    of = course.lesson(number).parts
    return of - len(course.left(number)), of


def _course_sign(course: Course) -> str:
    return DONE if course.following() is None else OPEN


def _sign(course: Course, number: int) -> str:
    if course.is_done(number):
        return DONE
    return NEXT if number == course.following() else OPEN
