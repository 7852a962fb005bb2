"""Check puzzles: `python -m engine puzzles show 6x7 | python -m benchmarks.puzzle_check`.

Reads lines of JSON from standard input, or from the files that are named. The exit status is 1 if
any puzzle does not keep its promise.
"""

from __future__ import annotations

import argparse
import fileinput
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from time import perf_counter

from benchmarks.puzzle_check import boom, filling
from benchmarks.puzzle_check.puzzles import Claimed, Found, Wrong

EVERY = 100
"""Puzzles after which it is told how many there were."""
MOST_TRIVIAL = 0.04
"""The largest share of trivial puzzles: one in twenty-five."""


def check(lines: Iterable[str]) -> tuple[Counter[str], list[str]]:
    """Check puzzles; returns how many there are of each game and kind, and what is wrong."""
    kinds, wrong = Counter[str](), list[str]()
    asked, ids = dict[str, str](), set[str]()
    for number, text in enumerate(lines, 1):
        claimed = Claimed.of(text)
        if number % EVERY == 0:
            print(f"{number:,}: {len(wrong):,} faults", file=sys.stderr, flush=True)
        kinds[f"{claimed.game} {claimed.kind}"] += 1
        try:
            found = check_one(claimed)
        except Wrong as error:
            wrong.append(f"{claimed.game} {claimed.id}: {error}")
            continue
        kinds[f"{claimed.game} moves"] += len(found.asked)
        kinds[f"{claimed.game} trivial"] += found.trivial
        for name in (f"{claimed.game} {position}" for position in found.asked):
            if name in asked:
                wrong.append(f"{claimed.game} {claimed.id}: also asked in {asked[name]}")
            asked[name] = claimed.id
        if claimed.id in ids:
            wrong.append(f"{claimed.game} {claimed.id}: another has the same id")
        ids.add(claimed.id)
    return kinds, wrong


def check_one(claimed: Claimed) -> Found:
    """Check a puzzle of any game; raises Wrong."""
    module = boom if claimed.game.startswith("boom") else filling
    return module.check(claimed)


def main(arguments: Sequence[str] | None = None) -> int:
    """Read puzzles, check them, print what there is of each kind and what is wrong."""
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
        if counts[-1] > max(MOST_TRIVIAL * sum(counts[:3]), 2):
            wrong.append(f"{game}: too many are trivial")
    for line in wrong:
        print(line)
    checked = sum(kinds[f"{game} {k}"] for game in games for k in ("win", "hold", "refute"))
    print(f"{checked:,} puzzles, {len(wrong):,} faults, {perf_counter() - began:.0f} seconds")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
