"""Weights of the evaluation that were fitted to exact results on one board.

A file has a line for each weight: what it counts, and its value in sixteenths of a point for the
first player (`compiled.evaluation.fitted`). `python -m benchmarks.fitting` writes the files.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path

from engine.games.connect4.compiled.memory import (
    BLOCKED,
    CONSTANT,
    DISCS,
    HEIGHTS,
    LINE_WEIGHTS,
    PLAYERS,
    SQUARE_WEIGHTS,
    TEMPO,
)
from engine.games.connect4.rules import Connect4

FOLDER = Path(__file__).parent / "fitted"

KINDS = ("upright", "flat", "slanting")
"""The kinds of lines, in the order of their weights."""


def names() -> Iterator[tuple[str, int]]:
    """Yield what each weight counts, and its place in the order of weights."""
    yield from (("constant", CONSTANT), ("tempo", TEMPO), ("blocked", BLOCKED))
    for player in range(PLAYERS):
        for height in range(HEIGHTS):
            yield f"square {height + 1} of {player + 1}", SQUARE_WEIGHTS + HEIGHTS * player + height
    for number, kind in enumerate(KINDS):
        for height in range(HEIGHTS):
            for discs in range(1, DISCS + 1):
                for player in range(PLAYERS):
                    at = ((number * HEIGHTS + height) * DISCS + discs - 1) * PLAYERS + player
                    yield f"{kind} {height + 1} {discs} of {player + 1}", LINE_WEIGHTS + at


def in_order(weights: Mapping[str, int]) -> tuple[int, ...]:
    """Weights by what they count, in their order; those that are missing are 0."""
    places = dict(names())
    found = [0] * (max(places.values()) + 1)
    for name, weight in weights.items():
        found[places[name]] = weight
    return tuple(found)


@cache
def weights_of(game: Connect4) -> Sequence[int]:
    """The weights of a board, in their order; none for most boards."""
    path = FOLDER / f"{game.variant}.csv"
    if not path.exists():
        return ()
    with path.open(encoding="utf-8", newline="") as file:
        rows = csv.DictReader(line for line in file if not line.startswith("#"))
        return in_order({row["counts"]: int(row["weight"]) for row in rows})
