"""Check puzzles: `python -m engine puzzles show 6x7 | python -m benchmarks.puzzle_check`.

Reads lines of JSON from standard input or from the given files, and checks them with code that
shares nothing with the engine (`tests.engine.puzzle_check`). The exit status is 1 if a puzzle does
not keep its promise.
"""

from __future__ import annotations

import argparse
import fileinput
import sys
from collections.abc import Sequence
from time import perf_counter

from tests.engine.puzzle_check.checks import check

MAX_TRIVIAL = 0.04
"""The largest share of trivial puzzles: one in twenty-five."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Print how many puzzles there are of each kind, and all faults."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.puzzle_check", description=__doc__)
    parser.add_argument("files", nargs="*", help="instead of standard input", metavar="FILE")
    options = parser.parse_args(arguments)
    began = perf_counter()
    with fileinput.input(options.files or ("-",), encoding="utf-8") as lines:
        kinds, wrong = check(lines)
    games = sorted({name.partition(" ")[0] for name in kinds})
    print("| board | win | hold | refute | moves asked | trivial |")
    print("| --- | ---: | ---: | ---: | ---: | ---: |")
    for game in games:
        counts = [kinds[f"{game} {k}"] for k in ("win", "hold", "refute", "moves", "trivial")]
        print(f"| {game} | {' | '.join(f'{count:,}' for count in counts)} |")
        if counts[-1] > max(MAX_TRIVIAL * sum(counts[:3]), 2):
            wrong.append(f"{game}: too many are trivial")
    for line in wrong:
        print(line)
    checked = sum(kinds[f"{game} {k}"] for game in games for k in ("win", "hold", "refute"))
    print(f"{checked:,} puzzles, {len(wrong):,} faults, {perf_counter() - began:.0f} seconds")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
