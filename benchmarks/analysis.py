"""How long analyses take, and how much of them is proven: `python -m benchmarks.analysis`.

Positions are those of games between two rungs of the ladder. Prints a line for each game and part
of it: seconds of one core, the share that is proven, the depth at which the others were searched.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from random import Random
from statistics import median
from time import process_time

from engine.core.game import Game, Position
from engine.core.registry import game_called, package_of
from engine.strength.ladder import ladder_of
from engine.study.analysis import Analysed, analysed

GAMES = ("6x7", "5x4", "7x7", "8x8", "gato", "boom")
PARTS = 4
"""Parts of a game, by the moves made, that have a line each."""


def main() -> None:
    """Play, analyse and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.analysis", description=__doc__)
    parser.add_argument("kinds", nargs="*", default=GAMES, help="which games, such as boom")
    parser.add_argument("--games", type=int, default=12, help="of each")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    print("| game | moves made | positions | proven | p50 | p99 | depth of the others |")
    print("| --- | --- | ---: | ---: | ---: | ---: | ---: |")
    for name in options.kinds:
        game = game_called(name)
        analysed(game.start())  # what is compiled is loaded
        found = [
            (position, *timed(position))
            for number in range(options.games)
            for position in positions(game, Random(options.seed + number))
        ]
        size = -(-max(position.ply + 1 for position, _, _ in found) // PARTS)
        for first in range(0, PARTS * size, size):
            part = [one for one in found if first <= one[0].ply < first + size]
            if part:
                print(line(name, first, first + size - 1, part), flush=True)


def positions(game: Game, rng: Random) -> Iterator[Position]:
    """The positions of a game between two rungs."""
    rungs = ladder_of(game).rungs
    agents = [rng.choice(rungs).agent for _ in range(2)]
    position: Position = game.start()
    longest = min(package_of(game).longest(game), 64)
    while position.outcome is None and position.ply < longest:
        yield position
        agent = agents[position.to_move - 1]
        position = position.play(agent.choose(position, rng=rng).move)


def timed(position: Position) -> tuple[Analysed, float]:
    """An analysis, and the seconds of one core that it took."""
    began = process_time()
    found = analysed(position)
    return found, process_time() - began


def line(name: str, first: int, last: int, part: Sequence[tuple[Position, Analysed, float]]) -> str:
    """A line of the table."""
    seconds = sorted(one[2] for one in part)
    late = seconds[min(int(0.99 * len(seconds)), len(seconds) - 1)]
    proven = sum(one[1].analysis.proven for one in part) / len(part)
    depths = sorted(one[1].analysis.depth for one in part if not one[1].analysis.proven)
    ends = f"{depths[0]}–{depths[-1]}" if depths else "–"
    return (
        f"| {name} | {first}–{last} | {len(part)} | {proven:.0%} "
        f"| {median(seconds):.2f} | {late:.2f} | {ends} |"
    )


if __name__ == "__main__":
    main()
