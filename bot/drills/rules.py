"""Problems that one person solves, step by step: where they come from, and what follows an answer.

A `DrillSource` makes problems of one kind and is told how people do; everything else is the same
for all of them. Knows nothing of Discord.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Protocol

from bot.features.lessons.places import LessonGame, LessonPage
from bot.game.refusal import Refusal
from bot.sessions.people import Asker
from bot.workers.fair_queue import Claim, Kind
from bot.workers.workers import SharedAnswers, Workers
from engine.core.game import Move, NotAMove, replay
from engine.core.jobs import Job
from engine.core.problem import Problem
from engine.core.values import Value
from engine.study.analysis import Line, ShowLine

logger = logging.getLogger(__name__)

PATIENCE = 20.0
"""Seconds that finding one line may take: many times what it does on an idle core."""

KEPT = 64
"""Lines that are kept: many make the same mistake in the same problem."""


@dataclass(frozen=True, slots=True)
class DrillStep:
    """One step of one drill, as buttons name it: all that has to be known to go on with it."""

    source: str
    """Which source made the drill: lower-case letters, at most 12."""
    ref: str
    """Which of the source's drills it is: letters, digits, dots and dashes, at most 32."""
    step: int = 0
    """Which move is to be found, counted from 0."""


@dataclass(frozen=True, slots=True)
class Drill:
    """A problem as it is put to somebody."""

    ref: str
    """Which of its source's drills it is; see `DrillStep`."""
    problem: Problem
    title: str
    """The first line, in Markdown: what this is, such as a puzzle with its number."""
    prompt: str
    """What is asked, in Markdown."""
    known: Mapping[Move, Value] = field(default_factory=dict)
    """What moves of the first step are proven to be worth, where a source knows that anyway."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """What somebody did about one step of a drill."""

    step: int
    move: Move | None
    """The answer; None if they had the solution shown to them."""
    is_right: bool

    def solves(self, problem: Problem) -> bool:
        """Whether it was the right answer to the last step."""
        return self.is_right and self.step == len(problem.steps) - 1


@dataclass(frozen=True, slots=True)
class Way:
    """A button that leads somewhere else, such as to another drill."""

    label: str
    to: DrillStep | LessonPage | LessonGame


@dataclass(frozen=True, slots=True)
class Consequence:
    """What an answer led to, beside what is true of any answer."""

    said: str = ""
    """A line in Markdown, such as a rating that changed; may be empty."""
    ways: tuple[Way, ...] = ()
    """Where one can go from here, such as to the next puzzle. Trying again, the solution and
    beginning again are there anyway."""


NOTHING_FOLLOWS = Consequence()


class DrillSource(Protocol):
    """Where drills of one kind come from."""

    async def drill(self, ref: str, asker: Asker) -> Drill:
        """The drill behind a button.

        `ref` may be forged, and old: raise Refusal("unknown_button") for what never was, and any
        other Refusal for what this person may not see or what is gone. The same ref must give the
        same problem as long as it gives any: a person is in the middle of it.
        """

    async def answered(self, drill: Drill, attempt: Attempt, asker: Asker) -> Consequence:
        """Note what somebody did, before they are told whether it was right.

        It may come again, or out of order: after a double click, an error, or from a second
        message with the same drill. What counts only once is for the source to count once.
        """


@dataclass(frozen=True, slots=True)
class Answered:
    """An answer to a step, and everything that is to be shown of it."""

    at: DrillStep
    drill: Drill
    attempt: Attempt
    consequence: Consequence
    line: Line | None
    """What follows from the step's position on: after a wrong move its refutation, after the last
    right one, and for who asked for the solution, the best play. It begins with the moves that were
    made or shown. None for a right move before the last, and where no line could be found."""

    @property
    def kind(self) -> str:
        """`solved`, `shown` or `wrong`; `step` for a right move before the last."""
        if self.attempt.move is None:
            return "shown"
        if not self.attempt.is_right:
            return "wrong"
        return "solved" if self.attempt.solves(self.drill.problem) else "step"

    @property
    def made(self) -> tuple[Move, ...]:
        """The moves made, or shown, from the step's position on."""
        if self.attempt.move is None:
            return self.drill.problem.rest(self.at.step)
        return (self.attempt.move,)

    @property
    def known(self) -> Value | None:
        """What the first of the moves made is proven to be worth; None where that is not known."""
        return self.drill.known.get(self.made[0]) if self.at.step == 0 else None

    @property
    def goes_on(self) -> bool:
        """Whether the next step is asked at once."""
        return self.kind == "step"

    @property
    def is_over(self) -> bool:
        """Whether the solution is known now."""
        return self.kind in ("solved", "shown")


