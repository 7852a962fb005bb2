"""From lessons to private messages: the list of them, the page of each, and the game at the end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import discord
from discord import ButtonStyle

from bot.discord.controls import placed_moves, rows_of_moves
from bot.discord.drill_controls import way_button
from bot.discord.interactions import png_file
from bot.discord.lesson_controls import LessonButton, LessonGameButton, LessonSelect
from bot.discord.private_messages import PrivateMessage
from bot.discord.views import lasting_view
from bot.play.drills import Way
from bot.play.lesson_games import Played
from bot.play.lessons import place_of
from bot.play.workers import Workers
from bot.show.drills import drill_phrases
from bot.show.lessons import (
    course_text,
    lesson_name,
    page_scene,
    page_text,
    turn_scene,
    turn_text,
)
from bot.table.course import Course
from bot.table.lesson_places import LessonGame, LessonPage
from bot.table.lesson_turn import LessonTurn
from bot.words import Say
from bot.words.plain import fitting
from engine.core.registry import games
from renderers import BoardScene, board_alt_text, draw


@dataclass(frozen=True, slots=True)
class LessonMessages:
    """Draws lessons."""

    workers: Workers

    def course(self, course: Course, say: Say) -> PrivateMessage:
        """All lessons of a family."""
        view, family = lasting_view(), course.family.key
        names = [lesson_name(course, number, say) for number in course.numbers]
        view.add_item(LessonSelect(family, names, say("lesson.menu")))
        following = course.following()
        if following is not None:
            label = say("button.lesson.open", number=following)
            at = LessonPage(family, following)
            view.add_item(LessonButton(at, label, ButtonStyle.primary))
        return PrivateMessage(course_text(course, say), [], view)

    async def page(self, course: Course, number: int, say: Say) -> PrivateMessage:
        """A lesson with its picture."""
        lesson, left = course.lesson(number), course.left(number)
        key = "begin" if len(left) == lesson.parts else "go_on" if left else "repeat"
        view = lasting_view()
        begin = Way(say(f"button.lesson.{key}"), place_of(course, number, left[0] if left else 1))
        view.add_item(way_button(begin, ButtonStyle.primary))
        overview = LessonPage(course.family.key, 0)
        view.add_item(LessonButton(overview, say("button.lesson.all")))
        file = await self._drawn(course.family.key, lesson.key, page_scene(lesson, say), say)
        return PrivateMessage(page_text(course, number, say), [file], view)

    async def played(self, played: Played, say: Say) -> PrivateMessage:
        """A lesson's game with its buttons."""
        turn, came = played.turn, played.consequence
        view = _turn_view(turn, came.ways, say)
        file = await self._drawn(turn.at.family, turn.lesson.key, turn_scene(turn, say), say)
        said = "\n".join(line for line in (turn_text(turn, say), came.said) if line)
        return PrivateMessage(fitting(said), [file], view)

    async def _drawn(self, family: str, name: str, scene: BoardScene, say: Say) -> discord.File:
        png = await self.workers.draw(draw, games()[family].drawing, scene)
        return png_file(png, f"lesson-{name}", board_alt_text(scene, drill_phrases(say)))


def _turn_view(turn: LessonTurn, ways: Sequence[Way], say: Say) -> discord.ui.View:
    """The moves, and ways back; where it is won, the ways onward."""
    view, at = lasting_view(), turn.at
    for way in ways:
        view.add_item(way_button(way))
    last_row = _add_moves(view, turn, say) if turn.position.outcome is None else None
    if turn.back is not None and not turn.is_won:
        back = LessonGame(at.family, at.number, turn.back)
        view.add_item(LessonGameButton(back, say("button.lesson.back"), row=last_row))
    if at.moves and turn.back != "":
        again = LessonGame(at.family, at.number)
        view.add_item(LessonGameButton(again, say("button.again"), row=last_row))
    return view


def _add_moves(view: discord.ui.View, turn: LessonTurn, say: Say) -> int:
    """Add a button for every move of the game; returns the row below them."""
    for one in placed_moves(turn.position, say):
        to = LessonGame(turn.at.family, turn.at.number, turn.at.moves + one.text)
        disabled = not one.is_legal
        view.add_item(LessonGameButton(to, one.label, disabled=disabled, row=one.row))
    return rows_of_moves(turn.position.game)
