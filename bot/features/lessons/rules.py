"""Lessons about a game: their problems, which are drills, and the game that ends a lesson.

Of the final game against perfect play only the win is stored: the moves made so far are in the ids
of its buttons. Nothing here depends on Discord.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Set
from dataclasses import dataclass, replace
from typing import NamedTuple
from zlib import crc32

from bot.drills.rules import (
    NO_CONSEQUENCE,
    Attempt,
    ButtonSpec,
    Consequence,
    Drill,
    DrillStep,
    Practice,
    Question,
    RouteTarget,
)
from bot.features.lessons.store import LessonPart, LessonProgress
from bot.game.clocks import Clock
from bot.game.refusal import Refusal
from bot.i18n import Translator
from bot.sessions.people import Requester
from bot.show.moves import moves_named, sentence
from bot.show.texts import csv_text, csv_time
from bot.workers.pool import Claim, Kind
from bot.workers.workers import AnswerCache, Workers
from engine.core.analysis import SearchResult
from engine.core.game import IllegalMove, Move, NotAMove, Position, replay
from engine.core.jobs import Job
from engine.core.package import GamePackage
from engine.core.problem import Lesson
from engine.core.registry import games
from engine.strength.roster import ChooseMove

SOURCE = "lesson"
"""The name of these drills in ids of buttons."""

REF = re.compile(r"(?P<family>[a-z0-9]{1,16})\.(?P<number>[0-9]{1,2})\.(?P<part>[0-9]{1,2})")
"""The reference of a drill: the game, the lesson and its problem, both counted from 1."""

RIVAL = "perfect"
"""The agent that plays the other side of a lesson's game."""

SEARCH_TIMEOUT = 20.0
"""Seconds that one of its moves may take: many times longer than on an idle core."""

CACHED_REPLIES = 64
"""Moves of the other side that are kept: the same moves have the same reply."""


class CoursePage(NamedTuple):
    """The list of a course's lessons."""

    family: str
    number: int
    """Which of the game's courses it is, counted from 1."""

    @property
    def target(self) -> RouteTarget:
        """The route that replaces the content of the message with the list."""
        return RouteTarget("course", self)


class LessonPage(NamedTuple):
    """A lesson's page, or the list of the lessons of the first course that is not done."""

    family: str
    number: int
    """The lesson, counted from 1 through all courses; 0 for the list."""

    @property
    def target(self) -> RouteTarget:
        """The route that replaces the content of the message with the page."""
        return RouteTarget("lesson", self)


class LessonGame(NamedTuple):
    """The game that ends a lesson."""

    family: str
    number: int
    """The lesson, counted from 1."""
    moves: str = ""
    """The moves from the lesson's position on, in the game's notation."""

    @property
    def target(self) -> RouteTarget:
        """The route that continues the game from these moves."""
        return RouteTarget("lessongame", self)


def lesson_at(at: LessonPage | LessonGame) -> Lesson:
    """The lesson that a button names; refused if there is none."""
    lessons = games()[at.family].lessons if at.family in games() else ()
    if not 1 <= at.number <= len(lessons):
        raise Refusal("unknown_button")
    return lessons[at.number - 1]


@dataclass(frozen=True, slots=True)
class Course:
    """A course of a game, and the parts of the game's lessons that a person has solved.

    Lessons are counted from 1 through all courses of the game.
    """

    family: GamePackage
    solved: Set[LessonPart]
    index: int = 1
    """Which of the game's courses it is, counted from 1."""

    @property
    def page(self) -> CoursePage:
        """The list of its lessons."""
        return CoursePage(self.family.key, self.index)

    @property
    def title(self) -> str:
        """The key of its title's text."""
        return f"course.{self.family.key}.{self.family.courses[self.index - 1].key}"

    @property
    def next_course(self) -> Course | None:
        """The next course of the game that is not done, or the first; None once all are."""
        courses = courses_of(self.family, self.solved)
        undone = [one for one in courses if one.following() is not None]
        return next((one for one in undone if one.index > self.index), next(iter(undone), None))

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
        """The numbers of its lessons."""
        *before, last = (len(one.lessons) for one in self.family.courses[: self.index])
        return range(sum(before) + 1, sum(before) + last + 1)

    @property
    def done(self) -> int:
        """How many lessons are done."""
        return sum(map(self.is_done, self.numbers))

    def following(self, number: int = 0) -> int | None:
        """Its next lesson after one that is not done, or the first; None once all are."""
        undone = [one for one in self.numbers if not self.is_done(one)]
        return next((one for one in undone if one > number), undone[0] if undone else None)

    def place(self, number: int, part: int) -> DrillStep | LessonGame:
        """The drill step or the game of a part of a lesson."""
        key = self.family.key
        if part > len(self.lesson(number).problems):
            return LessonGame(key, number)
        return DrillStep(SOURCE, f"{key}.{number}.{part}")


