"""What student documents claim, and what is measured: `python -m benchmarks.documents`.

Each row of `benchmarks.documents.claims` is measured by real games or counts, with simulated
players where the document had people. Prints a Markdown table: row, claimed, measured, interval,
command.
"""

from __future__ import annotations

import argparse
import csv
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from benchmarks.documents import adaptive, others, tuples
from benchmarks.documents.claims import CLAIMS, Claim, Line
from benchmarks.printing import row

HEADS = ("row", "claimed", "measured", "interval", "command")
Measure = Callable[[float, int], Iterator[Line]]
"""Measures a claim, given a factor for the number of games and a seed."""


def _without_people(_scale: float, _seed: int) -> Iterator[Line]:
    """Say that a claim about people cannot be measured with simulated players."""
    yield Line("not reproducible without people", "")


MEASURES: Mapping[int, Measure] = {
    1: adaptive.wins,
    2: _without_people,
    3: adaptive.effort,
    4: adaptive.lengths,
    5: adaptive.rule,
    6: tuples.deeper_wins,
    7: tuples.effort,
    8: tuples.right_bias,
    9: tuples.gives_up,
    10: others.gato_losses,
    11: others.gato_effort,
    12: others.watched,
    13: others.first_tree,
    14: others.example,
    15: others.greedy_rating,
    16: others.pruning,
    17: others.ablations,
}


def cells_of(claim: Claim, line: Line, options: str) -> tuple[str, ...]:
    """The cells of a measured figure."""
    claimed = f"{claim.document}: {claim.claim}" + (f" ({claim.printed})" if claim.printed else "")
    command = f"`python -m benchmarks.documents --row {claim.row}{options}`"
    measured = f"{line.what}: {line.measured}" if line.measured else line.what
    return (str(claim.row), claimed, measured, line.interval, command)


def main() -> None:
    """Measure the claims that are asked for, and print them."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.documents", description=__doc__)
    parser.add_argument("--row", type=int, choices=MEASURES, action="append", help="only this row")
    parser.add_argument("--scale", type=float, default=1.0, help="a factor of the games per row")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--csv", type=Path, help="write the rows to this file as well")
    given = parser.parse_args()
    options = f" --scale {given.scale:g}" if given.scale != 1 else ""
    found: list[tuple[str, ...]] = [HEADS]
    print(row(HEADS))
    print(row(["---"] * len(HEADS)))
    for claim in CLAIMS:
        if given.row and claim.row not in given.row:
            continue
        for line in MEASURES[claim.row](given.scale, given.seed):
            found.append(cells_of(claim, line, options))
            print(row(found[-1]), flush=True)
    if given.csv:
        with given.csv.open("w", encoding="utf-8", newline="") as file:
            file.write(f"# python -m {' '.join(['benchmarks.documents', *sys.argv[1:]])}\n")
            csv.writer(file, lineterminator="\n").writerows(found)


if __name__ == "__main__":
    main()
