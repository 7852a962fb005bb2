"""How answers to drills are judged, recorded and answered."""

from __future__ import annotations

import asyncio
import threading
from typing import Any

import pytest

from bot.drills import rules
from bot.drills.rules import Attempt, Consequence, Drill, Drills, DrillStep, Question
from bot.feature import Services
from bot.game.refusal import Refusal
from bot.i18n import say_in
from bot.sessions.people import Requester
from bot.workers.pool import Claim, Kind
from engine.core.game import Game, Move
from engine.core.jobs import Job
from engine.core.problem import Problem, Step
from engine.core.registry import game_of
from tests.bot.engine_jobs import Calling, doing

ANA = Requester(1, 9, say_in("en"))
FOUR = game_of("connect4", "6x7")
BOOM = game_of("boom", "7x7")


def moves(game: Game, text: str) -> tuple[Move, ...]:
    """These moves as players write them."""
    return tuple(game.moves(text))


TWO_STEPS = Problem(
    FOUR,
    moves(FOUR, "4141"),
    (Step(moves(FOUR, "4"), moves(FOUR, "4")), Step(moves(FOUR, "35"))),
)
"""The first player, with two stones on four, is to put a third there, and then one beside."""
TWICE = Problem(BOOM, moves(BOOM, "1"), (Step(moves(BOOM, "2")), Step(moves(BOOM, "3"))))
"""The second player is to make two movements, one after the other."""


ASKED = (
    Question("A title", "A question?", "A task"),
    Question("A title", "What now?", "A further task"),
)


class Shelf:
    """A source of two drills that records the attempts it is given."""

    def __init__(self) -> None:
        self.problems = {"steps": TWO_STEPS, "twice": TWICE}
        self.noted = list[Attempt]()

    async def drill(self, ref: str, requester: Requester) -> Drill:
        """Return one of the drills."""
        if ref not in self.problems:
            raise Refusal("unknown_button")
        return Drill(ref, self.problems[ref], ASKED)

    async def answered(self, drill: Drill, attempt: Attempt, requester: Requester) -> Consequence:
        """Record an attempt."""
        self.noted.append(attempt)
        return Consequence(f"noted {len(self.noted)}")


@pytest.fixture
def empty_source() -> Shelf:
    """An empty source."""
    return Shelf()


@pytest.fixture
def put(services: Services, empty_source: Shelf) -> Drills:
    """The drills service with this source."""
    drills = Drills(services.workers)
    drills.contribute([("shelf", empty_source)])
    return drills


def at(step: int, ref: str = "steps") -> DrillStep:
    """One step of one of the drills."""
    return DrillStep("shelf", ref, step)


async def test_step_by_step_to_the_solution(put: Drills, empty_source: Shelf) -> None:
    """Each right answer leads to the next step, and the last one to the line of best play."""
    first = await put.answer(at(0), "4", ANA)
    assert (first.kind, first.line) == ("step", None)
    last = await put.answer(at(1), "5", ANA)
    assert (last.kind, last.is_over, last.consequence.text) == ("solved", True, "noted 2")
    assert last.line is not None
    assert last.line.proven
    assert FOUR.label(last.line.moves[0]) == "5"
    assert empty_source.noted == [Attempt(0, Move(3), True), Attempt(1, Move(4), True)]
    assert [one.solves(TWO_STEPS) for one in empty_source.noted] == [False, True]


async def test_a_wrong_answer_is_refuted(put: Drills, empty_source: Shelf) -> None:
    """A wrong answer is recorded first, and then refuted by a line that begins with it."""
    wrong = await put.answer(at(1), "7", ANA)
    assert (wrong.kind, wrong.is_over) == ("wrong", False)
    assert wrong.line is not None
    job = rules.Job("connect4", "6x7", tuple("4141447"), rules.ShowLine())
    assert wrong.line.moves == job.run().moves[6:]
    assert empty_source.noted == [Attempt(1, Move(6), False)]