def courses_of(family: GamePackage, solved: Set[LessonPart]) -> tuple[Course, ...]:
    """The courses of a game for a person who has solved these parts."""
    return tuple(Course(family, solved, index) for index in range(1, len(family.courses) + 1))


@dataclass(frozen=True, slots=True)
class LessonTurn:
    """A lesson's game in which the learner is to move, or which is over."""

    at: LessonGame
    """The game with the other side's reply."""
    lesson: Lesson
    moves: tuple[Move, ...]
    """All moves from the empty board on."""
    reply: Move | None = None
    """The latest move of the other side, if there is one."""
    has_slipped: bool = False
    """Whether the learner's latest move gave the win away."""
    back: str | None = None
    """The moves before the learner's latest one; None if there is none."""

    @property
    def position(self) -> Position:
        """The position after the moves."""
        return replay(self.lesson.shown.game, list(self.moves))

    @property
    def is_won(self) -> bool:
        """Whether the learner has won."""
        outcome = self.position.outcome
        return outcome is not None and outcome.winner is self.lesson.shown.learner


class Lessons:
    """Takes people through lessons; the source of their drills."""

    def __init__(
        self, progress: LessonProgress, workers: Workers, clock: Clock, practice: Practice
    ) -> None:
        """Reply in `workers`; `practice` are the buttons at the end of a lesson."""
        self._progress = progress
        self._workers = workers
        self._replies = AnswerCache[SearchResult](CACHED_REPLIES)
        self._clock = clock
        self._practice = practice

    async def courses(self, family: str, user_id: int) -> tuple[Course, ...]:
        """The courses of a game for a person; refused if there are none."""
        if family not in games() or not games()[family].courses:
            raise Refusal("unknown_button")
        return courses_of(games()[family], await self._progress.solved(user_id, family))

    async def all_courses(self, user_id: int) -> tuple[Course, ...]:
        """The courses of all games for a person."""
        taught = [key for key, game in games().items() if game.courses]
        return tuple([one for key in taught for one in await self.courses(key, user_id)])

    async def course(self, at: LessonPage | CoursePage, user_id: int) -> Course:
        """The course with a lesson; for a list, that one; refused if there is none."""
        courses = await self.courses(at.family, user_id)
        if isinstance(at, CoursePage):
            found = [one for one in courses if one.index == at.number]
        elif at.number == 0:
            found = [*(one for one in courses if one.following() is not None), courses[0]]
        else:
            found = [one for one in courses if at.number in one.numbers]
        if not found:
            raise Refusal("unknown_button")
        return found[0]

    async def drill(self, ref: str, requester: Requester) -> Drill:
        """See `DrillSource`."""
        lesson, at, part = _found(ref)
        say, key, problem = requester.say, text_key(at.family, lesson), lesson.problems[part - 1]
        title = say("lesson.drill", part=part, of=len(lesson.problems))
        steps = range(1, len(problem.steps) + 1)
        missed = (special_text(say, f"{key}.missed", part, step) for step in steps)
        questions = tuple(Question(title, say(f"{key}.ask"), missed=why) for why in missed)
        return Drill(ref, problem, questions, is_explained=True)

    async def answered(self, drill: Drill, attempt: Attempt, requester: Requester) -> Consequence:
        """Record a solved problem, and return the button to the next one."""
        lesson, at, part = _found(drill.ref)
        say, key = requester.say, text_key(at.family, lesson)
        if attempt.solves(drill.problem):
            solved = await self._solved(at, part, requester)
            return replace(solved, head=special_text(say, f"{key}.right", part))
        if attempt.move is not None:
            return NO_CONSEQUENCE
        course = await self.course(at, requester.user_id)
        said = self._onward(course, at.number, part, say)
        returns = said.buttons and part in course.left(at.number)
        shown = moves_named(drill.problem.game, drill.problem.rest(attempt.step)[:1], say)
        head = sentence(special_text(say, f"{key}.shown", part, places=shown))
        return replace(said, text=say("lesson.returns") if returns else "", head=head)

    async def play(self, at: LessonGame, requester: Requester) -> tuple[LessonTurn, Consequence]:
        """A lesson's game after the other side's reply, and the consequence of a win.

        Refused for moves that cannot be made.
        """
        lesson = lesson_at(at)
        moves, position = _played(at, lesson)
        if position.outcome is None and position.to_move is not lesson.shown.learner:
            return await self._replied(at, lesson, moves, requester), NO_CONSEQUENCE
        turn = LessonTurn(at, lesson, moves)
        if not turn.is_won:
            return turn, NO_CONSEQUENCE
        return turn, await self._solved(LessonPage(at.family, at.number), lesson.parts, requester)

    async def _solved(self, at: LessonPage, part: int, requester: Requester) -> Consequence:
        """Record a part of a lesson as solved, and return the button to the next part or lesson."""
        solved = LessonPart(lesson_at(at).key, part)
        await self._progress.note(requester.user_id, at.family, solved, self._clock())
        course = await self.course(at, requester.user_id)
        return self._onward(course, at.number, part, requester.say)

    def _onward(self, course: Course, number: int, part: int, say: Translator) -> Consequence:
        """The buttons after a part of a lesson; once the lesson is done, also to practice."""
        said = _next_buttons(course, number, part, say)
        if not course.is_done(number):
            return said
        onward, overview = said.buttons[:-1], said.buttons[-1:]
        practice = self._practice(course.family.key, say)
        return replace(said, buttons=(*onward, *practice, *overview))

    async def _replied(
        self, at: LessonGame, lesson: Lesson, moves: tuple[Move, ...], requester: Requester
    ) -> LessonTurn:
        game, labels = lesson.shown.game, [*map(lesson.shown.game.label, moves)]
        # The same moves get the same reply: a second press changes nothing.
        seed = crc32(at.moves.encode())
        job = Job(game.key, game.variant, tuple(labels), ChooseMove(RIVAL), seed)
        claim = Claim(Kind.EXPLANATION, requester.user_id, requester.guild_id)
        found = await self._workers.ask(job, claim, self._replies, SEARCH_TIMEOUT)
        after = at._replace(moves=at.moves + game.label(found.move))
        slipped = found.proven and not found.is_loss
        back = at.moves.removesuffix(labels[-1])
        return LessonTurn(after, lesson, (*moves, found.move), found.move, slipped, back)


