"""Problems that one person solves step by step: judging answers, and their results.

A `DrillSource` of a feature makes problems of one kind and records people's answers; everything
else is the same for all of them. Nothing here depends on Discord.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple, Protocol

from bot.game.refusal import Refusal
from bot.i18n import Translator
from bot.sessions.people import Requester
from bot.workers.pool import Claim, Kind
from bot.workers.workers import AnswerCache, Workers
from engine.core.game import Move, NotAMove, Position, replay
from engine.core.jobs import Job
from engine.core.problem import Problem
from engine.core.reason import ReasonKind
from engine.core.values import Value
from engine.study.analysis import Line, ShowLine

logger = logging.getLogger(__name__)

SEARCH_TIMEOUT = 20.0
"""Seconds that finding one line may take: many times what it takes on an idle core."""

CACHED_LINES = 64
"""The number of cached lines: many people make the same mistake in the same problem."""


class RouteTarget(NamedTuple):
    """The target of a button: the name of the route that handles it, and its arguments."""

    route: str
    values: tuple[object, ...]


ASK = "drill:ask"
"""The route that replaces the content of a message with a step of a drill."""


class DrillStep(NamedTuple):
    """One step of one drill, as ids of buttons name it."""

    source: str
    """The source of the drill: lower-case letters, at most 12."""
    ref: str
    """Which of the source's drills it is: letters, digits, dots and dashes, at most 32."""
    step: int = 0
    """Which move is to be found, counted from 0."""

    @property
    def target(self) -> RouteTarget:
        """The route that replaces the content of the message with this step."""
        return RouteTarget(ASK, self)


class Question(NamedTuple):
    """How one step of a drill is asked."""

    title: str
    """The first line, in Markdown, such as a puzzle with its number."""
    prompt: str
    """The question, in Markdown."""
    task: str = ""
    """The question in plain words on the board's picture, in place of the players; may be empty."""
    missed: str = ""
    """Why a wrong answer misses the point, where the board does not show it; may be empty."""


@dataclass(frozen=True, slots=True)
class Drill:
    """A problem with the texts that present it."""

    ref: str
    """Which of its source's drills it is; see `DrillStep`."""
    problem: Problem
    questions: tuple[Question, ...]
    """One for each step; the last one is also that of all further steps."""
    known: Mapping[Move, Value] = field(default_factory=dict)
    """Proven values of moves of the first step, if the source knows them."""
    rival: str = "rival"
    """What the other side is called, as keys of texts name it: `rival`, or `me` for Cuatro."""
    stars: int = 0
    """The difficulty beside a question's task, from 1 to 3; 0 for none."""
    is_explained: bool = False
    """Whether a wrong answer is explained in words alone, without the line that refutes it."""
    only: tuple[ReasonKind, ...] = ()
    """For each of the first steps, what its answer alone is proven to do: to win, or not to
    lose."""

    def question(self, step: int) -> Question:
        """How a step is asked, counted from 0."""
        return self.questions[min(step, len(self.questions) - 1)]


@dataclass(frozen=True, slots=True)
class Attempt:
    """An answer in one step of a drill."""

    step: int
    move: Move | None
    """The move; None for a request for the solution."""
    is_right: bool

    def solves(self, problem: Problem) -> bool:
        """Whether it was the right answer to the last step."""
        return self.is_right and self.step == len(problem.steps) - 1


@dataclass(frozen=True, slots=True)
class ButtonSpec:
    """A button to another message, such as another drill."""

    label: str
    target: RouteTarget


@dataclass(frozen=True, slots=True)
class PracticeButton:
    """A feature's button at the end of another feature's series of drills."""

    order: int
    after: Literal["review", "lesson", "daily"]
    """What has it: a review's exercises, a lesson, or the puzzle of the day."""
    make: Callable[[str, Translator], ButtonSpec | None]
    """Returns the button for the game with a key; None for no button."""


@dataclass(frozen=True, slots=True)
class PositionButton:
    """A feature's button under a position that a person studies alone."""

    order: int
    make: Callable[[Position, Sequence[Move], Translator], ButtonSpec | None]
    """Returns the button for the position after some moves from another; None for no button."""


PositionButtons = Callable[[Position, Sequence[Move], Translator], tuple[ButtonSpec, ...]]
"""The buttons of all features under the position after some moves from another."""


def no_position_buttons(
    _root: Position, _moves: Sequence[Move], _say: Translator
) -> tuple[ButtonSpec, ...]:
    """No buttons, as where no feature has any."""
    return ()


Practice = Callable[[str, Translator], tuple[ButtonSpec, ...]]
"""The practice buttons of all features at the end of a series about the game with a key."""


@dataclass(frozen=True, slots=True)
class Consequence:
    """What a source adds to the message about an answer."""

    text: str = ""
    """A line in Markdown, such as a rating that changed; may be empty."""
    buttons: tuple[ButtonSpec, ...] = ()
    """Further buttons, such as for the next puzzle."""
    head: str = ""
    """What a solved or shown drill says in place of the result of the move; may be empty."""
    practice: tuple[ButtonSpec, ...] = ()
    """Buttons at the end of a series; see `PracticeButton`. They replace no other button."""


