"""The game against perfect play that ends a lesson.

Nothing of it is stored but that it was won: what has been played stands in its buttons.

Lessons: what people learn of a game, solve in it and have solved. Knows nothing of Discord.

A lesson's problems are drills, so this is also where those come from.

All lessons of a game, and how far somebody has come in them.

How the game that ends a lesson stands.
"""

from __future__ import annotations

import re
from collections.abc import Sequence, Set
from dataclasses import dataclass
from zlib import crc32

from bot.drills.rules import NOTHING_FOLLOWS, Attempt, Consequence, Drill, DrillStep, Way
from bot.features.lessons.places import LessonGame, LessonPage, lesson_at
from bot.features.lessons.store import LessonPart, SolvedPart
from bot.game.clocks import Clock
from bot.game.refusal import Refusal
from bot.i18n import Say
from bot.sessions.people import Asker
from bot.show.export import csv_text, csv_time
from bot.store.store import Store
from bot.workers.fair_queue import Claim, Kind
from bot.workers.workers import Workers
from engine.core.analysis import SearchResult
from engine.core.game import IllegalMove, Move, NotAMove, Position, replay
from engine.core.jobs import Job
from engine.core.package import GamePackage
from engine.core.problem import Lesson
from engine.core.registry import games
from engine.strength.roster import ChooseMove

RIVAL = "perfect"
"""Who plays the other side."""

PATIENCE = 20.0
"""Seconds that one move may take: many times what it does on an idle core."""


@dataclass(frozen=True, slots=True)
class Played:
    """How a game stands, and what came of it."""

    turn: LessonTurn
    consequence: Consequence = NOTHING_FOLLOWS


class LessonGames:
    """Plays these games with people."""

    def __init__(self, lessons: Lessons, workers: Workers) -> None:
        """Note games that are won in `lessons`; search in `workers`."""
        self._lessons = lessons
        self._workers = workers

    async def play(self, at: LessonGame, asker: Asker) -> Played:
        """How a game stands once the other side has replied to what is played in it.

        Refused for what no such game can have come to.
        """
        lesson = lesson_at(at)
        moves, position = _played(at, lesson)
        if position.outcome is None and position.to_move is not lesson.shown.learner:
            return Played(await self._replied(at, lesson, moves, asker))
        turn = LessonTurn(at, lesson, moves)
        if not turn.is_won:
            return Played(turn)
        page = LessonPage(at.family, at.number)
        return Played(turn, await self._lessons.solved(page, lesson.parts, asker))

    async def _replied(
        self, at: LessonGame, lesson: Lesson, moves: tuple[Move, ...], asker: Asker
    ) -> LessonTurn:
        game = lesson.shown.game
        found = await self._search(at, lesson, moves, asker)
        label = game.label(found.move)
        after = LessonGame(at.family, at.number, at.moves + label)
        slipped = found.proven and not found.is_loss
        back = at.moves.removesuffix(game.label(moves[-1]))
        return LessonTurn(after, lesson, (*moves, found.move), found.move, slipped, back)

    async def _search(
        self, at: LessonGame, lesson: Lesson, moves: tuple[Move, ...], asker: Asker
    ) -> SearchResult:
        game = lesson.shown.game
        labels = tuple(map(game.label, moves))
        # The same moves have the same answer: a second press changes nothing.
        seed = crc32(at.moves.encode())
        job = Job(game.key, game.variant, labels, ChooseMove(RIVAL), seed)
        claim = Claim(Kind.EXPLANATION, asker.user_id, asker.guild_id)
        with self._workers.askers.asking(asker.user_id):
            return await self._workers.do(job, claim, PATIENCE)


def _played(at: LessonGame, lesson: Lesson) -> tuple[tuple[Move, ...], Position]:
    """All moves of a game and how it stands; refused for what cannot be played."""
    if not lesson.is_played:
        raise Refusal("unknown_button")
    game = lesson.shown.game
    try:
        moves = (*lesson.shown.moves, *game.moves(at.moves))
        return moves, replay(game, moves)
    except (NotAMove, IllegalMove) as error:
        raise Refusal("unknown_button") from error


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


LESSON_FIELDS = ("family", "lesson", "part", "solved")


def lessons_as_csv(parts: Sequence[SolvedPart]) -> str:
    """One line for each part of a lesson that a person has solved."""
    return csv_text(
        LESSON_FIELDS,
        (
            {"family": one.family, **one.solved._asdict(), "solved": csv_time(one.at)}
            for one in parts
        ),
    )


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


@dataclass(frozen=True, slots=True)
class LessonTurn:
    """The learner is to move, or the game is over."""

    at: LessonGame
    """The game with the other side's reply."""
    lesson: Lesson
    moves: tuple[Move, ...]
    """All of them, from the empty board on."""
    reply: Move | None = None
    """What the other side has just played."""
    has_slipped: bool = False
    """Whether the learner's latest move gave the win away."""
    back: str | None = None
    """What had been played before the learner's latest move; None where there is none."""

    @property
    def position(self) -> Position:
        """How the board stands."""
        return replay(self.lesson.shown.game, list(self.moves))

    @property
    def is_won(self) -> bool:
        """Whether the learner has won."""
        outcome = self.position.outcome
        return outcome is not None and outcome.winner is self.lesson.shown.learner
