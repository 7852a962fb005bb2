"""The private message of a drill after each step, and when the engine fails."""

from __future__ import annotations

from typing import Any

import pytest

from bot.discord.replies import PrivateMessage
from bot.drills.discord import DrillMessages
from bot.drills.rules import Drills, DrillStep
from bot.drills.words import line_text
from bot.feature import Services
from bot.i18n import LANGUAGES, Translator, say_in
from bot.sessions.people import Requester
from engine.core.jobs import Job
from tests.bot.drills.test_rules import ASKED, Shelf
from tests.bot.engine_jobs import doing


async def answer(services: Services, at: DrillStep, move: str, say: Translator) -> PrivateMessage:
    """The message after an answer."""
    drills = Drills(services.workers)
    drills.contribute([("shelf", Shelf())])
    answered = await drills.answer(at, move, requester(say))
    return await DrillMessages(services.workers).answered(answered, say)


def requester(say: Translator) -> Requester:
    """Ana, with this language."""
    return Requester(1, None, say)


@pytest.mark.parametrize(
    ("language", "ref", "move", "said"),
    [
        ("en", "steps", "4", "**Right.** Your opponent answers column 4. And now?"),
        ("es", "twice", "2", "**Correcto.** ¿Y ahora?"),
    ],
)
async def test_a_right_move_leads_to_the_next_step(
    services: Services, language: str, ref: str, move: str, said: str
) -> None:
    """After a right move come the reply, the source's comment and a still with buttons."""
    say = say_in(language)
    shown = await answer(services, DrillStep("shelf", ref), move, say)
    assert shown.content.splitlines() == [said, "noted 1"]
    assert shown.files[0].filename == f"shelf-{ref}-1.png"
    ids = [getattr(item, "custom_id", "") for item in shown.view.children]
    assert f"cuatro:try:shelf:{ref}:1:5" in ids
    assert ids[-1] == f"cuatro:drill:solve:shelf:{ref}:1"


async def test_every_step_has_its_own_question(services: Services) -> None:
    """A step is asked by its own words and not by those of the first, also after a wrong try."""
    shelf, say = Shelf(), say_in("en")
    drill = await shelf.drill("steps", requester(say))
    messages = DrillMessages(services.workers)
    for step, asked in enumerate(ASKED):
        shown = await messages.question(DrillStep("shelf", "steps", step), drill, say)
        assert shown.content == f"{asked.title} {asked.prompt}"
        assert drill.question(step) == asked
    assert drill.question(2) == ASKED[1]


async def test_an_unproven_line_keeps_its_depth(services: Services) -> None:
    """The line after an answer that nothing proves says how many moves ahead was looked."""
    say, drills = say_in("en"), Drills(services.workers)
    drills.contribute([("shelf", Shelf())])
    answered = await drills.answer(DrillStep("shelf", "twice"), "3", requester(say))
    assert answered.line is not None
    assert not answered.line.proven
    assert answered.line.depth > 0
    ahead = say.count("plies", answered.line.depth)
    assert ahead in line_text(answered, answered.line, say)


async def test_other_solutions_are_shown_at_the_end(services: Services) -> None:
    """Other right moves are named only after the drill is solved."""
    last = DrillStep("shelf", "steps", 1)
    for say in map(say_in, LANGUAGES):
        column = say("place.columns.one", columns="5")
        others = say("drill.others.one", moves=column)
        solved = (await answer(services, last, "3", say)).content
        assert solved.splitlines()[0].endswith(others)
        wrong = (await answer(services, last, "7", say)).content
        assert wrong.startswith(say("drill.wrong", why=""))
        assert others not in wrong


async def test_where_the_engine_fails_the_answer_is_judged(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """When the engine fails, a still shows the judged move and says that its line is unknown."""

    def fail(job: Any, stop: Any) -> Any:
        raise ArithmeticError("no line")

    monkeypatch.setattr(Job, "run", doing(fail))
    for say in map(say_in, LANGUAGES):
        shown = await answer(services, DrillStep("shelf", "steps"), "7", say)
        expected = say("drill.wrong", why=say("drill.why.unknown"))
        assert shown.content.splitlines()[0] == expected
        assert shown.files[0].filename.endswith(".png")