NO_CONSEQUENCE = Consequence()


class DrillSource(Protocol):
    """Makes drills of one kind."""

    async def drill(self, ref: str, requester: Requester) -> Drill:
        """The drill that a button refers to.

        `ref` may be forged or outdated: raise Refusal("unknown_button") for one that never existed,
        and any other Refusal for a drill that this person may not see or that is gone. The same ref
        must always give the same problem: a person may be in the middle of it.
        """

    async def answered(self, drill: Drill, attempt: Attempt, requester: Requester) -> Consequence:
        """Record an answer, before the person learns whether it was right.

        It may be called again, or out of order: after a double click, an error, or from a second
        message with the same drill. The source makes sure that nothing is counted twice.
        """


@dataclass(frozen=True, slots=True)
class Answered:
    """An answer to a step, with everything that is shown about it."""

    at: DrillStep
    drill: Drill
    attempt: Attempt
    consequence: Consequence
    line: Line | None
    """The moves from the step's position on: after a wrong move its refutation, after the last
    right one and for the solution the best play. It begins with the moves that were made or shown.
    None for a right move before the last, for a wrong one that is explained in words, and where no
    line was found."""
    is_repeated: bool = False
    """Whether the person was wrong in this step before, and tried again."""

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
        """The proven value of the first of the moves made; None where it is not known."""
        return self.drill.known.get(self.made[0]) if self.at.step == 0 else None

    @property
    def is_over(self) -> bool:
        """Whether the solution is known now."""
        return self.kind in ("solved", "shown")


class Drills:
    """Finds drills, judges answers and records them."""

    def __init__(self, workers: Workers) -> None:
        """Search for lines with `workers`; `contribute` adds the sources."""
        self._workers = workers
        self._sources: dict[str, DrillSource] | None = None
        self._lines = AnswerCache[Line](CACHED_LINES)

    def contribute(self, sources: Iterable[tuple[str, DrillSource]]) -> None:
        """Take the sources of all features by their names; none can be added later."""
        if self._sources is not None:
            raise RuntimeError("the sources of drills are complete already")
        self._sources = {}
        for name, source in sources:
            if self._sources.setdefault(name, source) is not source:
                raise ValueError(f"two sources of drills are called {name}")

    async def drill(self, at: DrillStep, requester: Requester) -> Drill:
        """The drill that a button names; refused if there is none, or no such step."""
        drill = await self._source(at).drill(at.ref, requester)
        if at.step >= len(drill.problem.steps):
            raise Refusal("unknown_button")
        return drill

    async def answer(self, at: DrillStep, text: str, requester: Requester) -> Answered:
        """Judge a move in a step, in the players' notation; refused if it is none there."""
        drill = await self.drill(at, requester)
        problem, move = drill.problem, _legal(drill.problem, at.step, text)
        attempt = Attempt(at.step, move, problem.is_answer(at.step, move))
        has_line = attempt.solves(problem) or not (attempt.is_right or drill.is_explained)
        line = await self._line(problem, at.step, (move,), requester) if has_line else None
        consequence = await self._source(at).answered(drill, attempt, requester)
        return Answered(at, drill, attempt, consequence, line)

    async def show(self, at: DrillStep, requester: Requester) -> Answered:
        """The solution from a step on."""
        drill = await self.drill(at, requester)
        line = await self._line(drill.problem, at.step, drill.problem.rest(at.step), requester)
        attempt = Attempt(at.step, None, is_right=False)
        consequence = await self._source(at).answered(drill, attempt, requester)
        return Answered(at, drill, attempt, consequence, line)

    def _source(self, at: DrillStep) -> DrillSource:
        assert self._sources is not None, "the sources are contributed before anything starts"
        if at.source not in self._sources:
            raise Refusal("unknown_button")
        return self._sources[at.source]

    async def _line(
        self, problem: Problem, step: int, made: tuple[Move, ...], requester: Requester
    ) -> Line | None:
        """The best play from a step on, beginning with the moves made; None if it is not found.

        Refused for a person who waits for another answer of the engine.
        """
        before = problem.made(step)
        if replay(problem.game, (*before, *made)).outcome is not None:
            return Line(made, proven=True)
        moves = tuple(problem.game.label(move) for move in (*before, *made))
        job = Job(problem.game.key, problem.game.variant, moves, ShowLine())
        claim = Claim(Kind.EXPLANATION, requester.user_id, requester.guild_id)
        try:
            line = await self._workers.ask(job, claim, self._lines, SEARCH_TIMEOUT)
        except Refusal:
            raise
        except Exception:
            logger.exception("no line can be found in a drill")
            return None
        return Line(line.moves[len(before) :], line.proven, line.depth)


def _legal(problem: Problem, step: int, text: str) -> Move:
    """The move that a button names; refused if it is none that can be made in this step."""
    try:
        move = problem.game.parse(text)
    except NotAMove as error:
        raise Refusal("unknown_button") from error
    if move not in problem.position(step).legal_moves():
        raise Refusal("unknown_button")
    return move
