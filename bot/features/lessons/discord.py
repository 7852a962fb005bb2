"""The buttons and the menu of lessons.

As everywhere, a control's custom id holds everything that has to be known to answer it: of a
lesson's game, all that has been played in it.

Answers everything about lessons, always to one person alone.

From lessons to private messages: the list of them, the page of each, and the game at the end.

Lessons in words and pictures: the list of them, the page of each, and the game at the end.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Self, cast

import discord
from discord import ButtonStyle, Interaction

from bot.board.messages import placed_moves, rows_of_moves
from bot.discord.answering import Answering
from bot.discord.commands import (
    Commands,
    command,
)
from bot.discord.presses import presses_of
from bot.discord.replies import PrivateMessage, acknowledge, asker_of, png_file, show_privately
from bot.discord.routes import FAMILY, lasting_view, row_id
from bot.drills.discord import drill_phrases, solver_scene, way_button
from bot.drills.rules import Way
from bot.features.lessons.places import LessonGame, LessonPage, lesson_at
from bot.features.lessons.rules import Course, LessonGames, Lessons, LessonTurn, Played, place_of
from bot.game.refusal import Refusal
from bot.i18n import Say, fitting, say_for
from bot.sessions.people import Limiter
from bot.workers.workers import Workers
from engine.core.game import Cell
from engine.core.package import GamePackage
from engine.core.problem import Lesson
from engine.core.registry import games
from engine.core.registry import games as all_games
from renderers import BoardScene, board_alt_text, draw

if TYPE_CHECKING:
    from bot.handlers import Handlers


def _lessons(handlers: Handlers, family: GamePackage) -> Commands:
    """The command that teaches a game, where there are lessons in it."""

    @command("learn", "lesson")
    async def learn(interaction: Interaction[Any], lesson: int | None = None) -> None:
        await handlers.lessons.learn(interaction, family.key, lesson)

    return (learn,)


NUMBER = "[0-9]{1,2}"
"""The number of a lesson."""

MOVES = "[A-Za-z0-9]{0,56}"
"""A game in its notation, as far as a custom id has room for it."""


class LessonButton(
    discord.ui.DynamicItem[discord.ui.Button[discord.ui.View]],
    template=rf"cuatro:lesson:(?P<family>{FAMILY}):(?P<number>{NUMBER})",
):
    """Shows a lesson's page, or the list of all lessons."""

    def __init__(
        self, at: LessonPage, label: str = "", style: ButtonStyle = ButtonStyle.secondary
    ) -> None:
        """A button for a page."""
        super().__init__(
            discord.ui.Button(
                label=label or str(at.number),
                style=style,
                custom_id=f"cuatro:lesson:{at.family}:{at.number}",
            )
        )
        self.at = at

    @classmethod
    async def from_custom_id(
        cls, interaction: Interaction[Any], item: discord.ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        """Restore the button from its custom id."""
        return cls(LessonPage(match["family"], int(match["number"])))

    async def callback(self, interaction: Interaction[Any]) -> None:
        """Show the page."""
        await presses_of(interaction).lesson(interaction, self.at)


class LessonSelect(
    discord.ui.DynamicItem[discord.ui.Select[discord.ui.View]],
    template=rf"cuatro:lessons:(?P<family>{FAMILY})",
):
    """Opens one of the lessons of a family."""

    def __init__(self, family: str, names: Sequence[str] = (), placeholder: str = "") -> None:
        """A menu of lessons by their names, in order."""
        options = [
            discord.SelectOption(label=name, value=str(number))
            for number, name in enumerate(names, 1)
        ]
        super().__init__(
            discord.ui.Select(
                custom_id=f"cuatro:lessons:{family}",
                options=options,
                placeholder=placeholder or None,
            )
        )
        self.family = family

    @classmethod
    async def from_custom_id(
        cls, interaction: Interaction[Any], item: discord.ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        """Restore the menu from its custom id."""
        return cls(match["family"])

    async def callback(self, interaction: Interaction[Any]) -> None:
        """Show the chosen lesson."""
        values = cast("dict[str, Any]", interaction.data).get("values") or [""]
        at = LessonPage(self.family, row_id(str(values[0])))
        await presses_of(interaction).lesson(interaction, at)


class LessonGameButton(
    discord.ui.DynamicItem[discord.ui.Button[discord.ui.View]],
    template=rf"cuatro:lessongame:(?P<family>{FAMILY}):(?P<number>{NUMBER}):(?P<moves>{MOVES})",
):
    """Goes on with a lesson's game, or back in it."""

    def __init__(
        self,
        at: LessonGame,
        label: str = "",
        style: ButtonStyle = ButtonStyle.secondary,
        *,
        disabled: bool = False,
        row: int | None = None,
    ) -> None:
        """A button for how the game then stands."""
        super().__init__(
            discord.ui.Button(
                label=label or at.moves[-1:],
                style=style,
                custom_id=f"cuatro:lessongame:{at.family}:{at.number}:{at.moves}",
                disabled=disabled,
                row=row,
            )
        )
        self.at = at

    @classmethod
    async def from_custom_id(
        cls, interaction: Interaction[Any], item: discord.ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        """Restore the button from its custom id."""
        return cls(LessonGame(match["family"], int(match["number"]), match["moves"]), "·")

    async def callback(self, interaction: Interaction[Any]) -> None:
        """Go there."""
        await presses_of(interaction).lesson_game(interaction, self.at)


LESSON_CONTROLS = (LessonButton, LessonSelect, LessonGameButton)
"""What the client registers so that controls from earlier runs work."""


def lesson_button(
    at: LessonPage | LessonGame, label: str, style: ButtonStyle = ButtonStyle.secondary
) -> LessonButton | LessonGameButton:
    """The button that leads to a place in a lesson."""
    if isinstance(at, LessonGame):
        return LessonGameButton(at, label, style)
    return LessonButton(at, label, style)


@dataclass(frozen=True, slots=True)
class LessonHandler:
    """Shows lessons and plays the games that end them; their problems are drills."""

    answering: Answering
    lessons: Lessons
    games: LessonGames
    messages: LessonMessages
    limiter: Limiter

    async def learn(
        self, interaction: Interaction[Any], family: str, number: int | None = None
    ) -> None:
        """Show all lessons of a family, or one of them, in a new private message."""
        async with self.answering(interaction, family):
            last = len(all_games()[family].lessons)
            if number is not None and not 1 <= number <= last:
                raise Refusal("no_such_lesson", number=number, last=last)
            self.limiter.take("pictures", interaction.user.id)
            await interaction.response.defer(ephemeral=True, thinking=True)
            await self._show(interaction, LessonPage(family, number or 0))

    async def press(self, interaction: Interaction[Any], at: LessonPage) -> None:
        """Show a lesson's page, or the list, in the place of what the message shows."""
        async with self.answering(interaction):
            self.limiter.take("pictures", interaction.user.id)
            await acknowledge(interaction)
            await self._show(interaction, at)

    async def press_game(self, interaction: Interaction[Any], at: LessonGame) -> None:
        """Go on with a lesson's game."""
        async with self.answering(interaction):
            self.limiter.take("pictures", interaction.user.id)
            await acknowledge(interaction)
            asker = asker_of(interaction)
            played = await self.games.play(at, asker)
            await show_privately(interaction, await self.messages.played(played, asker.say))

    async def _show(self, interaction: Interaction[Any], at: LessonPage) -> None:
        say = say_for(interaction.locale.value)
        course = await self.lessons.course(at.family, interaction.user.id)
        if at.number == 0:
            await show_privately(interaction, self.messages.course(course, say))
            return
        lesson_at(at)
        await show_privately(interaction, await self.messages.page(course, at.number, say))


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
