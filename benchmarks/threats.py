"""Whether the sentences of hints are true: `python -m benchmarks.threats [--positions N]`.

Derives the threats in random positions of all games and checks every sentence by playing it out
(`tests.engine.threat_truth`), and values with a solver without books or, in Gato and BOOM, by plain
enumeration. Prints for each kind the numbers of sentences, of false ones, and of missed decisive
threats.
"""

from __future__ import annotations

import argparse
import os
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

from engine.core.threat import ThreatKind
from tests.engine.threat_checks import Piece, Tally, checked

GAMES = {
    "6x7": 7, "5x4": 3, "7x6": 1, "4x8": 1, "8x8": 2, "gato": 3, "boom": 2, "boom:7x7-draw": 1,
}  # fmt: skip
"""The games with their proportions."""


def main() -> None:
    """Check, and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.threats", description=__doc__)
    parser.add_argument("--positions", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    options = parser.parse_args()
    each = options.positions / sum(GAMES.values()) / 10
    pieces = [
        Piece(game, options.seed * 1000 + part, round(each * share))
        for game, share in GAMES.items()
        for part in range(10)
    ]
    with ProcessPoolExecutor(options.processes, mp_context=get_context("spawn")) as pool:
        tallies = list(pool.map(checked, pieces))
    print(f"{sum(piece.positions for piece in pieces)} positions")
    report(tallies)


def report(tallies: list[Tally]) -> None:
    """Print a row for each kind, and all errors."""
    said, false, lacking = (
        sum((getattr(tally, name) for tally in tallies), Counter[tuple[str, str]]())
        for name in ("said", "false", "missed")
    )
    kinds = [*(kind.value for kind in ThreatKind), "only", "value"]
    print(f"| kind | said | false | missed | {' | '.join(GAMES)} |")
    print(f"| --- |{' ---: |' * (3 + len(GAMES))}")
    for kind in kinds:
        counts = [said[game, kind] for game in GAMES]
        wrong, late = (sum(c[game, kind] for game in GAMES) for c in (false, lacking))
        print(f"| {kind} | {sum(counts)} | {wrong} | {late} | {' | '.join(map(str, counts))} |")
    print(f"said {said.total()}, false {false.total()}, missed {lacking.total()}")
    for line in (line for tally in tallies for line in tally.wrong[:5]):
        print(line)


if __name__ == "__main__":
    main()