async def test_the_solution_is_shown_from_a_step_on(put: Drills, empty_source: Shelf) -> None:
    """The solution is shown from the current step on, with best play; it is not an answer."""
    for step, begins in ((0, "443"), (1, "3")):
        shown = await put.show(at(step), ANA)
        assert (shown.kind, shown.is_over) == ("shown", True)
        assert shown.line is not None
        assert shown.line.moves[: len(begins)] == shown.made == moves(FOUR, begins)
    assert empty_source.noted == [Attempt(0, None, False), Attempt(1, None, False)]


async def test_in_boom_the_same_player_moves_twice(put: Drills) -> None:
    """In BOOM no reply is made between the two movements of a turn."""
    assert (await put.answer(at(0, "twice"), "2", ANA)).kind == "step"
    assert (await put.answer(at(1, "twice"), "7", ANA)).kind == "wrong"
    assert (await put.answer(at(1, "twice"), "3", ANA)).kind == "solved"


async def test_a_line_that_ends_the_game_needs_no_search(
    put: Drills, empty_source: Shelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A line that ends the game needs no search."""
    monkeypatch.delattr(Job, "run")
    won = Problem(FOUR, moves(FOUR, "414141"), (Step(moves(FOUR, "4")),))
    empty_source.problems = {"won": won}
    solved = await put.answer(at(0, "won"), "4", ANA)
    assert solved.line is not None
    assert (solved.line.moves, solved.line.proven) == (moves(FOUR, "4"), True)


@pytest.mark.parametrize(
    ("where", "move"),
    [
        (at(2), "4"),
        (at(0, "nothing"), "4"),
        (at(0)._replace(source="nothing"), "4"),
        (at(0), "8"),
        (at(0), "B"),
    ],
)
async def test_missing_items_are_refused(
    put: Drills, empty_source: Shelf, where: DrillStep, move: str
) -> None:
    """An unknown step, drill, source or move is refused and not recorded."""
    with pytest.raises(Refusal, match="unknown_button"):
        await put.answer(where, move, ANA)
    assert empty_source.noted == []


def test_sources_are_complete_at_the_start(
    put: Drills, services: Services, empty_source: Shelf
) -> None:
    """Sources are registered before the start, each under a unique name."""
    with pytest.raises(RuntimeError):
        put.contribute([("other", empty_source)])
    with pytest.raises(ValueError, match="shelf"):
        Drills(services.workers).contribute([("shelf", empty_source), ("shelf", Shelf())])


async def test_a_move_that_is_not_allowed_is_refused(put: Drills, empty_source: Shelf) -> None:
    """A move that is not allowed, such as into a full column, is refused as an answer."""
    full = Problem(FOUR, moves(FOUR, "444444"), (Step(moves(FOUR, "3")),))
    empty_source.problems = {"full": full}
    with pytest.raises(Refusal, match="unknown_button"):
        await put.answer(at(0, "full"), "4", ANA)
    assert empty_source.noted == []


async def test_a_failure_costs_only_the_line(
    put: Drills, empty_source: Shelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    """When the search fails, the answer is still judged and recorded; the next can have a line."""

    def fail(job: Any, stop: Any) -> Any:
        raise ArithmeticError("no line")

    with monkeypatch.context() as failing:
        failing.setattr(Job, "run", doing(fail))
        wrong = await put.answer(at(0), "7", ANA)
    assert (wrong.kind, wrong.line, len(empty_source.noted)) == ("wrong", None, 1)
    assert (await put.answer(at(0), "7", ANA)).line is not None


async def test_a_person_waits_for_one_line_at_a_time(
    services: Services, put: Drills, empty_source: Shelf
) -> None:
    """A second answer by one person while their line is searched is refused and not recorded."""
    release = threading.Event()
    busy = asyncio.create_task(services.workers.do(Calling(release.wait), Claim(Kind.EXPLANATION)))
    waits = asyncio.create_task(put.answer(at(0), "7", ANA))
    await asyncio.sleep(0.05)
    with pytest.raises(Refusal, match="one_at_a_time"):
        await put.answer(at(0), "6", ANA)
    assert empty_source.noted == []
    release.set()
    await busy
    assert (await waits).kind == "wrong"
    assert [one.move for one in empty_source.noted] == [Move(6)]
