"""Rates agents that are not rungs against a ladder: `python -m benchmarks.seeds`.

The rungs' ratings are fixed, so a new or changed agent is rated without another tournament. It
plays the rungs from the weakest up to the named one. Its rating is the most likely one (Bradley and
Terry 1952, draws as half wins); half of the 95 % interval includes only the chance in these games.
Prints a line of the ladder's file for each agent.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence

from engine.core.game import Game
from engine.core.parallel import in_processes
from engine.core.registry import game_called
from engine.strength.elo import SCALE, Z_95, expected
from engine.strength.ladder import ladder_of
from engine.strength.ladder_file import NOTHING_ELSE
from engine.strength.tournament import Played, pairings, play_all


def against_rungs(game: Game, agent: str, upto: str, games: int, seed: int) -> list[Played]:
    """The games of an agent against every rung from the weakest to the named one."""
    ladder = ladder_of(game)
    rungs = [rung.name for rung in ladder.rungs[: ladder.rungs.index(ladder.named(upto)) + 1]]
    wanted = [pairing for rung in rungs for pairing in pairings(game, [agent, rung], games, seed)]
    return list(play_all(wanted, in_processes(os.cpu_count() or 1)))


def rated(results: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """The most likely rating by some results, and half of its 95 % interval.

    Args:
        results: The opponent's rating and the score of each game.
    """
    low, high = -1000.0, 4000.0
    while high - low > 0.01:
        middle = (low + high) / 2
        surplus = sum(points - float(expected(middle - elo)) for elo, points in results)
        low, high = (middle, high) if surplus > 0 else (low, middle)
    expected_scores = [float(expected(low - elo)) for elo, _ in results]
    certainty = sum(score * (1 - score) for score in expected_scores)
    return low, float(Z_95 * SCALE / certainty**0.5)


def main() -> None:
    """Print the line of each agent, and its scores against each rung."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.seeds")
    parser.add_argument("agents", nargs="+")
    parser.add_argument("--game", type=game_called, default=game_called("6x7"))
    parser.add_argument("--upto", default="medium", help="the strongest opponent")
    parser.add_argument("--games", type=int, default=100, help="against each rung, an even number")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    ladder = ladder_of(options.game)
    for agent in options.agents:
        results: list[tuple[float, float]] = []
        scores: dict[str, float] = {}
        for played in against_rungs(options.game, agent, options.upto, options.games, options.seed):
            own = 0 if played.pairing.first == agent else 1
            rung = ladder.named((played.pairing.second, played.pairing.first)[own])
            points = played.points()[own]
            results.append((rung.elo, points))
            scores[rung.name] = scores.get(rung.name, 0.0) + points
        elo, error = rated(results)
        print(f",{agent},{elo:.0f},{error:.0f}{NOTHING_ELSE}", flush=True)
        shares = (f"{name} {100 * scores[name] / options.games:.0f}" for name in scores)
        print("# in per cent:", ", ".join(sorted(shares)), flush=True)


if __name__ == "__main__":
    main()
