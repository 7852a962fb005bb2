"""Grading puzzles: asking every rung of the ladder, and the rating that the answers give.

A rung solves a puzzle if it finds every move of the line. Some rungs err by chance, so each is
asked several times, with different seeds; all that it does is repeatable. A rung rated `r` is taken
to solve a puzzle rated `p` with the chance that a player rated `r` has against one rated `p`: `p`
is the rating that makes the answers most likely.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

import numpy as np

from engine.elo import SCALE, expected
from engine.game import Game
from engine.ladder import MEDIUM_ELO, Rung, ladder_of
from engine.problem import Problem
from engine.puzzle import Puzzle
from engine.strength import Strength

QUICK, SLOW = 8, 2
"""How often a rung is asked: those that look at few positions, and err by chance, more often."""
PRIOR = 400.0
"""Standard deviation of ratings around `medium` before anybody is asked, in Elo: it keeps those
finite that every rung solves, or none."""


@dataclass(frozen=True, slots=True)
class Answers:
    """How often each rung of a ladder solved a puzzle, from the weakest rung."""

    solved: tuple[int, ...]
    asked: tuple[int, ...]

    @property
    def shares(self) -> tuple[float, ...]:
        """The share of times that each rung solved it."""
        return tuple(s / a for s, a in zip(self.solved, self.asked, strict=True))


def times(rung: Rung) -> int:
    """How often a rung is asked: an even number, so that there are two halves."""
    agent = rung.agent
    return QUICK if isinstance(agent, Strength) and agent.nodes is None else SLOW


def solves(rung: Rung, problem: Problem, rng: Random) -> bool:
    """Whether a rung finds every move of the line."""
    for number in range(len(problem.steps)):
        choice = rung.agent.choose(problem.position(number), rng=rng)
        if not problem.is_answer(number, choice.move):
            return False
    return True


def ask(puzzle: Puzzle, seeds: Sequence[int], rungs: Sequence[Rung]) -> Answers:
    """Ask rungs once for each seed."""
    solved = tuple(
        sum(
            solves(rung, puzzle.problem, Random(f"{puzzle.id} {rung.name} {seed}"))
            for seed in seeds[: times(rung) // 2]
        )
        for rung in rungs
    )
    return Answers(solved, tuple(min(times(rung) // 2, len(seeds)) for rung in rungs))


def rating_of(game: Game, answers: Answers) -> float:
    """The most likely rating of a puzzle, given what each rung of the game's ladder answered.

    Newton's method on the log-likelihood with a normal prior.
    """
    elo = np.array([rung.elo for rung in ladder_of(game).rungs])
    solved, asked = np.array(answers.solved), np.array(answers.asked)
    rating = float(MEDIUM_ELO)
    for _ in range(100):
        chances = np.asarray(expected(elo - rating))
        slope = float((asked * chances - solved).sum()) / SCALE - (rating - MEDIUM_ELO) / PRIOR**2
        curve = float((asked * chances * (1 - chances)).sum()) / SCALE**2 + 1 / PRIOR**2
        step = slope / curve
        rating += float(np.clip(step, -200, 200))
        if abs(step) < 1e-6:
            break
    return rating
