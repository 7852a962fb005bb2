"""Grading puzzles: the answers of the ladder's rungs, and the rating that follows from them.

A rung solves a puzzle if it finds every move of the line. Some rungs err at random, so each is
asked several times, with different seeds; its answers are repeatable. A rung rated `r` is assumed
to solve a puzzle rated `p` with the probability that a player rated `r` beats one rated `p`: `p` is
the rating that makes the answers most likely.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random

import numpy as np

from engine.core.agent import Agent
from engine.core.game import Game
from engine.core.problem import Problem
from engine.core.registry import package_of
from engine.strength.agent import Strength
from engine.strength.elo import SCALE, expected
from engine.strength.ladder import MEDIUM_ELO, Rung, ladder_of
from engine.strength.perfect import Perfect

QUICK, SLOW = 8, 4
"""How often a rung is asked. QUICK is for rungs without a node limit: they visit few positions and
err at random. Both are even, so that there are two halves."""

PATIENCE = 60.0
"""Seconds for a proof, far more than it takes, so that answers are the same on every machine."""

PATIENT_NODES = 100_000_000
"""The same as a number of positions."""

PRIOR = 400.0
"""Prior standard deviation of ratings around `medium`, in Elo: it keeps the ratings of puzzles
finite that every rung solves, or none."""


@dataclass(frozen=True, slots=True)
class Answers:
    """How often rungs solved a puzzle, and how often they were asked, from the weakest."""

    solved: tuple[int, ...]
    asked: tuple[int, ...]

    def __add__(self, other: Answers) -> Answers:
        """The sum of two halves, of the same rungs."""
        return Answers(
            tuple(map(sum, zip(self.solved, other.solved, strict=True))),
            tuple(map(sum, zip(self.asked, other.asked, strict=True))),
        )


def graders(game: Game) -> tuple[Rung, ...]:
    """The rungs that are asked: all but timid ones, and `perfect` in games without a solver.

    A timid rung fails on purpose. Without a solver `perfect` searches until its time is over, so
    its answers would not be repeatable.
    """
    rungs = tuple(rung for rung in ladder_of(game).rungs if not rung.is_timid)
    if package_of(game).exact is None:
        return tuple(rung for rung in rungs if isinstance(rung.agent, Strength))
    return rungs


def tries(rung: Rung) -> int:
    """How often a rung is asked in each of the two halves."""
    agent = rung.agent
    return (QUICK if isinstance(agent, Strength) and agent.nodes is None else SLOW) // 2


def solves(rung: Rung, problem: Problem, rng: Random) -> bool:
    """Whether a rung finds every move of the line."""
    agent = _patient(rung.agent)
    for number in range(len(problem.steps)):
        choice = agent.choose(problem.position(number), rng=rng)
        if not problem.is_answer(number, choice.move):
            return False
    return True


def _patient(agent: Agent) -> Agent:
    """The same agent with enough time for every proof."""
    if isinstance(agent, Strength):
        return replace(agent, knowing=PATIENT_NODES)
    return replace(agent, seconds=PATIENCE) if isinstance(agent, Perfect) else agent


def ask(rungs: Sequence[Rung], name: str, problem: Problem, half: int) -> Answers:
    """The answers of rungs with one half, 0 or 1, of their seeds for a problem's name."""
    solved = tuple(
        sum(
            solves(rung, problem, Random(f"{name} {rung.number} {half} {number}"))
            for number in range(tries(rung))
        )
        for rung in rungs
    )
    return Answers(solved, tuple(map(tries, rungs)))


def rating_of(game: Game, answers: Answers) -> float:
    """The most likely rating of a puzzle, given the answers of the rungs in `graders`.

    Newton's method on the log-likelihood with a normal prior.
    """
    elo = np.array([rung.elo for rung in graders(game)])
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
