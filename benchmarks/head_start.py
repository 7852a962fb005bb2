"""The advantage of moving first: `python -m benchmarks.head_start`.

Every rung plays itself and the next rung from the empty board, equally often from both seats. A
straight line over the rungs' ratings is fitted to the results (logistic regression by Newton's
method), and printed as a line of the ladder's file. `--people` prints the advantage of simulated
people instead, from the games against rungs that `benchmarks.adaptive` keeps in a folder.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from statistics import fmean

import numpy as np

from benchmarks.adaptive.games import known_outcomes, strengths
from benchmarks.adaptive.people import steady_kinds
from engine.core.game import Game
from engine.core.parallel import in_processes
from engine.core.registry import game_called
from engine.strength.elo import SCALE, Numbers
from engine.strength.ladder import HEAD_START, PEOPLE_START, Ladder, ladder_of
from engine.strength.tournament import Pairing, Played, play_all

UNIT = 100.0
"""Unit of the line's slope in Elo points, so that both parameters have similar sizes."""
CERTAIN = 4.0
"""Fictitious draws, which keep the line finite where the first player always wins."""


def wanted(game: Game, ladder: Ladder, games: int, seed: int, upto: str) -> list[Pairing]:
    """The pairings: `games` from each seat."""
    names = [rung.name for rung in ladder.rungs]
    names = names[: names.index(upto) + 1]
    pairs = [(name, name) for name in names]
    pairs += [p for one, other in pairwise(names) for p in ((one, other), (other, one))]
    return [
        Pairing(game.key, game.variant, first, second, "", f"{seed} {first} {second} {n}", 0)
        for first, second in pairs
        for n in range(games)
    ]


def line_of(ladder: Ladder, played: Sequence[Played]) -> tuple[float, float]:
    """The head start at `medium`'s rating, and its increase per Elo point."""
    anchor = ladder.named("medium").elo
    elos = [[ladder.named(n).elo for n in (p.pairing.first, p.pairing.second)] for p in played]
    first, second = np.array(elos).T
    across = ((first + second) / 2 - anchor) / UNIT
    known = first - second
    points = np.array([p.points()[0] for p in played])
    inputs = np.stack([np.ones(len(played)), across], axis=1) / SCALE
    return _fitted(inputs, known / SCALE, points)


def _fitted(inputs: Numbers, known: Numbers, points: Numbers) -> tuple[float, float]:
    line = np.zeros(2)
    for _ in range(50):
        chances = 1 / (1 + np.exp(-(inputs @ line + known)))
        gradient = inputs.T @ (points - chances)
        gradient[0] -= CERTAIN * (1 / (1 + np.exp(-line[0] / SCALE)) - 0.5) / SCALE
        curvature = (inputs * (chances * (1 - chances))[:, None]).T @ inputs
        curvature[0, 0] += CERTAIN / 4 / SCALE**2
        line += np.linalg.solve(curvature, gradient)
    return float(line[0]), float(line[1] / UNIT)


def people_start(game: Game, folder: Path) -> float:
    """The mean advantage that people have, half of the difference between their two seats."""
    file = folder / f"{game.key}-{game.variant}.jsonl"
    known = strengths(known_outcomes(file), ladder_of(game))
    people = [kind.name for kind in steady_kinds() if kind.is_human and kind.name in known]
    return fmean(known[name].head_start for name in people) / 2


def main() -> None:
    """Play, fit and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.head_start", description=__doc__)
    parser.add_argument("--game", type=game_called, default=game_called("6x7"))
    parser.add_argument("--games", type=int, default=60, help="of each pair from each seat")
    parser.add_argument("--upto", default="hard", help="the strongest rung that plays")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--people", type=Path, help="the folder with games of people")
    options = parser.parse_args()
    if options.people:
        print(f"{PEOPLE_START}{people_start(options.game, options.people):.1f}")
        return
    ladder = ladder_of(options.game)
    pairs = wanted(options.game, ladder, options.games, options.seed, options.upto)
    played = list(play_all(pairs, in_processes(options.processes)))
    for rung in ladder.rungs:
        own = [p.points()[0] for p in played if rung.name == p.pairing.first == p.pairing.second]
        if own:
            print(f"# {rung.name} ({rung.elo:.0f}) against itself: {np.mean(own):.3f} going first")
    at_medium, growth = line_of(ladder, played)
    print(f"{HEAD_START}{at_medium:.1f} {growth:.4f}")


if __name__ == "__main__":
    main()