class Drills:
    """Puts problems to people and judges their answers."""

    def __init__(self, workers: Workers, sources: Mapping[str, DrillSource]) -> None:
        """Find drills in `sources`, by the names that buttons have for them."""
        self._workers = workers
        self._sources = sources
        self._shared = SharedAnswers[Line](KEPT)

    async def drill(self, at: DrillStep, asker: Asker) -> Drill:
        """The drill that a button names; refused where there is none, or no such step."""
        if at.source not in self._sources:
            raise Refusal("unknown_button")
        drill = await self._sources[at.source].drill(at.ref, asker)
        if at.step >= len(drill.problem.steps):
            raise Refusal("unknown_button")
        return drill

    async def answer(self, at: DrillStep, text: str, asker: Asker) -> Answered:
        """Somebody's move in a step, written as players write it; refused if it is none there."""
        drill = await self.drill(at, asker)
        problem, move = drill.problem, _legal(drill.problem, at.step, text)
        attempt = Attempt(at.step, move, problem.is_answer(at.step, move))
        if attempt.is_right and not attempt.solves(problem):
            return await self._told(at, drill, attempt, asker, None)
        line = await self._line(problem, at.step, (move,), asker)
        return await self._told(at, drill, attempt, asker, line)

    async def show(self, at: DrillStep, asker: Asker) -> Answered:
        """The solution from a step on, for who asked for it."""
        drill = await self.drill(at, asker)
        line = await self._line(drill.problem, at.step, drill.problem.rest(at.step), asker)
        return await self._told(at, drill, Attempt(at.step, None, is_right=False), asker, line)

    async def _told(
        self, at: DrillStep, drill: Drill, attempt: Attempt, asker: Asker, line: Line | None
    ) -> Answered:
        """Tell the source of an attempt, and put together what is to be shown."""
        consequence = await self._sources[at.source].answered(drill, attempt, asker)
        return Answered(at, drill, attempt, consequence, line)

    async def _line(
        self, problem: Problem, step: int, made: tuple[Move, ...], asker: Asker
    ) -> Line | None:
        """The best play after moves in a step, which it begins with; None if it cannot be found.

        Refused for whoever waits for another answer of the engine.
        """
        before = problem.made(step)
        if replay(problem.game, (*before, *made)).outcome is not None:
            return Line(made, proven=True)
        moves = tuple(problem.game.label(move) for move in (*before, *made))
        job = Job(problem.game.key, problem.game.variant, moves, ShowLine())
        claim = Claim(Kind.EXPLANATION, asker.user_id, asker.guild_id)
        with self._workers.askers.asking(asker.user_id):
            try:
                line = await self._shared.of(job, partial(self._workers.do, job, claim, PATIENCE))
            except Exception:
                logger.exception("no line can be found in a drill")
                return None
        return Line(line.moves[len(before) :], line.proven)


def _legal(problem: Problem, step: int, text: str) -> Move:
    """The move that a button names; refused if it is none that can be made in this step."""
    try:
        move = problem.game.parse(text)
    except NotAMove as error:
        raise Refusal("unknown_button") from error
    if move not in problem.position(step).legal_moves():
        raise Refusal("unknown_button")
    return move
