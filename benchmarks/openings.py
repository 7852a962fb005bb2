"""Whether balanced openings are balanced: `python -m benchmarks.openings`.

Proves each opening again: that it is a draw without a win in one, and that both sides have a choice
of moves that keep it. Then equally strong weak rungs play from openings chosen at random, and from
the empty board. `--find NUMBER` finds the openings of a board anew, and writes those from which
weak rungs score most evenly.
"""

from __future__ import annotations

import argparse
import os
from collections import Counter
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import islice
from math import sqrt
from multiprocessing import get_context
from random import Random
from statistics import fmean

from rich.progress import track

from engine.core.game import Game, Move, Player, replay
from engine.core.registry import game_called, package_of
from engine.strength.elo import Z_95
from engine.strength.roster import agent_named
from engine.study.balanced import balanced_openings, is_balanced, keeping_moves, write_openings
from engine.study.mining.balanced import find_openings
from engine.study.mining.miner import canonical

BOARDS = ("connect4:6x7", "connect4:5x4", "connect4:5x5")
RUNG = "easy"
TRIALS = 20
"""Games from each opening that was found, by which the most even ones are chosen."""
Pool = ProcessPoolExecutor


def main() -> None:
    """Prove the openings of each board and play from them; with `--find` find them first."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.openings", description=__doc__)
    parser.add_argument("boards", nargs="*", default=BOARDS, help="such as connect4:6x7")
    parser.add_argument("--games", type=int, default=2000, help="from openings, and without")
    parser.add_argument("--find", type=int, default=0, metavar="NUMBER", help="openings to write")
    parser.add_argument("--rung", default=RUNG, help="the level on both seats")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    options = parser.parse_args()
    with Pool(options.processes, mp_context=get_context("spawn")) as pool:
        for board in options.boards:
            game = game_called(board)
            if options.find:
                found = choose(game, options, pool)
                command = f"python -m benchmarks.openings {board} --find {options.find}"
                write_openings(game, found, f"{command} --seed {options.seed}")
            print("\n".join(report(game, options, pool)), "\n", flush=True)


def choose(game: Game, options: argparse.Namespace, pool: Pool) -> list[tuple[Move, ...]]:
    """Find half as many openings again as wanted, and keep those with the most even results.

    They are taken in turn from those that favour one seat and those that favour the other.
    """
    wanted: int = options.find
    search = islice(find_openings(game, Random(options.seed)), wanted * 3 // 2)
    found = list(track(search, f"{game.variant}: openings", total=wanted * 3 // 2))
    scores: dict[tuple[Move, ...], float] = {}
    for number, moves in enumerate(track(found, f"{game.variant}: trials")):
        seeds = [f"{options.seed} trial {number} {one}" for one in range(TRIALS)]
        scores[moves] = fmean(_played(game, [moves] * TRIALS, seeds, options.rung, pool))
    return most_even(scores, wanted)


def most_even(scores: dict[tuple[Move, ...], float], wanted: int) -> list[tuple[Move, ...]]:
    """Choose openings one by one so that the mean score of those chosen stays near one half."""
    left = sorted(scores, key=lambda moves: (abs(scores[moves] - 0.5), moves))
    chosen: list[tuple[Move, ...]] = []
    total = 0.0
    while left and len(chosen) < wanted:
        # Of the most even third of the rest, the one that best corrects the mean so far.
        near = left[: max(1, len(left) // 3)]
        best = min(near, key=lambda moves: abs(total + scores[moves] - 0.5 * (len(chosen) + 1)))
        left.remove(best)
        chosen.append(best)
        total += scores[best]
    return chosen


def report(game: Game, options: argparse.Namespace, pool: Pool) -> list[str]:
    """The lines about one board: its openings, and the seats' results with and without them."""
    openings = balanced_openings(game)
    solver = package_of(game).solver(game)
    assert solver is not None, f"{game.key} has a solver"
    positions = [replay(game, moves) for moves in openings]
    wrong = sum(not is_balanced(one, solver) for one in positions)
    same = len(openings) - len({canonical(one) for one in positions})
    keep = Counter(len(keeping_moves(one, solver)) for one in positions)
    plies = Counter(map(len, openings))
    rng = Random(f"{options.seed} {game.variant}")
    chosen = [rng.choice(openings) for _ in range(options.games)]
    no_moves: tuple[Move, ...] = ()
    results = {"balanced": chosen, "empty": [no_moves] * options.games}
    lines = [
        f"{game.key}:{game.variant}: {len(openings)} openings, {wrong} not proven, {same} repeated",
        f"moves made: {_counts(plies)}; moves that keep the draw: {_counts(keep)}",
    ]
    for name, starts in results.items():
        seeds = [f"{options.seed} {name} {number}" for number in range(len(starts))]
        points = _played(game, starts, seeds, options.rung, pool)
        mean = fmean(points)
        error = Z_95 * sqrt(fmean((one - mean) ** 2 for one in points) / len(points))
        lines.append(
            f"{options.rung} against itself, {name}: whoever moves first scores "
            f"{100 * mean:.1f} \u00b1 {100 * error:.1f} % of {len(points)} games"
        )
    return lines


def _counts(counts: Counter[int]) -> str:
    return ", ".join(f"{key} ({number})" for key, number in sorted(counts.items()))


def _played(
    game: Game,
    starts: Sequence[tuple[Move, ...]],
    seeds: Iterable[str],
    rung: str,
    pool: Pool,
) -> list[float]:
    """The points of the first side in one game from each start."""
    play = partial(points_of_first, game, rung)
    return list(pool.map(play, starts, seeds, chunksize=10))


def points_of_first(game: Game, rung: str, start: tuple[Move, ...], seed: str) -> float:
    """Play a game from a start between two equal agents; returns the points of the first side."""
    agent, rng = agent_named(game.key, rung), Random(seed)
    position = replay(game, start)
    while position.outcome is None:
        position = position.play(agent.choose(position, rng=rng).move)
    winner = position.outcome.winner
    return 0.5 if winner is None else float(winner is Player.FIRST)


if __name__ == "__main__":
    main()
