"""Weights of the evaluation that were fitted to exact results on one board.

A file has a line for each weight: what it counts, and its value in sixteenths of a point for the
first player (`compiled.evaluation.fitted`). `python -m benchmarks.fitting` writes the files.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

from engine.games.connect4.compiled.memory import (
    BLOCKED,
    CONSTANT,
    LINE_WEIGHTS,
    SQUARE_WEIGHTS,
    TEMPO,
    WEIGHTS,
)
from engine.games.connect4.rules import Connect4

FOLDER = Path(__file__).parent / "fitted"

KINDS = ("upright", "flat", "slanting")
"""The kinds of lines, in the order of their weights."""

HEIGHTS, DISCS, PLAYERS = range(8), range(1, 4), range(2)


def names() -> Iterator[tuple[str, int]]:
    """Yield what each weight counts, and its place in a kernel's memory."""
    yield from (("constant", CONSTANT), ("tempo", TEMPO), ("blocked", BLOCKED))
    for player in PLAYERS:
        for height in HEIGHTS:
            yield f"square {height + 1} of {player + 1}", SQUARE_WEIGHTS + 8 * player + height
    for number, kind in enumerate(KINDS):
        for height in HEIGHTS:
            for discs in DISCS:
                for player in PLAYERS:
                    at = ((number * len(HEIGHTS) + height) * len(DISCS) + discs - 1) * 2 + player
                    yield f"{kind} {height + 1} {discs} of {player + 1}", LINE_WEIGHTS + at


@cache
def weights_of(game: Connect4) -> Sequence[int]:
    """The weights of a board, in the order of a kernel's memory; none for most boards."""
    path = FOLDER / f"{game.variant}.csv"
    if not path.exists():
        return ()
    places = dict(names())
    weights = [0] * (max(places.values()) - WEIGHTS + 1)
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(line for line in file if not line.startswith("#")):
            weights[places[row["counts"]] - WEIGHTS] = int(row["weight"])
    return tuple(weights)
