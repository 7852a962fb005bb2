"""Whether reducing late moves makes a game's search stronger: `python -m benchmarks.selective`.

The selective search plays the whole one from random openings that a whole search of a million
nodes does not decide, from both seats. Each has the nodes that it visits in the same CPU time, so
that the load of the machine does not matter; the ratio is measured first.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from functools import partial
from random import Random
from statistics import fmean, stdev
from time import process_time

from rich.progress import track

from engine.core.game import Game, Move, Player, Position, replay
from engine.core.kernel import KernelKind
from engine.core.limits import Limit
from engine.core.registry import game_called, package_of
from engine.core.search import LARGE_TABLE, Deepening, analyse
from engine.core.values import is_decided
from engine.strength.elo import Z_95, difference
from engine.strength.openings import random_opening

PLIES, QUICK, DECIDING = 5, 50_000, 1_000_000
"""Random moves of an opening; nodes of the first and of the second search that may decide it."""


def openings(game: Game, rng: Random) -> Iterator[tuple[Move, ...]]:
    """Yield random openings that a search does not decide."""
    while True:
        moves = random_opening(game, rng, PLIES)
        limits = (Limit(nodes=QUICK), Limit(nodes=DECIDING))
        position = replay(game, moves)
        if not any(is_decided(analyse(position, limit).top) for limit in limits):
            yield tuple(moves)


def speeds(positions: Sequence[Position], nodes: int) -> tuple[float, float, float, float]:
    """Nodes per CPU second and mean depth, whole and then selective."""
    found: list[float] = []
    for kind in (KernelKind.FITTED, KernelKind.STRONGEST):
        began, visited, depths = process_time(), 0, list[int]()
        for position in positions:
            kernel = package_of(position).load(position, LARGE_TABLE, kind)
            search = Deepening(position, kernel).go_on(Limit(nodes=nodes))
            visited += search.nodes
            depths.append(search.depth)
        found += [visited / (process_time() - began), fmean(depths)]
    return found[0], found[1], found[2], found[3]


def play(game: Game, moves: Sequence[Move], first: int, second: int, rng: Random) -> float:
    """What the first player scores; a player's nodes are negative for the whole search."""
    position = replay(game, moves)
    load = partial(package_of(position).load, position, LARGE_TABLE)
    kernels = {
        player: load(KernelKind.STRONGEST if nodes > 0 else KernelKind.FITTED)
        for player, nodes in zip(Player, (first, second), strict=True)
    }
    limits = {Player.FIRST: Limit(nodes=abs(first)), Player.SECOND: Limit(nodes=abs(second))}
    while position.outcome is None:
        player = position.to_move
        kernels[player].move_to(position)
        found = Deepening(position, kernels[player]).go_on(limits[player])
        position = position.play(rng.choice(sorted(found.best())))
    winner = position.outcome.winner
    return 0.5 if winner is None else float(winner is Player.FIRST)


def main() -> None:
    """Print the speeds and the score."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.selective", description=__doc__)
    parser.add_argument("game", nargs="?", default="boom:7x7", help="GAME:VARIANT")
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--nodes", type=int, default=200_000, help="of the whole search, a move")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    game, rng = game_called(options.game), Random(options.seed)
    drawn = openings(game, rng)
    number = max(options.games // 2, 2)
    chosen = [next(drawn) for _ in track(range(number), description="openings")]
    positions = [replay(game, moves) for moves in chosen[:20]]
    whole, whole_depth, selective, depth = speeds(positions, options.nodes)
    nodes = round(options.nodes * selective / whole)
    print(f"whole: {whole:,.0f} nodes/s, depth {whole_depth:.1f} with {options.nodes:,} nodes")
    print(f"selective: {selective:,.0f} nodes/s, depth {depth:.1f}; plays with {nodes:,} nodes")
    scores = []
    for moves in track(chosen, description="games"):
        seats = play(game, moves, nodes, -options.nodes, rng)
        seats += 1 - play(game, moves, -options.nodes, nodes, rng)
        scores.append(seats / 2)
    mean, error = fmean(scores), Z_95 * stdev(scores) / len(scores) ** 0.5
    print(f"{2 * number} games: score {100 * mean:.1f} %, ", end="")
    gap, least, most = (
        difference(min(max(score, 0.001), 0.999)) for score in (mean, mean - error, mean + error)
    )
    print(f"{gap:+.0f} Elo ({least:+.0f} to {most:+.0f})")


if __name__ == "__main__":
    main()