def text_key(family: str, lesson: Lesson) -> str:
    """The beginning of the keys of a lesson's texts."""
    return f"lesson.{family}.{lesson.key}"


def special_text(
    say: Translator, key: str, part: int, step: int | None = None, **details: object
) -> str:
    """The text about a part of a lesson, else that about a step of its parts, else that of all.

    Empty where the lesson has none, because the board says it already.
    """
    keys = (f"{key}.part{part}", f"{key}.step{step}", key)
    return next((say(one, **details) for one in keys if one in say.texts), "")


def _played(at: LessonGame, lesson: Lesson) -> tuple[tuple[Move, ...], Position]:
    """All moves of a game and the position after them; refused if they cannot be made."""
    if not lesson.is_played:
        raise Refusal("unknown_button")
    game = lesson.shown.game
    try:
        moves = (*lesson.shown.moves, *game.moves(at.moves))
        return moves, replay(game, moves)
    except (NotAMove, IllegalMove) as error:
        raise Refusal("unknown_button") from error


def _next_buttons(course: Course, number: int, part: int, say: Translator) -> Consequence:
    """The buttons after a part of a lesson: to an unsolved part of it, or to the next lesson."""
    left = [one for one in course.left(number) if one != part]
    family = course.family.key
    overview = ButtonSpec(say("button.lesson.all"), course.page.target)
    if left:
        # Later parts first, then earlier ones that were skipped.
        place = course.place(number, min(left, key=lambda one: (one < part, one)))
        label = "play" if isinstance(place, LessonGame) else "next"
        return Consequence(buttons=(ButtonSpec(say(f"button.lesson.{label}"), place.target),))
    if not course.is_done(number):
        return Consequence(buttons=(overview,))
    count, following = len(course.numbers), course.following(number)
    if following is None:
        said = say("lesson.done", number=number, left=say("lesson.all_done", count=count))
        other = course.next_course
        more = other and ButtonSpec(say("button.lesson.course"), other.page.target)
        return Consequence(said, (more, overview) if more else (overview,))
    to_go = say.count("lessons_left", count - course.done)
    said = say("lesson.done", number=number, left=to_go)
    onward = ButtonSpec(say("button.lesson.following"), LessonPage(family, following).target)
    return Consequence(said, (onward, overview))


def _found(ref: str) -> tuple[Lesson, LessonPage, int]:
    """The lesson of a drill, where it is, and the problem's number in it."""
    parts = REF.fullmatch(ref)
    if parts is None:
        raise Refusal("unknown_button")
    at, part = LessonPage(parts["family"], int(parts["number"])), int(parts["part"])
    lesson = lesson_at(at)
    if not 1 <= part <= len(lesson.problems):
        raise Refusal("unknown_button")
    return lesson, at, part


FIELDS = ("family", "lesson", "part", "solved")


async def lesson_files(progress: LessonProgress, user_id: int) -> Mapping[str, str]:
    """A file with one line for each part of a lesson that a person has solved; none if none."""
    parts = await progress.all_of(user_id)
    rows = (
        {"family": one.family, **one.solved._asdict(), "solved": csv_time(one.at)} for one in parts
    )
    return {"lessons.csv": csv_text(FIELDS, rows)} if parts else {}
