"""Whole careers of real games, for `benchmarks.adaptive`."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from random import Random

import numpy as np
from rich.console import Console
from rich.progress import track

from benchmarks.adaptive_careers import Fitting, live
from benchmarks.adaptive_games import GAME, Outcome, Wanted, play
from benchmarks.adaptive_glicko import Numbers
from benchmarks.adaptive_types import player_types
from engine.ladder import ladder_of

FIRST_NUMBER = 10_000
"""The first number of these games, beyond the numbers of those that careers are drawn from."""


def real_career(at: int, seed: int) -> tuple[float, ...]:
    """The scores of one career of a type under the rule `auto`, with every game really played."""
    player = player_types()[at]
    count = iter(range(FIRST_NUMBER, 2 * FIRST_NUMBER))

    def game(style: str, rung: int, count: Iterator[int] = count) -> Outcome:
        return play(Wanted(style, rung, next(count), seed))

    return live(player, Fitting(ladder_of(GAME)), game, Random(f"{seed} {player.name}")).scores


def real_careers(count: int, seed: int, processes: int) -> tuple[list[int], Numbers]:
    """This many types, spread evenly over the list, and the scores of a career of each."""
    players = len(player_types())
    chosen = [n * players // min(count, players) for n in range(min(count, players))]
    points = np.zeros((len(chosen), 0))
    with ProcessPoolExecutor(processes, mp_context=get_context("spawn")) as pool:
        running = {pool.submit(real_career, at, seed): row for row, at in enumerate(chosen)}
        console = Console(stderr=True)
        for done in track(as_completed(running), "real careers", len(chosen), console=console):
            scores = done.result()
            if not points.size:
                points = np.zeros((len(chosen), len(scores)))
            points[running[done]] = scores
    return chosen, points
