"""Every wrong answer in a lesson is explained in words, and every explanation is true."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import pytest

from bot.drills.words import FORKS
from bot.features.lessons.rules import special_text, text_key
from bot.i18n import LANGUAGES, say_in
from engine.core.game import Move, Position, wins_with
from engine.core.problem import Lesson, Problem
from engine.core.reason import Reason
from engine.core.registry import games
from engine.study.reasons import fault_after
from tests.engine.games.boom import lesson_claims as boom
from tests.engine.games.connect4 import lesson_claims as connect4
from tests.engine.games.connect4 import plan_claims as plans
from tests.engine.games.gato import lesson_claims as gato

CLAIMS = {
    "connect4": connect4.MISSED | plans.MISSED,
    "gato": gato.MISSED,
    "boom": boom.MISSED,
}
"""The check of each lesson's sentence, by game."""

TAUGHT = [family for family in games().values() if family.lessons]


class Wrong(NamedTuple):
    """A wrong answer to a step."""

    lesson: Lesson
    problem: Problem
    part: int
    step: int
    move: Move

    @property
    def before(self) -> Position:
        """The position of the step."""
        return self.problem.position(self.step - 1)

    @property
    def fault(self) -> Reason | None:
        """The reason against it that the board shows."""
        return fault_after(self.problem.game, self.problem.made(self.step - 1), self.move)


def wrong_answers(family: str) -> Iterator[Wrong]:
    """Every wrong answer that misses no four, in every step of a game's lessons."""
    for lesson in games()[family].lessons:
        for part, problem in enumerate(lesson.problems, 1):
            for step, asked in enumerate(problem.steps, 1):
                before = problem.position(step - 1)
                if any(wins_with(before, move) for move in asked.answers):
                    continue
                for move in before.legal_moves():
                    if move not in asked.answers:
                        yield Wrong(lesson, problem, part, step, move)


def claimed(wrong: Wrong, family: str) -> str:
    """The name of the lesson's sentence about a wrong answer, empty if it has none."""
    say, key = say_in("en"), text_key(family, wrong.lesson)
    for suffix in (f".part{wrong.part}", f".step{wrong.step}", ""):
        if f"{key}.missed{suffix}" in say.texts:
            return f"{wrong.lesson.key}{suffix}"
    return ""


@pytest.mark.parametrize("family", [family.key for family in TAUGHT])
def test_every_wrong_answer_is_explained_truly(family: str) -> None:
    """A wrong answer is explained by a reason on its board or the lesson's sentence, a true one."""
    used = set()
    for wrong in wrong_answers(family):
        fault, name = wrong.fault, claimed(wrong, family)
        assert fault or name, wrong
        if name and (fault is None or fault.kind in FORKS):
            used.add(name)
            assert CLAIMS[family][name](wrong.problem, wrong.before, wrong.move), wrong
    assert used == CLAIMS[family].keys()


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_explanation_is_one_short_sentence(language: str) -> None:
    """What a lesson says about an answer is a sentence of at most 120 characters."""
    say = say_in(language)
    for family in TAUGHT:
        for lesson in family.lessons:
            key = text_key(family.key, lesson)
            for part in range(1, len(lesson.problems) + 1):
                missed = special_text(say, f"{key}.missed", part, 1)
                assert missed[:1].islower() == bool(missed), missed
                for said in (missed, special_text(say, f"{key}.right", part)):
                    assert len(said) <= 120, said
                    assert said.endswith(".") == bool(said), said
