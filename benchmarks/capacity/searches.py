"""CPU time of searches by level, of hints and of evaluations."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any

from benchmarks.capacity.figures import Spread
from bot.features.hints.rules import HINT_SECONDS
from engine.core.jobs import Job
from engine.core.limits import Limit
from engine.core.registry import game_of
from engine.strength.judging import JudgeGame
from engine.strength.roster import LEVELS, ChooseMove
from engine.study.hints import GiveHint

BOARDS = (("connect4", "6x7"), ("connect4", "5x4"), ("gato", "4x4"), ("boom", "7x7"))
"""The usual boards of all games, and a small one."""


def openings(family: str, variant: str, count: int) -> Iterator[Job[Any]]:
    """Jobs for positions after up to 23 random moves."""
    game, rng = game_of(family, variant), Random(7)
    while count:
        position, moves = game.start(), list[str]()
        for _ in range(rng.randrange(24)):
            if position.outcome is None:
                move = rng.choice(position.legal_moves())
                moves.append(game.label(move))
                position = position.play(move)
        if position.outcome is None:
            count -= 1
            yield Job(family, variant, tuple(moves), GiveHint(), rng.getrandbits(32))


def cpu_of(job: Job[Any]) -> float:
    """CPU seconds of a job in this thread."""
    began = time.thread_time()
    job.run()
    return time.thread_time() - began


def measure(count: int) -> dict[str, Spread]:
    """CPU of searches by level, of hints and of evaluations, for `count` positions per board."""
    jobs = [job for board in BOARDS for job in openings(*board, count)]
    kinds = {name: ChooseMove(name) for name in LEVELS}
    found = {}
    for name, task in kinds.items():
        asked = [replace(job, task=task) for job in jobs]
        for job in asked[:: max(1, count)]:
            job.run()  # the first on a board loads kernels
        found[name] = Spread.of(cpu_of(job) for job in asked)
    hints = [replace(job, limit=Limit(seconds=HINT_SECONDS)) for job in jobs[::4]]
    return {**found, "hint": Spread.of(cpu_of(job) for job in hints), "judge": judgements(count)}


def judgements(count: int) -> Spread:
    """CPU of the evaluation of finished games, `count` per board."""
    jobs = [replace(job, task=JudgeGame()) for board in BOARDS for job in finished(*board, count)]
    for job in jobs[::count]:
        job.run()
    return Spread.of(cpu_of(job) for job in jobs)


def finished(family: str, variant: str, count: int) -> Iterator[Job[Any]]:
    """Jobs for finished games of random moves."""
    game, rng = game_of(family, variant), Random(8)
    for _ in range(count):
        position, moves = game.start(), list[str]()
        while position.outcome is None:
            move = rng.choice(position.legal_moves())
            moves.append(game.label(move))
            position = position.play(move)
        yield Job(family, variant, tuple(moves), GiveHint(), rng.getrandbits(32))
